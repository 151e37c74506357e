"""Exercise bytes_and_operations: the bytes that attention moves and the operations it computes, in one kernel and in several."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number

NAMES = ("in_steps", "one_tile", "synthesizer", "backward")
BY_HAND = {"in_steps": (192.0, 128.0), "one_tile": (64.0, 128.0)}  # the notebook's table: one head, four positions, two channels
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
    """The case that the notebook counts by hand; then how everything grows."""
    small = counts_of(answer(1, 4, 2))
    for name, wanted in BY_HAND.items():
        for what, mine, theirs in zip(("bytes", "operations"), wanted, small[name], strict=True):
            expect(
                theirs == mine,
                f"for one head, four positions and two channels, the {what} of {name} are {mine:g}, as in the table above; "
                f"yours are {theirs:g}",
            )
    N, T, d = rng.randint(2, 9), 4 * rng.randint(3, 9), 2 * rng.randint(2, 6)
    few, many, long, wide = (counts_of(answer(*sizes)) for sizes in ((N, T, d), (2 * N, T, d), (N, 2 * T, d), (N, T, 2 * d)))
    for name in NAMES:
        moved, work = few[name]
        expect(
            moved > 0 and work > 0, f"{name} moves bytes and computes: both numbers are above 0; yours are ({moved:g}, {work:g})"
        )
        for case, letter, factor in ((many, "N", 2), (long, "T", 4), (wide, "d", 2)):
            expect(
                case[name][1] == factor * work,
                f"with twice the {letter}, the operations of {name} should be {factor} times as many; yours are not",
            )
    for name in ("in_steps", "one_tile", "backward"):
        expect(many[name][0] == 2 * few[name][0], f"with twice the N, the bytes of {name} should double; yours do not")
    for name in ("one_tile", "synthesizer", "backward"):
        expect(
            long[name][0] == 2 * few[name][0] == wide[name][0],
            f"with twice the T or twice the d, the bytes of {name} should double: no T × T square is moved; yours do not",
        )
    return right("the growth is right; the hidden check looks at the factors")


EXERCISE = Exercise(
    id="bytes_and_operations",
    title="Count bytes and operations",
    order=5,
    points=3,
    difficulty=3,
    importance=4,
    minutes=15,
    source="Williams et al. 2009; this course",
    hints=(
        "Take one kernel at a time. Write down what it reads and what it writes, as shapes. Add up the numbers, and count two "
        "bytes for each.",
        "In the table for N = 1, T = 4, d = 2, replace each 8 by N·T·d and each 16 by N·T·T. The Synthesizer reads one table "
        "of T·d numbers in place of all keys, whatever N is.",
        "A product of (a, b) and (b, c) has 2·a·b·c operations. Forward there are two products for each head. Backward there "
        "are five: the logits again, the gradient of the weights, and one each for the gradients of q, k and v. The backward "
        "kernel reads four tensors and writes three.",
    ),
    check=check,
    optional=True,
)
