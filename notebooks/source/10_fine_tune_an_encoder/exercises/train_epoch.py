"""Exercise train_epoch: three steps, in the right order, for every batch."""

from __future__ import annotations

import random
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from course_exercises._encoder_parts import HERE, Batch, classifier, draw_batches

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.losses import read_losses


def call(seed: int, batches: Sequence[Batch], rate: float) -> tuple[object, ...]:
    """The arguments: a classifier in evaluation mode with old gradients, AdamW for it, and the batches."""
    model = Build(f"{HERE}:classifier", (seed,), {"used": True})
    return model, Build(f"{HERE}:optimizer", (rate,)), list(batches)


def second_call(batches: Sequence[Batch]) -> tuple[object, ...]:
    """The arguments of another epoch with the same classifier and optimiser: its losses depend on the last step of the first."""
    return Build(f"{HERE}:same_classifier"), Build(f"{HERE}:same_optimizer"), list(batches)


def first_loss(seed: int, batch: Batch, training: bool) -> float:
    """The loss on a batch before any training."""
    with torch.no_grad():
        logits = classifier(seed, training=training)(batch["input_ids"], batch["attention_mask"])
        return F.cross_entropy(logits, batch["labels"]).item()


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The first loss is known; and on one repeated batch the loss falls."""
    seed, [batch] = rng.getrandbits(30), draw_batches(rng, (6,))
    batch["labels"] = torch.tensor([0, 1, 0, 1, 1, 0])
    awake, asleep = (first_loss(seed, batch, training) for training in (True, False))
    losses = read_losses(answer(*call(seed, [batch] * 15, 0.05)), 15)
    if not abs(losses[0] - awake) < 1e-6:  # tested first, because both modes sometimes give the same loss
        expect(
            not abs(losses[0] - asleep) < 1e-6,
            "your first loss is that of the model in evaluation mode: call model.train() first",
        )
        known = f"before any step, the mean cross-entropy of the first batch is {awake:.5f}"
        raise NotYet(f"{known}; your first loss is {losses[0]:.5f}")
    fell = losses[-1] < 0.9 * losses[0]
    expect(fell, f"in 15 steps on the same batch the loss went from {losses[0]:.3f} to {losses[-1]:.3f}: it should fall")
    return right("each batch has its own gradient and its own step")


EXERCISE = Exercise(
    id="train_epoch",
    title="Train for one epoch",
    order=6,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="Washington §3: the training loop",
    hints=(
        "One of the three calls adds to .grad, one reads .grad, one clears it. In which order does each batch get only its own "
        "gradient?",
        "Call model.train() once, before the loop. For each batch: logits, loss, zero_grad, backward, step; keep the loss as a "
        "number. The model may come with gradients from earlier work, so clear them before the first backward.",
        '`F.cross_entropy(logits, batch["labels"])` is the loss, with logits from ids and mask. Then `optimizer.zero_grad()`, '
        "`loss.backward()`, `optimizer.step()`, and `loss.item()` goes into the list.",
    ),
    check=check,
)
