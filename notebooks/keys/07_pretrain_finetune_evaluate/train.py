"""Answer key of train.

The hidden check repeats the training beside the student's and compares the losses. It trains the same model
twice, so that the second training shows the last step of the first, and whether the model itself was trained
and not a copy of it. Tolerance 2e-4 of a loss near 2.5: right answers that sum in another order differ by
less than 2e-6 after eight steps, the mildest of the rejected ones by more than 2e-3 (`test_07_training.py`
measures both).
"""

from __future__ import annotations

import itertools
import random

import torch
from course_exercises.train import Batch, draw_batches, setting, streamed
from course_keys import _train_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.exercise_helpers.losses import expect_losses, read_losses
from kqa_core.experiments.small_models import kept, optimizer_for

STEPS = 8
TOLERANCE = 2e-4
LARGE = 20.0  # a norm that no gradient has
KINDS = {"AdamW": 1.0, "SGD": 0.5}  # and how much larger its rates are
_numbers = itertools.count()  # of the models that are kept from one call to the next

Drawn = tuple[list[Batch], list[float], float]


def draw(rng: random.Random, kind: str, max_norm: float = 0.1) -> Drawn:
    """Batches of which some have far fewer targets
    (so their gradients differ in size), rates and the norm.
    """
    batches = draw_batches(rng, STEPS)
    for i, (_, y) in enumerate(batches):
        if i % 3:
            y[1:] = 0  # one row of four is left
    return (
        batches,
        [0.04 * KINDS[kind] * share for share in (0.5, 1.0, 0.8, 1.2, 0.3, 1.0, 0.6, 0.9)],
        max_norm,
    )


def expected(number: int, seed: int, kind: str, drawn: Drawn, again: bool = False) -> list[float]:
    """The losses of the reference."""
    losses: list[float] = train(kept(number, seed, again), optimizer_for(number, kind), *drawn)
    return losses


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The losses along two trainings of one model,
    for two optimizers, with a generator and with a list of batches.
    """
    for kind, as_given in (("AdamW", streamed), ("SGD", list)):
        mine, yours, seed = next(_numbers), next(_numbers), rng.getrandbits(30)
        for again in (False, True):
            batches, rates, max_norm = drawn = draw(rng, kind, LARGE if again else 0.1)
            value = answer(*setting(yours, seed, kind, again), as_given(batches), rates, max_norm)
            when = f"with {kind}, {STEPS} batches and max_norm {max_norm}, "
            losses, wanted = read_losses(value, STEPS, when), expected(mine, seed, kind, drawn, again)
            if again:
                expect(
                    abs(losses[0] - wanted[0]) < TOLERANCE,
                    "after your training, the model that you were given does not have the weights that it"
                    f" should have: its loss on the next batch should be {wanted[0]:.5f}; it is"
                    f" {losses[0]:.5f}",
                )
            if as_given is list and not again:
                stuck = expected(next(_numbers), seed, kind, ([batches[0]] * STEPS, rates, max_norm))
                first = (
                    f"where the batches are a list, the second loss should be {wanted[1]:.5f}; all of yours,"
                    f" such as {losses[1]:.5f}, are those of the first batch in every step"
                )
                expect(max(abs(a - b) for a, b in zip(stuck, losses, strict=True)) > TOLERANCE, first)
            expect_losses(wanted, losses, TOLERANCE, when)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two trainings."""
    calls = []
    for kind, max_norm in (("AdamW", 0.1), ("SGD", LARGE)):
        batches, *rest = draw(rng, kind, max_norm)
        calls.append((*setting(rng.getrandbits(40), rng.getrandbits(30), kind), streamed(batches), *rest))
    return calls


def train(model, optimizer, batches, rates, max_norm):
    """The reference."""
    model.train()
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


def clips_by_hand(model, optimizer, batches, rates, max_norm):
    """Works out the norm itself; takes the batches with next."""
    model.train()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
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
        for group in optimizer.param_groups:
            group.update(lr=rate)
        optimizer.step()
    return history


def with_autograd(model, optimizer, batches, rates, max_norm):
    """Asks for the gradients and puts them into the parameters."""
    model.train()
    parameters = list(model.parameters())
    losses = []
    for batch, rate in zip(batches, rates, strict=False):
        loss = model(*batch)[1]
        gradients = torch.autograd.grad(loss, parameters)
        total = torch.stack([gradient.norm() for gradient in gradients]).norm()
        shrink = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient * shrink
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.step()
        losses.append(loss.item())
    return losses


def with_a_scheduler(model, optimizer, batches, rates, max_norm):
    """A rate of 1, which torch's scheduler multiplies; takes the loss from the logits."""
    model = model.train(True)
    for group in optimizer.param_groups:
        group["lr"] = 1.0
    scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: rates[min(step, len(rates) - 1)])
    losses: list[float] = []
    for batch in batches:
        if len(losses) == len(rates):
            break
        model.zero_grad()
        logits, _ = model(batch[0])
        loss = torch.nn.functional.cross_entropy(
            logits.reshape(-1, logits.shape[-1]), batch[1].reshape(-1), ignore_index=0
        )
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm, foreach=False)
        optimizer.step()
        scheduler.step()
        losses = [*losses, loss.detach().item()]
    return tuple(losses)


def zero_at_the_end(model, optimizer, batches, rates, max_norm):
    """Forgets the gradients at the end of each round; counts the steps."""
    model.train()
    optimizer.zero_grad()
    losses = []
    for step, (x, y) in enumerate(batches):
        if step >= len(rates):
            break
        for number in range(len(optimizer.param_groups)):
            optimizer.param_groups[number]["lr"] = rates[step]
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        losses += [loss.item()]
    return losses


def with_a_closure(model, optimizer, batches, rates, max_norm):
    """Lets the optimizer call a function that computes the gradient."""
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):

        def closure(x=x, y=y):
            optimizer.zero_grad()
            loss = model(x, y)[1]
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
            return loss

        for group in optimizer.param_groups:
            group["lr"] = rate
        losses.append(optimizer.step(closure).item())
    return losses


KEY = AnswerKey(
    id="train",
    hidden=hidden,
    reference=train,
    accepted=(clips_by_hand, with_autograd, with_a_scheduler, zero_at_the_end, with_a_closure),
    rejected=_train_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary="""
    In each step, the rate is set, the old gradients are cleared, the loss and its gradients are computed, the
    gradient is clipped, and the optimizer steps. The order matters: clipping before `backward` clips nothing,
    and `zero_grad` between `backward` and `step` throws the gradient away. An optimizer may have several
    groups of parameters, so the rate is set in each. `zip(batches, rates)` stops after the last rate, even if
    the batches go on for ever. `loss.item()` is a plain number; a tensor would keep its graph. The most
    common mistakes are quiet ones: a model that stays in evaluation mode, or gradients that are never
    cleared. The loss falls nevertheless, only less.
    """,
)
