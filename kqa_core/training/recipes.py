"""Recipes: every number that a training run depends on.

- `assignment` is CS224n Assignment 5 to the letter: 650 epochs of span corruption at 6e-3, then 10 epochs of questions (75 where
  nothing was pretrained) at 6e-4. Its cosine is laid out for 200 epochs of the *pretraining* corpus and then runs on, so that it
  comes back to the full rate at epoch 400; and finetuning hardly moves along it. That is part of the letter.
- `best` is ours: the same data, model size and labels, trained so that what is told in the text can be asked for.
  Short salient rows, Muon, train questions mixed in, a rate that ends at nothing; use it with `rope`. Few questions are better
  than many: each is then answered from what the text told, not learnt by heart (small world: 65 % dev accuracy where they are an
  eighth of a batch, 58 % where they are a quarter; 90 % once some rows show nothing around the hidden words). Its cue word
  says what will be asked, and pays: of the original data 82.6 % are recalled with it, 6.2 % without, in equally many steps.
- `small` is `best` for the small world: a model of a tenth of the size, minutes on a laptop.
- None reads a dev or test label.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kqa_core.errors import UserError, suggest
from kqa_core.training.optimizer import OptimizerConfig


@dataclass(frozen=True)
class Phase:
    """One stretch of training on one kind of rows."""

    optimizer: OptimizerConfig
    batch_size: int
    epochs: int | None = None  # passes over the rows; or else
    steps: int | None = None  # batches
    schedule: Literal["assignment", "anneal"] = "anneal"


@dataclass(frozen=True)
class Pretraining(Phase):
    """Pretraining: which rows are made of the documents."""

    rows: Literal["span", "salient"] = "span"  # kqa_core.text.span_corruption or kqa_core.text.salient_spans
    width: int = 56  # salient: characters a row may take where there is a choice
    cue_word: str | None = None  # salient: the word whose follower is preferred
    cue_probability: float = 0.0  # salient: how often it is
    question_share: float = 0.0  # of each batch: train questions, where a finetuning corpus is given


@dataclass(frozen=True)
class Recipe:
    """A model's size and the phases of its training."""

    pretrain: Pretraining
    finetune: Phase  # of a pretrained model
    scratch: Phase  # of a model that knows nothing
    model: dict[str, float | int] = field(default_factory=dict)  # what differs from GPTConfig's defaults


_NO_DROPOUT = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
_MUON = OptimizerConfig(rate=2e-3, muon_rate=0.02)


def _assignment(rate: float) -> OptimizerConfig:
    return OptimizerConfig(rate=rate, betas=(0.9, 0.95), weight_decay=0.1, decay="assignment", clip=1.0)


ASSIGNMENT = Recipe(
    pretrain=Pretraining(_assignment(6e-3), batch_size=128, epochs=650, schedule="assignment"),
    finetune=Phase(_assignment(6e-4), batch_size=256, epochs=10, schedule="assignment"),
    scratch=Phase(_assignment(6e-4), batch_size=256, epochs=75, schedule="assignment"),
)

BEST = Recipe(
    pretrain=Pretraining(
        _MUON,
        batch_size=64,
        steps=7000,
        rows="salient",
        width=40,
        cue_word="born",
        cue_probability=0.8,
        question_share=0.125,
    ),
    finetune=Phase(OptimizerConfig(rate=1e-4), batch_size=256, epochs=2),
    scratch=Phase(_MUON, batch_size=64, epochs=10),
    model=_NO_DROPOUT,
)

SMALL = Recipe(
    pretrain=Pretraining(
        _MUON,
        batch_size=64,
        steps=1300,
        rows="salient",
        width=40,
        cue_word="born",
        cue_probability=0.8,
        question_share=0.125,
    ),
    finetune=Phase(OptimizerConfig(rate=1e-4), batch_size=64, epochs=2),
    scratch=Phase(_MUON, batch_size=64, epochs=60),  # as often as pretraining mixes them in
    model={**_NO_DROPOUT, "n_layer": 2, "n_head": 4, "d_model": 128},
)

RECIPES: dict[str, Recipe] = {"assignment": ASSIGNMENT, "best": BEST, "small": SMALL}


def find_recipe(name: str) -> Recipe:
    """The recipe called `name`. Raises UserError with the nearest names where there is none."""
    if name in RECIPES:
        return RECIPES[name]
    raise UserError(f"no recipe is called {name!r}: {suggest(name, RECIPES)}")
