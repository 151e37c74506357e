"""Answer key of train_epoch.

The hidden check trains a classifier of its own beside the student's, for two epochs, and compares the losses,
which depend on every step but the very last. Tolerance 1e-7, in float64: right answers differ by less than
1e-12, the mildest of the rejected ones by more than 1e-4 (`test_10_fine_tune_an_encoder.py` measures both).
"""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises._encoder_parts import HERE, Batch, classifier, draw_batches, optimizer, sgd
from course_exercises.train_epoch import LARGE, call, second_call
from course_keys import _train_epoch_mistakes

from autograder.answer_key import AnswerKey, Function
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import NotYet, Verdict, expect, right
from kqa_core.exercise_helpers.losses import expect_losses, read_losses

SIZES = (5, 4, 6, 1, 5, 3)
RATE = 0.05
LARGE_RATE = 1e-7  # of plain SGD, with logits LARGE times as large
TOLERANCE = 1e-7
SECOND = "in a second epoch with the same model and optimizer"
ANEW = (
    "{}. Possible cause: these are the losses of a new optimizer, without what the given one remembers"
    " from the first epoch"
)


def epochs(train: Function, seed: int, batches: list[Batch], anew: bool = False) -> list[float]:
    """The losses of two epochs, one after the other; `anew` is with a new optimizer for the second."""
    model = classifier(seed, used=True)
    steps = optimizer(RATE)
    first = train(model, steps, batches)
    return [*first, *train(model, optimizer(RATE) if anew else steps, batches)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The losses along two trainings of two epochs each, one of a single batch, and one with large logits."""
    for sizes in (SIZES, SIZES[::-1], (4,)):
        seed, batches = rng.getrandbits(30), draw_batches(rng, sizes)
        count, wanted = len(batches), epochs(train_epoch, seed, batches)
        first, second = (read_losses(answer(*args), count) for args in calls(seed, batches))
        expect_losses(wanted[:count], first, TOLERANCE)
        try:
            expect_losses(
                wanted[count:], second, TOLERANCE, f"{SECOND}, although the first epoch was right, "
            )
        except NotYet as wrong:
            forgot = epochs(train_epoch, seed, batches, anew=True)[count:]
            expect(
                any(abs(a - b) > TOLERANCE for a, b in zip(forgot, second, strict=True)), ANEW.format(wrong)
            )
            raise
    seed, batches = rng.getrandbits(30), draw_batches(rng, (4, 3, 4))
    wanted = large_losses(train_epoch, seed, batches)
    model, _, given = call(seed, batches, RATE, LARGE)
    found = answer(model, Build(f"{HERE}:sgd", (LARGE_RATE,)), given)
    expect_losses(wanted, read_losses(found, len(batches)), TOLERANCE)
    return right()


def large_losses(train: Function, seed: int, batches: list[Batch]) -> list[float]:
    """The losses of an epoch with large logits. AdamW would make large steps of rounding errors here, because
    many gradients are nearly 0.
    """
    return [*train(classifier(seed, used=True, scale=LARGE), sgd(LARGE_RATE), batches)]


def calls(seed: int, batches: list[Batch]) -> list[tuple[object, ...]]:
    """Two epochs."""
    return [call(seed, batches, RATE), second_call(batches)]


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A training of two epochs."""
    return calls(rng.getrandbits(30), draw_batches(rng, SIZES[2:]))


def train_epoch(model, optimizer, batches):
    """The reference."""
    model.train()
    losses = []
    for batch in batches:
        logits = model(batch["input_ids"], batch["attention_mask"])
        loss = F.cross_entropy(logits, batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def by_closure(model, optimizer, batches):
    """Hands the optimiser a function that makes the loss, as it may be asked to."""
    history = []

    def forwards(batch):
        inputs, mask, labels = (batch[name] for name in ("input_ids", "attention_mask", "labels"))
        model.zero_grad(set_to_none=False)
        loss = -model(inputs, mask).log_softmax(dim=-1)[range(len(labels)), labels].mean()
        loss.backward()
        return loss

    model.training or model.train()
    for batch in batches:
        history.append(optimizer.step(lambda rows=batch: forwards(rows)).item())
    return history


def gradients_asked_for(model, optimizer, batches):
    """Asks for the gradients and puts them in place of the old."""
    parameters = list(model.train().parameters())
    found = []
    for each in batches:
        labels = F.one_hot(each["labels"], 2).double()
        value = F.cross_entropy(model(*list(each.values())[:2]), labels)
        for parameter, gradient in zip(parameters, torch.autograd.grad(value, parameters), strict=True):
            parameter.grad = gradient
        optimizer.step()
        found.append(value.item())
    return found


def forgets_first(model, optimizer, batches):
    """Before the loop and at the end of each round."""
    optimizer.zero_grad()
    train = torch.nn.CrossEntropyLoss()
    for module in model.modules():
        module.training = True
    losses: list[float] = []
    for rows in batches:
        error = train(
            input=model(attention_mask=rows["attention_mask"], input_ids=rows["input_ids"]),
            target=rows["labels"],
        )
        error.backward()
        losses += [error.detach().numpy().item()]
        optimizer.step()
        optimizer.zero_grad()
    return losses


def one_step(model, optimizer, batches):
    """A function for one batch, mapped over all."""

    def step(batch):
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.grad = None
        scores = model(batch["input_ids"], batch["attention_mask"])
        nll = torch.logsumexp(scores, 1) - scores.gather(1, batch["labels"][:, None]).squeeze(1)
        torch.autograd.backward(nll.mean())
        optimizer.step()
        return nll.mean().item()

    model.train(mode=True)
    return tuple(map(step, batches))


KEY = AnswerKey(
    id="train_epoch",
    hidden=hidden,
    reference=train_epoch,
    accepted=(by_closure, gradients_asked_for, forgets_first, one_step),
    rejected=_train_epoch_mistakes.REJECTED,
    fingerprint=fingerprint,
    commentary=(
        "`zero_grad` clears the gradients of earlier batches, `backward` adds this batch's gradient, `step`"
        " uses it. Any order in which each step sees only its own batch's gradient is right. `model.train()`"
        " comes first, because the model may arrive in evaluation mode. `loss.item()` stores a number."
        " The most common mistake is to clear"
        " the gradients between `backward` and `step`: nothing fails, and nothing is learned."
    ),
)
