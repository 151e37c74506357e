"""Answer key of one_tile.

Judged by what is stored, rows below `length`. How it was computed is the student's matter: a tile held whole, keys a few at a
time, or torch's own attention on a view. `test_11_kernels.py` holds the reference against the course's operator.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises._kernel_parts import Heads, heads
from course_exercises.one_tile import same_tile

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.check.helpers.transformer_parts import SIZES
from kqa_core.kernels.flat_memory import load


def cases(rng: random.Random) -> list[tuple[Heads, int, bool]]:
    """Heads of several shapes, some loud, each with and without the mask."""
    shapes = ((1, 1, 1, 1.0, 1), (7, 5, 3, 1.0, 8), (16, 4, 2, 1.0, 16), (9, 8, 4, 30.0, 16), (3, 6, 1, 0.3, 16))
    return [(heads(rng, T, d, nh, loud), tile, causal) for T, d, nh, loud, tile in shapes for causal in (True, False)]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Lengths from 1 to the whole tile, one head and several, tiles much too large."""
    for case, tile, causal in cases(rng):
        try:
            same_tile(answer, case, tile, causal)
        except AnswerRaised as raised:
            if raised.stub:
                raise
            raise NotYet(SIZES) from None
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The hidden check's kinds of calls, and two that fill the tile."""
    made = [*cases(rng), (heads(rng, 8, 4), 8, True), (heads(rng, 8, 4), 8, False)]
    return [(*case, tile, causal) for case, tile, causal in made]


def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    """The reference."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length  # (tile, width), (tile, 1)
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T * (math.log2(math.e) / math.sqrt(width))  # (tile, tile), in powers of 2
    allowed = at < length
    if causal:
        allowed = allowed & (at <= at[:, None])
    logits = logits.masked_fill(~allowed, -math.inf)
    powers = torch.exp2(logits - logits.amax(dim=1, keepdim=True))
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


def a_row_at_a_time(memory, query, key, value, stride, length, width, tile, causal):
    """Plain loops over positions, as on a processor."""
    out = memory.new_zeros(tile, width)
    for t in range(length):
        q = memory[query + t * stride :][:width]
        seen = range(t + 1 if causal else length)
        z = torch.stack([q.dot(memory[key + s * stride :][:width]) for s in seen]) / width**0.5
        for s, w in zip(seen, z.softmax(0), strict=True):
            out[t] += w * memory[value + s * stride :][:width]
    return out


def by_views(memory, query, key, value, stride, length, width, tile, causal):
    """Views of the memory for torch's own attention, filled up to the tile afterwards."""
    q, k, v = (memory.as_strided((1, length, width), (0, stride, 1), start) for start in (query, key, value))
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal).squeeze(0)
    return torch.nn.functional.pad(out, (0, 0, 0, tile - length))


def keys_in_blocks(memory, query, key, value, stride, length, width, tile, causal):
    """The online softmax of the exercise before, two keys at a time."""
    rows = torch.arange(tile).unsqueeze(1)
    cols = torch.arange(width).unsqueeze(0)
    q = load(memory, query + rows * stride + cols, rows < length) * width**-0.5
    m, count, acc = torch.full((tile, 1), -1e30).to(q), torch.zeros(tile, 1).to(q), torch.zeros_like(q)
    for first in range(0, length, 2):
        s = torch.arange(first, min(first + 2, length))
        block = s.unsqueeze(1) * stride + cols
        z = q.mm(memory[key + block].t())
        if causal:
            z = torch.where(s.unsqueeze(0) > rows, torch.tensor(-1e30).to(z), z)
        new = torch.maximum(m, z.max(dim=1, keepdim=True).values)
        p, f = torch.exp(z - new), torch.exp(m - new)
        m, count, acc = new, f * count + p.sum(1, True), f * acc + p.mm(memory[value + block])
    return acc / count


def biased_einsum(memory, query, key, value, stride, length, width, tile, causal):
    """Gathered by a flat index; the mask as a bias that is added."""
    index = (torch.arange(length).repeat_interleave(width) * stride + torch.arange(width).repeat(length)).reshape(length, -1)
    q, k, v = memory[index + query], memory[index + key], memory[index + value]
    bias = torch.triu(torch.full((length, length), float("-inf")), diagonal=1) if causal else torch.zeros(length, length)
    weights = torch.softmax(torch.einsum("tc,sc->ts", q, k).div(math.sqrt(width)) + bias.to(q.dtype), dim=-1)
    return torch.cat([torch.einsum("ts,sc->tc", weights, v), memory.new_zeros(tile - length, width)])


def padding_has_weight(memory, query, key, value, stride, length, width, tile, causal):
    """Rows from `length` on are zeros, so their logits are 0, and a softmax gives 0 a weight: without the causal mask, your
    padding takes some of it. Set these logits to −inf.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    if causal:
        logits = logits.masked_fill(at > at[:, None], -math.inf)
    return logits.softmax(dim=1) @ v


def loads_what_lies_behind(memory, query, key, value, stride, length, width, tile, causal):
    """You load rows from `length` on: other numbers lie there, nan perhaps, and a weight of 0 times nan is nan. Mask the load, so
    that it gives 0.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot = at[:, None] * stride + channel
    q, k, v = (load(memory, start + spot, start + spot < len(memory)) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return logits.masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def not_scaled(memory, query, key, value, stride, length, width, tile, causal):
    """The logits are not divided by √width."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def scaled_by_the_width(memory, query, key, value, stride, length, width, tile, causal):
    """You divide by the width; the scale is its square root."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / width).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def rows_side_by_side(memory, query, key, value, stride, length, width, tile, causal):
    """You step by `width` from row to row, but between two rows of one head lie the other heads' numbers: step by `stride`."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * width + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return logits.masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def nothing_subtracted(memory, query, key, value, stride, length, width, tile, causal):
    """You exponentiate the logits as they are, and a large one overflows: subtract the row's largest first."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    powers = (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).exp()
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


def exp2_without_its_factor(memory, query, key, value, stride, length, width, tile, causal):
    """You take powers of 2 of logits that belong to e: multiply them by log₂ e first, or take exp."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    logits = (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf)
    powers = torch.exp2(logits - logits.amax(dim=1, keepdim=True))
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


def softmax_down_the_columns(memory, query, key, value, stride, length, width, tile, causal):
    """Your softmax runs over the queries; for each query, the weights of all *keys* sum to 1."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)
    allowed = (at < length) & (at[:, None] < length) & ((at <= at[:, None]) | (not causal))
    return torch.nan_to_num(logits.masked_fill(~allowed, -math.inf).softmax(dim=0)) @ v


def always_causal(memory, query, key, value, stride, length, width, tile, causal):
    """You mask the future although causal is False."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & (at <= at[:, None])
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def never_causal(memory, query, key, value, stride, length, width, tile, causal):
    """You never mask the future: where causal is True, a position reads itself and what came before."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    return (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf).softmax(dim=1) @ v


def reads_the_future(memory, query, key, value, stride, length, width, tile, causal):
    """Your causal mask is turned round: position t reads s ≥ t, where it should read s ≤ t."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at >= at[:, None]) | (not causal))
    return torch.nan_to_num((q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1)) @ v


def masked_afterwards(memory, query, key, value, stride, length, width, tile, causal):
    """You take weights away after they were divided, so those that stay no longer sum to 1: mask the logits, not the weights."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).softmax(dim=1).masked_fill(~allowed, 0.0) @ v


def key_and_value_exchanged(memory, query, key, value, stride, length, width, tile, causal):
    """You compare queries with values and mix keys: it is the other way round."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, value, key))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


KEY = AnswerKey(
    id="one_tile",
    hidden=hidden,
    reference=one_tile,
    accepted=(a_row_at_a_time, by_views, keys_in_blocks, biased_einsum),
    rejected=(
        *(padding_has_weight, loads_what_lies_behind, not_scaled, scaled_by_the_width, rows_side_by_side, nothing_subtracted),
        *(exp2_without_its_factor, softmax_down_the_columns, always_causal, never_causal, reads_the_future, masked_afterwards),
        key_and_value_exchanged,
    ),
    fingerprint=fingerprint,
)
