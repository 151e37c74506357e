"""Answer key of grouped_attention. The oracle is torch's fused kernel, one query head at a time."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.grouped_attention import LARGE, case, expected, judge, steep

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import again, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Groups of all sizes, long rows, another layout and precision; gradients; one call many times."""
    for sizes in (
        (2, 9, 3, 7, 4),
        (1, 8, 2, 4, 2),
        (3, 5, 5, 3, 4),
        (1, 6, 1, 9, 6),
        (2, 1, 1, 1, 3),
        (1, 2, 1, 140, 2),
    ):
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
    given = case(rng, 2, 6, 3, 5, 4)
    judge(not_contiguous(answer, *given), given, ", not contiguous,")
    q, k, v = (each.float() for each in given)
    single = q, k, v
    judge(answer(*single), single, ", in float32,")
    large = steep(given)
    judge(answer(*large), large, LARGE)
    gradients_agree(answer, expected, dict(zip(("q", "k", "v"), given, strict=True)))
    steady(answer, *case(rng, 1, 4, 2, 3, 2))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Groups of two and of three, and as many key heads as query heads."""
    return [case(rng, 2, 6, 2, 5, 4), case(rng, 1, 6, 3, 4, 2), case(rng, 2, 3, 3, 4, 4)]


def grouped_attention(q, k, v):
    """The reference."""
    group = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(group, dim=1), v.repeat_interleave(group, dim=1)  # (B, h, T, d_k)
    T, d_k = q.shape[-2:]
    logits = q @ k.transpose(-2, -1) / math.sqrt(d_k)  # (B, h, T, T)
    later = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return torch.softmax(logits.masked_fill(later, -math.inf), dim=-1) @ v


def by_the_kernel(q, k, v):
    """torch's kernel knows groups."""
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def groups_on_an_axis(q, k, v):
    """The query heads of a group have an axis of their own."""
    B, h, T, d_k = q.shape
    shared = k.shape[1]
    asked = q.reshape(B, shared, h // shared, T, d_k)
    logits = asked @ k[:, :, None].mT / d_k**0.5  # (B, shared, group, T, T)
    logits = logits + torch.full((T, T), -torch.inf, dtype=q.dtype, device=q.device).triu(1)
    return (logits.softmax(-1) @ v[:, :, None]).reshape(q.shape)


def head_by_head(q, k, v):
    """A loop over query heads."""
    size, T, out = q.size(1) // k.size(1), q.size(2), []
    seen = torch.ones(T, T, device=q.device).tril() == 1
    for j in range(q.size(1)):
        scores = torch.einsum("btd,bsd->bts", q[:, j], k[:, j // size]) / q.size(3) ** 0.5
        out.append(torch.where(seen, scores, -torch.inf).softmax(2) @ v[:, j // size])
    return torch.stack(out, 1)


def expanded(q, k, v):
    """The heads are expanded and flattened."""
    n = q.shape[1] // k.shape[1]
    k, v = (each[:, :, None].expand(-1, -1, n, -1, -1).flatten(1, 2) for each in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def by_index(q, k, v):
    """An index says which key head each query head uses."""
    heads = torch.arange(q.shape[1], device=q.device) * k.shape[1] // q.shape[1]
    logits = torch.einsum("bhtd,bhsd->bhts", q, k[:, heads]) * q.shape[-1] ** -0.5
    t = torch.arange(q.shape[2], device=q.device)
    weights = logits.masked_fill(t[:, None] < t, float("-inf")).softmax(dim=-1)
    return torch.einsum("bhts,bhsd->bhtd", weights, v[:, heads])


def position_by_position(q, k, v):
    """Each query meets only the keys up to its own position, so no mask is needed."""
    n, out = q.shape[1] // k.shape[1], []
    k, v = torch.repeat_interleave(k, n, 1), torch.repeat_interleave(v, n, 1)
    for t in range(q.shape[2]):
        logits = (q[:, :, t : t + 1] * k[:, :, : t + 1]).sum(-1) / math.sqrt(q.shape[3])  # (B, h, t + 1)
        out.append((logits.softmax(-1)[..., None] * v[:, :, : t + 1]).sum(2))
    return torch.stack(out, dim=2)


def taking_turns(q, k, v):
    """Your query heads take turns among the key heads. Neighbours share one: use repeat_interleave, and not
    repeat.
    """
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k.repeat(1, n, 1, 1), v.repeat(1, n, 1, 1), is_causal=True)


def turns_for_values(q, k, v):
    """Your keys are right, but the values take turns. Repeat both in the same way."""
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat(1, n, 1, 1), is_causal=True)


def no_mask(q, k, v):
    """Each of your positions attends to later ones, too. The mask is missing."""
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1))


def no_scale(q, k, v):
    """The logits are not divided by the root of d_k."""
    n = q.shape[1] // k.shape[1]
    return F.scaled_dot_product_attention(
        q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), is_causal=True, scale=1.0
    )


def whole_width(q, k, v):
    """The logits are divided by the root of the whole width. Each head adds up only d_k products."""
    n, width = q.shape[1] // k.shape[1], q.shape[1] * q.shape[3]
    return F.scaled_dot_product_attention(
        q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), is_causal=True, scale=width**-0.5
    )


def first_key_head(q, k, v):
    """All your query heads use key head 0. Each group has its own."""
    h = q.shape[1]
    return F.scaled_dot_product_attention(
        q, k[:, :1].expand(-1, h, -1, -1), v[:, :1].expand(-1, h, -1, -1), is_causal=True
    )


def averaged_heads(q, k, v):
    """The key heads are averaged. Each group of query heads uses its own key head."""
    h = q.shape[1]
    k, v = (each.mean(1, keepdim=True).expand(-1, h, -1, -1) for each in (k, v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def fewer_queries(q, k, v):
    """Your output has as many heads as there are key heads. Every query
    head has an output of its own.
    """
    B, h, T, d_k = q.shape
    q = q.reshape(B, k.shape[1], h // k.shape[1], T, d_k).mean(2)
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def over_the_queries(q, k, v):
    """The softmax is over the queries. The weights of one query should add up to 1: take the softmax over
    the keys, dim=-1.
    """
    n, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    logits = q @ k.mT / math.sqrt(q.shape[-1])
    logits = logits.masked_fill(torch.ones(T, T).triu(1).bool(), -math.inf)
    return logits.softmax(-2) @ v


def mask_after(q, k, v):
    """The mask comes after the softmax, so the weights no longer add up to 1. Set the logits to −inf before
    it.
    """
    n = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    return (q @ k.mT / math.sqrt(q.shape[-1])).softmax(-1).tril() @ v


def not_itself(q, k, v):
    """Your positions do not attend to themselves. The mask hides later positions only."""
    n, T = q.shape[1] // k.shape[1], q.shape[2]
    k, v = k.repeat_interleave(n, 1), v.repeat_interleave(n, 1)
    logits = q @ k.mT / math.sqrt(q.shape[-1])
    weights = logits.masked_fill(torch.ones(T, T).triu(0).bool(), -math.inf).softmax(-1)
    return torch.nan_to_num(weights) @ v


def merged(q, k, v):
    """The heads are merged into one axis. The caller does that: return (B, h, T, d_k)."""
    n = q.shape[1] // k.shape[1]
    out = F.scaled_dot_product_attention(
        q, k.repeat_interleave(n, 1), v.repeat_interleave(n, 1), is_causal=True
    )
    return out.transpose(1, 2).flatten(2)


def keys_for_values(q, k, v):
    """The keys are averaged. The weights belong to the values."""
    n = q.shape[1] // k.shape[1]
    k = k.repeat_interleave(n, 1)
    return F.scaled_dot_product_attention(q, k, k, is_causal=True)


KEY = AnswerKey(
    id="grouped_attention",
    hidden=hidden,
    reference=grouped_attention,
    accepted=(by_the_kernel, groups_on_an_axis, head_by_head, expanded, by_index, position_by_position),
    rejected=(
        taking_turns,
        turns_for_values,
        no_mask,
        no_scale,
        whole_width,
        first_key_head,
        averaged_heads,
        fewer_queries,
        over_the_queries,
        mask_after,
        not_itself,
        merged,
        keys_for_values,
    ),
    fingerprint=fingerprint,
    commentary="""
Query heads 0 … h/h_kv − 1 share key head 0, the next ones share key head 1, and so on. `repeat_interleave`
repeats each head in place: 0, 0, 0, 1, 1, 1. With as many key heads as query heads nothing is repeated, and
this is the attention of notebook 04.

The commonest mistake is `repeat`, which gives 0, 1, 0, 1: the shapes fit, and the real model writes nonsense.
""",
)
