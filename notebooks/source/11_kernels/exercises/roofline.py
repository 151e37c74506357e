"""Exercise roofline: the shortest possible time of a kernel, and what limits it."""

from __future__ import annotations

import math
import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number, text

BOUNDS = ("memory", "compute")


def placed(result: object) -> tuple[float, str]:
    """`result` as (seconds, "memory" or "compute"). Raises NotYet unless it is one."""
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise NotYet(f'return two things, (seconds, "memory" or "compute"); yours is {kind_of(result)}')
    seconds, bound = number(result[0], "seconds"), text(result[1], "the second")
    expect(bound in BOUNDS, f'the second must be "memory" or "compute"; yours is {bound[:40]!r}')
    return seconds, bound


def right_place(result: object, case: tuple[float, float, float, float]) -> None:
    """Raise NotYet unless the kernel's limit is named correctly. On the ridge, either name is right."""
    moved, operations, bandwidth, peak = case
    least = {"memory": moved / bandwidth, "compute": operations / peak}
    seconds, bound = placed(result)
    what = f"{moved:.3g} bytes, {operations:.3g} operations, {bandwidth:.3g} bytes/s, {peak:.3g} operations/s:"
    slower = max(least.values())
    expect(
        math.isclose(seconds, slower, rel_tol=1e-9),
        f"{what} at least {slower:.4g} s, the longer of moving ({least['memory']:.4g} s) and computing "
        f"({least['compute']:.4g} s), which "
        f"go on at the same time; yours says {seconds:.4g} s",
    )
    name = max(least, key=lambda each: least[each])
    either = math.isclose(least["memory"], least["compute"], rel_tol=1e-9)
    expect(bound == name or either, f"{what} the time is right, and it is {name} that takes it; yours says {bound}")


def cases(rng: random.Random, count: int) -> list[tuple[float, float, float, float]]:
    """Kernels on both sides of the ridge, near it and far from it; on processors large and small."""
    made = []
    for i in range(count):
        bandwidth, peak = 10 ** rng.uniform(9, 13), 10 ** rng.uniform(10, 15)
        moved = 10 ** rng.uniform(3, 10)
        side = (-1 if i % 2 else 1) * rng.choice((0.05, 0.5, 2.0))
        made.append((moved, moved * peak / bandwidth * 10**side, bandwidth, peak))
    return made


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two plain kernels and eight random ones."""
    for case in ((6e9, 1e9, 3e9, 1e12), (1e6, 8e12, 1e9, 4e12), *cases(rng, 8)):
        right_place(answer(*case), case)
    return right("now you can say what a faster kernel would have to save")


EXERCISE = Exercise(
    id="roofline",
    title="The roofline model",
    order=8,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Williams, Waterman and Patterson 2009",
    hints=(
        "A processor reads the next numbers while it computes with the last ones. When is it done?",
        "There are two times: bytes over bytes a second, and operations over operations a second.",
        "The kernel takes at least the longer of the two, and the longer one is what holds it up. That is the same as comparing "
        "operations per byte with the ridge, peak over bandwidth.",
    ),
    check=check,
    optional=True,
)
