"""Answer key of cached_attention. The oracle attends over the whole row at once."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.cached_attention import LARGE, judge, rows, steep

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other groups, other pieces, float32; one call many times."""
    judge(answer, rows(rng, 3, 9, 3, 8, 4), (4, 2, 2))
    judge(answer, rows(rng, 1, 2, 2, 5, 3), (1, 1, 1, 1, 1))
    judge(answer, rows(rng, 2, 6, 1, 9, 2), (5, 4))
    judge(answer, rows(rng, 1, 2, 1, 80, 2), (70, 1, 6, 3))
    judge(answer, rows(rng, 1, 2, 1, 300, 2), (297, 3))
    judge(answer, rows(rng, 2, 2, 1, 5, 3), (2, 2, 1))
    row = rows(rng, 2, 4, 2, 9, 4)
    judge(answer, row, (4, 5))
    judge(answer, steep(row), (4, 5), LARGE)
    single = tuple(each.float() for each in rows(rng, 1, 4, 2, 6, 4))
    judge(answer, single, (2, 3, 1))
    q, k, v = rows(rng, 1, 2, 1, 3, 2)
    steady(answer, q[:, :, 2:], k[:, :, 2:], v[:, :, 2:], (k[:, :, :2].clone(), v[:, :, :2].clone()))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """No past; one new position and several after a past."""
    calls: list[tuple[object, ...]] = []
    for heads, shared, start, T in ((4, 2, 0, 4), (4, 2, 3, 4), (6, 2, 2, 5), (3, 3, 3, 6)):
        q, k, v = rows(rng, 2, heads, shared, T, 4)
        past = (k[:, :, :start].clone(), v[:, :, :start].clone()) if start else None
        calls.append((q[:, :, start:].clone(), k[:, :, start:].clone(), v[:, :, start:].clone(), past))
    return calls


def cached_attention(q, k, v, past):
    """The reference."""
    if past is not None:
        k, v = torch.cat((past[0], k), dim=2), torch.cat((past[1], v), dim=2)  # (B, h_kv, L + n, d_k)
    cache = (k, v)
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)
    n, total = q.shape[2], k.shape[2]
    allowed = torch.ones(n, total, dtype=torch.bool, device=q.device).tril(total - n)
    logits = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, h, n, L + n)
    return torch.softmax(logits.masked_fill(~allowed, -math.inf), dim=-1) @ v, cache


def by_the_kernel(q, k, v, past):
    """torch's kernel with a mask."""
    keys, values = (
        (k, v) if past is None else (torch.cat((a, b), 2) for a, b in zip(past, (k, v), strict=True))
    )
    size, new = keys.size(2), q.size(2)
    seen = torch.arange(size) <= torch.arange(size - new, size)[:, None]
    return F.scaled_dot_product_attention(q, keys, values, attn_mask=seen, enable_gqa=True), (keys, values)


def position_by_position(q, k, v, past):
    """Each new position meets only what it may see."""
    start = 0 if past is None else past[0].shape[2]
    if start:
        k, v = torch.cat([past[0], k], -2), torch.cat([past[1], v], -2)
    n, outputs = q.shape[1] // k.shape[1], []
    wide_k, wide_v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    for j in range(q.shape[2]):
        end = start + j + 1
        weights = (q[:, :, j : j + 1] @ wide_k[:, :, :end].mT / q.shape[-1] ** 0.5).softmax(-1)
        outputs.append(weights @ wide_v[:, :, :end])
    return torch.cat(outputs, dim=2), (k, v)


def padded_queries(q, k, v, past):
    """The queries stand behind zeros, so that an ordinary causal mask fits; the zeros' outputs are
    dropped.
    """
    if past is not None:
        k, v = torch.cat((past[0], k), dim=-2), torch.cat((past[1], v), dim=-2)
    before = k.shape[-2] - q.shape[-2]
    whole = F.pad(q, (0, 0, before, 0))
    out = F.scaled_dot_product_attention(whole, k, v, is_causal=True, enable_gqa=True)
    return out[:, :, before:], (k, v)


def grouped(q, k, v, past):
    """The query heads of a group have an axis of their own."""
    old = past if past is not None else (k[:, :, :0], v[:, :, :0])
    k, v = torch.cat((old[0], k), 2), torch.cat((old[1], v), 2)
    B, h, n, d = q.shape
    L = k.shape[2] - n
    logits = q.reshape(B, k.shape[1], -1, n, d) @ k[:, :, None].mT * d**-0.5
    hide = torch.full((n, L + n), float("-inf"), dtype=q.dtype).triu(L + 1)
    return ((logits + hide).softmax(-1) @ v[:, :, None]).reshape(B, h, n, d), (k, v)


def by_einsum(q, k, v, past):
    """An index says which key head each query head uses."""
    if past is not None:
        k = torch.cat((past[0], k), dim=2)
        v = torch.cat((past[1], v), dim=2)
    chosen = torch.arange(q.shape[1]) // (q.shape[1] // k.shape[1])
    scores = torch.einsum("bhnd,bhsd->bhns", q, k[:, chosen]) / math.sqrt(q.shape[3])
    n, s = scores.shape[2:]
    scores = torch.where(torch.ones(n, s).tril(s - n) == 1, scores, -torch.inf)
    return torch.einsum("bhns,bhsd->bhnd", scores.softmax(3), v[:, chosen]), (k, v)


def two_parts(q, k, v, past):
    """The logits with the cached keys and with the new keys are computed apart."""
    group, n, d = q.shape[1] // k.shape[1], q.shape[2], q.shape[3]

    def wide(x):
        return x.repeat_interleave(group, 1)

    own = (q @ wide(k).mT / d**0.5).masked_fill(torch.ones(n, n).triu(1).bool(), -math.inf)
    if past is None:
        return own.softmax(-1) @ wide(v), (k, v)
    old = q @ wide(past[0]).mT / d**0.5
    weights = torch.cat((old, own), -1).softmax(-1)
    L = old.shape[-1]
    out = weights[..., :L] @ wide(past[1]) + weights[..., L:] @ wide(v)
    return out, (torch.cat((past[0], k), 2), torch.cat((past[1], v), 2))


def past_ignored(q, k, v, past):
    """Your output does not depend on the cached keys and values.
    The new queries attend to the cached keys, too.
    """
    old = past or (k[:, :, :0], v[:, :, :0])
    cache = torch.cat((old[0], k), 2), torch.cat((old[1], v), 2)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), cache


def new_in_front(q, k, v, past):
    """The new keys and values stand before the cached ones. They are later positions, so they come
    behind.
    """
    if past is not None:
        k, v = torch.cat((k, past[0]), 2), torch.cat((v, past[1]), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True), (k, v)


def kernel_causal(q, k, v, past):
    """Your mask begins at the first key: new position j sees only the keys 0 … j. torch's is_causal means
    this, too, if there are fewer queries than keys. New position j is position L + j of the row.
    """
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    allowed = torch.ones(q.shape[2], k.shape[2]).tril().bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True), (k, v)


def no_mask(q, k, v, past):
    """Without a mask, a new position attends to later new ones. With one new position you would not
    notice.
    """
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    return F.scaled_dot_product_attention(q, k, v, enable_gqa=True), (k, v)


def not_itself(q, k, v, past):
    """The new positions do not attend to themselves."""
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n - 1).bool()
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True)
    return torch.nan_to_num(out), (k, v)


def new_cache_only(q, k, v, past):
    """Your cache holds only the new keys and values. The next step needs those of all positions."""
    new = k, v
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True), new


def repeated_cache(q, k, v, past):
    """Your cache holds the repeated heads. Repeat them after the concatenation: the cache holds the
    heads of keys and values as they came.
    """
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    if past is not None:
        old = [each if each.shape[1] == k.shape[1] else each.repeat_interleave(n, 1) for each in past]
        k, v = torch.cat((old[0], k), 2), torch.cat((old[1], v), 2)
    t, s = q.shape[2], k.shape[2]
    return F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(t, s).tril(s - t).bool()), (k, v)


def along_the_heads(q, k, v, past):
    """Old and new are joined along the axis of heads. Positions are on axis 2."""
    if past is not None and past[0].shape[2] == k.shape[2]:
        k, v = torch.cat((past[0], k), 1), torch.cat((past[1], v), 1)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True), (k, v)


def keys_cached_only(q, k, v, past):
    """The keys are extended, but not the values."""
    cache = (k, v)
    if past is not None:
        k = torch.cat((past[0], k), 2)
        cache = (k, torch.cat((past[1], v), 2))
        v = torch.cat((torch.zeros_like(past[1]), v), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True), cache


def taking_turns(q, k, v, past):
    """Your query heads take turns among the key heads. Neighbours share one: use repeat_interleave."""
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    m, n, s = q.shape[1] // k.shape[1], q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    out = F.scaled_dot_product_attention(q, k.repeat(1, m, 1, 1), v.repeat(1, m, 1, 1), attn_mask=allowed)
    return out, (k, v)


def no_scale(q, k, v, past):
    """The logits are not divided by the root of d_k."""
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, scale=1.0, enable_gqa=True), (k, v)


def output_alone(q, k, v, past):
    """You return the output alone. Return it together with the new cache."""
    if past is not None:
        k, v = torch.cat((past[0], k), 2), torch.cat((past[1], v), 2)
    n, s = q.shape[2], k.shape[2]
    allowed = torch.ones(n, s).tril(s - n).bool()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=allowed, enable_gqa=True)


KEY = AnswerKey(
    id="cached_attention",
    hidden=hidden,
    reference=cached_attention,
    accepted=(by_the_kernel, position_by_position, padded_queries, grouped, by_einsum, two_parts),
    rejected=(
        past_ignored,
        new_in_front,
        kernel_causal,
        no_mask,
        not_itself,
        new_cache_only,
        repeated_cache,
        along_the_heads,
        keys_cached_only,
        taking_turns,
        no_scale,
        output_alone,
    ),
    fingerprint=fingerprint,
    commentary="""
Keys and values of earlier positions never change, because no position attends to a later one. So they are
kept, and each step computes those of the new positions only. New position j is position L + j of the row:
the mask `tril(L)` of a matrix (n, L + n) lets it see exactly L + j + 1 positions.

The commonest mistake is the mask. With one new position no mask is needed, so a missing mask goes unnoticed
until a prompt of several tokens comes after a cache. And torch's `is_causal=True` counts from the first key.
""",
)
