"""Optimisers: AdamW for everything, or Muon for the hidden matrices and AdamW for the rest.

- Muon (Jordan et al. 2024; `kqa_core.training.muon`) orthogonalises the update of a matrix. It is meant for
  matrices that map hidden channels to hidden channels, which are those of the blocks. Embeddings, head,
  biases and norms are left to AdamW.
- The assignment exempts only parameters with "bias" in their names from weight decay. Its list of exceptions
  also says "LayerNorm.weight", but no parameter of its model has that name, so norms and positions decay too.
  `decay="assignment"` does the same; `decay="matrices"` decays matrices only, as was intended.
- `MuonAdamW` is both as one torch optimizer, for the loop that students write in notebook 07.
- A schedule multiplies every rate by one factor per step; `Optimizer` keeps the initial rates.
- The state is a dict of named tensors, so that a checkpoint needs no pickle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import torch
from torch import Tensor, nn

from kqa_core.training.muon import StackedMuon

Decay = Literal["assignment", "matrices"]


@dataclass(frozen=True)
class OptimizerConfig:
    """The choice of optimiser, and its settings."""

    rate: float  # AdamW's learning rate
    muon_rate: float | None = None  # Muon's; None for AdamW alone
    betas: tuple[float, float] = (0.9, 0.95)
    weight_decay: float = 0.1
    muon_weight_decay: float = 0.0
    decay: Decay = "matrices"
    clip: float = 1.0  # largest gradient norm, over all parameters together


def hidden_matrices(model: nn.Module) -> dict[str, nn.Parameter]:
    """The parameters for Muon: the two-dimensional ones inside the blocks, by name."""
    return {name: p for name, p in model.named_parameters() if p.ndim == 2 and name.startswith("blocks.")}


def has_weight_decay(name: str, parameter: Tensor, decay: Decay) -> bool:
    """Whether weight decay applies to this parameter."""
    if decay == "assignment":
        return "bias" not in name
    return parameter.ndim >= 2 and name != "position_embedding"


class Optimizer:
    """AdamW, or AdamW and Muon, that step together."""

    def __init__(self, model: nn.Module, config: OptimizerConfig) -> None:
        self.config = config
        self.names: dict[Tensor, str] = {parameter: name for name, parameter in model.named_parameters()}
        muon = {} if config.muon_rate is None else hidden_matrices(model)
        rest = {name: parameter for parameter, name in self.names.items() if name not in muon}
        decayed = [p for name, p in rest.items() if has_weight_decay(name, p, config.decay)]
        undecayed = [p for name, p in rest.items() if not has_weight_decay(name, p, config.decay)]
        groups = [
            {"params": decayed, "weight_decay": config.weight_decay},
            {"params": undecayed, "weight_decay": 0.0},
        ]
        self.parts = self._parts([group for group in groups if group["params"]], list(muon.values()))
        self._rates = [[float(group["lr"]) for group in part.param_groups] for part in self.parts]

    def _parts(
        self, groups: list[dict[str, Any]], matrices: list[nn.Parameter]
    ) -> list[torch.optim.Optimizer]:
        """AdamW for `groups`, and Muon for `matrices` if there are any."""
        config = self.config
        parts: list[torch.optim.Optimizer] = [torch.optim.AdamW(groups, lr=config.rate, betas=config.betas)]
        if matrices:
            assert config.muon_rate is not None
            parts.append(StackedMuon(matrices, config.muon_rate, config.muon_weight_decay, torch.float32))
        return parts

    def set_factor(self, factor: float | Tensor) -> None:
        """Set every learning rate to `factor` times its initial value."""
        for part, rates in zip(self.parts, self._rates, strict=True):
            for group, rate in zip(part.param_groups, rates, strict=True):
                group["lr"] = factor * rate

    def step(self) -> Tensor:
        """Clip the gradient norm, take one step, clear the gradient. Returns the norm before clipping, 0-dim.

        Raises FloatingPointError, before any weight changes, if the norm is checked and not finite.
        """
        norm = torch.nn.utils.clip_grad_norm_(self.names, self.config.clip)
        self.check_norm(norm)
        for part in self.parts:
            part.step()
            part.zero_grad(set_to_none=True)
        return norm

    def check_norm(self, norm: Tensor) -> None:
        """Raise FloatingPointError if the norm is not finite."""
        if not float(norm) < float("inf"):
            raise FloatingPointError(f"the gradient norm is {float(norm)}")

    def state_tensors(self) -> dict[str, Tensor]:
        """The state of the optimisers: "exp_avg/blocks.0.mlp.0.weight" → tensor, and so on."""
        return {
            f"{kind}/{self.names[parameter]}": value
            for part in self.parts
            for parameter, state in part.state.items()
            for kind, value in state.items()
            if isinstance(value, Tensor)
        }

    def load_state_tensors(self, tensors: dict[str, Tensor]) -> None:
        """Load the tensors of `state_tensors`, bit for bit. Raises KeyError for an unknown parameter."""
        home = {
            self.names[p]: (part, p)
            for part in self.parts
            for group in part.param_groups
            for p in group["params"]
        }
        for key, value in tensors.items():
            kind, name = key.split("/", 1)
            part, parameter = home[name]
            device = "cpu" if kind == "step" else parameter.device  # AdamW keeps its step counts on the CPU
            part.state[parameter][kind] = value.to(device)


class MuonAdamW(torch.optim.Optimizer):
    """Both as one torch optimizer, with one rate for all groups: Muon's steps are `MUON_TIMES` the rate.

    >>> from kqa_core.model.gpt import GPT, GPTConfig
    >>> optimizer = MuonAdamW(GPT(GPTConfig(30, d_model=16)), rate=1e-3)
    >>> len(optimizer.param_groups)  # with weight decay, without, and Muon's
    3
    """

    MUON_TIMES = 10

    def __init__(self, model: nn.Module, rate: float = 2e-3) -> None:
        self.adamw, self.muon = Optimizer(model, OptimizerConfig(rate, muon_rate=rate)).parts
        # the same groups, not copies
        super().__init__([*self.adamw.param_groups, *self.muon.param_groups], {})

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step of both. `closure`, if given, computes the gradient first; its loss is returned."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        [group] = self.muon.param_groups
        self.adamw.step()
        group["lr"] *= self.MUON_TIMES
        self.muon.step()
        group["lr"] /= self.MUON_TIMES
        return loss

    def state_dict(self) -> dict[str, Any]:
        """Raises NotImplementedError: the state is in `adamw` and `muon`."""
        raise NotImplementedError(
            "MuonAdamW keeps its state in two optimizers: save optimizer.adamw and optimizer.muon"
        )

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Raises NotImplementedError, as `state_dict` does."""
        raise NotImplementedError(
            "MuonAdamW keeps its state in two optimizers: load optimizer.adamw and optimizer.muon"
        )
