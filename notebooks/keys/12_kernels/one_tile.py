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
from course_keys._one_tile_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.exercise_helpers.sealed import sealed
from kqa_core.kernels.flat_memory import load


def cases(rng: random.Random) -> list[tuple[Heads, int, bool]]:
    """Heads of several shapes, some with large logits, each with and without the mask;
    the last pair in float32.
    """
    shapes = (
        (1, 1, 1, 1.0, 1),
        (2, 4, 2, 1.0, 2),
        (7, 5, 3, 1.0, 8),
        (16, 4, 2, 1.0, 16),
        (9, 8, 4, 30.0, 16),
        (33, 9, 1, 0.3, 64),
        (50, 70, 2, 1.0, 128),
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
            raise NotYet(
                f"your code stops for length {case.length}, width {case.width}, stride {case.stride}, tile"
                f" {tile}, {'causal' if causal else 'no causal mask'}, and returns a tile for others"
            ) from None
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


def scale_in_float32(memory, query, key, value, stride, length, width, tile, causal):
    """The root in float32, as torch.tensor(width) gives it, and torch's attention with a mask."""
    at = torch.arange(tile)
    where, inside = at.view(-1, 1) * stride + torch.arange(width), (at < length).view(-1, 1)
    q, k, v = [load(memory, start + where, inside) for start in (query, key, value)]
    mask = (at < length).expand(tile, tile)
    mask = mask & torch.ones(tile, tile, dtype=torch.bool).tril() if causal else mask
    scale = 1 / torch.sqrt(torch.tensor(width))
    return F.scaled_dot_product_attention(q[None] * scale, k[None], v[None], attn_mask=mask, scale=1.0)[0]


def powers_of_two(memory, query, key, value, stride, length, width, tile, causal):
    """Powers of 2, as the hardware computes them, of logits that carry the factor log₂ e."""
    at, channel = torch.arange(tile), torch.arange(width)
    spot, inside = at[:, None] * stride + channel, at[:, None] < length
    q, k, v = (load(memory, start + spot, inside) for start in (query, key, value))
    logits = q @ k.T * (math.log2(math.e) / math.sqrt(width))
    logits = torch.where((at < length) & ((at <= at[:, None]) | (not causal)), logits, -math.inf)
    powers = torch.exp2(logits - logits.amax(dim=1, keepdim=True))
    return (powers @ v) / powers.sum(dim=1, keepdim=True)


KEY = AnswerKey(
    id="one_tile",
    hidden=hidden,
    reference=one_tile,
    accepted=(a_row_at_a_time, by_views, keys_in_blocks, biased_einsum, powers_of_two, scale_in_float32),
    rejected=REJECTED,
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
