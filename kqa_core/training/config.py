"""The choices of a training run, apart from its data and the place of its result.

Each field but `model` is a flag of `kqa pretrain` and `kqa finetune`, with the help text given here.
Importing this module does not import torch, so that `--help` is fast.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from kqa_core.errors import UserError, suggest
from kqa_core.model.config import GPTConfig


def _option(default: Any, help: str, **limits: int) -> Any:
    """A field of `TrainingConfig` with the help text and the limits of its flag."""
    return field(default=default, metadata={"help": help, **limits})


@dataclass(frozen=True)
class TrainingConfig:
    """The choices of a run. Raises UserError for a length, rate or field of the model that is impossible.

    >>> TrainingConfig(recipe="small", steps=100, model={"n_layer": 2}).seed
    0
    """

    recipe: str = _option("assignment", "assignment (to the letter), best, best_questions or small")
    seed: int = _option(0, "seed of all random numbers", min=0, max=2**32 - 1)
    epochs: int | None = _option(None, "passes over the data [default: the recipe's]")
    steps: int | None = _option(None, "number of batches [default: the recipe's]")
    device: str = _option("auto", "auto (a GPU where torch finds one), cpu or cuda")
    pretrain_lr: float | None = _option(None, "AdamW's learning rate in pretraining [default: the recipe's]")
    finetune_lr: float | None = _option(None, "AdamW's learning rate in finetuning [default: the recipe's]")
    model: Mapping[str, object] = field(default_factory=dict)  # fields of GPTConfig in place of the recipe's

    def __post_init__(self) -> None:
        if self.epochs is not None and self.steps is not None:
            raise UserError("both epochs and steps were given: give one of them")
        for name, value in (("epochs", self.epochs), ("steps", self.steps)):
            if value is not None and value < 1:
                raise UserError(f"{name} must be at least 1, not {value}")
        for name, rate in (("pretrain_lr", self.pretrain_lr), ("finetune_lr", self.finetune_lr)):
            if rate is not None and not 0 < rate < math.inf:
                raise UserError(f"{name} must be a number above 0, not {rate}")
        check_fields(self.model)


def check_fields(model: Mapping[str, object]) -> None:
    """Raise UserError for a name that is no field of GPTConfig, or one that is chosen by other means."""
    known = [field.name for field in fields(GPTConfig) if field.name not in ("vocab_size", "variant")]
    for name in model:
        if name not in known:
            raise UserError(
                f"model: {name} is no field of GPTConfig that can be chosen here: {suggest(name, known)}"
            )
