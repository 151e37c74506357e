"""Exercise train_epoch: three steps, in the right order, for every batch."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

import torch
import torch.nn.functional as F
from course_exercises._encoder_parts import HERE, Batch, classifier, draw_batches
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.losses import read_losses

RATE = 0.5  # of plain SGD
WITH = f"with plain SGD, learning rate {RATE:g}, on batches of 5, 1 and 3 sentences"
LARGE = 1000.0  # times the logits of an ordinary classifier
CARRIED = {  # which gradients a step follows besides its own
    "all": ("each step also follows the gradients of earlier batches, and those that the model came with"),
    "batches": (
        "each step also follows the gradients of earlier batches, but not those that the model came with"
    ),
    "first": ("the first step also follows the gradients that the model came with"),
}
STILL = "; all three are those of a model that does not change"
LATE = (
    "; all three are those of the model as it came, and the next epoch begins with another model. Possible"
    " cause: the steps come after the losses of later batches are computed"
)
DTYPE = (
    "your code stops where two dtypes are mixed; the logits have the dtype of the model, here float64."
    " Possible cause: a tensor of your own has another one"
)
LAST = ". Possible cause: the last batch has no step"


def call(seed: int, batches: Sequence[Batch], rate: float, scale: float = 1.0) -> tuple[object, ...]:
    """The arguments: a classifier in evaluation mode with old gradients, AdamW for it, and the batches. The
    logits are multiplied by `scale`.
    """
    model = Build(f"{HERE}:classifier", (seed,), {"used": True, "scale": scale})
    return model, Build(f"{HERE}:optimizer", (rate,)), list(batches)


def second_call(batches: Sequence[Batch]) -> tuple[object, ...]:
    """The arguments of another epoch with the same classifier and optimiser:
    its losses depend on the last step of the first.
    """
    return Build(f"{HERE}:same_classifier"), Build(f"{HERE}:same_optimizer"), list(batches)


def first_loss(seed: int, batch: Batch, training: bool, scale: float = 1.0) -> float:
    """The loss on a batch before any training; the logits are multiplied by `scale`."""
    with torch.no_grad():
        logits = classifier(seed, training=training, scale=scale)(batch["input_ids"], batch["attention_mask"])
        return F.cross_entropy(logits, batch["labels"]).item()


def descended(seed: int, batches: Sequence[Batch], past: str = "none") -> list[float]:
    """The losses along steps of plain SGD with RATE on these batches.

    `past` says which gradients a step follows besides its own: "none", in the "first" step those that the
    model came with, those of earlier "batches", or "all" of these.
    """
    model = classifier(seed, training=True, used=True)
    weights: dict[str, Tensor] = {}
    carried: dict[str, Tensor] = {}
    for name, each in model.named_parameters():
        came = each.grad if each.grad is not None and past in ("first", "all") else torch.zeros_like(each)
        weights[name], carried[name] = each.detach(), came
    losses = []
    for batch in batches:
        leaves = {name: each.requires_grad_() for name, each in weights.items()}
        with torch.enable_grad():  # the notebook may have turned it off
            logits = torch.func.functional_call(model, leaves, (batch["input_ids"], batch["attention_mask"]))
            loss = F.cross_entropy(logits, batch["labels"])
            slopes = torch.autograd.grad(loss, list(leaves.values()))
        used = {name: slope + carried[name] for name, slope in zip(leaves, slopes, strict=True)}
        weights = {name: each.detach() - RATE * used[name] for name, each in leaves.items()}
        carried = {
            name: each if past in ("batches", "all") else torch.zeros_like(each)
            for name, each in used.items()
        }
        losses.append(loss.item())
    return losses


def same(mine: Sequence[float], theirs: Sequence[float]) -> bool:
    """Equal up to rounding."""
    return all(abs(a - b) < 1e-6 for a, b in zip(mine, theirs, strict=True))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Plain SGD on three different batches, from a model with old gradients;
    then a second epoch, which shows the last step.
    """
    seed, batches = rng.getrandbits(30), draw_batches(rng, (5, 1, 3))
    for batch in batches[::2]:
        batch["labels"][:2] = torch.tensor([0, 1])  # both classes, not equally often
    model, _, _ = call(seed, batches, RATE)
    try:
        first = answer(model, Build(f"{HERE}:sgd", (RATE,)), batches)
    except AnswerRaised as raised:
        if raised.kind != "RuntimeError" or not re.search("dtype|scalar type", raised.message):
            raise
        weights = ", such as weights of classes; the loss is the plain mean over the sentences"
        raise NotYet(DTYPE + weights * ("weight" in raised.line)) from raised
    second = answer(*second_call(batches[:1]))
    losses = read_losses(first, 3)
    awake, asleep = (first_loss(seed, batches[0], training) for training in (True, False))
    if not same([losses[0]], [awake]):  # tested first, because both modes sometimes give the same loss
        mine, yours = told(awake, losses[0])
        moved = [k for k, batch in enumerate(batches, 1) if same(losses[:1], [first_loss(seed, batch, True)])]
        end = f", that of batch {moved[0]}" if moved else ""
        if same([losses[0]], [asleep]):
            end = ", that of the model in evaluation mode"
        raise NotYet(
            f"before any step, the mean cross-entropy of the first batch is {mine}; your first loss is"
            f" {yours}{end}"
        )
    wanted = descended(seed, [*batches, batches[0]])
    if not same(losses, wanted[:3]):
        number = next(i for i in range(3) if not same([losses[i]], [wanted[i]]))
        mine, yours = told(wanted[number], losses[number])
        said = f"{WITH}, the loss on batch {number + 1} should be {mine}; yours is {yours}"
        still = same(losses, [first_loss(seed, batch, True) for batch in batches])
        expect(not still, said + (STILL if same(read_losses(second, 1), [awake]) else LATE))
        for past, cause in CARRIED.items():
            expect(not same(losses, descended(seed, batches, past)), f"{said}. Possible cause: {cause}")
        raise NotYet(said)
    [loss] = read_losses(second, 1)
    mine, yours = told(wanted[3], loss)
    end = LAST if same([loss], descended(seed, [*batches[:2], batches[0]])[2:]) else ""
    expect(
        same([loss], wanted[3:]),
        f"{WITH}, the losses are right, but the next epoch should begin with the loss {mine}; yours begins"
        f" with {yours}{end}",
    )
    for scale, case in ((1.0, "with another model and AdamW"), (LARGE, f"with logits of about ±{LARGE:g}")):
        wanted = [first_loss(seed + 1, batches[0], True, scale)]
        found = answer(*call(seed + 1, batches[:1], RATE, scale))
        try:
            losses = read_losses(found, 1)
        except NotYet as wrong:
            raise NotYet(f"{case}: {wrong}") from None
        mine, yours = told(wanted[0], losses[0])
        expect(
            same(losses, wanted),
            f"{case}, the mean cross-entropy of the first batch is {mine}; yours is {yours}",
        )
    return right("each batch has its own step on its own gradient, and old gradients do not count")


EXERCISE = Exercise(
    id="train_epoch",
    title="Train for one epoch",
    order=10,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="Washington §3: the training loop",
    hints=(
        (
            "One of the three calls adds to .grad, one reads .grad, one clears it. In which order does each"
            " batch get only its own gradient?"
        ),
        (
            "Call model.train() once, before the loop. For each batch: logits, loss, zero_grad, backward,"
            " step; keep the loss as a number. The model may come with gradients from earlier work, so clear"
            " them before the first backward."
        ),
        (
            '`F.cross_entropy(logits, batch["labels"])` is the loss, with logits from ids and mask. Then'
            " `optimizer.zero_grad()`, `loss.backward()`, `optimizer.step()`, and `loss.item()` goes into the"
            " list."
        ),
    ),
    check=check,
)
