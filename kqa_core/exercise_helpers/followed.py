"""Tensors that tell what is done with them, also across to the answer's process.

- `Followed` ones know which gradients reach their descendants, and whether a result shares their memory.
- `Noting` ones note the states of the global random generators. With a `Seeding` text they show whether the
  answer seeds one.
"""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor


class Followed(Tensor):
    """A tensor whose descendants are Followed too, in-place ones included."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Compute as usual; a plain tensor that was written into becomes Followed."""
        result = super().__torch_function__(func, types, args, kwargs or {})  # type: ignore[no-untyped-call]  # torch's own
        if args and type(args[0]) is Tensor and args[0].grad_fn is not None:
            base = args[0]._base
            for written in (args[0], base):
                if type(written) is Tensor:
                    written.__class__ = cls
        return result

    def gradients(self) -> dict[str, Tensor]:
        """The gradient of a fixed weighted sum of this tensor for each named leaf it depends on."""
        with torch._C.DisableTorchFunctionSubclass():
            leaves = _leaves(self)
            if not leaves:
                return {}
            grads = torch.autograd.grad(_weighted_sum(self), list(leaves.values()), allow_unused=True)
            return {
                name: grad.detach().as_subclass(Tensor)
                for name, grad in zip(leaves, grads, strict=True)
                if grad is not None
            }

    def shares_memory(self) -> bool:
        """Whether this tensor is one of the named leaves it depends on, or a view of one."""
        with torch._C.DisableTorchFunctionSubclass():
            memory = self.untyped_storage().data_ptr()
            return any(leaf.untyped_storage().data_ptr() == memory for leaf in _leaves(self).values())


def _weighted_sum(out: Tensor) -> Tensor:
    """Σ cos(i + 1)·out_i: no two entries have the same weight."""
    weights = torch.cos(torch.arange(1, out.numel() + 1, dtype=torch.float64)).to(out.dtype)  # (numel,)
    return (out.reshape(-1) * weights).sum()


def _leaves(out: Tensor) -> dict[str, Tensor]:
    """The named leaves behind a tensor, by name."""
    leaves: dict[str, Tensor] = {}
    name = getattr(out, "kqa_name", None)
    if name is not None and out.requires_grad and out.grad_fn is None:
        leaves[name] = out
    waiting, seen = [out.grad_fn], set()
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        variable = getattr(node, "variable", None)
        if variable is not None and getattr(variable, "kqa_name", None) is not None:
            leaves[variable.kqa_name] = variable
        waiting += [next_node for next_node, _ in node.next_functions]
    return leaves


def followed(values: Tensor, name: str) -> Tensor:
    """A Followed leaf with this name."""
    leaf = Tensor._make_subclass(Followed, values.detach().clone(), True)
    leaf.kqa_name = name  # type: ignore[attr-defined]
    return leaf


SEEDS: dict[str, Callable[[int], object]] = {
    "torch": torch.manual_seed,
    "numpy": np.random.seed,
    "Python": random.seed,
}
_states: dict[str, str] = {}  # of the generators, when a Noting tensor was last used


class Noting(Tensor):
    """A tensor whose every use notes the states of the generators. Results are plain tensors."""

    @classmethod
    def __torch_function__(
        cls, func: Any, types: Sequence[type], args: Sequence[Any] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Note the states, and compute as usual."""
        with torch._C.DisableTorchFunctionSubclass():
            _states.update(
                torch=str(torch.get_rng_state().tolist()),
                numpy=str([np.random.get_state()[1].tolist(), np.random.get_state()[2]]),  # type: ignore[index]  # a tuple
                Python=str(random.getstate()),
            )
            return func(*args, **(kwargs or {}))


def noting(values: Tensor) -> Tensor:
    """A Noting tensor, before its first use."""
    _states.clear()
    return values.clone().as_subclass(Noting)


class Seeding(str):
    """A text that seeds the generators when it is first compared: the one called `name` with `seed`, the
    other two always alike. (The judge seeds all three itself, after it has made the arguments.)
    """

    name: str
    seed: int | None

    def __eq__(self, other: object) -> bool:
        """Seed once, and compare as usual."""
        if self.seed is not None:
            for generator, seed_it in SEEDS.items():
                seed_it(self.seed if generator == self.name else 0)
            self.seed = None
        return str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        """The opposite."""
        return not self == other

    __hash__ = str.__hash__


def seeding(text: str, name: str, seed: int) -> Seeding:
    """This text as a `Seeding`."""
    how = Seeding(text)
    how.name, how.seed = name, seed
    return how


def states() -> dict[str, int]:
    """A short form of the states that were noted last, by the generator's name."""
    return {name: zlib.crc32(state.encode()) for name, state in _states.items()}
