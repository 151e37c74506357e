"""Answer key of evaluate_accuracy.

A call with a plain classifier is followed by one with the same, which turns its answers round unless it was left in its mode;
`course_exercises._encoder_parts` says how. Batches are drawn so that every such turn changes the accuracy.
"""

from __future__ import annotations

import copy
import random

import torch
from course_exercises._encoder_parts import HERE
from course_exercises.evaluate_accuracy import evaluated, telling

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right

CASES = (((7, 7, 3), 3, False), ((9, 9, 9, 1), 4, True), ((5, 8, 2), 3, True), ((12, 6), 2, False))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """More classes, batches of several sizes, models in either mode."""
    for sizes, classes, training in CASES:
        evaluated(answer, rng, sizes, classes, training)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Each kind of model that the checks hand out."""
    calls: list[tuple[object, ...]] = []
    for sizes, classes, training in CASES:
        seed, batches = telling(rng, sizes, classes)
        calls.append((Build(f"{HERE}:classifier", (seed, classes, training)), batches))
        calls.append((Build(f"{HERE}:left_behind", (training,)), batches))
        calls.append((Build(f"{HERE}:examined", (seed, classes, training)), batches))
    return calls


def evaluate_accuracy(model, batches):
    """The reference."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train(was_training)
    return correct / total


@torch.inference_mode()
def all_at_the_end(model, batches):
    """Gathers everything, and compares once."""
    mode, _ = model.training, model.train(False)
    said = torch.cat([model(each["input_ids"], each["attention_mask"]).max(-1).indices for each in batches])
    model.train(mode)
    return said.eq(torch.cat([each["labels"] for each in batches])).double().mean()


def on_a_copy(model, batches):
    """Works on a copy, so that the model is never touched."""
    twin = copy.deepcopy(model).eval().requires_grad_(False)
    torch.set_grad_enabled(False)
    hits: list[bool] = []
    for ids, mask, labels in (batch.values() for batch in batches):
        hits.extend(int(row.argmax()) == int(label) for row, label in zip(twin(ids, mask), labels, strict=True))
    torch.set_grad_enabled(True)
    return sum(hits) / len(hits)


def with_a_guard(model, batches):
    """Restores the mode whatever happens."""
    modes = {module: module.training for module in model.modules()}
    try:
        for module in modes:
            module.training = False
        with torch.autograd.grad_mode.set_grad_enabled(False):
            share = 0.0
            sentences = sum(len(rows["labels"]) for rows in batches)
            for rows in batches:
                scores = model(attention_mask=rows["attention_mask"], input_ids=rows["input_ids"])
                best = scores.topk(1, dim=1)[1][:, 0]
                share += torch.count_nonzero(best == rows["labels"]).item() / sentences
    finally:
        for module, training in modes.items():
            module.training = training
    return share


def weighted(model, batches):
    """The mean of batch accuracies, weighted with their sizes."""

    @torch.no_grad()
    def accuracy(batch):
        logits = model(batch["input_ids"], batch["attention_mask"])
        true = logits.gather(1, batch["labels"][:, None])  # (B, 1)
        return float((true >= logits).all(dim=1).float().mean()), logits.shape[0]

    back = model.train if model.training else model.eval
    model.eval()
    pairs = [accuracy(batch) for batch in batches]
    back()
    return round(sum(share * size for share, size in pairs)) / sum(size for _, size in pairs)


def mean_of_means(model, batches):
    """You average the batches' accuracies; the last batch is smaller, and its sentences would count for more."""
    was_training = model.training
    model.eval()
    shares = []
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            shares.append((classes == batch["labels"]).float().mean().item())
    model.train(was_training)
    return sum(shares) / len(shares)


def as_if_equal(model, batches):
    """You take all batches for as large as the first; count the sentences."""
    was_training = model.training
    model.eval()
    correct = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
    model.train(was_training)
    return correct / (len(batches) * len(batches[0]["labels"]))


def without_the_last(model, batches):
    """You leave the last batch out because it is smaller; its sentences count as well."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches[:-1]:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def awake(model, batches):
    """You never call model.eval(): dropout is at work, and the accuracy is another one each time."""
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    return correct / total


def left_asleep(model, batches):
    """The model is not left in the mode it came in: note model.training before you call eval(), and go back to that."""
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    return correct / total


def always_awake_after(model, batches):
    """You always end in training mode; a model that came in evaluation mode stays in it."""
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train()
    return correct / total


def recorded(model, batches):
    """You record gradients while you evaluate, which takes memory and time for nothing: use torch.no_grad()."""
    was_training = model.training
    model.eval()
    correct = total = 0
    for batch in batches:
        classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
        correct += (classes == batch["labels"]).sum().item()
        total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def eval_for_no_grad(model, batches):
    """eval() and no_grad() do different things: the one puts dropout to sleep, the other stops the recording. You use neither."""
    correct = total = 0
    for batch in batches:
        classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
        correct += (classes == batch["labels"]).sum().item()
        total += len(batch["labels"])
    return correct / total


def reads_padding(model, batches):
    """You do not hand the model the attention mask, and it reads the padding as words."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def along_the_batch(model, batches):
    """Your argmax runs over the rows, as if the sentences competed; each row's own largest logit is its class."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            rows = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=0)  # (C,)
            correct += sum(int(batch["labels"][row]) == c for c, row in enumerate(rows.tolist()))
            total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def in_percent(model, batches):
    """You return a percentage; an accuracy lies between 0 and 1."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train(was_training)
    return 100 * correct / total


def two_classes(model, batches):
    """You compare the first two logits; with more than two classes the largest of all decides."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"])
            correct += ((logits[:, 1] > logits[:, 0]).long() == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.train(was_training)
    return correct / total


KEY = AnswerKey(
    id="evaluate_accuracy",
    hidden=hidden,
    reference=evaluate_accuracy,
    accepted=(all_at_the_end, on_a_copy, with_a_guard, weighted),
    rejected=(
        *(mean_of_means, as_if_equal, without_the_last, awake, left_asleep, always_awake_after, recorded, eval_for_no_grad),
        *(reads_padding, along_the_batch, in_percent, two_classes),
    ),
    fingerprint=fingerprint,
)
