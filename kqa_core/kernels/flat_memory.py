"""A model of a GPU's memory as a one-dimensional tensor, with the masked load of Triton: for notebook 11.

In Triton, `tl.load(pointer, mask=inside, other=0.0)` reads the values at a tensor of addresses, but only where `inside` is True.
`load` does the same in torch, so that a kernel's memory access can be written and tested on any machine.
"""

from __future__ import annotations

import torch
from torch import Tensor


def load(memory: Tensor, where: Tensor, inside: Tensor, other: float = 0.0) -> Tensor:
    """The values of `memory` (n,) at the addresses `where` (integers); `other` where `inside` is False.

    `where` and `inside` may have any shapes that broadcast; the result has their common shape and the dtype of `memory`.
    Raises IndexError for an address outside the memory that is not masked.

    >>> load(torch.tensor([5.0, 6.0, 7.0]), torch.tensor([2, 0, 9]), torch.tensor([True, True, False]))
    tensor([7., 5., 0.])
    """
    where, inside = torch.as_tensor(where), torch.as_tensor(inside, dtype=torch.bool)
    shape = torch.broadcast_shapes(where.shape, inside.shape)  # type: ignore[no-untyped-call]  # torch ships no types for it
    where, inside = where.expand(shape), inside.expand(shape)
    addresses = where[inside].long()
    if addresses.numel() and not 0 <= int(addresses.min()) <= int(addresses.max()) < len(memory):
        wrong = int(addresses.min()) if int(addresses.min()) < 0 else int(addresses.max())
        raise IndexError(
            f"address {wrong} lies outside the memory, 0 … {len(memory) - 1}: mask the addresses that should not be read"
        )
    found = memory.new_full(shape, other)
    found[inside] = memory[addresses]
    return found
