"""A GPU's memory as a one-dimensional tensor, with Triton's masked load and store: for notebook 12.

- In Triton, `tl.load(pointer, mask=inside, other=0.0)` reads the values at a tensor of addresses, but only
  where `inside` is True, and `tl.store` writes there. `load` and `store` do the same in torch, so that a
  kernel's memory access can be written and tested on any machine.
- Inside `watched()`, both note the addresses that they use.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import torch
from torch import Tensor


@dataclass
class Accesses:
    """The addresses of each `load` and of each `store`, in order; masked addresses are left out."""

    loads: list[list[int]] = field(default_factory=list)
    stores: list[list[int]] = field(default_factory=list)


_watching: list[Accesses] = []


@contextmanager
def watched() -> Iterator[Accesses]:
    """Note the addresses of every load and store inside.

    >>> with watched() as seen:
    ...     value = load(torch.zeros(3), torch.tensor([2]), torch.tensor([True]))
    >>> seen.loads
    [[2]]
    """
    seen = Accesses()
    _watching.append(seen)
    try:
        yield seen
    finally:
        _watching.remove(seen)


def load(memory: Tensor, where: Tensor, inside: Tensor, other: float = 0.0) -> Tensor:
    """The values of `memory` (n,) at the addresses `where` (integers); `other` where `inside` is False.

    `where` and `inside` may have any shapes that broadcast; the result has their common shape and the dtype
    of `memory`. Raises IndexError for an address outside the memory that is not masked.

    >>> load(torch.tensor([5.0, 6.0, 7.0]), torch.tensor([2, 0, 9]), torch.tensor([True, True, False]))
    tensor([7., 5., 0.])
    """
    where, inside = _together(memory, where, inside)
    for seen in _watching:
        seen.loads.append(where[inside].tolist())
    values = memory.new_full(where.shape, other)
    values[inside] = memory[where[inside]]
    return values


def store(memory: Tensor, where: Tensor, values: Tensor, inside: Tensor) -> None:
    """Write `values` to `memory` (n,) at `where`, but only where `inside` is True; errors as in `load`.

    >>> memory = torch.zeros(3)
    >>> inside = torch.tensor([True, True, False])
    >>> store(memory, torch.tensor([2, 0, 9]), torch.tensor([7.0, 5.0, 1.0]), inside)
    >>> memory
    tensor([5., 0., 7.])
    """
    where, inside = _together(memory, where, inside)
    for seen in _watching:
        seen.stores.append(where[inside].tolist())
    memory[where[inside]] = values.expand(where.shape)[inside]


def _together(memory: Tensor, where: Tensor, inside: Tensor) -> tuple[Tensor, Tensor]:
    """Addresses (int64) and mask in their common shape. Raises IndexError for one outside, not masked."""
    where, inside = torch.as_tensor(where).long(), torch.as_tensor(inside, dtype=torch.bool)
    shape = torch.broadcast_shapes(where.shape, inside.shape)  # type: ignore[no-untyped-call]  # torch ships no types for it
    where, inside = where.expand(shape), inside.expand(shape)
    addresses = where[inside]
    if addresses.numel() and not 0 <= int(addresses.min()) <= int(addresses.max()) < len(memory):
        wrong = int(addresses.min()) if int(addresses.min()) < 0 else int(addresses.max())
        raise IndexError(
            f"address {wrong} lies outside the memory, 0 … {len(memory) - 1}: mask the addresses that should"
            " not be used"
        )
    return where, inside
