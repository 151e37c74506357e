"""The optimisers of `kqa_core.training.optimizer` with nothing that only the host knows, so that a CUDA graph can hold them.

- Rates are tensors on the device, multiplied there by the schedule's factor.
- AdamW is torch's fused one, Muon ours: torch's reads its rate on the host.
- A gradient that is not finite is not refused here, as nobody looks: whoever fetches its length does
  (`kqa_core.training.gpu_engine`).
- State has the names that `Optimizer` gives it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from kqa_core.training.muon import StackedMuon
from kqa_core.training.optimizer import Optimizer, OptimizerConfig


class GpuOptimizer(Optimizer):
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

    def check_norm(self, norm: Tensor) -> None:
        """Nothing: looking at a number waits for it."""

    def load_state_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Take back what `state_tensors` gave. Raises KeyError for a parameter that is not here."""
        super().load_state_tensors(tensors)
        for part in self.parts:
            for state in part.state.values():
                state.update({kind: value.to(self.device) for kind, value in state.items() if isinstance(value, Tensor)})
