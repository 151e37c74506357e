"""torch's tensors as values: as bytes and back, compared by numpy, with torch's generator and settings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import torch

from kqa_core.check.codec_errors import Malformed
from kqa_core.check.value_kinds import Numbers, Reader, ValueKind, Writer

DTYPES = {
    str(dtype).removeprefix("torch."): dtype
    for dtype in (
        *(torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.complex64, torch.complex128),
        *(torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool),
    )
}
DTYPE_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def tensor_bytes(value: torch.Tensor) -> bytes:
    """The elements of a tensor, little-endian and in row-major order."""
    flat = value.detach().resolve_conj().resolve_neg().cpu().reshape(-1)  # (numel,)
    # `view` needs a stride of 1
    return flat.clone(memory_format=torch.contiguous_format).view(torch.uint8).numpy().tobytes()


def to_tensor(name: str, shape: list[int], data: bytearray) -> torch.Tensor:
    """The tensor of these elements. `name` is its dtype, such as float32; `data` fills the shape exactly."""
    dtype = DTYPES[name]
    if not data:
        return torch.empty(shape, dtype=dtype)
    if dtype is torch.bool:
        return torch.frombuffer(data, dtype=torch.uint8).ne(0).reshape(shape)  # a byte of 2 is not a bool
    return torch.frombuffer(data, dtype=dtype).reshape(shape)


def _read_tensor(reader: Reader, rest: list[Any]) -> torch.Tensor:
    name, *place, gradient = rest
    shape, data = reader.elements(place, DTYPES[name].itemsize)
    tensor = to_tensor(name, shape, data)
    if type(gradient) is not int or gradient not in (0, 1, 2) or (gradient and not reader.arguments):
        raise Malformed("only a tensor that goes to the answer carries a gradient")
    return torch.nn.Parameter(tensor) if gradient == 2 else tensor.requires_grad_(gradient == 1)


class TorchValues(ValueKind):
    """Tensors and parameters. A Parameter, or a tensor on another device, arrives as a plain CPU tensor."""

    package = "torch"
    readers = MappingProxyType({"tensor": _read_tensor})
    later = ("torch._dynamo",)  # optimisers and "meta" tensors import it: over a second in each such runner

    def write(self, value: Any, writer: Writer, depth: int) -> object | None:
        """Its dtype, shape and bytes. An argument keeps whether it requires a gradient."""
        parameter = type(value) is torch.nn.Parameter
        if not parameter and type(value) is not torch.Tensor:
            return None
        if value.layout is not torch.strided or value.dtype not in DTYPE_NAMES or value.device.type == "meta":
            return None
        number = writer.blob(value.numel() * value.element_size(), tensor_bytes, value)
        gradient = (2 if parameter else 1) if writer.arguments and value.requires_grad else 0
        return ["tensor", DTYPE_NAMES[value.dtype], [int(n) for n in value.shape], number, gradient]

    def numbers(self, value: Any) -> Numbers | None:
        """In numpy's widest dtype of the same kind."""
        if not isinstance(value, torch.Tensor):
            return None
        value = value.detach()
        if value.dtype is torch.bool:
            return Numbers(value.to(torch.int64).numpy(), "bool", 0.0)
        if value.is_complex():
            wide = value.to(torch.complex128).resolve_conj().resolve_neg()
            return Numbers(wide.numpy(), "complex", torch.finfo(value.dtype).eps)
        if value.is_floating_point():
            return Numbers(value.to(torch.float64).numpy(), "float", torch.finfo(value.dtype).eps)
        return Numbers(value.to(torch.int64).numpy(), "int", 0.0)

    def real(self, value: Any) -> float | None:
        """Of a tensor with one element."""
        if not isinstance(value, torch.Tensor) or value.numel() != 1:
            return None
        return None if value.is_complex() or value.dtype is torch.bool else float(value.item())

    def truth(self, value: Any) -> bool | None:
        """Of a tensor with one element."""
        one = isinstance(value, torch.Tensor) and value.dtype is torch.bool and value.numel() == 1
        return bool(value.item()) if one else None

    def described(self, value: Any) -> str | None:
        """With its shape."""
        return f"a tensor of shape {tuple(value.shape)}" if isinstance(value, torch.Tensor) else None

    def seed(self, seed: int) -> None:
        """Of the CPU: seeding a GPU here would start it."""
        torch.default_generator.manual_seed(seed)

    @contextmanager
    def generator_kept(self) -> Iterator[None]:
        """The CPU's."""
        state = torch.get_rng_state()
        try:
            yield
        finally:
            torch.set_rng_state(state)

    @contextmanager
    def state_kept(self) -> Iterator[None]:
        """The recording of gradients, the default dtype and device, and the number of threads."""
        gradients, dtype = torch.is_grad_enabled(), torch.get_default_dtype()
        device, threads = torch.get_default_device(), torch.get_num_threads()
        try:
            yield
        finally:
            torch.set_grad_enabled(gradients)
            torch.set_default_dtype(dtype)
            if torch.get_default_device() != device:
                torch.set_default_device(device)
            if torch.get_num_threads() != threads:
                torch.set_num_threads(threads)

    def one_thread(self) -> None:
        """Within an operation."""
        torch.set_num_threads(1)

    def before_fork(self) -> None:
        """A fork keeps one thread only: no pool may exist before it."""
        torch.set_num_threads(1)
        torch.set_num_interop_threads(1)
        torch.zeros(1).half()  # looks at the processor, in /proc, which a runner does not see


KIND = TorchValues()
