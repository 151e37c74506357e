"""The optimisers of `kqa_core.optim` with nothing that only the host knows, so that a CUDA graph can hold them.

- Rates are tensors on the device, multiplied there by the schedule's factor.
- AdamW is torch's fused one. torch's Muon reads its rate on the host and takes one matrix at a time; `StackedMuon` is the same
  update with matrices of one shape stacked: 12 small products a layer and step become 5 batched ones for all layers.
- A gradient that is not finite is not refused here, as nobody looks: whoever fetches its length does (`kqa_core.device`).
- State has the names that `Optimizer` gives it.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from kqa_core.optim import Optimizer, OptimizerConfig

MOMENTUM = 0.95  # what follows are torch.optim.Muon's defaults, which `Optimizer` takes
COEFFICIENTS = (3.4445, -4.7750, 2.0315)
ITERATIONS = 5
SMALLEST = 1e-7


class DeviceOptimizer(Optimizer):
    """`Optimizer` for a model on `device`; every method leaves the host's stream of commands unbroken."""

    def __init__(self, model: nn.Module, config: OptimizerConfig, device: torch.device) -> None:
        self.device = device
        super().__init__(model, config)

    def _parts(self, groups: list[dict[str, Any]], matrices: list[nn.Parameter]) -> list[torch.optim.Optimizer]:
        config, on_gpu = self.config, self.device.type == "cuda"
        rated = [{**group, "lr": torch.tensor(config.rate, device=self.device)} for group in groups]
        parts: list[torch.optim.Optimizer] = [torch.optim.AdamW(rated, betas=config.betas, fused=True, capturable=on_gpu)]
        if matrices:
            assert config.muon_rate is not None
            parts.append(StackedMuon(matrices, torch.tensor(config.muon_rate, device=self.device), config.muon_weight_decay))
        return parts

    def set_factor(self, factor: float | Tensor) -> None:
        """Set every rate to `factor`, 0-dim on the device, times the one it started with."""
        for part, rates in zip(self.parts, self._rates, strict=True):
            for group, rate in zip(part.param_groups, rates, strict=True):
                group["lr"].copy_(factor * rate)

    def check(self, length: Tensor) -> None:
        """Nothing: looking at a number waits for it."""

    def load_state_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Take back what `state_tensors` gave. Raises KeyError for a parameter that is not here."""
        super().load_state_tensors(tensors)
        for part in self.parts:
            for state in part.state.values():
                state.update({kind: value.to(self.device) for kind, value in state.items() if isinstance(value, Tensor)})


class StackedMuon(torch.optim.Optimizer):
    """Muon (Jordan et al. 2024) of matrices, those of one shape at a time. `lr` is 0-dim, on the matrices' device."""

    def __init__(self, matrices: list[nn.Parameter], lr: Tensor, weight_decay: float) -> None:
        super().__init__(matrices, {"lr": lr, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]  # nothing is evaluated anew
        """One update of every matrix that has a gradient."""
        for group in self.param_groups:
            shapes: dict[torch.Size, list[Tensor]] = {}
            for matrix in group["params"]:
                if matrix.grad is not None:
                    shapes.setdefault(matrix.shape, []).append(matrix)
            for (rows, columns), matrices in shapes.items():
                grads = [matrix.grad for matrix in matrices if matrix.grad is not None]
                memory = [self._memory(matrix) for matrix in matrices]
                torch._foreach_lerp_(memory, grads, 1 - MOMENTUM)
                updates = torch.stack(torch._foreach_lerp(grads, memory, MOMENTUM))  # (n, rows, columns): Nesterov's look ahead
                rate = group["lr"] * math.sqrt(max(1.0, rows / columns))
                if group["weight_decay"]:
                    torch._foreach_mul_(matrices, 1 - group["lr"] * group["weight_decay"])
                torch._foreach_sub_(matrices, list((rate * orthogonal(updates)).unbind()))

    def _memory(self, matrix: Tensor) -> Tensor:
        """The momentum of one matrix."""
        state = self.state[matrix]
        if "momentum_buffer" not in state:
            state["momentum_buffer"] = torch.zeros_like(matrix)
        momentum: Tensor = state["momentum_buffer"]
        return momentum


def orthogonal(matrices: Tensor) -> Tensor:
    """Newton and Schulz's iteration on each of (n, rows, columns): singular values near 1, in float32. It runs in bfloat16."""
    a, b, c = COEFFICIENTS
    tall = matrices.shape[1] > matrices.shape[2]
    x = (matrices.mT if tall else matrices).bfloat16()  # (n, m, k), m ≤ k
    x = x / torch.linalg.vector_norm(x, dim=(1, 2), keepdim=True).clamp(min=SMALLEST)
    for _ in range(ITERATIONS):
        gram = x @ x.mT  # (n, m, m)
        x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=b, alpha=c), x, beta=a)  # (n, m, k)
    return (x.mT if tall else x).float()
