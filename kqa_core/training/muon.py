"""Muon (Jordan et al. 2024) on stacks of matrices of one shape, the same update as `torch.optim.Muon`.

- A layer has 6 matrices in 3 shapes, and an iteration 3 products. Instead of 90 small products a layer and
  step there are 45 batched ones for all layers, and the rate may be a tensor on a device. torch's Muon reads
  its rate on the host and takes one matrix at a time.
- The iteration's products are computed in bfloat16 on a GPU and in float32 on a CPU, so that no result
  depends on which numbers a processor multiplies fast. torch's Muon has bfloat16 only.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

MOMENTUM = 0.95  # what follows are torch.optim.Muon's defaults, which `Optimizer` takes
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ITERATIONS = 5
SMALLEST = 1e-7


class StackedMuon(torch.optim.Optimizer):
    """Muon for matrices. `lr` is a number or a 0-dim tensor; `dtype` is that of the products."""

    def __init__(
        self,
        matrices: list[nn.Parameter],
        lr: float | Tensor,
        weight_decay: float,
        dtype: torch.dtype = torch.bfloat16,
    ) -> None:
        self.dtype = dtype  # of the products
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]  # there is no closure
        """One update of every matrix that has a gradient."""
        for group in self.param_groups:
            shapes: dict[torch.Size, list[Tensor]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    shapes.setdefault(matrix.shape, []).append(matrix)
            for (rows, columns), matrices in shapes.items():
                grads = [matrix.grad for matrix in matrices if matrix.grad is not None]
                momentum = [self._momentum(matrix) for matrix in matrices]
                torch._foreach_lerp_(momentum, grads, 1 - MOMENTUM)
                # (n, rows, columns): Nesterov momentum
                updates = torch.stack(torch._foreach_lerp(grads, momentum, MOMENTUM))
                rate = group["lr"] * math.sqrt(max(1.0, rows / columns))
                if group["weight_decay"]:
                    torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_sub_(matrices, list((rate * orthogonal(updates, self.dtype)).unbind()))

    def _momentum(self, matrix: Tensor) -> Tensor:
        """The momentum of one matrix."""
        state = self.state[matrix]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(matrix)
        momentum: Tensor = state["momentum_buffer"]
        return momentum


def orthogonal(matrices: Tensor, dtype: torch.dtype = torch.bfloat16) -> Tensor:
    """Newton–Schulz iteration on each of (n, rows, columns), in `dtype`: singular values near 1, float32."""
    a, b, c = COEFFICIENTS
    tall = matrices.shape[1] > matrices.shape[2]
    x = (matrices.mT if tall else matrices).to(dtype)  # (n, m, k), m ≤ k
    x = x / torch.linalg.vector_norm(x, dim=(1, 2), keepdim=True).clamp(min=SMALLEST)
    for _ in range(ITERATIONS):
        gram = x @ x.mT  # (n, m, m)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)  # (n, m, k)
    return (x.mT if tall else x).float()
