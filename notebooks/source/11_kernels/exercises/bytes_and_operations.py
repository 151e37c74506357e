"""Exercise bytes_and_operations: the bytes that attention moves and the operations it computes, in one kernel and in several."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number

NAMES = ("in_steps", "one_tile", "synthesizer", "backward")
Counts = dict[str, tuple[float, float]]


def counts_of(result: object) -> Counts:
    """`result` as {name: (bytes, operations)}. Raises NotYet unless it is one."""
    if not isinstance(result, dict):
        raise NotYet(f"return a dict, {{name: (bytes, operations)}}; yours is {kind_of(result)}")
    missing = [name for name in NAMES if name not in result]
    expect(not missing, f"the dict must have the keys {', '.join(NAMES)}; yours lacks {', '.join(missing)}")
    found = {}
    for name in NAMES:
        pair = result[name]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise NotYet(f"{name} must have two numbers, (bytes, operations); yours is {kind_of(pair)}")
        found[name] = (number(pair[0], f"the bytes of {name}"), number(pair[1], f"the operations of {name}"))
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One head of one position and one channel, counted by hand; then how everything grows."""
    one = counts_of(answer(1, 1, 1))["one_tile"]
    expect(
        one == (8, 4),
        "one head, one position, one channel: one_tile reads q, k, v and writes the output, 4 numbers of 2 "
        "bytes, and multiplies and "
        f"adds twice: (8, 4). Yours says ({one[0]:g}, {one[1]:g})",
    )
    N, T, d = rng.randint(2, 9), 4 * rng.randint(3, 9), 2 * rng.randint(2, 6)
    few, many, long = (counts_of(answer(*sizes)) for sizes in ((N, T, d), (2 * N, T, d), (N, 2 * T, d)))
    for name in NAMES:
        expect(
            many[name][1] == 2 * few[name][1] and long[name][1] == 4 * few[name][1],
            f"the operations of {name} should double with N, and be four times as many for twice the T; yours are not",
        )
    for name in ("in_steps", "one_tile", "backward"):
        expect(many[name][0] == 2 * few[name][0], f"the bytes of {name} should double with N; yours do not")
    for name in ("one_tile", "synthesizer", "backward"):
        expect(
            long[name][0] == 2 * few[name][0],
            f"the bytes of {name} should double with T: no T × T square is moved, that stays in the tile; yours do not",
        )
    expect(
        long["in_steps"][0] > 2 * few["in_steps"][0], "in_steps moves T × T squares: its bytes grow faster than T; yours do not"
    )
    return right("the growth is right; the hidden check looks at the factors")


EXERCISE = Exercise(
    id="bytes_and_operations",
    title="Count bytes and operations",
    order=7,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="Williams et al. 2009; this course",
    hints=(
        "Take one kernel at a time. Write down what it reads and what it writes, as shapes; add up; two bytes each.",
        "In steps: the first kernel reads q and k and writes a square, the second reads and writes one, the "
        "third reads a square and v "
        "and writes the output. One tile: the squares never leave the chip.",
        "A product of (a, b) and (b, c) takes 2·a·b·c operations. Forward there are two products. Backward there "
        "are five: the logits "
        "again, grad·vᵀ, and one each for the gradients of q, k and v; it reads q, k, v and grad, and writes three.",
    ),
    check=check,
    optional=True,
)
