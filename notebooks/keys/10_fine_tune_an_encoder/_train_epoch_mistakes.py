"""Wrong answers to train_epoch, each with one mistake."""

from __future__ import annotations

import copy

import torch
import torch.nn.functional as F


def never_forgets(model, optimizer, batches):
    """Each step follows the sum of all gradients so far, also of those that the model came with.
    Call zero_grad for each batch.
    """
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def brings_its_past(model, optimizer, batches):
    """The first step also follows the gradients that the model came with.
    Clear them before the first backward, too.
    """
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
    """The gradient of the last batch is never used: its step is missing, or step comes before backward."""
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


def last_step_missing(model, optimizer, batches):
    """The gradient of the last batch is never used: its step is missing, or step comes before backward."""
    model.train()
    losses = []
    for number, batch in enumerate(batches, 1):
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        if number < len(batches):
            optimizer.step()
        losses.append(loss.item())
    return losses


def forgets_too_late(model, optimizer, batches):
    """Your model does not change, as if step were not called, or .grad cleared between backward and step."""
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
    """There is a step after every second batch only. Each batch has a step of its own."""
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
    """The first batch is used again and again. Train on each batch in turn."""
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
    """Your losses are those of a model in evaluation mode, without dropout. model.train() has to come
    before the forward passes.
    """
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def reads_padding(model, optimizer, batches):
    """The model attends to the padding. Pass it the attention mask of the batch."""
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
    """The loss is that of a softmax of the logits. F.cross_entropy takes logits and applies its own."""
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
    """Your steps are those of another optimiser. Use the one that is given, with its learning rate."""
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
    """Your losses are those after the step. Report the loss from which you computed the gradient."""
    model.train()
    losses = []
    for batch in batches:
        loss = F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(
            F.cross_entropy(model(batch["input_ids"], batch["attention_mask"]), batch["labels"]).item()
        )
    return losses


def keeps_the_graph(model, optimizer, batches):
    """Your losses are tensors, and not floats. Store loss.item()."""
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
    """A copy of the model is trained. The model that you are given, and its optimiser, stay as they were."""
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


REJECTED = (
    *(
        never_forgets,
        brings_its_past,
        step_first,
        forgets_too_late,
        accumulates,
        only_the_first,
        stays_asleep,
    ),
    *(
        reads_padding,
        added_up,
        softmax_first,
        own_optimiser,
        loss_after_the_step,
        keeps_the_graph,
        one_number,
    ),
    *(trains_a_copy, last_step_missing),
)
