"""Exercise finetune: the loop that both runs share, with pretraining and without."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.losses import read_losses
from kqa_core.check.helpers.models import BLOCK, VOCABULARY, rehearsal

Batch = tuple[Tensor, Tensor]


def draw_batches(rng: random.Random, count: int, rows: int = 4) -> list[Batch]:
    """`count` batches (x, y) of int64 tensors (rows, BLOCK); targets in the first half are padding, as in a question's
    row.
    """
    generator = torch.Generator().manual_seed(rng.getrandbits(31))
    batches = []
    for _ in range(count):
        codes = torch.randint(2, VOCABULARY, (rows, BLOCK + 1), generator=generator)
        x, y = codes[:, :-1].contiguous(), codes[:, 1:].clone()  # (rows, BLOCK) each
        y[:, : BLOCK // 2] = 0
        batches.append((x, y))
    return batches


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The first loss is known before any training; and on one repeated batch the loss falls."""
    seed = rng.getrandbits(30)
    (x, y), *_ = draw_batches(rng, 1)
    model = rehearsal(seed)
    with torch.no_grad():
        asleep = model(x, y)[1].item()
        awake = model.train()(x, y)[1].item()
    losses = read_losses(answer(Build("kqa_core.check.helpers.models:rehearsal", (seed,)), [(x, y)] * 12, 0.03, 1.0), 12)
    if not abs(losses[0] - awake) < 1e-5:  # tested first, because both modes sometimes give nearly the same loss
        expect(not abs(losses[0] - asleep) < 1e-5, "your first loss is that of the model in evaluation mode, in which it arrives")
        raise NotYet(f"before any step the loss on the first batch is {awake:.5f}; your first loss is {losses[0]:.5f}")
    expect(
        losses[-1] < 0.8 * losses[0],
        f"twelve times the same batch, and the loss went from {losses[0]:.3f} to {losses[-1]:.3f}: it should fall further",
    )
    return right("it learns")


EXERCISE = Exercise(
    id="finetune",
    title="Write the finetuning loop",
    order=3,
    points=3,
    difficulty=3,
    importance=5,
    minutes=20,
    source="CS224n A5 2(c): src/trainer.py",
    hints=(
        "Five things happen for each batch. Which of them would go unnoticed if you left it out, because the loss falls anyway?",
        "Before the loop: training mode, one optimiser. In it: forget the old gradients, forward, backward, clip, step; and keep "
        "the loss as a number.",
        "`model.train()`; `optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)`; for each (x, y): "
        "`optimizer.zero_grad()`, `_, loss = model(x, y)`, `loss.backward()`, then `torch.nn.utils.clip_grad_norm_` with the "
        "model's parameters and max_norm, `optimizer.step()`, and `loss.item()` goes into the list.",
    ),
    check=check,
)
