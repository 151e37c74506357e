"""Tensors on a device without numbers, for machines that have no GPU: they show code that would fail on one.

- `elsewhere` moves a tensor to another device ("meta", which holds no numbers). Results computed from it are
  `Elsewhere`, or `Mixed` if a tensor of this device took part, which a GPU would refuse.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed, Build, Handle

HERE = "kqa_core.exercise_helpers.other_device"
# by id, those that are still in use: a write into one is a write into all that share its memory
_in_use: weakref.WeakValueDictionary[int, Tensor] = weakref.WeakValueDictionary()


class Elsewhere(Tensor):
    """A tensor on a device that holds no numbers. Results computed from it are Elsewhere too, or `Mixed`."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Compute shapes only. A tensor of this device that takes part is moved; the result is Mixed."""
        if func in (Tensor.__setitem__, Tensor.copy_) and _is_here(args[0]):
            return args[0]  # a tensor of this device that is written into stays here
        if func in (Tensor.to, Tensor.type_as) and _is_here(args[0]):
            with torch._C.DisableTorchFunctionSubclass():
                return _as_kind(func(*args, **(kwargs or {})), Elsewhere)  # moved there correctly
        kind = Mixed if any(issubclass(part, Mixed) for part in types) else cls
        with torch._C.DisableTorchFunctionSubclass():
            # a tensor of this device may index any other, and be copied into it
            if func not in (Tensor.__getitem__, Tensor.__setitem__, Tensor.copy_):
                moved: list[Tensor] = []
                args, kwargs = _moved(list(args), moved), _moved(kwargs or {}, moved)
                kind = Mixed if moved else kind
            result = func(*args, **(kwargs or {}))
            if kind is Mixed:
                if func is Tensor.__setitem__ or result is args[0]:
                    _mix(args[0])
                _mix((kwargs or {}).get("out"))
            return _as_kind(result, kind)


class Mixed(Elsewhere):
    """An Elsewhere tensor that was computed with a tensor of this device."""


def _is_here(value: object) -> bool:
    """Whether a value is a tensor of this device. A single number does not count: every device accepts it."""
    return isinstance(value, Tensor) and value.device.type != "meta" and value.ndim > 0


def _moved(value: Any, moved: list[Tensor]) -> Any:
    """`value` with its tensors of this device moved away; they are added to `moved`."""
    if isinstance(value, Tensor) and value.device.type != "meta":
        moved += [value] if value.ndim else []
        return value.to("meta")
    if isinstance(value, dict):
        return {name: _moved(part, moved) for name, part in value.items()}
    return type(value)(_moved(part, moved) for part in value) if type(value) in (list, tuple) else value


def _as_kind(value: Any, kind: type[Elsewhere]) -> Any:
    """The result with its tensors changed to this class."""
    if isinstance(value, Tensor):
        tensor = value.as_subclass(kind)
        _in_use[id(tensor)] = tensor
        return tensor
    return type(value)(_as_kind(part, kind) for part in value) if type(value) in (list, tuple) else value


def _mix(written: Any) -> None:
    """A tensor that was changed in place, or several: all that share its memory become Mixed."""
    if isinstance(written, Tensor):
        memory = written.untyped_storage()._cdata
        for tensor in list(_in_use.values()):
            if tensor.untyped_storage()._cdata == memory:
                tensor.__class__ = Mixed
    elif isinstance(written, (list, tuple)):
        for tensor in written:
            _mix(tensor)


def elsewhere(values: Tensor) -> Tensor:
    """The same shape and dtype on another device."""
    with torch._C.DisableTorchFunctionSubclass():
        moved: Tensor = _as_kind(values.to("meta"), Elsewhere)
    return moved


def kind_elsewhere(answer: Answer, arguments: Iterable[object]) -> str | None:
    """The result's type for tensors without numbers: "" for a value, None for code that needs numbers."""
    moved = [
        Build(f"{HERE}:elsewhere", (argument,)) if isinstance(argument, Tensor) else argument
        for argument in arguments
    ]
    try:
        result = answer(*moved)
    except AnswerFailed as failed:
        if failed.incident is not None:
            raise
        return None
    return result.type_name if isinstance(result, Handle) else ""
