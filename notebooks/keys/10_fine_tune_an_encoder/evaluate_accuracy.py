"""Answer key of evaluate_accuracy.

A call with a plain classifier is followed by one with the same, which reverses its logits unless it was left
in its mode; `course_exercises._encoder_parts` says how. Batches are drawn so that each reversal changes the
accuracy.
"""

from __future__ import annotations

import copy
import random

import torch
from course_exercises._encoder_parts import HERE
from course_exercises.evaluate_accuracy import evaluated, other_logits, telling

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right

CASES = (((7, 7, 3), 3, False), ((9, 9, 9, 1), 4, True), ((8, 9, 1, 5), 6, True), ((12, 6), 2, False))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """More classes, batches of several sizes, models in either mode."""
    for sizes, classes, training in CASES:
        evaluated(answer, rng, sizes, classes, training)
    other_logits(answer, rng, (16, 9), 5)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Each kind of model that the checks hand out.
    The last call turns the recording of gradients on again, if it is off.
    """
    calls: list[tuple[object, ...]] = []
    for sizes, classes, training in CASES:
        seed, batches = telling(rng, sizes, classes)
        calls.append((Build(f"{HERE}:classifier", (seed, classes, training)), batches))
        calls.append((Build(f"{HERE}:left_behind", (training,)), batches))
        calls.append((Build(f"{HERE}:classifier", (seed, classes, training)), batches))
        calls.append((Build(f"{HERE}:left_behind", (training, False)), batches))
        calls.append((Build(f"{HERE}:examined", (seed, classes, training)), batches))
        calls.append(
            (
                Build(f"{HERE}:classifier", (seed, classes, training)),
                Build(f"{HERE}:still_recording", (batches,)),
            )
        )
        calls.append(
            (Build(f"{HERE}:left_behind", (training,)), Build(f"{HERE}:still_trainable", (batches,)))
        )
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
    recorded = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    hits: list[bool] = []
    for ids, mask, labels in (batch.values() for batch in batches):
        hits.extend(
            int(row.argmax()) == int(label) for row, label in zip(twin(ids, mask), labels, strict=True)
        )
    torch.set_grad_enabled(recorded)
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
    """You average the accuracies of the batches.
    The last batch is smaller, so its sentences count more. Count sentences.
    """
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
    """All batches count as if they were as large as the first. Count the sentences."""
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
    """The last batch does not count. Its sentences count as well."""
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
    """When the model is called, it or a part of it is in training mode. model.eval() sets all parts."""
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    return correct / total


def left_asleep(model, batches):
    """The mode is not restored, or is read only after eval(). Note it before, and restore it at the end."""
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    return correct / total


def always_awake_after(model, batches):
    """At the end the model is set to training mode, whatever it was before. Restore the mode."""
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
    """torch.no_grad() is missing, or is over when the model is called."""
    was_training = model.training
    model.eval()
    correct = total = 0
    for batch in batches:
        classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
        correct += (classes == batch["labels"]).sum().item()
        total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def switched_off_for_good(model, batches):
    """The recording is switched off and not on again; `with torch.no_grad():` does both."""
    was_training = model.training
    model.eval()
    torch.set_grad_enabled(False)
    correct = total = 0
    for batch in batches:
        classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
        correct += (classes == batch["labels"]).sum().item()
        total += len(batch["labels"])
    model.train(was_training)
    return correct / total


def eval_for_no_grad(model, batches):
    """When you call the model, it is in training mode and gradients are recorded: eval() and no_grad() are
    missing, or over by then. A generator runs only when its values are used.
    """
    correct = total = 0
    for batch in batches:
        classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
        correct += (classes == batch["labels"]).sum().item()
        total += len(batch["labels"])
    return correct / total


def reads_padding(model, batches):
    """The model attends to the padding. Pass it the attention mask of the batch."""
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
    """Your argmax runs over the rows, dim 0. The class of a sentence is where its
    own row is largest, dim 1.
    """
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
    """You return a percentage. Return a number between 0 and 1."""
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
    """Only the first two logits are compared. With more classes, the largest of all logits decides."""
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


def top_level_only(model, batches):
    """Only the model's own flag is restored. eval() also switched its parts; model.train(mode) sets all."""
    was_training = model.training
    model.eval()
    correct = total = 0
    with torch.no_grad():
        for batch in batches:
            classes = model(batch["input_ids"], batch["attention_mask"]).argmax(dim=1)
            correct += (classes == batch["labels"]).sum().item()
            total += len(batch["labels"])
    model.training = was_training
    return correct / total


def frozen_for_good(model, batches):
    """The parameters' requires_grad is set to False; `with torch.no_grad():` is enough."""
    was = model.training
    model.eval().requires_grad_(False)
    hits = sum(
        int((model(b["input_ids"], b["attention_mask"]).argmax(dim=1) == b["labels"]).sum()) for b in batches
    )
    model.train(was)
    return hits / sum(len(b["labels"]) for b in batches)


KEY = AnswerKey(
    id="evaluate_accuracy",
    hidden=hidden,
    reference=evaluate_accuracy,
    accepted=(all_at_the_end, on_a_copy, with_a_guard, weighted),
    rejected=(
        *(mean_of_means, as_if_equal, without_the_last, awake, left_asleep, always_awake_after, recorded),
        *(eval_for_no_grad, reads_padding, along_the_batch, in_percent, two_classes, top_level_only),
        *(switched_off_for_good, frozen_for_good),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Hits and sentences are counted over all batches and divided once, so a small last batch gets no"
        " extra weight. `eval()` turns off dropout, `no_grad()` stops the recording of gradients: they are"
        " two different switches, and only the first one has to be set back, with"
        " `model.train(was_training)`, which also switches all parts of the model. The most common mistake is"
        " to leave the model in evaluation mode, so that training goes on without dropout."
    ),
)
