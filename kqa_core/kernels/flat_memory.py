"""A GPU's memory as one long row of numbers, and the masked load that kernels read it with: for notebook 11.

In Triton, `tl.load(pointer, mask=inside, other=0.0)` reads the numbers at a whole tensor of addresses. Where `inside` is False,
nothing is read. `load` here does that in torch, so that a kernel's reading can be written and tested on any machine.
"""

from __future__ import annotations

import torch
from torch import Tensor


def load(memory: Tensor, where: Tensor, inside: Tensor, other: float = 0.0) -> Tensor:
    """The numbers of `memory` (n,) at the addresses `where` (whole numbers), `other` where `inside` is False.

    `where` and `inside` may have any shapes that broadcast; the result has their common shape and the dtype of `memory`.
    Raises IndexError for an address outside the memory that is not masked.

    >>> load(torch.tensor([5.0, 6.0, 7.0]), torch.tensor([2, 0, 9]), torch.tensor([True, True, False]))
    tensor([7., 5., 0.])
    """
    where, inside = torch.as_tensor(where), torch.as_tensor(inside, dtype=torch.bool)
    shape = torch.broadcast_shapes(where.shape, inside.shape)  # type: ignore[no-untyped-call]  # torch ships no types for it
    where, inside = where.expand(shape), inside.expand(shape)
    asked = where[inside].long()
    if asked.numel() and not 0 <= int(asked.min()) <= int(asked.max()) < len(memory):
        wrong = int(asked.min()) if int(asked.min()) < 0 else int(asked.max())
        raise IndexError(f"address {wrong} lies outside the memory, 0 … {len(memory) - 1}: mask what you do not mean to read")
    found = memory.new_full(shape, other)
    found[inside] = memory[asked]
    return found
