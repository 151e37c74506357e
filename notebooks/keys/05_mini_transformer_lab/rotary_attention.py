"""Answer key of rotary_attention. The oracle is torch's fused kernel on queries and keys
turned by `rope`'s oracle.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.rope import near
from course_exercises.rotary_attention import case, large_scores
from course_keys.rope import oracle as turned

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    device_kept,
    difference,
    gradients_agree,
    tensor_of,
)

SIZES = ((2, 3, 6, 4), (1, 1, 12, 8), (3, 2, 1, 6), (1, 4, 5, 2), (1, 1, 300, 2))  # N, nh, T, d_h


def oracle(q, k, v):
    """torch's fused kernel."""
    return F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Sizes, layout, precision, gradients (at angles up to 1, where float32 is good enough) and device."""

    def judge(given: tuple[torch.Tensor, ...], found: object, how: str = "") -> None:
        wanted = oracle(*given)
        output = tensor_of(found, tuple(wanted.shape), wanted.dtype, "the output")
        near(output, wanted, f"for q {tuple(wanted.shape)}{how} {difference(output, wanted)}")

    for size in SIZES:
        given = case(rng, *size)
        judge(given, again(answer, *given))
    given = case(rng, *SIZES[0])
    judge(given, again(answer, *[Build(f"{HERE}:strided", (each,)) for each in given]), ", not contiguous,")
    single = tuple(each.float() for each in given)
    judge(single, answer(*single), ", in float32,")
    for _ in range(2):
        large_scores(answer, rng)
    gradients_agree(answer, oracle, dict(zip(("q", "k", "v"), case(rng, 2, 1, 2, 4), strict=True)))
    device_kept(answer, *given)
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A few sizes."""
    return [case(rng, *shape) for shape in ((2, 3, 6, 4), (1, 2, 5, 6), (2, 1, 2, 2), (1, 3, 9, 4))]


def rotary_attention(q, k, v):
    """The reference."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def fused(q, k, v):
    """Real and imaginary parts, and torch's kernel."""
    T, d_h = q.shape[-2:]
    angle = torch.outer(
        torch.arange(T, dtype=q.dtype, device=q.device),
        torch.exp(torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) * (-math.log(10000.0) / d_h)),
    )
    query, key = (
        torch.stack((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), -1).flatten(-2)
        for a, b in ((each[..., ::2], each[..., 1::2]) for each in (q, k))
    )
    return F.scaled_dot_product_attention(query, key, v, is_causal=True)


def by_distance(q, k, v):
    """Every pair of positions by its distance: Re(q · conj(k) · e^{iφ(t−s)})."""
    T, d_h = q.shape[-2:]
    a, b = (torch.complex(each[..., ::2], each[..., 1::2]) for each in (q, k))
    t = torch.arange(T, dtype=q.dtype, device=q.device)
    angle = (t[:, None] - t)[..., None] * 10000.0 ** (
        -torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h
    )
    scores = (
        a[..., :, None, :] * b.conj()[..., None, :, :] * torch.polar(torch.ones_like(angle), angle)
    ).real.sum(-1)
    weights = (scores * d_h**-0.5).where(t[:, None] >= t, -math.inf).softmax(-1)
    return torch.einsum("nhts,nhsd->nhtd", weights, v)


def queries_counted_from_elsewhere(q, k, v):
    """All positions shifted by 5: only distances count."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = (5 + torch.arange(T, dtype=q.dtype, device=q.device))[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    late = torch.full((T, T), -math.inf, dtype=q.dtype, device=q.device).triu(1)
    return F.softmax(torch.einsum("nhtd,nhsd->nhts", q, k) / d_h**0.5 + late, dim=-1) @ v


def turned_backwards_both(q, k, v):
    """Both are mirrored and turned the other way round: mirrors undo each other in a dot product."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    mirror = torch.tensor([1.0, -1.0], dtype=q.dtype, device=q.device).repeat(d_h // 2)
    q, k = (
        torch.view_as_real(
            torch.view_as_complex((each * mirror).unflatten(-1, (-1, 2)).contiguous()) * turn.conj()
        ).flatten(-2)
        for each in (q, k)
    )
    rows = []
    for t in range(T):
        scores = torch.einsum("nhd,nhsd->nhs", q[:, :, t], k[:, :, : t + 1]) / d_h**0.5
        rows.append(torch.einsum("nhs,nhsd->nhd", scores.softmax(-1), v[:, :, : t + 1]))
    return torch.stack(rows, dim=2)


def values_turned_too(q, k, v):
    """You rotate the values too, each by its own position.
    Then the output is not an average of the values any more.
    """
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k, v = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k, v)
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def output_turned(q, k, v):
    """You rotate the output. Rotate only queries and keys, so that the logits depend on the distance."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    out = torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    return torch.view_as_real(torch.view_as_complex(out.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(
        -2
    )


def keys_not_turned(q, k, v):
    """You rotate the queries only: then a logit depends on the position of the query,
    and not on the distance.
    """
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q = torch.view_as_real(torch.view_as_complex(q.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def queries_not_turned(q, k, v):
    """You rotate the keys only: then a logit depends on the position of the key, and not on the distance."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    k = torch.view_as_real(torch.view_as_complex(k.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def nothing_turned(q, k, v):
    """Your output is that of attention without positions: queries and keys are not rotated along time."""
    T, d_h = q.shape[-2:]
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def turned_apart(q, k, v):
    """You rotate keys in the opposite direction:
    logits then depend on the sum of the positions and not on their difference.
    """
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q = torch.view_as_real(torch.view_as_complex(q.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
    k = torch.view_as_real(
        torch.view_as_complex(k.unflatten(-1, (-1, 2)).contiguous()) * turn.conj()
    ).flatten(-2)
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def exponent_with_plus(q, k, v):
    """Your exponent has the wrong sign: with theta^(+2m/d) the pairs rotate faster and faster."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def half_split_pairs(q, k, v):
    """Your pairs are components m and m + d/2; here they are neighbours, 2m and 2m + 1."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    half = d_h // 2
    q, k = (
        torch.cat((a * angle.cos() - b * angle.sin(), a * angle.sin() + b * angle.cos()), dim=-1)
        for a, b in ((each[..., :half], each[..., half:]) for each in (q, k))
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return (
        torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1) @ v
    )


def no_mask(q, k, v):
    """The mask is missing: every position reads the whole row, the future included."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    return torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(d_h), dim=-1) @ v


def no_root(q, k, v):
    """The scores are not divided by √d_head."""
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    q, k = (
        torch.view_as_real(torch.view_as_complex(each.unflatten(-1, (-1, 2)).contiguous()) * turn).flatten(-2)
        for each in (q, k)
    )
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    return torch.softmax((q @ k.transpose(-2, -1)).masked_fill(future, -math.inf), dim=-1) @ v


def after_the_softmax(q, k, v):
    """You rotate the values but not the queries and keys.
    Rotate queries and keys: the logits are computed from them.
    """
    T, d_h = q.shape[-2:]
    frequency = 10000.0 ** (-torch.arange(0, d_h, 2, dtype=q.dtype, device=q.device) / d_h)
    angle = torch.arange(T, dtype=q.dtype, device=q.device)[:, None] * frequency  # (T, d_h / 2)
    turn = torch.polar(torch.ones_like(angle), angle)
    future = torch.ones(T, T, dtype=torch.bool, device=q.device).triu(1)
    weights = torch.softmax((q @ k.transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future, -math.inf), dim=-1)
    return weights @ torch.view_as_real(
        torch.view_as_complex(v.unflatten(-1, (-1, 2)).contiguous()) * turn
    ).flatten(-2)


KEY = AnswerKey(
    id="rotary_attention",
    hidden=hidden,
    reference=rotary_attention,
    accepted=(fused, by_distance, queries_counted_from_elsewhere, turned_backwards_both),
    rejected=(
        values_turned_too,
        output_turned,
        keys_not_turned,
        queries_not_turned,
        nothing_turned,
        turned_apart,
        exponent_with_plus,
        half_split_pairs,
        no_mask,
        no_root,
        after_the_softmax,
    ),
    fingerprint=fingerprint,
    commentary=(
        "Positions should influence which words are attended to, not what is copied from them. So queries and"
        " keys are rotated, and values are not. The rest is causal attention as in notebook 04: scale, mask"
        " with $-\\infty$, softmax, average. With values rotated as well, the average would mix vectors that"
        " are rotated by different angles."
    ),
)
