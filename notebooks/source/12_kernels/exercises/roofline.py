"""Exercise roofline: the shortest possible time of a kernel, and what limits it: memory or arithmetic."""

from __future__ import annotations

import math
import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number, text, told

BOUNDS = ("memory", "compute")
CLOSE = 1e-6  # relative: times in float32 are right


def placed(result: object) -> tuple[float, str]:
    """`result` as (seconds, "memory" or "compute"). Raises NotYet unless it is one."""
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise NotYet(f'return two things, (seconds, "memory" or "compute"); yours is {kind_of(result)}')
    if isinstance(result[0], str) and not isinstance(result[1], str):
        raise NotYet(f"return the seconds first, then the name; yours is ({result[0][:40]!r}, a number)")
    seconds, bound = number(result[0], "seconds"), text(result[1], "the second")
    expect(bound in BOUNDS, f'the second must be "memory" or "compute"; yours is {bound[:40]!r}')
    return seconds, bound


def right_place(result: object, case: tuple[float, float, float, float]) -> None:
    """Raise NotYet unless the kernel's limit is named correctly. On the ridge, either name is right."""
    moved, operations, bandwidth, peak = case
    least = {"memory": moved / bandwidth, "compute": operations / peak}
    seconds, bound = placed(result)
    what = (
        f"{moved:.5g} bytes, {operations:.5g} operations, {bandwidth:.5g} bytes/s, {peak:.5g} operations/s:"
    )
    slower = max(least.values())
    mine, yours = told(slower, seconds, digits=6)
    expect(
        math.isclose(seconds, slower, rel_tol=CLOSE),
        f"{what} at least {mine} s, the longer of moving ({least['memory']:.6g} s) and computing "
        f"({least['compute']:.6g} s), which go on at the same time; yours says {yours} s",
    )
    name = max(least, key=lambda each: least[each])
    either = math.isclose(least["memory"], least["compute"], rel_tol=CLOSE)
    other = min(least, key=lambda each: least[each])
    expect(
        bound == name or either,
        f"{what} the time is right, and {name} takes longer ({least[name]:.7g} s) than {other}"
        f" ({least[other]:.7g} s); yours says {bound}",
    )


def cases(rng: random.Random, count: int) -> list[tuple[float, float, float, float]]:
    """Kernels on both sides of the ridge, near it and far from it; on processors large and small."""
    made = []
    for i in range(count):
        bandwidth, peak = 10 ** rng.uniform(9, 13), 10 ** rng.uniform(10, 15)
        moved = 10 ** rng.uniform(3, 10)
        side = (-1 if i % 2 else 1) * rng.choice((1e-5, 0.05, 0.5, 2.0))
        made.append((moved, moved * peak / bandwidth * 10**side, bandwidth, peak))
    return made


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The notebook's example, two kernels that only move or only compute, and random ones."""
    for case in (
        (64, 128, 100, 1000),
        (64, 3200, 100, 1000),
        (4096.0, 0.0, 1e9, 1e12),
        (0.0, 4096.0, 1e9, 1e12),
        (0, 5, 100, 1000),
        (2, 5, 3 * 10**13, 10**15),
        *sorted(cases(rng, 8), key=lambda case: -abs(math.log(case[1] / case[3] * case[2] / case[0]))),
    ):
        right_place(answer(*case), case)
    return right("now you can say whether a faster kernel must move less or compute less")


EXERCISE = Exercise(
    id="roofline",
    title="The roofline model",
    order=6,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="Williams, Waterman and Patterson 2009",
    hints=(
        "A processor loads the next numbers while it computes with the last ones. When is it done with both?",
        (
            "There are two times: bytes divided by bytes per second, and operations divided by operations per"
            " second."
        ),
        (
            "The kernel takes at least the longer of the two times, and the longer one names the limit. If"
            " you divide operations by bytes, think of a kernel that moves 0 bytes."
        ),
    ),
    check=check,
    optional=True,
)
