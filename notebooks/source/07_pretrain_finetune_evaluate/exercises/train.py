"""Exercise train: the loop that pretraining and finetuning share."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.losses import read_losses
from kqa_core.experiments.small_models import BLOCK, VOCABULARY, rehearsal

Batch = tuple[Tensor, Tensor]
MODELS = "kqa_core.experiments.small_models"


def draw_batches(rng: random.Random, count: int, rows: int = 4) -> list[Batch]:
    """`count` batches (x, y) of int64 tensors (rows, BLOCK);
    targets in the first half are padding, as in a question's row.
    """
    generator = torch.Generator().manual_seed(rng.getrandbits(31))
    batches = []
    for _ in range(count):
        codes = torch.randint(2, VOCABULARY, (rows, BLOCK + 1), generator=generator)
        x, y = codes[:, :-1].contiguous(), codes[:, 1:].clone()  # (rows, BLOCK) each
        y[:, : BLOCK // 2] = 0
        batches.append((x, y))
    return batches


def setting(number: int, seed: int, kind: str = "AdamW", again: bool = False) -> tuple[Build, Build]:
    """A model, and an optimizer for it, made in the answer's process."""
    return Build(f"{MODELS}:kept", (number, seed, again)), Build(f"{MODELS}:optimizer_for", (number, kind))


def streamed(batches: list[Batch]) -> Build:
    """The batches as a generator in the answer's process."""
    return Build(f"{MODELS}:stream", (batches,))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The first loss is known before any training;
    on one repeated batch the loss falls; a rate of 0 changes nothing.
    """
    number, seed = rng.getrandbits(40), rng.getrandbits(30)
    (x, y), *_ = draw_batches(rng, 1)
    model = rehearsal(seed)
    with torch.no_grad():
        asleep = model(x, y)[1].item()
        awake = model.train()(x, y)[1].item()
    losses = read_losses(answer(*setting(number, seed), streamed([(x, y)] * 15), [0.03] * 12, 1.0), 12)
    # tested first, because both modes sometimes give nearly the same loss
    if not abs(losses[0] - awake) < 1e-5:
        expect(
            not abs(losses[0] - asleep) < 1e-5,
            "your first loss is that of the model in evaluation mode, in which it arrives",
        )
        mine, yours = told(awake, losses[0])
        raise NotYet(f"before any step the loss on the first batch is {mine}; your first loss is {yours}")
    expect(
        losses[-1] < 0.8 * losses[0],
        f"after twelve steps on one batch, its loss went from {losses[0]:.3f} to {losses[-1]:.3f}: it should"
        " fall further",
    )
    losses = read_losses(
        answer(*setting(number, seed), streamed([(x, y)] * 8), [0.0, 0.0, 0.03, 0.03, 0.0], 1.0), 5
    )
    expect(
        max(abs(loss - awake) for loss in losses[:3]) < 1e-5,
        f"the first two rates are 0, so the first three losses on one batch should all be {awake:.5f}; yours"
        f" are {', '.join(f'{loss:.5f}' for loss in losses[:3])}",
    )
    expect(
        losses[3] < losses[2] - 1e-4,
        f"the third rate is 0.03, so the fourth loss should be below the third; yours are {losses[2]:.5f} and"
        f" {losses[3]:.5f}",
    )
    return right("it learns, and each step has its own rate")


EXERCISE = Exercise(
    id="train",
    title="Write the training loop",
    order=3,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="CS224n A5 2(c): src/trainer.py",
    hints=(
        (
            "Six things happen in each step. Go through the list above the exercise, and ask of each: where"
            " does it belong, before the loop or inside it?"
        ),
        (
            "Before the loop: training mode and an empty list. Then loop over zip(batches, rates): set the"
            " rate, zero the gradients, forward, backward, clip, step. Keep the loss as a number."
        ),
        (
            '`for group in optimizer.param_groups: group["lr"] = rate` sets the rate. Then'
            " `optimizer.zero_grad()`, `_, loss = model(x, y)`, `loss.backward()`,"
            " `torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)`, `optimizer.step()`, and"
            " `losses.append(loss.item())`."
        ),
    ),
    check=check,
)
