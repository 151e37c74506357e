"""Exercise rope: rotary positions.

Angles may be computed in float32 even if x is float64, as in the course's own `kqa_core.model.variants.rope`
and in most published code. In rows of at most 64 positions that moves an output by 64 · 2⁻²⁴ < 4e-6 of a
pair's length. `near` allows 2e-5. The smallest of the known mistakes moves outputs by more than 1e-2.
"""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.layout import not_contiguous
from kqa_core.exercise_helpers.transformer_parts import (
    again,
    device_kept,
    difference,
    draw,
    gradients_agree,
    tensor_of,
)
from kqa_core.model.variants.rope import angles, rotate

LOOSE = 2e-5


def equal(found: Tensor, wanted: Tensor) -> bool:
    """Whether the two are equal to `LOOSE` of the largest entry, or to the precision of a narrower dtype."""
    scale = max(float(wanted.abs().max()), 1e-12)
    tolerance = max(LOOSE, 0.4 * math.sqrt({2: 1e-2, 4: 1.2e-7}.get(wanted.element_size(), 0.0)))
    return float((found.double() - wanted.double()).abs().max()) <= tolerance * scale


def near(found: Tensor, wanted: Tensor, sentence: str) -> None:
    """NotYet(sentence) unless the two are equal."""
    expect(equal(found, wanted), sentence)


def near_entry(found: Tensor, wanted: Tensor, said: str, cause: str = "") -> None:
    """The same; the sentence is `said` and the entry that is off most, and then `cause`."""
    near(found, wanted, f"{said}{difference(found, wanted)}{cause}")


def rotated(pair: Tensor, angle: float) -> Tensor:
    """One pair (2,), rotated by an angle in radian."""
    a, b = pair.tolist()
    return pair.new_tensor(
        [a * math.cos(angle) - b * math.sin(angle), a * math.sin(angle) + b * math.cos(angle)]
    )


def angle_between(old: Tensor, new: Tensor) -> float:
    """The angle in (−π, π] that rotates one pair (2,) into another."""
    (a, b), (c, d) = old.tolist(), new.tolist()
    return math.atan2(a * d - b * c, a * c + b * d)


def course_rope(x: Tensor) -> Tensor:
    """The course's own function."""
    return rotate(x, angles(torch.arange(x.shape[-2]), x.shape[-1], 10_000.0))


def lengths(x: Tensor) -> Tensor:
    """The length of each row's vectors: (…, T, d) → (…, T)."""
    return x.double().square().sum(dim=-1).sqrt()


def stretched(found: Tensor, x: Tensor) -> str:
    """How much the vectors of `found` are longer or shorter than those of `x`."""
    share = float((lengths(found) / lengths(x) - 1).abs().max())
    said = f"for x of shape {tuple(x.shape)}, a rotation keeps lengths; yours change by up to"
    return f"{said} {100 * share:.2g} %"


def slower(answer: Answer, row: Tensor, slow: Tensor) -> str:
    """Why `slow`, the row rotated with theta = 100, may turn pair 1 by 0.01 a position; else ""."""
    other = row.new_tensor(range(1, 43)).reshape(7, 6)  # no call before had this shape
    fresh = tensor_of(again(answer, other, 100.0), (7, 6), row.dtype, "the output")
    if equal(fresh, rotate(other, angles(torch.arange(7), 6, 100.0))):
        return (
            f". For x of shape (7, 6) and theta = 100 it was right. {POSSIBLE}something is kept from an"
            " earlier call, such as the angles for (3, 4) and theta = 10,000"
        )
    few = rotated(row[2, 2:], 0.02)
    if not equal(slow[2, 2:], few):
        return ""
    usual = tensor_of(again(answer, row, 10_000.0), (3, 4), row.dtype, "the output")
    if equal(usual[2, 2:], few):
        return ", and by as much for theta = 10,000"
    if equal(usual[2, 2:], rotated(row[2, 2:], 2e-4)):
        return f". {POSSIBLE}the exponent of theta is −1 there; for pair 1 of d = 4 it is −2m/d = −½"
    return ""


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rotations keep lengths and planes; some angles of the first and the second pair; only the distance
    counts; x after a transpose; x not changed; and a gradient.
    """
    x = draw(rng, 2, 6, 8)
    found = tensor_of(answer(x), (2, 6, 8), x.dtype, "the output")
    phi = torch.arange(6, dtype=x.dtype)  # the angles of pair 0
    given = f"for x of shape (2, 6, 8), {difference(found, course_rope(x))}"
    expect(
        not equal(found[..., 1], found[..., 0] * phi.sin() + x[..., 1] * phi.cos()),
        f"{given}. {POSSIBLE}the second component of a pair is computed from the new first one. It needs the"
        " old one. (x[..., 0::2] is a view: if you write into x, it changes too. Put the results into a new"
        " tensor.)",
    )
    near(lengths(found), lengths(x), stretched(found, x))
    row = draw(rng, 3, 4)
    alone = torch.cat((row[:, :2], torch.zeros_like(row[:, 2:])), dim=1)
    kept = tensor_of(again(answer, alone), (3, 4), x.dtype, "the output")
    near(
        torch.cat((row[:, :2], kept[:, 2:]), dim=1),
        alone,
        "for x of shape (3, 4) in which only components 0 and 1, one pair, are not 0, components 2 and 3 of"
        f" the output should be 0; the largest of yours is {float(kept[:, 2:].abs().max()):.4g}",
    )
    across = course_rope(x.transpose(0, 1)).transpose(0, 1)
    expect(
        not equal(found, across),
        f"{given}. {POSSIBLE}positions are taken along the first axis of x; they lie along the last but one",
    )
    near(
        found[:, 0],
        x[:, 0],
        "position 0 rotates by the angle 0: the first vector of a row must not change. For x of shape (2, 6,"
        f" 8), {difference(found[:, :1], x[:, :1])}",
    )
    row = draw(rng, 3, 2)
    turned = tensor_of(again(answer, row), (3, 2), x.dtype, "the output")
    for t in (1, 2):
        _, yours = told(t, angle_between(row[t], turned[t]))
        moved = "" if equal(turned[0], row[0]) else ", and position 0 rotates, too"
        near(
            turned[t],
            rotated(row[t], t),
            f"with d = 2 there is one pair, and position {t} rotates it by {t} radian, from a towards b;"
            f" yours rotates by {yours}{moved}",
        )
    row = draw(rng, 3, 4)
    slow = tensor_of(again(answer, row, 100.0), (3, 4), x.dtype, "the output")
    expect(
        not equal(slow[2, 2:], rotated(row[2, 2:], 20.0)),
        "with d = 4 and theta = 100 components 2 and 3 rotate by 0.1 radian per position, so by 0.2 at"
        f" position 2; yours rotate as by 20 there. {POSSIBLE}the exponent of theta has the wrong sign",
    )
    wanted = rotated(row[2, 2:], 0.2)
    mine, yours = told(0.2, angle_between(row[2, 2:], slow[2, 2:]))
    near(
        slow[2, 2:],
        wanted,
        f"with d = 4 and theta = 100 components 2 and 3 rotate by 0.1 radian per position, so by {mine} at"
        f" position 2; yours rotate by {yours} there{slower(answer, row, slow)}",
    )
    one = draw(rng, 1, 1, 4)
    near_entry(
        tensor_of(again(answer, one), (1, 1, 4), x.dtype, "the output"),
        one,
        "for x of shape (1, 1, 4), a row of one position must not change: ",
    )
    query, key = (draw(rng, 4).expand(9, 4).contiguous() for _ in range(2))
    asked, offered = again(answer, query), again(answer, key)
    if not isinstance(asked, Tensor) or not isinstance(offered, Tensor):
        raise NotYet("the output must be a torch tensor for every shape (…, T, d)")
    # (t, s)
    logits = (
        tensor_of(asked, (9, 4), x.dtype, "the output") @ tensor_of(offered, (9, 4), x.dtype, "the output").T
    )
    near_entry(
        logits[1:, 1:],
        logits[:-1, :-1],
        "for the same query and the same key of 4 components at each of 9 positions, a logit should not"
        " change if both move by one position: ",
    )
    near(found, course_rope(x), given)
    first = x
    x = draw(rng, 2, 3, 5, 4)
    near_entry(
        tensor_of(again(answer, x[0, 0]), (5, 4), x.dtype, "the output"),
        course_rope(x[0, 0]),
        "for x of shape (5, 4), ",
        ". For x (2, 6, 8) it was right",
    )
    found = tensor_of(again(answer, x), (2, 3, 5, 4), x.dtype, "the output")
    wrong_axis = "".join(
        f". {POSSIBLE}positions are taken along axis {axis}; they lie along the last but one"
        for axis in (0, 1)
        if equal(found, course_rope(x.transpose(axis, 2)).transpose(axis, 2))
    )
    near(
        found,
        course_rope(x),
        f"for x of shape (2, 3, 5, 4), {difference(found, course_rope(x))}; for (5, 4) and (2, 6, 8) it was"
        f" right{wrong_axis}",
    )
    near_entry(
        tensor_of(not_contiguous(answer, x), (2, 3, 5, 4), x.dtype, "the output"),
        found,
        "for an x of shape (2, 3, 5, 4) that is not contiguous in memory, as after transpose, ",
    )
    leaves_alone(answer, ("x",), x)
    near_entry(
        tensor_of(again(answer, first), (2, 6, 8), first.dtype, "the output"),
        course_rope(first),
        "for x of shape (2, 6, 8) your output was right, and after calls with other shapes it is another one:"
        " ",
        f". {POSSIBLE}something from an earlier call is kept",
    )
    for other in (
        x.float(),
        draw(rng, 300, 2),
        *(draw(rng, *shape) for shape in ((2, 6, 6), (5, 8), (2, 1, 2, 3, 4))),
    ):
        shape, wanted = tuple(other.shape), course_rope(other)
        found = tensor_of(again(answer, other), shape, other.dtype, "the output")
        near(found, wanted, f"for x of shape {shape} in {other.dtype}, {difference(found, wanted)}")
    gradients_agree(answer, course_rope, {"x": draw(rng, 3, 2, 4)})
    device_kept(answer, x)
    return right("lengths are kept, and logits depend on the distance only")


EXERCISE = Exercise(
    id="rope",
    title="Rotate pairs of components",
    order=4,
    points=3,
    difficulty=3,
    importance=5,
    minutes=20,
    source="Su et al. 2021, eq. 15; CS224n A5 2(g) of 2024",
    hints=(
        (
            "A pair of components is a point in a plane. Which formula rotates a point by an angle φ, and"
            " which angle has pair m?"
        ),
        (
            "Make a table of angles (T, d/2): position times frequency. Separate the even and the odd"
            " components, rotate, and put them back in their places."
        ),
        (
            "t = torch.arange(T, device=x.device); speed = theta ** (-torch.arange(0, d, 2, device=x.device)"
            " / d); angle = t[:, None] * speed; a, b = x[..., 0::2], x[..., 1::2]; the new pair is (a cos − b"
            " sin, a sin + b cos); torch.stack((…, …), dim=-1).flatten(-2) puts the pairs back."
        ),
    ),
    check=check,
)
