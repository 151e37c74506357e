"""The optimisers of `kqa_core.training.optimizer` without values on the host, for CUDA graphs.

- Learning rates are tensors on the device, multiplied there by the schedule's factor.
- AdamW is torch's fused one. Muon is ours, because torch's reads its rate on the host.
- Gradients are not checked here. `kqa_core.training.gpu_engine` checks their norms when they arrive on the
  host.
- The state has the same names as in `Optimizer`.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from kqa_core.training.muon import StackedMuon
from kqa_core.training.optimizer import Optimizer, OptimizerConfig


class GpuOptimizer(Optimizer):
    """`Optimizer` for a model on `device`. No method waits for the device."""

    def __init__(self, model: nn.Module, config: OptimizerConfig, device: torch.device) -> None:
        self.device = device
        super().__init__(model, config)

    def _parts(
        self, groups: list[dict[str, Any]], matrices: list[nn.Parameter]
    ) -> list[torch.optim.Optimizer]:
        config, on_gpu = self.config, self.device.type == "cuda"
        rated = [{**group, "lr": torch.tensor(config.rate, device=self.device)} for group in groups]
        parts: list[torch.optim.Optimizer] = [
            torch.optim.AdamW(rated, betas=config.betas, fused=True, capturable=on_gpu)
        ]
        if matrices:
            assert config.muon_rate is not None
            parts.append(
                StackedMuon(
                    matrices, torch.tensor(config.muon_rate, device=self.device), config.muon_weight_decay
                )
            )
        return parts

    def set_factor(self, factor: float | Tensor) -> None:
        """Set every learning rate to `factor` (0-dim, on the device) times its initial value."""
        for part, rates in zip(self.parts, self._rates, strict=True):
            for group, rate in zip(part.param_groups, rates, strict=True):
                group["lr"].copy_(factor * rate)

    def check_norm(self, norm: Tensor) -> None:
        """Does nothing: reading the norm would wait for the device."""

    def load_state_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Load the tensors of `state_tensors`. Raises KeyError for an unknown parameter."""
        super().load_state_tensors(tensors)
        for part in self.parts:
            for state in part.state.values():
                state.update(
                    {
                        kind: value.to(self.device)
                        for kind, value in state.items()
                        if isinstance(value, Tensor)
                    }
                )
