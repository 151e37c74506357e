"""Exercise bytes_and_operations: the bytes that attention moves and the operations it computes,
in one kernel and in several.
"""

from __future__ import annotations

import math
import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.check.partial_credit import by_parts

PARTS = {"forward": 1, "synthesizer": 1, "backward": 1}  # points
NAMES = {"forward": ("in_steps", "one_tile"), "synthesizer": ("synthesizer",), "backward": ("backward",)}
KINDS = ("bytes", "operations")
# the notebook's: one head, four positions, two channels
TABLE = {"in_steps": (192.0, 128.0), "one_tile": (64.0, 128.0)}
TWO_HEADS = {
    "in_steps": (640.0, 600.0),
    "one_tile": (240.0, 600.0),
    "synthesizer": (210.0, 600.0),
    "backward": (420.0, 1500.0),
}
Counts = dict[str, tuple[float, float]]


def counts_of(result: object, names: tuple[str, ...]) -> Counts:
    """These entries of `result`, {name: (bytes, operations)}. Raises NotYet unless it has them."""
    if not isinstance(result, dict):
        raise NotYet(f"return a dict, {{name: (bytes, operations)}}; yours is {kind_of(result)}")
    found = {}
    for name in names:
        expect(name in result, f"the dict lacks the key {name}")
        pair = result[name]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise NotYet(f"{name} must have two numbers, (bytes, operations); yours is {kind_of(pair)}")
        found[name] = (number(pair[0], f"the bytes of {name}"), number(pair[1], f"the operations of {name}"))
    return found


def same_counts(found: Counts, wanted: Counts, where: str) -> None:
    """Raise NotYet unless the counts are equal, up to the rounding of floats."""
    for name, mine in found.items():
        for what, theirs, count in zip(KINDS, mine, wanted[name], strict=True):
            close = math.isclose(theirs, count, rel_tol=1e-9)
            digits = 10 if abs(theirs - count) > 1e-7 * count else 17
            expect(
                close,
                f"{where} the {what} of {name} should be {count:,.{digits}g}; yours are {theirs:,.{digits}g}",
            )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The case that the notebook counts by hand, and one with two heads; then how everything grows."""
    N, T, d = rng.randint(2, 9), 4 * rng.randint(3, 9), 2 * rng.randint(2, 6)
    cases = ((1, 4, 2), (2, 5, 3), (N, T, d), (2 * N, T, d), (N, 2 * T, d), (N, T, 2 * d))
    results = [answer(*sizes) for sizes in cases]

    def part(name: str) -> None:
        small, pair, few, *grown = (counts_of(result, NAMES[name]) for result in results)
        if name == "forward":
            same_counts(small, TABLE, "for one head, four positions and two channels, as in the table above,")
        same_counts(pair, TWO_HEADS, "for two heads, five positions and three channels,")
        for case, letter, factor in zip(grown, ("N", "T", "d"), (2, 4, 2), strict=True):
            twice = f"from N, T, d = {N}, {T}, {d} to twice the {letter},"
            for each, (moved, work) in few.items():
                more, moves = case[each][1], case[each][0]
                expect(
                    math.isclose(more, factor * work, rel_tol=1e-9),
                    f"{twice} the operations of {each} should be {factor} times as many;"
                    f" yours go from {work:,.10g} to {more:,.10g}",
                )
                if each == ("synthesizer" if letter == "N" else "in_steps"):
                    continue  # its bytes have two terms, which do not grow alike
                why = "" if letter == "N" else "; no T × T square is moved"
                expect(
                    math.isclose(moves, 2 * moved, rel_tol=1e-9),
                    f"{twice} the bytes of {each} should double{why}; yours go from"
                    f" {moved:,.10g} to {moves:,.10g}",
                )

    return by_parts(PARTS, part, "the counts of a small case are right, and they grow as they should")


EXERCISE = Exercise(
    id="bytes_and_operations",
    title="Count bytes and operations",
    order=5,
    points=3,
    parts=PARTS,
    difficulty=3,
    importance=4,
    minutes=15,
    source="Williams et al. 2009; this course",
    hints=(
        (
            "Take one kernel at a time. Write down what it reads and what it writes, as shapes. Add up the"
            " numbers, and count two bytes for each."
        ),
        (
            "In the table for N = 1, T = 4, d = 2, replace each 8 by N·T·d and each 16 by N·T·T. The"
            " Synthesizer reads one table of T·d numbers in place of all keys, whatever N is."
        ),
        (
            "A product of (a, b) and (b, c) has 2·a·b·c operations. Forward there are two products for each"
            " head. Backward there are five: the logits again, the gradient of the weights, and one each for"
            " the gradients of q, k and v. The backward kernel reads four tensors and writes three."
        ),
    ),
    check=check,
    optional=True,
)
