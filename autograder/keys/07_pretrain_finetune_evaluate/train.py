"""Answer key of train.

The hidden check repeats the training beside the student's and compares the losses. It trains the same model twice, so that the
second training shows the last step of the first, and whether the model itself was trained and not a copy of it.
Tolerance 2e-4 of a loss near 2.5: right answers that sum in another order differ by less than 2e-6 after eight steps, the
mildest of the rejected ones by more than 2e-3 (`test_07_training.py` measures both).
"""

from __future__ import annotations

import itertools
import random

import torch
from course_exercises.train import MODELS, Batch, draw_batches, streamed
from course_keys import _train_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.losses import expect_losses, read_losses
from kqa_core.check.helpers.models import rehearsal

STEPS = 8
TOLERANCE = 2e-4
LARGE = 20.0  # a norm that no gradient has
_numbers = itertools.count()  # of the models that are kept from one call to the next


def draw(rng: random.Random, max_norm: float = 0.1) -> tuple[int, list[Batch], list[float], float]:
    """A model's seed, batches of which some have far fewer targets (so their gradients differ in size), rates and the norm."""
    seed, batches = rng.getrandbits(30), draw_batches(rng, STEPS)
    for i, (_, y) in enumerate(batches):
        if i % 3:
            y[1:] = 0  # one row of four is left
    return seed, batches, [0.04 * share for share in (0.5, 1.0, 0.8, 1.2, 0.3, 1.0, 0.6, 0.9)], max_norm


def expected(seed: int, batches: list[Batch], rates: list[float], max_norm: float) -> list[float]:
    """What the reference gives."""
    losses: list[float] = train(rehearsal(seed), batches, rates, max_norm)
    return losses


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The losses along two trainings of one model, with a generator and with a list of batches."""
    for as_given in (streamed, list):
        number, (seed, *rest), (_, *more) = next(_numbers), draw(rng), draw(rng, LARGE)
        model = rehearsal(seed)
        for round_, (batches, rates, max_norm) in enumerate((rest, more)):
            kept = Build(f"{MODELS}:kept", (number, seed))
            losses = read_losses(answer(kept, as_given(batches), rates, max_norm), STEPS)  # type: ignore[arg-type, operator]
            wanted = train(model, batches, rates, max_norm)
            if round_:
                expect(
                    abs(losses[0] - wanted[0]) < TOLERANCE,
                    "after your training, the model that you were given has not the weights that it should have: train this "
                    "model "
                    "itself and not a copy, and take the last step, too",
                )
            expect_losses(wanted, losses, TOLERANCE)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two trainings."""
    drawn = [draw(rng), draw(rng, LARGE)]
    return [(Build(f"{MODELS}:rehearsal", (seed,)), streamed(batches), *rest) for seed, batches, *rest in drawn]


def train(model, batches, rates, max_norm):
    """The reference."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_by_hand(model, batches, rates, max_norm):
    """Works out the norm itself; takes the batches with next."""
    model.train()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW([{"params": parameters}], lr=rates[0])
    history, left = [], iter(batches)
    for rate in rates:
        x, y = next(left)
        loss = model(x, y)[1]
        history.append(float(loss.detach()))
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        norm = torch.sqrt(sum((parameter.grad**2).sum() for parameter in parameters))
        if norm > max_norm:
            for parameter in parameters:
                parameter.grad *= max_norm / norm
        optimizer.param_groups[0]["lr"] = rate
        optimizer.step()
    return history


def own_adamw(model, batches, rates, max_norm):
    """Writes AdamW out (Loshchilov and Hutter, algorithm 2)."""
    model.train()
    parameters = list(model.parameters())
    first = [torch.zeros_like(parameter) for parameter in parameters]
    second = [torch.zeros_like(parameter) for parameter in parameters]
    losses = []
    for t, ((x, y), rate) in enumerate(zip(batches, rates, strict=False), start=1):
        loss = model(x, y)[1]
        gradients = torch.autograd.grad(loss, parameters)
        total = torch.stack([gradient.norm() for gradient in gradients]).norm()
        shrink = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        with torch.no_grad():
            for parameter, gradient, m, v in zip(parameters, gradients, first, second, strict=True):
                gradient = gradient * shrink
                m.mul_(0.9).add_(gradient, alpha=0.1)
                v.mul_(0.999).add_(gradient**2, alpha=0.001)
                parameter.mul_(1 - rate * 0.01)
                parameter.sub_(rate * (m / (1 - 0.9**t)) / ((v / (1 - 0.999**t)).sqrt() + 1e-8))
        losses.append(loss.item())
    return losses


def with_a_scheduler(model, batches, rates, max_norm):
    """A rate of 1, which torch's scheduler multiplies; takes the loss from the logits."""
    model = model.train(True)
    optimizer = torch.optim.AdamW(model.parameters(), 1.0, foreach=False)
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rates[min(step, len(rates) - 1)])
    losses: list[float] = []
    for batch in batches:
        if len(losses) == len(rates):
            break
        model.zero_grad()
        logits, _ = model(batch[0])
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), batch[1].reshape(-1), ignore_index=0)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm, foreach=False)
        optimizer.step()
        scheduler.step()
        losses = [*losses, loss.detach().item()]
    return tuple(losses)


def zero_at_the_end(model, batches, rates, max_norm):
    """Forgets the gradients at the end of each round; counts the steps."""
    optimizer = torch.optim.AdamW(model.train().parameters())
    optimizer.zero_grad()
    losses = []
    for step, (x, y) in enumerate(batches):
        if step >= len(rates):
            break
        optimizer.param_groups[0].update(lr=rates[step])
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        losses += [loss.item()]
    return losses


KEY = AnswerKey(
    id="train",
    hidden=hidden,
    reference=train,
    accepted=(clips_by_hand, own_adamw, with_a_scheduler, zero_at_the_end),
    rejected=_train_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary="""
    One optimizer is made before the loop, because AdamW remembers averages of the gradients from step to step. In each step, the
    rate is set, the old gradients are cleared, the loss and its gradients are computed, the gradient is clipped, and the
    optimizer
    steps. The order matters: clipping before `backward` clips nothing, and `zero_grad` between `backward` and `step` throws the
    gradient away. `zip(batches, rates)` stops after the last rate, also if the batches go on for ever. `loss.item()` is a plain
    number; a tensor would keep the whole computation of its step in memory. The most common mistakes are quiet ones: a model that
    stays in evaluation mode, or gradients that are never cleared. The loss falls all the same, only less.
    """,
)
