"""Wrong answers to train that leave the model as it was: one sentence names what to look at."""

from __future__ import annotations

import copy

import torch


def forgets_too_late(model, optimizer, batches, rates, max_norm):
    """The model does not change: step is not called, or the weights of `model` have no gradient then
    (cleared too early, or that of a copy), or the rate is 0.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.zero_grad()
        optimizer.step()
        losses.append(loss.item())
    return losses


def no_step(model, optimizer, batches, rates, max_norm):
    """The model does not change: step is not called, or the weights of `model` have no gradient then
    (cleared too early, or that of a copy), or the rate is 0.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        losses.append(loss.item())
    return losses


def no_gradient(model, optimizer, batches, rates, max_norm):
    """The model does not change: step is not called, or the weights of `model` have no gradient then
    (cleared too early, or that of a copy), or the rate is 0.
    """
    model.train()
    losses = []
    for (x, y), rate in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = rate
        with torch.no_grad():
            _, loss = model(x, y)
        loss.requires_grad_()
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


def copy_with_the_optimizer(model, optimizer, batches, rates, max_norm):
    """The model does not change: step is not called, or the weights of `model` have no gradient then
    (cleared too early, or that of a copy), or the rate is 0.
    """
    model = copy.deepcopy(model).train()
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


def rate_of_zero(model, optimizer, batches, rates, max_norm):
    """The model does not change: step is not called, or the weights of `model` have no gradient then
    (cleared too early, or that of a copy), or the rate is 0.
    """
    model.train()
    losses = []
    for (x, y), _ in zip(batches, rates, strict=False):
        for group in optimizer.param_groups:
            group["lr"] = 0.0
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm)
        optimizer.step()
        losses.append(loss.item())
    return losses


STANDS_STILL = (forgets_too_late, no_step, no_gradient, copy_with_the_optimizer, rate_of_zero)
