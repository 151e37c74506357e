"""Optimisers: AdamW for everything, or Muon for the hidden matrices and AdamW for the rest.

- Muon (Jordan et al. 2024; `torch.optim.Muon`, or `kqa_core.training.muon` where bfloat16 is slow) orthogonalises the update
  of a matrix.
  It is meant for matrices that map hidden channels to hidden channels: those of the blocks. Embeddings, head, biases and norms
  stay with AdamW.
- The assignment exempts from weight decay what has "bias" in its name, and nothing else: its list of exceptions also says
  "LayerNorm.weight", which no parameter of its model is called, so norms and positions decay too. `decay="assignment"` keeps
  that; `decay="matrices"` decays matrices only, as was meant.
- A schedule multiplies every rate by one factor per step; each group remembers the rate it started with.
- State goes in and out as flat, named tensors, so that a checkpoint needs no pickle.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from kqa_core.hardware import has_fast_bfloat16
from kqa_core.training.muon import StackedMuon

Decay = Literal["assignment", "matrices"]


@dataclass(frozen=True)
class OptimizerConfig:
    """Which optimiser, and its rates."""

    rate: float  # AdamW's learning rate
    muon_rate: float | None = None  # Muon's; None where AdamW has everything
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.1
    muon_weight_decay: float = 0.0
    decay: Decay = "matrices"
    clip: float = 1.0  # longest gradient, over all parameters together


def hidden_matrices(model: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters Muon is for: two-dimensional, and inside a block."""
    return {name: p for name, p in model.named_parameters() if p.ndim == 2 and name.startswith("blocks.")}


def has_weight_decay(name: str, parameter: Tensor, decay: Decay) -> bool:
    """Whether weight decay pulls on this parameter."""
    if decay == "assignment":
        return "bias" not in name
    return parameter.ndim >= 2 and name != "position_embedding"


class Optimizer:
    """One or two torch optimisers that step together."""

    def __init__(self, model: nn.Module, config: OptimizerConfig) -> None:
        self.config = config
        self.names: dict[Tensor, str] = {parameter: name for name, parameter in model.named_parameters()}
        muon = {} if config.muon_rate is None else hidden_matrices(model)
        rest = {name: parameter for parameter, name in self.names.items() if name not in muon}
        decayed = [p for name, p in rest.items() if has_weight_decay(name, p, config.decay)]
        undecayed = [p for name, p in rest.items() if not has_weight_decay(name, p, config.decay)]
        groups = [{"params": decayed, "weight_decay": config.weight_decay}, {"params": undecayed, "weight_decay": 0.0}]
        self.parts = self._parts([group for group in groups if group["params"]], list(muon.values()))
        self._rates = [[float(group["lr"]) for group in part.param_groups] for part in self.parts]

    def _parts(self, groups: list[dict[str, Any]], matrices: list[nn.Parameter]) -> list[torch.optim.Optimizer]:
        """The optimisers: AdamW for `groups`, Muon for `matrices` if there are any."""
        config = self.config
        parts: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=config.rate, betas=config.betas)]
        if matrices:
            assert config.muon_rate is not None
            rate, decay = config.muon_rate, config.muon_weight_decay
            if has_fast_bfloat16():
                parts.append(torch.optim.Muon(matrices, lr=rate, weight_decay=decay))
            else:
                parts.append(StackedMuon(matrices, rate, decay, torch.float32))
        return parts

    def set_factor(self, factor: float | Tensor) -> None:
        """Set every learning rate to `factor` times the one it started with."""
        for part, rates in zip(self.parts, self._rates, strict=True):
            for group, rate in zip(part.param_groups, rates, strict=True):
                group["lr"] = factor * rate

    def step(self) -> float:
        """Clip the gradient, take one step, clear the gradient. Returns the gradient's length before clipping.

        A gradient that is not finite raises FloatingPointError before any weight is touched.
        """
        norm = self.clip()
        self.check_norm(norm)
        self.update()
        return float(norm)

    def clip(self) -> Tensor:
        """Shorten the gradient to `config.clip` if it is longer. Returns its length before, 0-dim."""
        return torch.nn.utils.clip_grad_norm_(self.names, self.config.clip)

    def check_norm(self, norm: Tensor) -> None:
        """Raise FloatingPointError for the length of a gradient that is not finite."""
        if not float(norm) < float("inf"):
            raise FloatingPointError(f"the gradient norm is {float(norm)}")

    def update(self) -> None:
        """Take one step, and clear the gradient."""
        for part in self.parts:
            part.step()
            part.zero_grad(set_to_none=True)

    def state_tensors(self) -> dict[str, Tensor]:
        """What the optimisers remember: "exp_avg/blocks.0.mlp.0.weight" → tensor, and so on."""
        return {
            f"{kind}/{self.names[parameter]}": value
            for part in self.parts
            for parameter, state in part.state.items()
            for kind, value in state.items()
            if isinstance(value, Tensor)
        }

    def load_state_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Take back what `state_tensors` gave, bit for bit. Raises KeyError for a parameter that is not here."""
        home = {self.names[p]: (part, p) for part in self.parts for group in part.param_groups for p in group["params"]}
        for key, value in tensors.items():
            kind, name = key.split("/", 1)
            part, parameter = home[name]
            device = "cpu" if kind == "step" else parameter.device  # AdamW keeps its step counts on the CPU
            part.state[parameter][kind] = value.to(device)
