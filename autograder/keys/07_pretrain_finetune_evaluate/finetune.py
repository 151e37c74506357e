"""Answer key of finetune.

The hidden check repeats the training beside the student's and compares the losses, which tell of every step but the last.
Tolerance 2e-4 of a loss near 2.5: right answers that sum in another order differ by less than 2e-6 after eight steps, the
mildest of the rejected ones by more than 2e-3 (`test_07_training.py` measures both).
"""

from __future__ import annotations

import random

import torch
from course_exercises.finetune import Batch, draw_batches

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.losses import expect_losses, read_losses
from kqa_core.check.helpers.models import rehearsal

STEPS = 8
TOLERANCE = 2e-4


def draw(rng: random.Random) -> tuple[int, list[Batch], float, float]:
    """A model's seed, batches of which some hold far fewer targets (so their gradients differ in size), a rate and a norm."""
    seed, batches = rng.getrandbits(30), draw_batches(rng, STEPS)
    for i, (_, y) in enumerate(batches):
        if i % 3:
            y[1:] = 0  # one row of four is left
    return seed, batches, 0.04, 0.1


def expected(seed: int, batches: list[Batch], learning_rate: float, max_norm: float) -> list[float]:
    """What the reference gives."""
    losses: list[float] = finetune(rehearsal(seed), batches, learning_rate, max_norm)
    return losses


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The losses along two trainings."""
    for _ in range(2):
        seed, *rest = draw(rng)
        losses = read_losses(answer(Build("kqa_core.check.helpers.models:rehearsal", (seed,)), *rest), STEPS)
        wanted = expected(seed, *rest)  # type: ignore[arg-type]  # unpacked from draw
        expect_losses(wanted, losses, TOLERANCE)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two trainings."""
    drawn = [draw(rng), draw(rng)]
    return [(Build("kqa_core.check.helpers.models:rehearsal", (seed,)), *rest) for seed, *rest in drawn]


def finetune(model, batches, learning_rate, max_norm):
    """The reference."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_by_hand(model, batches, learning_rate, max_norm):
    """Works out the norm itself."""
    model.train()
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=learning_rate)
    history = []
    for x, y in batches:
        loss = model(x, y)[1]
        history.append(float(loss.detach()))
        optimizer.zero_grad(set_to_none=False)
        loss.backward()
        norm = torch.sqrt(sum((parameter.grad**2).sum() for parameter in parameters))
        if norm > max_norm:
            for parameter in parameters:
                parameter.grad *= max_norm / norm
        optimizer.step()
    return history


def own_adamw(model, batches, learning_rate, max_norm):
    """Writes AdamW out (Loshchilov and Hutter, algorithm 2)."""
    model.train()
    parameters = list(model.parameters())
    first = [torch.zeros_like(parameter) for parameter in parameters]
    second = [torch.zeros_like(parameter) for parameter in parameters]
    losses = []
    for t, (x, y) in enumerate(batches, start=1):
        loss = model(x, y)[1]
        gradients = torch.autograd.grad(loss, parameters)
        total = torch.stack([gradient.norm() for gradient in gradients]).norm()
        shrink = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        with torch.no_grad():
            for parameter, gradient, m, v in zip(parameters, gradients, first, second, strict=True):
                gradient = gradient * shrink
                m.mul_(0.9).add_(gradient, alpha=0.1)
                v.mul_(0.999).add_(gradient**2, alpha=0.001)
                parameter.mul_(1 - learning_rate * 0.01)
                parameter.sub_(learning_rate * (m / (1 - 0.9**t)) / ((v / (1 - 0.999**t)).sqrt() + 1e-8))
        losses.append(loss.item())
    return losses


def loss_from_logits(model, batches, learning_rate, max_norm):
    """Takes the logits and computes the loss itself, padding left out."""
    model = model.train(True)
    optimizer = torch.optim.AdamW(model.parameters(), learning_rate, foreach=False)
    losses: list[float] = []
    for batch in batches:
        model.zero_grad()
        logits, _ = model(batch[0])
        loss = torch.nn.functional.cross_entropy(logits.reshape(-1, logits.shape[-1]), batch[1].reshape(-1), ignore_index=0)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=max_norm, foreach=False)
        optimizer.step()
        losses = [*losses, loss.detach().item()]
    return tuple(losses)


def zero_at_the_end(model, batches, learning_rate, max_norm):
    """Forgets the gradients at the end of each round."""
    optimizer = torch.optim.AdamW(model.train().parameters(), lr=learning_rate)
    optimizer.zero_grad()
    losses = []
    for x, y in batches:
        loss = model(x, y)[1]
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.zero_grad()
        losses += [loss.item()]
    return losses


def never_forgets(model, batches, learning_rate, max_norm):
    """You never call zero_grad: each step follows the sum of all gradients so far."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def forgets_too_late(model, batches, learning_rate, max_norm):
    """Nothing is learned: your optimiser never steps, or zero_grad stands between backward and step, which then finds no
    gradient.
    """
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


def no_step(model, batches, learning_rate, max_norm):
    """Nothing is learned: your optimiser never steps, or zero_grad stands between backward and step, which then finds no
    gradient.
    """
    model.train()
    losses = []
    for x, y in batches:
        _, loss = model(x, y)
        loss.backward()
        losses.append(loss.item())
    return losses


def no_clipping(model, batches, learning_rate, max_norm):
    """You do not clip the gradient, or clip before there is one: after backward and before step, its norm must not pass
    max_norm.
    """
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_number(model, batches, learning_rate, max_norm):
    """You clip each number of the gradient; clip_grad_norm_ shrinks the gradient as a whole and keeps its direction."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_parameter(model, batches, learning_rate, max_norm):
    """You clip every parameter's gradient by itself; the norm is that of all of them together."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_(parameter, max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def stays_asleep(model, batches, learning_rate, max_norm):
    """The model arrives in evaluation mode and you leave it there, without dropout: call model.train() first."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def new_optimiser_each_time(model, batches, learning_rate, max_norm):
    """You make a new optimiser for every batch: it forgets its averages and is always at its first step; make one before
    the loop.
    """
    model.train()
    losses = []
    for x, y in batches:
        optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def rate_left_out(model, batches, learning_rate, max_norm):
    """Your optimiser runs at its default rate; hand it learning_rate."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def only_the_head(model, batches, learning_rate, max_norm):
    """You train the head alone; finetuning here changes every parameter of the model."""
    model.train()
    optimizer = torch.optim.AdamW(model.head.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.head.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def loss_after_the_step(model, batches, learning_rate, max_norm):
    """You report the loss on a batch after the model has learned from it; it flatters: report the loss that you stepped
    on.
    """
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(model(x, y)[1].item())
    return losses


def keeps_the_graph(model, batches, learning_rate, max_norm):
    """Your losses are tensors, each of which keeps the whole computation that led to it in memory: put loss.item() into
    the list.
    """
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=learning_rate)
    losses = []
    for x, y in batches:
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
    return losses


KEY = AnswerKey(
    id="finetune",
    hidden=hidden,
    reference=finetune,
    accepted=(clips_by_hand, own_adamw, loss_from_logits, zero_at_the_end),
    rejected=(
        *(
            never_forgets,
            forgets_too_late,
            no_step,
            no_clipping,
            clips_each_number,
            clips_each_parameter,
            stays_asleep,
            new_optimiser_each_time,
        ),
        *(rate_left_out, only_the_head, loss_after_the_step, keeps_the_graph),
    ),
    fingerprint=fingerprint,
)
