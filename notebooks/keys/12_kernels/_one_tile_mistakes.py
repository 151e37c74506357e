"""Wrong answers to one_tile, each with one mistake."""

from __future__ import annotations

import math

import torch

from kqa_core.kernels.flat_memory import load


def padding_has_weight(memory, query, key, value, stride, length, width, tile, causal):
    """Keys from `length` on are zeros, so their logits are 0 and the softmax gives them a weight.
    Set these columns of the logits to −inf.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    if causal:
        logits = logits.masked_fill(at > at[:, None], -math.inf)
    return logits.softmax(dim=1) @ v


def loads_what_lies_behind(memory, query, key, value, stride, length, width, tile, causal):
    """You load rows from `length` on. There can be nan behind a head,
    and a weight of 0 times nan is nan. Mask the load.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot = at[:, None] * stride + channel
    q, k, v = (load(memory, start + spot, start + spot < len(memory)) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return logits.masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def one_query_too_many(memory, query, key, value, stride, length, width, tile, causal):
    """You load one row of queries too many, and it may lie outside the memory.
    Rows count from 0, so the last is length − 1.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, rows = at[:, None] * stride + channel, at[:, None]
    q = load(memory, query + spot, rows <= length)
    k, v = (load(memory, start + spot, rows < length) for start in (key, value))
    allowed = (at < length) & ((at <= rows) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def nan_replaced(memory, query, key, value, stride, length, width, tile, causal):
    """You load rows from `length` on and replace nan by 0.
    The memory can end with the head: mask these addresses.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot = at[:, None] * stride + channel
    q, k, v = (memory[start + spot].nan_to_num() for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def not_scaled(memory, query, key, value, stride, length, width, tile, causal):
    """You do not divide the logits by √width."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def scaled_by_the_width(memory, query, key, value, stride, length, width, tile, causal):
    """You divide the logits by the width; divide by its square root."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / width).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def rows_side_by_side(memory, query, key, value, stride, length, width, tile, causal):
    """You step from row to row by `width`, but the other heads' numbers are in between: step by `stride`."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * width + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return logits.masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def nothing_subtracted(memory, query, key, value, stride, length, width, tile, causal):
    """You exponentiate the logits as they are, and a large one overflows:
    subtract the row's largest logit first.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    powers = (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).exp()
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


def exp2_without_its_factor(memory, query, key, value, stride, length, width, tile, causal):
    """You take powers of 2 where the softmax has powers of e:
    multiply the logits by log₂ e first, or use exp.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    logits = (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf)
    powers = torch.exp2(logits - logits.amax(dim=1, keepdim=True))
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


def softmax_down_the_columns(memory, query, key, value, stride, length, width, tile, causal):
    """Your softmax runs over the queries. It should run over the keys, so that the weights of each query sum
    to 1.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & (at[:, None] < length) & ((at <= at[:, None]) | (not causal))
    return torch.nan_to_num(logits.masked_fill(~allowed, -math.inf).softmax(dim=0)) @ v


def always_causal(memory, query, key, value, stride, length, width, tile, causal):
    """You mask later positions although causal is False."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & (at <= at[:, None])
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def never_causal(memory, query, key, value, stride, length, width, tile, causal):
    """You never mask later positions. If causal is True,
    position t should attend to itself and to the positions before it only.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    return (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf).softmax(dim=1) @ v


def mask_the_wrong_way_round(memory, query, key, value, stride, length, width, tile, causal):
    """Your causal mask is the wrong way round: position t attends to i ≥ t, but it should attend to i ≤ t."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at >= at[:, None]) | (not causal))
    return torch.nan_to_num((q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1)) @ v


def masked_afterwards(memory, query, key, value, stride, length, width, tile, causal):
    """You mask the weights after the softmax, so those that are left no longer sum to 1: mask the logits."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).softmax(dim=1).masked_fill(~allowed, 0.0) @ v


def key_and_value_exchanged(memory, query, key, value, stride, length, width, tile, causal):
    """Keys and values are exchanged: queries should be compared with keys,
    and the values averaged.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, value, key))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def no_logit_of_zero(memory, query, key, value, stride, length, width, tile, causal):
    """You mask every logit that is 0. A key that exists can have the logit 0, too:
    mask the keys from `length` on.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    masked = (logits == 0) | ((at > at[:, None]) & causal)
    return torch.nan_to_num(logits.masked_fill(masked, -math.inf).softmax(dim=1)) @ v


def not_to_itself(memory, query, key, value, stride, length, width, tile, causal):
    """Your causal mask hides position t from itself: it should attend to i ≤ t, and you allow i < t."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at < at[:, None]) | (not causal))
    return torch.nan_to_num((q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1)) @ v


def memory_cleaned(memory, query, key, value, stride, length, width, tile, causal):
    """You write into the memory. These numbers belong to other tensors:
    a program stores nothing but its output.
    """
    memory[memory.isnan()] = 0.0
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def only_the_rows_that_exist(memory, query, key, value, stride, length, width, tile, causal):
    """You return (length, width). A program's tile has a fixed size:
    return all `tile` rows, whatever is in the last ones.
    """
    at, channel = torch.arange(length), torch.arange(width)
    q, k, v = (memory[start + at[:, None] * stride + channel] for start in (query, key, value))
    allowed = (at <= at[:, None]) | (not causal)
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


REJECTED = (
    *(padding_has_weight, loads_what_lies_behind, nan_replaced, not_scaled, scaled_by_the_width),
    *(rows_side_by_side, nothing_subtracted, exp2_without_its_factor, softmax_down_the_columns),
    *(always_causal, never_causal, mask_the_wrong_way_round, masked_afterwards, key_and_value_exchanged),
    *(only_the_rows_that_exist, no_logit_of_zero, not_to_itself, memory_cleaned, one_query_too_many),
)
