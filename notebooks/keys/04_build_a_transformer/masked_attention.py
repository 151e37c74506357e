"""Answer key of masked_attention. The oracle gives torch's kernel only the keys that are allowed,
so it needs no mask.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.masked_attention import LONG, LOW, NAMES, case, expected, judge, low, steep

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    agree,
    gradients_agree,
    tensor_of,
)

PATTERNS = (
    ["xxxxx"],
    ["xx.", "x..", "xxx"],
    ["..xx", "x.x."],
    *(["x", "."], ["xx"]),
    ["...xx", ".xxxx", "xxxxx", "x...."],
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Padding at either end and in between, rows of 1 to 5, one of them a single padding,
    a long one, steep scores, scores far below 0, scores of exactly 0, float32; gradients; steady.
    """
    for causal in (False, True):
        for real in PATTERNS:
            given = case(rng, real, rng.choice((1, 2, 3)), rng.choice((1, 3, 4)), causal)
            judge(again(answer, *given), given)
        q, k, v, mask, _ = given = case(rng, [".xxxx", "xxxx."], 2, 4, causal)
        judge(again(answer, *given), given)
        for far, size in ((60.0, "a hundred and more"), (3e4, "many thousands")):
            given = (far * q, k, v, mask, causal)
            judge(answer(*given), given, f" and scores of {size}")
        given = steep(q, k, v, mask, causal)
        judge(answer(*given), given, " and far larger scores of the padding")
        for score in LOW:
            given = low(q, k, v, mask, causal, score)
            judge(answer(*given), given, f" and allowed scores near {score:,.0f}")
        queries, keys, values, *_ = low(q, k, v, mask, causal, -9e5)
        turned = (queries, torch.where(mask[:, None, :, None], keys, -keys), values, mask, causal)
        judge(answer(*turned), turned, " and scores near −900,000, those of padding near 900,000")
        single = (q.float(), k.float(), v.float(), mask, causal)
        judge(answer(*single), single, ", in float32")
        gradients_agree(answer, expected, dict(zip(NAMES, (q, k, v, mask, causal), strict=True)))
        k[:, :, 2] = 0.0
        given = (q, k, v, mask, causal)
        judge(answer(*given), given, " and a key 2 of zeros")
    q, k, v, mask, causal = case(rng, ["x.xx", "xxx."], 3, 4, False)
    judge(
        answer(*(Build(f"{HERE}:strided", (each,)) for each in (q, k, v)), mask, causal),
        (q, k, v, mask, causal),
        ", not contiguous",
    )
    long = case(rng, [rng.randint(260, 290) * "x" + ".."], 1, 2, True)
    judge(again(answer, *long), long)
    longer = case(rng, [900 * "x"], 1, 1, True)
    found = tensor_of(
        again(answer, *longer), (1, 1, 900, 1), v.dtype, "for a row of 900 positions the output"
    )
    agree(found, expected(*longer), LONG.format(900, "gives a wrong output") + ": {entry}")
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Padding at the end, at the start, none, and alone; with and without a causal mask."""
    patterns = (["xxxx", "xx.."], ["..xx", ".xxx"], ["xxx"], ["xx", ".."])
    cases = [case(rng, real, 2, 3, causal) for real in patterns for causal in (False, True)]
    return [*cases, case(rng, ["xx", "x."], 1, 4, True), steep(*case(rng, ["xx..", "..xx"], 2, 4, False))]


def masked_attention(q, k, v, real, causal):
    """The reference."""
    T = q.shape[-2]
    allowed = real[:, None, None, :].expand(-1, 1, T, -1)  # (B, 1, T, T): the same for every query
    if causal:
        allowed = allowed & torch.ones(T, T, dtype=torch.bool, device=q.device).tril()
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])  # (B, n_head, T, T)
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    weights = weights.masked_fill(~allowed.any(dim=-1, keepdim=True), 0.0)  # no key: nan becomes 0
    return weights @ v


def by_torch(q, k, v, real, causal):
    """torch's kernel, with zeros for queries without a key."""
    T = q.shape[-2]
    allowed = real[:, None, None].repeat(1, 1, T, 1)
    if causal:
        t = torch.arange(T, device=q.device)
        allowed = allowed & (t[:, None] >= t)
    some = allowed.any(-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=allowed | ~some)
    return torch.where(some, out, 0.0)


def large_negative_then_zero(q, k, v, real, causal):
    """A large negative number added to forbidden scores, and queries without a key set to 0."""
    allowed = real[:, None, None].to(q.dtype).expand(-1, 1, q.shape[2], -1)
    if causal:
        allowed = allowed.tril()
    scores = q @ k.mT / q.shape[-1] ** 0.5 - 1e9 * (1 - allowed)
    return scores.softmax(-1) @ v * (allowed.sum(-1, keepdim=True) > 0)


def exponentials_divided(q, k, v, real, causal):
    """Exponentials times the mask, divided by their sum, or by 1 where the sum is 0."""
    allowed = real[:, None, None].to(q.dtype)
    if causal:
        allowed = allowed * torch.ones_like(q[0, 0] @ k[0, 0].mT).tril()
    scores = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
    top = torch.where(allowed > 0, scores, -math.inf).amax(-1, keepdim=True).detach()
    powers = torch.where(allowed > 0, scores - top, -math.inf).exp()
    total = powers.sum(-1, keepdim=True)
    return (powers / torch.where(total > 0, total, 1.0)) @ v


def nan_to_num(q, k, v, real, causal):
    """Minus infinity added, nan replaced."""
    T = q.shape[2]
    later = (
        torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1) if causal else torch.zeros_like(real[0])
    )
    forbidden = later | ~real[:, None, None, :]
    scores = q.matmul(k.mT).div(q.shape[-1] ** 0.5).masked_fill(forbidden, float("-inf"))
    return torch.nan_to_num(scores.softmax(-1)) @ v


def finite_then_zero(q, k, v, real, causal):
    """The smallest finite number in place of minus infinity, and the mask once more after the softmax."""
    T = q.shape[-2]
    allowed = real.view(len(real), 1, 1, T)
    if causal:
        allowed = torch.logical_and(
            allowed, torch.arange(T, device=q.device) <= torch.arange(T, device=q.device)[:, None]
        )
    scores = (q @ k.mT) / math.sqrt(q.size(-1))
    scores = torch.where(allowed, scores, torch.finfo(q.dtype).min)
    return (scores.softmax(dim=-1) * allowed.to(q.dtype)) @ v


def padding_ignored(q, k, v, real, causal):
    """You do not use the padding mask: padding gets weight as if it were a token."""
    return F.scaled_dot_product_attention(q, k, v, is_causal=causal)


def never_causal(q, k, v, real, causal):
    """You do not use the argument causal: where it is True, a query must not attend to later keys."""
    allowed = real[:, None, None, :]
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return weights @ v


def always_causal(q, k, v, real, causal):
    """You always mask the future. Do so only where causal is True: an encoder may attend to later keys."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & torch.ones(T, T, dtype=torch.bool).tril()
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v


def empty_rows_nan(q, k, v, real, causal):
    """A query without any allowed key gives nan, because its softmax is 0 / 0. Its output should be 0."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return weights @ v


def empty_rows_averaged(q, k, v, real, causal):
    """A query without any allowed key averages over forbidden ones.
    Its output should be 0.
    """
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -1e9), dim=-1)
    return weights @ v


def queries_masked(q, k, v, real, causal):
    """The padding mask acts on queries: their outputs become 0, but padded keys still get weight. It belongs
    to the keys, the last axis: (B, 1, 1, T).
    """
    out = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return out * real[:, None, :, None].to(q.dtype)


def both_masked(q, k, v, real, causal):
    """You also set the outputs of padded queries to 0.
    The mask is for keys: a padded query attends like any other.
    """
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v * real[:, None, :, None].to(q.dtype)


def over_the_queries(q, k, v, real, causal):
    """The softmax runs over the queries, so each column adds up to 1. It should run over the keys, dim=-1,
    so that each row does.
    """
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-2)
    return torch.nan_to_num(weights) @ v


def inverted(q, k, v, real, causal):
    """Your padding mask is inverted: real is True where a token is, and you keep the padding."""
    T = q.shape[-2]
    allowed = ~real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v


def either_mask(q, k, v, real, causal):
    """You allow a pair if one of the masks allows it. Both must allow it: combine them with &."""
    T = q.shape[-2]
    allowed = (
        real[:, None, None, :] | torch.ones(T, T, dtype=torch.bool).tril()
        if causal
        else real[:, None, None, :]
    )
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v


def zeroed_after_softmax(q, k, v, real, causal):
    """The mask comes after the softmax: the remaining weights of a row then add up to less than 1."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    return weights.masked_fill(~allowed, 0.0) @ v


def renormalised(q, k, v, real, causal):
    """The mask comes after the softmax, and the weights are divided by the sum of what is left, which may be
    0 after rounding.
    """
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1) * allowed
    return torch.nan_to_num(weights / weights.sum(dim=-1, keepdim=True)) @ v


def values_zeroed(q, k, v, real, causal):
    """The values of the padding are set to 0, but padding keeps its share of the weights. Mask the scores."""
    return F.scaled_dot_product_attention(q, k, v * real[:, None, :, None].to(v.dtype), is_causal=causal)


def scores_to_zero(q, k, v, real, causal):
    """You set forbidden scores to 0, and e⁰ = 1 is a share like any other. Set them to minus infinity."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, 0.0), dim=-1)
    return weights @ v


def no_root(q, k, v, real, causal):
    """You do not divide the scores by the root of the heads' width."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v


def first_row_for_all(q, k, v, real, causal):
    """You use the padding mask of the first row for the whole batch. Each row has its own."""
    T = q.shape[-2]
    allowed = real[:1, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return torch.nan_to_num(weights) @ v


def detached(q, k, v, real, causal):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    T = q.shape[-2]
    allowed = real[:, None, None, :] & (torch.ones(T, T, dtype=torch.bool).tril() if causal else True)
    weights = torch.softmax((q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf), dim=-1)
    return (torch.nan_to_num(weights) @ v).detach()


KEY = AnswerKey(
    id="masked_attention",
    hidden=hidden,
    reference=masked_attention,
    accepted=(by_torch, large_negative_then_zero, exponentials_divided, nan_to_num, finite_then_zero),
    rejected=(
        *(
            padding_ignored,
            never_causal,
            always_causal,
            empty_rows_nan,
            empty_rows_averaged,
            queries_masked,
            both_masked,
        ),
        over_the_queries,
        *(inverted, either_mask, zeroed_after_softmax, renormalised, values_zeroed, scores_to_zero, no_root),
        *(first_row_for_all, detached),
    ),
    fingerprint=fingerprint,
    commentary="""
    A padding mask restricts the *keys*, so `real` gets the shape (B, 1, 1, T) and broadcasts over heads and
    queries. The causal mask has the shape (T, T). A pair is allowed only if both masks allow it, hence `&`.
    If no key is left, every score is minus infinity and the softmax computes 0 / 0, which is nan. One nan
    spreads to the whole model in the next layer, so we set such rows to 0. The most frequent mistake is to
    mask the queries instead: then real tokens still attend to padding.
    """,
)
