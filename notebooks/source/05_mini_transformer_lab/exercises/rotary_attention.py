"""Exercise rotary_attention: where the rotation belongs in attention."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.rope import course_rope, equal, near, near_entry
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import kept_nothing, leaves_alone
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import (
    again,
    device_kept,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)

LARGE = "for q (2, 2, 5, 4) and scores (logits) near 125 in float32,"
NOT_FINITE = (
    f"{LARGE} your output holds nan or an infinite number; for smaller scores it was right. {POSSIBLE}e to"
    " the power 125 is computed, which is infinite in float32"
)


def case(rng: random.Random, N: int, nh: int, T: int, d_h: int) -> tuple[Tensor, ...]:
    """q, k, v (N, nh, T, d_h)."""
    return draw(rng, N, nh, T, d_h, scale=1.5), draw(rng, N, nh, T, d_h, scale=1.5), draw(rng, N, nh, T, d_h)


def attention(q: Tensor, k: Tensor, v: Tensor, scale: float | None = None) -> Tensor:
    """Causal attention without positions, by torch's kernel."""
    return F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=scale)


def mistakes(q: Tensor, k: Tensor, v: Tensor) -> dict[str, Tensor]:
    """The output that each of some mistakes gives, by the sentence about it.
    Give two heads and three positions or more.
    """
    d_h, mirror = q.shape[-1], torch.tensor([1.0, -1.0], dtype=q.dtype).repeat(q.shape[-1] // 2)
    turned = course_rope(q), course_rope(k)
    return {
        "nothing is rotated, or a whole head by one angle": attention(q, k, v),
        "queries are rotated, keys are not": attention(turned[0], k, v),
        "keys are rotated, queries are not": attention(q, turned[1], v),
        "queries and keys are rotated in opposite directions": attention(
            turned[0], mirror * course_rope(mirror * k), v
        ),
        "they are rotated twice": attention(course_rope(turned[0]), course_rope(turned[1]), v),
        "the values are rotated, too": attention(*turned, course_rope(v)),
        "the logits are not scaled": attention(*turned, v, 1.0),
        "the logits are divided by d_head, or twice by its root": attention(*turned, v, 1 / d_h),
        "the logits are divided by the root of n_head · d_head, the width of all heads": attention(
            *turned, v, (q.shape[1] * d_h) ** -0.5
        ),
        "the logits are divided by √2, the root of d_head / 2 or of n_head, and not by √d_head": attention(
            *turned, v, 0.5**0.5
        ),
    }


def large_scores(answer: Answer, rng: random.Random) -> None:
    """NotYet unless scores near 125 in float32 are right: a common component of the slow pair makes them."""
    q, k, v = (each.float() for each in case(rng, 2, 2, 5, 4))
    wanted = attention(course_rope(q.double()), course_rope(k.double()), v.double()).float()
    output = tensor_of(again(answer, q, k, v), tuple(wanted.shape), torch.float32, "the output")
    near_entry(output, wanted, "for q, k and v (2, 2, 5, 4) in float32, ")
    for each in (q, k):
        each[..., 2], each[..., 3] = math.sqrt(250), 0.0
    wanted = attention(course_rope(q.double()), course_rope(k.double()), v.double()).float()
    found = again(answer, q, k, v)
    expect(not isinstance(found, Tensor) or bool(torch.isfinite(found).all()), NOT_FINITE)
    output = tensor_of(found, tuple(wanted.shape), torch.float32, "the output")
    near_entry(output, wanted, f"{LARGE} ")
    q[1] = -q[1]
    wanted = attention(course_rope(q.double()), course_rope(k.double()), v.double()).float()
    found = again(answer, q, k, v)
    said = "for q (2, 2, 5, 4) in float32 and scores near 125 in row 0 of the batch, near −125 in row 1, "
    expect(
        not isinstance(found, Tensor) or bool(torch.isfinite(found).all()),
        f"{said}your output holds nan or an infinite number",
    )
    output = tensor_of(found, tuple(wanted.shape), torch.float32, "the output")
    near_entry(output, wanted, said)


def ordinary(answer: Answer, rng: random.Random) -> None:
    """NotYet unless two pairs of a head are rotated rightly, one head is right, and two heads are."""
    q, k, v = case(rng, 1, 1, 2, 4)
    near_entry(
        tensor_of(again(answer, q, k, v), (1, 1, 2, 4), q.dtype, "the output"),
        attention(course_rope(q), course_rope(k), v),
        "for q, k and v (1, 1, 2, 4), ",
        "; for (1, 1, 2, 2) it was right. Pair m is components 2m and 2m + 1, its angle at position t is"
        " t · 10000^(−2m/d_head), and the logits are divided by √d_head",
    )
    both = case(rng, 2, 2, 5, 4)
    for q, k, v in (*([each[:, h : h + 1].clone() for each in both] for h in (0, 1)), both):
        output = tensor_of(again(answer, q, k, v), tuple(q.shape), q.dtype, "the output")
        wanted = attention(course_rope(q), course_rope(k), v)
        only = "; with each of these heads alone it was right"
        near(
            output,
            wanted,
            f"for q, k and v {tuple(q.shape)}, {difference(output, wanted)}{only if q.shape[1] > 1 else ''}",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One position; the future changed; equal values;
    two positions by hand, then with two pairs; a query of zeros; a low score; effects.
    """
    shape = (2, 2, 5, 4)
    q, k, v = case(rng, *shape)
    found = tensor_of(answer(q, k, v), shape, q.dtype, "the output")
    given = f"for q, k and v {shape}"
    near_entry(
        found[:, :, :1],
        v[:, :, :1],
        f"{given}, position 0 can only attend to itself, so its output is its own value: ",
    )
    later = [torch.cat((each[:, :, :3], each[:, :, 3:] + 1.0), dim=2) for each in (q, k, v)]
    changed = tensor_of(again(answer, *later), shape, q.dtype, "the output")
    with kept_nothing(answer, *later):
        near_entry(
            changed[:, :, :3],
            found[:, :, :3],
            f"{given}, the output at positions 0 to 2 should stay when positions 3 and 4 change: ",
        )
    same = v[:, :, :1].expand(*shape).contiguous()
    near_entry(
        tensor_of(again(answer, q, k, same), shape, q.dtype, "the output"),
        same,
        f"{given}, if all values of a head are equal, every average of them is that value: ",
    )
    said = f"{given}, {difference(found, attention(course_rope(q), course_rope(k), v))}"
    for sentence, other in mistakes(q, k, v).items():
        expect(not equal(found, other), f"{said}. {POSSIBLE}{sentence}")
    q, k, v = case(rng, 1, 1, 2, 2)
    pair = tensor_of(again(answer, q, k, v), (1, 1, 2, 2), q.dtype, "the output")
    (a, b), (c, d) = q[0, 0, 1].tolist(), k[0, 0, 0].tolist()
    # q₁ · R(−1) k₀
    turned = a * (c * math.cos(1) + d * math.sin(1)) + b * (d * math.cos(1) - c * math.sin(1))
    logits = torch.tensor([turned, float(q[0, 0, 1] @ k[0, 0, 1])], dtype=q.dtype) / math.sqrt(2)
    wanted = torch.softmax(logits, dim=0) @ v[0, 0]
    only_before = f". {POSSIBLE}position 1 attends to position 0 only" * equal(pair[0, 0, 1], v[0, 0, 0])
    near(
        pair[0, 0, 1],
        wanted,
        "for q, k and v (1, 1, 2, 2), query 1 and key 0 have distance 1, so there is 1 radian between their"
        " rotations; query 1 and key 1 have distance 0; logits are divided by √2. The output at position 1"
        f" should be {_read(wanted)}; yours is {_read(pair[0, 0, 1])}{only_before}",
    )
    ordinary(answer, rng)
    q, k, v = case(rng, *shape)
    q[:, :, 2] = 0.0
    try:
        blank = tensor_of(again(answer, q, k, v), shape, q.dtype, "the output")[:, :, 2:3]
    except NotYet as wrong:
        raise NotYet(
            f"{given}, where the query at position 2 is zero, so that its logits are 0: {wrong}"
        ) from wrong
    near_entry(
        blank,
        v[:, :, :3].mean(dim=2, keepdim=True),
        f"{given}, a query of zeros at position 2 has equal weights for positions 0 to 2, so its output is"
        " the mean of their values: at position 2, ",
    )
    for axes in ((0, 1), (1, 2)):
        near_entry(
            tensor_of(not_contiguous(answer, q, k, v, axes=axes), shape, q.dtype, "the output"),
            tensor_of(again(answer, q, k, v), shape, q.dtype, "the output"),
            f"{given} that are not contiguous in memory, your result is another one than before: ",
        )
    q, k, v = case(rng, 1, 1, 2, 2)
    q[..., 0], q[..., 1] = 1500.0, 0.0
    low = again(answer, q, -q, v)  # the only score of position 0 is below −10⁶
    if isinstance(low, Tensor) and bool(torch.isfinite(low).all()):  # an exponential by hand may be 0/0 there
        near_entry(
            low[:, :, :1],
            v[:, :, :1],
            "for q, k and v (1, 1, 2, 2), where the score of position 0 with itself is about −1.6 million,"
            " position 0 gets its own value: ",
        )
    leaves_alone(answer, ("q", "k", "v"), q, k, v)
    large_scores(answer, rng)
    q, k, v = case(rng, 3, 2, 1, 6)
    near_entry(
        tensor_of(again(answer, q, k, v), (3, 2, 1, 6), q.dtype, "the output"),
        v,
        "for q, k and v (3, 2, 1, 6), a position alone can only attend to itself, so it gets its value: ",
    )
    gradients_agree(
        answer,
        lambda q, k, v: attention(course_rope(q), course_rope(k), v),
        dict(zip(("q", "k", "v"), case(rng, 2, 1, 2, 4), strict=True)),
    )
    device_kept(answer, *case(rng, *shape))
    long = case(rng, 1, 1, 70, 4)
    near_entry(
        tensor_of(again(answer, *long), (1, 1, 70, 4), q.dtype, "the output"),
        attention(course_rope(long[0]), course_rope(long[1]), long[2]),
        "for q, k and v (1, 1, 70, 4), ",
    )
    # a score of a position with itself is −200, which exp still tells from 0
    q = 20 * F.normalize(case(rng, *shape)[0], dim=-1)
    k, v = -q, case(rng, *shape)[2]
    later = [torch.cat((each[:, :, :3], each[:, :, 3:] + 1.0), dim=2) for each in (q, k, v)]
    found, changed = (
        tensor_of(again(answer, *each), shape, q.dtype, "the output")[:, :, :3] for each in ((q, k, v), later)
    )
    near_entry(
        changed,
        found,
        f"{given} with scores of a position with itself near −200, the output at positions 0 to 2 should stay"
        " when later ones change: ",
    )
    return right("queries and keys are rotated, values are not")


def _read(vector: Tensor) -> str:
    return "(" + ", ".join(f"{entry:.6g}" for entry in vector.tolist()) + ")"


EXERCISE = Exercise(
    id="rotary_attention",
    title="Attention with rotary positions",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Su et al. 2021, eq. 16",
    hints=(
        "The rotation makes logits depend on the distance. From which tensors are logits computed?",
        (
            "Rotate queries and keys, each by its own position. Then attention as usual: scale, mask,"
            " softmax, mean of the values."
        ),
        (
            "torch.softmax((rope(q) @ rope(k).transpose(-2, -1) / math.sqrt(d_h)).masked_fill(future,"
            " -math.inf), dim=-1) @ v. Make the mask future on the device of q."
        ),
    ),
    check=check,
)
