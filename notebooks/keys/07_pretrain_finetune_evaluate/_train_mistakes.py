"""Wrong answers to train, each with one mistake. Those after which the model is what it was are in
`_train_stands_still.py`.
"""

from __future__ import annotations

import torch
from course_keys._train_stands_still import STANDS_STILL


def never_forgets(model, optimizer, batches, rates, max_norm):
    """You do not clear the gradients in each step (never, or only once before the loop), so each step follows
    the sum of all gradients so far. Call optimizer.zero_grad() in every step.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def no_clipping(model, optimizer, batches, rates, max_norm):
    """Your steps follow the gradient as it is, not clipped: clip_grad_norm_ is missing, or comes before
    backward or after step.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_before_backward(model, optimizer, batches, rates, max_norm):
    """Your steps follow the gradient as it is, not clipped: clip_grad_norm_ is missing, or comes before
    backward or after step.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        _, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_number(model, optimizer, batches, rates, max_norm):
    """You clip each number of the gradient. clip_grad_norm_ scales the gradient as a
    whole and keeps its direction.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_parameter(model, optimizer, batches, rates, max_norm):
    """You clip the gradient of each parameter alone. The norm is that of all of them together."""
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_(parameter, max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def always_to_the_norm(model, optimizer, batches, rates, max_norm):
    """Your clipped gradient has the norm max_norm even where that of the loss is shorter: every gradient is
    scaled to max_norm, or backward gets a multiple of the loss, such as a sum instead of the mean.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        for parameter in model.parameters():
            parameter.grad *= max_norm / norm
        optimizer.step()
        losses.append(loss.item())
    return losses


def stays_in_evaluation_mode(model, optimizer, batches, rates, max_norm):
    """Your first loss is that of the model in evaluation mode, without dropout, in which it arrives. Call
    model.train() first, and stay in training mode.
    """
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


def own_optimizer(model, optimizer, batches, rates, max_norm):
    """You make an optimizer of your own. Use the one that you are given."""
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


def new_optimizer_each_time(model, optimizer, batches, rates, max_norm):
    """You make a new optimizer in each step, so it forgets its averages. Use the one that you are given."""
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def rate_left_out(model, optimizer, batches, rates, max_norm):
    """The rates have no effect: the optimizer keeps its own. Set group["lr"] of each group in each step."""
    model.train()
    losses = []
    for (x, y), _ in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def first_rate_only(model, optimizer, batches, rates, max_norm):
    """You use the first rate for all steps. Set the rate anew in each step."""
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = rates[0]
    losses = []
    for (x, y), _ in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def first_group_only(model, optimizer, batches, rates, max_norm):
    """You set the rate of the first group only. An optimizer may have several groups: loop over
    optimizer.param_groups.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def rate_one_step_late(model, optimizer, batches, rates, max_norm):
    """You set the rate after the step, so each step uses the rate of the one before.
    Set it before optimizer.step().
    """
    model.train()
    for group in optimizer.param_groups:
        group["lr"] = rates[0]
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        for group in optimizer.param_groups:
            group["lr"] = rate
        losses.append(loss.item())
    return losses


def rates_multiplied(model, optimizer, batches, rates, max_norm):
    """You multiply the optimizer's rate by each new rate. Replace it: group["lr"] = rate."""
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] *= rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def only_the_head(model, optimizer, batches, rates, max_norm):
    """You clip and train the head alone. Train all parameters of the model."""
    model.train()
    for parameter in model.parameters():
        parameter.requires_grad_(parameter is model.head.weight)
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


def loss_after_the_step(model, optimizer, batches, rates, max_norm):
    """You return the loss on a batch after the step on it. Return the loss before the step."""
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
        losses.append(model(x, y)[1].item())
    return losses


def keeps_the_graph(model, optimizer, batches, rates, max_norm):
    """Your losses are tensors, detached or not. Append loss.item(), a float."""
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
        losses.append(loss)
    return losses


REJECTED = (
    *STANDS_STILL,
    *(never_forgets, no_clipping, clips_before_backward),
    *(clips_each_number, clips_each_parameter, always_to_the_norm, stays_in_evaluation_mode, own_optimizer),
    *(new_optimizer_each_time, rate_left_out, first_rate_only, first_group_only, rate_one_step_late),
    *(rates_multiplied, only_the_head, loss_after_the_step, keeps_the_graph),
)
