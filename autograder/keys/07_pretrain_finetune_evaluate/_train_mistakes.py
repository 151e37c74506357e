"""Wrong answers to train, each with one mistake."""

from __future__ import annotations

import torch


def never_forgets(model, batches, rates, max_norm):
    """You never clear the gradients, so each step follows the sum of all gradients so far. Call optimizer.zero_grad()."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def forgets_too_late(model, batches, rates, max_norm):
    """Nothing is learned: your optimizer never steps, or zero_grad comes between backward and step and clears the gradient."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


def no_step(model, batches, rates, max_norm):
    """Nothing is learned: your optimizer never steps, or zero_grad comes between backward and step and clears the gradient."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        losses.append(loss.item())
    return losses


def no_clipping(model, batches, rates, max_norm):
    """You do not clip the gradient, or you clip it before it is computed. Clip after backward and before step."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_before_backward(model, batches, rates, max_norm):
    """You do not clip the gradient, or you clip it before it is computed. Clip after backward and before step."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        _, loss = model(x, y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_number(model, batches, rates, max_norm):
    """You clip each number of the gradient. clip_grad_norm_ scales the gradient as a whole and keeps its direction."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_value_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def clips_each_parameter(model, batches, rates, max_norm):
    """You clip the gradient of each parameter alone. The norm is that of all of them together."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        for parameter in model.parameters():
            torch.nn.utils.clip_grad_norm_(parameter, max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def always_to_the_norm(model, batches, rates, max_norm):
    """You scale every gradient to the norm max_norm. Scale it down only where it is larger."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(model.parameters(), float("inf"))
        for parameter in model.parameters():
            parameter.grad *= max_norm / norm
        optimizer.step()
        losses.append(loss.item())
    return losses


def stays_in_evaluation_mode(model, batches, rates, max_norm):
    """The model arrives in evaluation mode, without dropout, and you leave it there. Call model.train() first."""
    optimizer = torch.optim.AdamW(model.parameters())
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


def new_optimizer_each_time(model, batches, rates, max_norm):
    """You make a new optimizer in each step, so it forgets its averages. Make one before the loop."""
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


def rate_left_out(model, batches, rates, max_norm):
    """Your optimizer keeps its default rate. Set its rate in each step."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), _ in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def first_rate_only(model, batches, rates, max_norm):
    """You use the first rate for all steps. Set the optimizer's rate anew in each step."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rates[0])
    losses = []
    for (x, y), _ in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def rate_one_step_late(model, batches, rates, max_norm):
    """You set the rate after the step, so each step uses the rate of the one before. Set it before optimizer.step()."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=rates[0])
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        optimizer.param_groups[0]["lr"] = rate
        losses.append(loss.item())
    return losses


def rates_multiplied(model, batches, rates, max_norm):
    """You multiply the optimizer's rate by each new rate. Replace it: group["lr"] = rate."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1.0)
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] *= rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def plain_sgd(model, batches, rates, max_norm):
    """You use SGD. The exercise asks for torch.optim.AdamW."""
    model.train()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
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


def adam_without_decay(model, batches, rates, max_norm):
    """You use Adam. The exercise asks for AdamW, which has a weight decay of 0.01 by default."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), weight_decay=0.0)
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


def only_the_head(model, batches, rates, max_norm):
    """You train the head alone. Train all parameters of the model."""
    model.train()
    optimizer = torch.optim.AdamW(model.head.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.head.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def loss_after_the_step(model, batches, rates, max_norm):
    """You return the loss on a batch after the step on it. Return the loss before the step."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(model(x, y)[1].item())
    return losses


def keeps_the_graph(model, batches, rates, max_norm):
    """Your losses are tensors, and each keeps its whole computation in memory. Append loss.item()."""
    model.train()
    optimizer = torch.optim.AdamW(model.parameters())
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss)
    return losses


REJECTED = (
    *(never_forgets, forgets_too_late, no_step, no_clipping, clips_before_backward),
    *(clips_each_number, clips_each_parameter, always_to_the_norm, stays_in_evaluation_mode, new_optimizer_each_time),
    *(rate_left_out, first_rate_only, rate_one_step_late, rates_multiplied, plain_sgd),
    *(adam_without_decay, only_the_head, loss_after_the_step, keeps_the_graph),
)
