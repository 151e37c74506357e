"""Answer key of train_epoch.

The hidden check trains a classifier of its own beside the student's, for two epochs, and compares the losses, which depend on
every step but the very last. Tolerance 1e-6, in float64: right answers differ by less than 1e-12, the mildest of the rejected
ones by more than 1e-4 (`test_10_fine_tune_an_encoder.py` measures both).
"""

from __future__ import annotations

import copy
import random

import torch
import torch.nn.functional as F
from course_exercises._encoder_parts import Batch, classifier, draw_batches, optimizer
from course_exercises.train_epoch import call, second_call

from autograder.answer_key import AnswerKey, Function
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.losses import expect_losses, read_losses

SIZES = (5, 4, 6, 1, 5, 3)
RATE = 0.05
TOLERANCE = 1e-6


def epochs(train: Function, seed: int, batches: list[Batch]) -> list[float]:
    """The losses of two epochs, one after the other."""
    model = classifier(seed, used=True)
    steps = optimizer(RATE)
    return [*train(model, steps, batches), *train(model, steps, batches)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The losses along two trainings of two epochs each, and along one of a single batch."""
    for sizes in (SIZES, SIZES[::-1], (4,)):
        seed, batches = rng.getrandbits(30), draw_batches(rng, sizes)
        losses = [loss for args in calls(seed, batches) for loss in read_losses(answer(*args), len(batches))]
        expect_losses(epochs(train_epoch, seed, batches), losses, TOLERANCE)
    return right()


def calls(seed: int, batches: list[Batch]) -> list[tuple[object, ...]]:
    """Two epochs."""
    return [call(seed, batches, RATE), second_call(batches)]


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A training of two epochs."""
    return calls(rng.getrandbits(30), draw_batches(rng, SIZES[:4]))


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
        error = train(input=model(attention_mask=rows["attention_mask"], input_ids=rows["input_ids"]), target=rows["labels"])
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


def never_forgets(model, optimizer, batches):
    """You never call zero_grad, so each step follows the sum of all gradients so far."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def brings_its_past(model, optimizer, batches):
    """You clear the gradients only after each step, so the first step also follows the gradients that the model came with."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def step_first(model, optimizer, batches):
    """Your step comes before backward, so each batch's gradient is used one batch later, and the last one never."""
    model.train()
    optimizer.zero_grad()
    losses = []
    for batch in batches:
        optimizer.step()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        losses.append(loss.item())
    return losses


def forgets_too_late(model, optimizer, batches):
    """Your model does not change: step is never called, or zero_grad between backward and step clears the gradients."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


def accumulates(model, optimizer, batches):
    """You take a step after every second batch only. Here each batch has a step of its own."""
    model.train()
    optimizer.zero_grad()
    losses = []
    for i, batch in enumerate(batches):
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        if i % 2:
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    return losses


def only_the_first(model, optimizer, batches):
    """You train on the first batch again and again. Train on each batch in turn."""
    model.train()
    losses, batch = [], batches[0]
    for _ in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def stays_asleep(model, optimizer, batches):
    """The model comes in evaluation mode and stays in it, without dropout. Call model.train() first."""
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def reads_padding(model, optimizer, batches):
    """You do not pass the attention mask to the model, so it attends to the padding."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def added_up(model, optimizer, batches):
    """Your loss is a sum over the batch. Take the mean, as F.cross_entropy does by default."""
    model.train()
    losses = []
    for batch in batches:
        logits = model(batch["input_ids"], batch["attention_mask"])
        loss = F.cross_entropy(logits, batch["labels"], reduction="sum")
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def softmax_first(model, optimizer, batches):
    """You apply a softmax before the loss. F.cross_entropy takes logits and applies its own."""
    model.train()
    losses = []
    for batch in batches:
        probabilities = model(batch["input_ids"], batch["attention_mask"]).softmax(dim=-1)
        loss = F.cross_entropy(probabilities, batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def own_optimiser(model, optimizer, batches):
    """You make your own optimiser. Use the one that is given, with its learning rate."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def loss_after_the_step(model, optimizer, batches):
    """You report the loss after the step. Report the loss from which you computed the gradient."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"]).item())
    return losses


def keeps_the_graph(model, optimizer, batches):
    """Your losses are tensors, and each keeps its whole computation in memory. Store loss.item()."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    return losses


def one_number(model, optimizer, batches):
    """You return one number. Return the list of losses, one for each batch."""
    model.train()
    total = 0.0
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(batches)


def trains_a_copy(model, optimizer, batches):
    """You train a copy of the model. The model that you are given, and its optimiser, stay as they were."""
    twin = copy.deepcopy(model).train()
    mine = torch.optim.AdamW(twin.parameters(), lr=optimizer.param_groups[0]["lr"])
    losses = []
    for batch in batches:
        loss = F.cross_entropy(twin(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        mine.zero_grad()
        loss.backward()
        mine.step()
        losses.append(loss.item())
    return losses


KEY = AnswerKey(
    id="train_epoch",
    hidden=hidden,
    reference=train_epoch,
    accepted=(by_closure, gradients_asked_for, forgets_first, one_step),
    rejected=(
        *(never_forgets, brings_its_past, step_first, forgets_too_late, accumulates, only_the_first, stays_asleep),
        *(reads_padding, added_up, softmax_first, own_optimiser, loss_after_the_step, keeps_the_graph, one_number),
        trains_a_copy,
    ),
    fingerprint=fingerprint,
    commentary=(
        "`zero_grad` clears the gradients of earlier batches, `backward` adds this batch's gradient, `step` uses it. Any order "
        "in which each step sees only its own batch's gradient is right. `model.train()` comes first, because the model may "
        "arrive in evaluation mode. `loss.item()` stores a number; storing the tensor would keep the whole computation in "
        "memory. The most common mistake is to clear the gradients between `backward` and `step`: nothing fails, and nothing "
        "is learned."
    ),
)
