"""Exercise train: the loop that pretraining and finetuning share."""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.losses import read_losses
from kqa_core.experiments.small_models import BLOCK, VOCABULARY, rehearsal

Batch = tuple[Tensor, Tensor]
MODELS = "kqa_core.experiments.small_models"
TOLERANCE = 1.5e-5  # of a loss near 2.5
RATE = 0.3
AT_REST = "for the rates 0, 0, 0, "
LARGE, SMALL = 20.0, 0.1  # norms: no gradient here has the one, every gradient is longer than the other


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


def moved(seed: int, batch: Batch, distance: float, max_norm: float, up: bool = False) -> float:
    """The loss on `batch` of the model in training mode whose parameters have moved by `distance` times its
    gradient there, which is first scaled to the norm `max_norm` if it is longer; with `up`, if it is shorter,
    too.
    """
    model = rehearsal(seed).train()
    parameters = list(model.parameters())
    gradients = torch.autograd.grad(model(*batch)[1], parameters)
    norm = math.sqrt(sum(gradient.square().sum().item() for gradient in gradients))
    with torch.no_grad():
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.sub_(distance * (max_norm / norm if up else min(1.0, max_norm / norm)) * gradient)
        return float(model(*batch)[1].item())


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rates of 0, with which every loss is known; then one step of SGD, of which each clause is known."""
    seed, batches = rng.getrandbits(30), draw_batches(rng, 3)
    model = rehearsal(seed)
    with torch.no_grad():
        asleep = [model(x, y)[1].item() for x, y in batches]
        model.train()
        awake = [model(x, y)[1].item() for x, y in batches]
    value = answer(*setting(rng.getrandbits(40), seed), streamed(batches), [0.0] * 3, 1.0)
    expect_unmoved(read_losses(value, 3, AT_REST), awake, asleep, "three different batches from a generator")
    value = answer(*setting(rng.getrandbits(40), seed), [*batches, *batches], [0.0] * 3, 1.0)
    expect_unmoved(
        read_losses(value, 3, AT_REST), awake, asleep, "a list of six batches, of which three are needed,"
    )
    for max_norm in (LARGE, SMALL):
        expect_steps(answer, rng.getrandbits(40), seed, batches[0], max_norm)
    losses = read_losses(
        answer(*setting(rng.getrandbits(40), seed), streamed(batches[:1]), [0.03] * 12, 1.0), 12
    )
    expect(
        losses[-1] < 0.8 * losses[0],
        "in twelve steps of AdamW at the rate 0.03 on one batch, its loss should fall by a fifth at least;"
        f" yours went from {losses[0]:.3f} to {losses[-1]:.3f}",
    )
    return right("every step has its own rate, forgets the gradients of the steps before, and is clipped")


def expect_unmoved(losses: list[float], awake: list[float], asleep: list[float], about: str) -> None:
    """Raise NotYet unless these are the losses of the model as it arrived, in training mode."""
    if max(abs(a - b) for a, b in zip(losses, awake, strict=True)) < TOLERANCE:
        return
    if abs(losses[0] - awake[0]) > TOLERANCE:
        mine, yours = told(awake[0], losses[0])
        of = next((k for k in (1, 2) if abs(losses[0] - awake[k]) < TOLERANCE), 0)
        still = abs(losses[0] - asleep[0]) <= TOLERANCE
        raise NotYet(
            f"before any step the loss on the first batch is {mine}; your first loss is {yours}"
            f"{f', that on batch {of + 1}' if of else ''}"
            + f". {POSSIBLE}the model is in evaluation mode, in which it arrives"
            * still
        )
    means, sorted_ = [sum(awake[: i + 1]) / (i + 1) for i in range(len(awake))], sorted(losses)
    why = ""
    if max(abs(a - b) for a, b in zip(losses, means, strict=True)) < TOLERANCE:
        why = f". {POSSIBLE}the losses so far are averaged"
    elif abs(losses[1] - asleep[1]) < TOLERANCE:
        why = f". {POSSIBLE}the model is in evaluation mode in the second step"
    elif max(abs(a - b) for a, b in zip(sorted_, sorted(awake), strict=True)) < TOLERANCE:
        why = ", in another order"
    raise NotYet(
        f"for {about} and the rates 0, 0, 0, the losses should be {listed(awake)}; yours are"
        f" {listed(losses)}{why}"
    )


def expect_steps(answer: Answer, number: int, seed: int, batch: Batch, max_norm: float) -> None:
    """Raise NotYet unless the third of four steps on one batch, the only one with a rate, goes as far as SGD
    goes with momentum 0.9: with one gradient g in all steps, by the rate times (1 + 0.9 + 0.9²)·g.
    """
    rates = [0.0, 0.0, RATE, 0.0]
    given = f"with SGD, momentum 0.9, the rates {rates} and max_norm {max_norm} on one batch, "
    losses = read_losses(answer(*setting(number, seed, "SGD"), streamed([batch]), rates, max_norm), 4, given)
    before, after = moved(seed, batch, 0.0, max_norm), moved(seed, batch, RATE * 2.71, max_norm)
    expect(
        max(abs(loss - before) for loss in losses[:3]) < TOLERANCE,
        f"{given}the first three losses should all be {before:.5f}, because the first two rates are 0; yours"
        f" are {listed(losses[:3])}",
    )
    expect(
        abs(losses[3] - before) > TOLERANCE,
        f"{given}the fourth loss should be {after:.5f}; yours is {losses[3]:.5f}, as before the third step",
    )
    mine, yours = told(after, losses[3])
    if abs(losses[3] - after) > TOLERANCE:
        # 0.9²·1 + 0.9·2 + 3: the gradients of three steps that add up
        added, unclipped = moved(seed, batch, RATE * 5.61, LARGE), moved(seed, batch, RATE * 2.71, LARGE)
        scaled_up = moved(seed, batch, RATE * 2.71, LARGE, up=True)
        why = ""
        if max_norm == LARGE and abs(losses[3] - added) < TOLERANCE:
            why = f". {POSSIBLE}the gradients of all steps are added up, and not cleared in each step"
        elif max_norm == LARGE and abs(losses[3] - scaled_up) < TOLERANCE:
            why = (
                f". {POSSIBLE}a gradient whose norm is smaller than max_norm is scaled up, or backward gets a"
                " multiple of the loss"
            )
        elif max_norm == SMALL and abs(losses[3] - unclipped) < TOLERANCE:
            why = ", as without clipping"
        elif max_norm == SMALL:
            why = f". With max_norm {LARGE} it was right"
        raise NotYet(f"{given}the fourth loss should be {mine}; yours is {yours}{why}")
    trained, stepped = (
        read_losses(
            answer(*setting(number, seed, "SGD", again=True), streamed([batch]), [rate], max_norm), 1
        )[0]
        for rate in (RATE, 0.0)
    )
    mine, yours = told(after, trained)
    kept = abs(trained - before) < TOLERANCE
    copy = ", as before it" if kept else ""
    expect(
        abs(trained - after) < TOLERANCE,
        f"after this training ({given.removesuffix(', ')}), the loss of the model that you were given should"
        f" be {mine} on this batch; it is {yours}{copy}",
    )
    expect(
        abs(stepped - trained) > TOLERANCE,
        f"after a training of one step of SGD at the rate {RATE}, the loss of the model that you were given"
        f" should be another one than {trained:.5f}; it is the same",
    )


def listed(losses: list[float]) -> str:
    """The losses as a message shows them."""
    return ", ".join(f"{loss:.5f}" for loss in losses)


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
