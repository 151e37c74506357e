"""Answer key of one_tile.

Only the rows that are stored are judged, those below `length`. Any way to compute them is right: a whole
tile, a few keys at a time, or torch's own attention on a view. `test_12_kernels.py` compares the reference
with the course's operator.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._kernel_parts import Heads, at_the_end, heads
from course_exercises.one_tile import key_last, narrow, nothing_behind, query_last, same_tile

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.exercise_helpers.sealed import sealed
from kqa_core.exercise_helpers.transformer_parts import SIZES
from kqa_core.kernels.flat_memory import load


def cases(rng: random.Random) -> list[tuple[Heads, int, bool]]:
    """Heads of several shapes, some with large logits, each with and without the mask;
    the last pair in float32.
    """
    shapes = (
        (1, 1, 1, 1.0, 1),
        (7, 5, 3, 1.0, 8),
        (16, 4, 2, 1.0, 16),
        (9, 8, 4, 30.0, 16),
        (33, 9, 1, 0.3, 64),
        (5, 2, 3, 1.0, 8),
    )
    made = [
        (heads(rng, T, d, nh, scale), tile, causal)
        for T, d, nh, scale, tile in shapes
        for causal in (True, False)
    ]
    return [*made[:-2], *((narrow(case), tile, causal) for case, tile, causal in made[-2:])]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Lengths from 1 to the whole tile, one head and several,
    tiles much too large, float32, and the end of the memory.
    """
    for case, tile, causal in cases(rng):
        try:
            same_tile(answer, case, tile, causal)
        except AnswerRaised as raised:
            if raised.stub:
                raise
            raise NotYet(SIZES) from None
    nothing_behind(answer, heads(rng, 9, 4), 16)
    nothing_behind(answer, heads(rng, 15, 9), 16)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The hidden check's kinds of calls, two that fill the tile,
    three at the end of the memory, and a memory that is sealed.
    """
    made = [*cases(rng), (heads(rng, 8, 4), 8, True), (heads(rng, 8, 4), 8, False)]
    kept = heads(rng, 5, 4)
    calls: list[tuple[object, ...]] = [(*case, tile, causal) for case, tile, causal in made]
    calls += [(*at_the_end(kept), 8, False), (*query_last(kept), 8, False), (*key_last(kept), 8, False)]
    return [*calls, (sealed(kept.memory), *kept[1:], 8, False)]


def one_tile(memory, query, key, value, stride, length, width, tile, causal):
    """The reference."""
    at, channel = torch.arange(tile), torch.arange(width)
    where, inside = at[:, None] * stride + channel, at[:, None] < length  # (tile, width), (tile, 1)
    q, k, v = (load(memory, start + where, inside) for start in (query, key, value))
    logits = q @ k.T / math.sqrt(width)  # (tile, tile)
    allowed = at < length  # keys that exist
    if causal:
        allowed = allowed & (at <= at[:, None])
    logits = logits.masked_fill(~allowed, -math.inf)
    exponentials = torch.exp(logits - logits.amax(dim=1, keepdim=True))
    return (exponentials @ v) / exponentials.sum(dim=1, keepdim=True)


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
    """The online softmax of the first exercise, two keys at a time."""
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
    index = (
        torch.arange(length).repeat_interleave(width) * stride + torch.arange(width).repeat(length)
    ).reshape(length, -1)
    q, k, v = memory[index + query], memory[index + key], memory[index + value]
    bias = (
        torch.triu(torch.full((length, length), float("-inf")), diagonal=1)
        if causal
        else torch.zeros(length, length)
    )
    weights = torch.softmax(torch.einsum("tc,sc->ts", q, k).div(math.sqrt(width)) + bias.to(q.dtype), dim=-1)
    return torch.cat([torch.einsum("ts,sc->tc", weights, v), memory.new_zeros(tile - length, width)])


def padding_has_weight(memory, query, key, value, stride, length, width, tile, causal):
    """Keys from `length` on are zeros, so their logits are 0 and the softmax gives them a weight.
    Set these logits to −inf.
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
    """You load one row of queries too many, which may lie outside the memory.
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


def scale_in_float32(memory, query, key, value, stride, length, width, tile, causal):
    """The root in float32, as torch.tensor(width) gives it, and torch's attention with a mask."""
    at = torch.arange(tile)
    where, inside = at.view(-1, 1) * stride + torch.arange(width), (at < length).view(-1, 1)
    q, k, v = [load(memory, start + where, inside) for start in (query, key, value)]
    mask = (at < length).expand(tile, tile)
    mask = mask & torch.ones(tile, tile, dtype=torch.bool).tril() if causal else mask
    scale = 1 / torch.sqrt(torch.tensor(width))
    return F.scaled_dot_product_attention(q[None] * scale, k[None], v[None], attn_mask=mask, scale=1.0)[0]


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
    """Your softmax runs over the queries; for each query, the weights of all *keys* sum to 1."""
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
    position t attends to itself and to the positions before it.
    """
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    return (q @ k.T / math.sqrt(width)).masked_fill(at >= length, -math.inf).softmax(dim=1) @ v


def mask_the_wrong_way_round(memory, query, key, value, stride, length, width, tile, causal):
    """Your causal mask is the wrong way round: position t attends to s ≥ t, but it should attend to s ≤ t."""
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
    """Keys and values are exchanged: queries are compared with keys, and the values are averaged."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, value, key))
    allowed = (at < length) & ((at <= at[:, None]) | (not causal))
    return (q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1) @ v


def powers_of_two(memory, query, key, value, stride, length, width, tile, causal):
    """Powers of 2, as the hardware computes them, of logits that carry the factor log₂ e."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T * (math.log2(math.e) / math.sqrt(width))
    logits = torch.where((at < length) & ((at <= at[:, None]) | (not causal)), logits, -math.inf)
    powers = torch.exp2(logits - logits.amax(dim=1, keepdim=True))
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


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
    """Your causal mask hides position t from itself: it attends to s ≤ t, and you allow s < t."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    allowed = (at < length) & ((at < at[:, None]) | (not causal))
    return torch.nan_to_num((q @ k.T / math.sqrt(width)).masked_fill(~allowed, -math.inf).softmax(dim=1)) @ v


def memory_cleaned(memory, query, key, value, stride, length, width, tile, causal):
    """You write zeros into the memory. These numbers belong to other tensors:
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


KEY = AnswerKey(
    id="one_tile",
    hidden=hidden,
    reference=one_tile,
    accepted=(a_row_at_a_time, by_views, keys_in_blocks, biased_einsum, powers_of_two, scale_in_float32),
    rejected=(
        *(
            padding_has_weight,
            loads_what_lies_behind,
            nan_replaced,
            not_scaled,
            scaled_by_the_width,
            rows_side_by_side,
        ),
        *(nothing_subtracted, exp2_without_its_factor, softmax_down_the_columns, always_causal, never_causal),
        *(mask_the_wrong_way_round, masked_afterwards, key_and_value_exchanged, only_the_rows_that_exist),
        *(no_logit_of_zero, not_to_itself, memory_cleaned, one_query_too_many),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    One mask is not enough. The first one, `inside`, belongs to the loads: it keeps nan and the numbers of
    other tensors out of the tile, because even a weight of 0 times nan is nan. The second one, `allowed`,
    belongs to the logits: a key that does not exist was loaded as zeros, so its logit is 0, and the softmax
    would give it a weight. With a causal mask you may not notice, because the missing keys come last and no
    existing query attends to them. Rows of *queries* that do not exist need the first mask, because the
    memory may end with the last query. They need no second one: what is computed for them is never stored.
    The division by the row's sum comes after the product with $V$, because that has fewer numbers to divide.
    """,
)
