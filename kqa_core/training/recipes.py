"""Recipes: all the numbers that a training run depends on.

- `assignment` is exactly CS224n Assignment 5: 650 epochs of span corruption at 6e-3, then 10 epochs of
  questions (75 without pretraining) at 6e-4. Its cosine has its minimum after 200 epochs of the *pretraining*
  corpus and then rises again, to the full rate at epoch 400; in finetuning the rate hardly changes. Its rows
  come in the order of the file in every epoch. All three are the original's behaviour.
- `best` is ours: the same data, model size and labels, trained so that the model can answer questions about
  facts in the text. It uses short rows with salient-span masking, Muon, train questions mixed into
  pretraining, and a rate that decays to 0. Use it with `rope`. Few questions work better than many, because
  the model then answers from the text and does not memorise the answers (small world: 65 % dev accuracy if
  they are an eighth of a batch, 58 % if they are a quarter; 90 % once some rows have no text around the
  masked span). It learns from the train questions which span to mask most often (`answer_extractor`). Its
  batches are as large as the assignment's: with the same number of characters of the original data, batches
  of 64 gave fewer right answers, and batches of 256 no more.
- `best_questions` is `best` with more questions: half of each batch. Most of them are generated from the
  text: `answer_extractor` asks each document its person's question. They have the form of the dev questions
  and are about the same people, but their answers are what the extractor finds in the text, not labels.
- `small` is `best` for the small world: a model of a tenth of the size, batches of 64, minutes on a laptop.
- No recipe uses a dev or test label.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from kqa_core.errors import UserError, suggest
from kqa_core.training.optimizer import OptimizerConfig

Loss = Literal["row", "span"]


@dataclass(frozen=True)
class Phase:
    """One phase of training: pretraining or finetuning."""

    optimizer: OptimizerConfig
    batch_size: int
    epochs: int | None = None  # passes over the rows; if None, `steps` counts
    steps: int | None = None  # batches
    schedule: Literal["assignment", "anneal"] = "anneal"
    shuffle: bool = True  # a new order of the rows in each epoch; the original keeps that of the file


@dataclass(frozen=True)
class Pretraining(Phase):
    """Pretraining: how rows are made from the documents."""

    rows: Literal["span", "salient"] = "span"  # kqa_core.text.span_corruption or kqa_core.text.salient_spans
    # where the loss is: on every character, as in the original, or on the masked span alone
    loss: Loss = "row"
    any_word: bool = False  # salient: mask any word instead of a name or a number
    width: int = 56  # salient: how many characters a row may have, if its title and span are shorter
    # salient: probability of masking the span that the train questions show to be asked for
    cue_probability: float = 0.0
    question_share: float = 0.0  # salient: fraction of each batch that is questions
    # salient: these questions are also about people whom no train question names
    generated_questions: bool = False

    @property
    def reads_questions(self) -> bool:
        """Whether pretraining uses the train questions."""
        return self.question_share > 0 or self.cue_probability > 0


@dataclass(frozen=True)
class Recipe:
    """A model's size and the phases of its training."""

    pretrain: Pretraining
    finetune: Phase  # of a pretrained model
    scratch: Phase  # finetuning without pretraining
    # fields of GPTConfig that differ from their defaults
    model: dict[str, float | int] = field(default_factory=dict)


_NO_DROPOUT = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
_MUON = OptimizerConfig(rate=2e-3, muon_rate=0.02)


def _assignment(rate: float) -> OptimizerConfig:
    return OptimizerConfig(rate=rate, betas=(0.9, 0.95), weight_decay=0.1, decay="assignment", clip=1.0)


ASSIGNMENT = Recipe(
    pretrain=Pretraining(_assignment(6e-3), batch_size=128, epochs=650, schedule="assignment", shuffle=False),
    finetune=Phase(_assignment(6e-4), batch_size=256, epochs=10, schedule="assignment", shuffle=False),
    scratch=Phase(_assignment(6e-4), batch_size=256, epochs=75, schedule="assignment", shuffle=False),
)

BEST = Recipe(
    pretrain=Pretraining(
        _MUON,
        batch_size=128,
        steps=3500,
        rows="salient",
        loss="span",
        width=40,
        cue_probability=0.8,
        question_share=0.125,
    ),
    finetune=Phase(OptimizerConfig(rate=1e-4), batch_size=256, epochs=2),
    scratch=Phase(_MUON, batch_size=64, epochs=10),
    model=_NO_DROPOUT,
)

BEST_QUESTIONS = replace(BEST, pretrain=replace(BEST.pretrain, question_share=0.5, generated_questions=True))

SMALL = Recipe(
    pretrain=replace(BEST.pretrain, batch_size=64, steps=1300),
    finetune=Phase(OptimizerConfig(rate=1e-4), batch_size=64, epochs=2),
    scratch=Phase(_MUON, batch_size=64, epochs=60),  # each question 60 times; 72 times in pretraining
    model={**_NO_DROPOUT, "n_layer": 2, "n_head": 4, "d_model": 128},
)

RECIPES: dict[str, Recipe] = {
    "assignment": ASSIGNMENT,
    "best": BEST,
    "best_questions": BEST_QUESTIONS,
    "small": SMALL,
}


def find_recipe(name: str) -> Recipe:
    """The recipe called `name`. Raises UserError with similar names if there is none.

    >>> find_recipe("small").pretrain.batch_size
    64
    """
    if name in RECIPES:
        return RECIPES[name]
    raise UserError(f"no recipe is called {name!r}: {suggest(name, RECIPES)}")
