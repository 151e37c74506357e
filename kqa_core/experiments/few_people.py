"""A short pretraining, for notebook 09: a world of few people, a small model, few steps of `small`.

- Documents, questions and both phases of training are those of `kqa pretrain` and `kqa finetune`. Only the
  sizes differ, so that a run takes seconds. Every person is in three documents, so every question can be
  answered.
- Models that are trained with one seed see the same batches in the same order, so their answers can be
  compared in pairs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from kqa_core.experiments.own_training import train_once
from kqa_core.experiments.results import recorded
from kqa_core.model.gpt import GPT
from kqa_core.progress import limited
from kqa_core.text.birthplaces import Pair, encode_pairs
from kqa_core.text.corpus import Corpus
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.text.world.generator import WorldSize, make_world
from kqa_core.training.config import TrainingConfig
from kqa_core.training.loop import Trained
from kqa_core.training.runs import prepare_finetune, prepare_pretrain

PEOPLE = WorldSize(
    train=60, dev=100, test=1, regions=2, places=12, capital=0.05, flatness=48, agreement=0.5,
    exposures=(0.0, 0.0, 1.0), facts=(0.9, 0.1), unseen=0.0, unseen_test=0.0,
)  # fmt: skip
# besides these, the model of recipe `small`: 2 layers, no dropout
SHAPE = {"d_model": 48, "n_head": 3, "block_size": 64}
FEW_STEPS, RECORDED_STEPS = 300, 600  # of pretraining: in the notebook, and in `kqa bench few_people`
FINETUNING = 4  # steps


def few_people_corpus() -> Corpus:
    """The corpus of that world: 60 train questions, 100 dev questions, three documents a person."""
    world = make_world(PEOPLE)
    train, dev = (
        tuple(Pair(person.question, person.place) for person in world.people if person.split == split)
        for split in ("train", "dev")
    )
    text = "".join(f"{document}\n" for document in world.documents)
    vocabulary = Vocabulary.from_text(text)
    return Corpus("few people", text, world.documents, vocabulary, train=train, dev=dev)


def train_few(
    variant: str,
    corpus: Corpus,
    seed: int,
    steps: int = FEW_STEPS,
    show: bool = True,
    folder: Path | None = None,
) -> Trained:
    """Pretrain a small model of this variant on the documents, then finetune it on the train questions.

    `folder`, if given, keeps the pretrained model, so another call does not pretrain again (`train_once`).
    """
    config = TrainingConfig(recipe="small", seed=seed, device="cpu", model=SHAPE)
    run = prepare_pretrain(variant, corpus, config, steps=limited(steps))
    read: Path | Trained
    if folder is None:
        read = run.train(None, show)
    else:
        read = folder / f"{variant}.{seed}"
        train_once(run, read, show)
    finetuning = prepare_finetune(variant, corpus, read, config, steps=limited(FINETUNING))
    return finetuning.train(None, show=False)


def recorded_few(path: Path | None = None) -> dict[str, list[list[bool]]]:
    """The recorded runs: for each variant and seed, which dev questions were answered correctly.

    Empty where nothing has been recorded. Raises UserError for a file that cannot be read.
    """

    def view(file: dict[str, Any]) -> dict[str, list[list[bool]]]:
        return {
            variant: [[mark == "1" for mark in answers] for answers in by_seed]
            for variant, by_seed in file["figures"]["answers"].items()
        }

    return recorded("few_people", view, path, absent={})


@torch.no_grad()
def answers_right(trained: Trained, pairs: tuple[Pair, ...]) -> Tensor:
    """BoolTensor (number of pairs,): whether the model writes the right answer to each question.

    It does so exactly if, after each correct beginning of the answer, the next correct character is the
    likeliest one. So one pass over the questions with their answers is enough, and no text needs to be
    generated.
    """
    model: GPT = trained.model.eval()
    # (number of pairs, block_size − 1)
    x, y = encode_pairs(pairs, trained.vocabulary, model.config.block_size)
    counts = y != trained.vocabulary.pad_index
    counts &= counts.cumsum(dim=1) > 1  # the first target is the ⁇ after the question, which is given
    right: Tensor = ((model(x)[0].argmax(dim=-1) == y) | ~counts).all(dim=1)
    return right
