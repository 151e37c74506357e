"""Exercise name_bias: how much guesses depend on names."""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._certainty import ALIKE, REGIONS, people_of_regions, table_excess

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes
from kqa_core.check.helpers.read_values import number, told

Table = Sequence[Sequence[int]]


def agrees(
    answer: Answer, rng: random.Random, table: Table, sentence: str, regions: Sequence[str] = REGIONS
) -> None:
    """Raise NotYet with `sentence` unless the excess found is that of the table."""
    people = people_of_regions(rng, table, regions)
    found = number(answer(*people), "the excess")
    wanted = table_excess(table)
    mine, yours = told(wanted, found)
    if abs(found - wanted) <= 1e-6:
        return
    second = number(answer(*people), "the excess")
    expect(
        abs(second - found) <= 1e-9,
        f"two calls with the same lists give {' and '.join(told(found, second))}. {POSSIBLE}random numbers"
        " are drawn, or something of an earlier call is kept",
    )
    outside = ". A difference of two shares is between -1 and 1" if abs(found) > 1 else ""
    with names_changes(answer, ("name_regions", "guess_regions"), *people):
        raise NotYet(sentence.format(found=yours, wanted=mine) + outside)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Guesses that are independent of the name, that follow the name,
    that prefer one place, and that avoid the name's region; six regions, one without a name;
    one person; eight regions.
    """
    agrees(
        answer,
        rng,
        [[25, 25], [25, 25]],
        "50 people of each of two regions, half of each guessed to be of either: the excess is 0; yours is"
        " {found}",
    )
    agrees(
        answer,
        rng,
        [[30, 0], [0, 30]],
        "30 people of each of two regions, and every guess follows the name: the excess is 1 − 1/2 ="
        " {wanted}; yours is {found}",
    )
    agrees(
        answer,
        rng,
        [[80, 0, 0], [10, 0, 0], [10, 0, 0]],
        "80, 10 and 10 people of three regions, and all guesses are of the first region: the excess is 0;"
        " yours is {found}",
    )
    agrees(
        answer,
        rng,
        [[9, 2], [1, 14]],
        "11 people of one region, 9 of them guessed to be of it, and 15 of another, 14 of them guessed to be"
        " of it: the excess is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        rng,
        [[4, 1, 0], [1, 3, 2], [0, 2, 7]],
        "5, 6 and 9 people of three regions, of whom 4, 3 and 7 are guessed to be of their own: the excess is"
        " {wanted}; yours is {found}",
    )
    agrees(
        answer,
        rng,
        [[2, 9], [14, 1]],
        "11 people of one region, 2 of them guessed to be of it, and 15 of another, 1 of them"
        " guessed to be of"
        " it: the excess is {wanted}; yours is {found}",
    )
    agrees(
        answer,
        rng,
        [
            [4, 1, 0, 2, 0, 1],
            [0, 3, 1, 0, 0, 0],
            [1, 0, 2, 0, 0, 3],
            [0] * 6,
            [2, 0, 0, 1, 5, 0],
            [0, 1, 0, 0, 0, 2],
        ],
        "for six regions, of which one has no name and another few guesses, the excess is {wanted}; yours is"
        " {found}",
    )
    agrees(
        answer, rng, [[0, 1], [0, 0]], "for one person and a wrong guess, the excess is 0; yours is {found}"
    )
    eight = [[3 * (i == j) + (i + 2 * j) % 3 for j in range(8)] for i in range(8)]
    said = "for eight regions{}, the excess is {{wanted}}; yours is {{found}}"
    agrees(answer, rng, eight, said.format(""), (*REGIONS, "Gastal", "Hulmen"))
    agrees(answer, rng, eight, said.format(" whose names begin alike"), ALIKE)
    leaves_alone(answer, ("name_regions", "guess_regions"), *people_of_regions(rng, [[5, 3], [2, 6]]))
    return right("your number is 0 if the guesses do not depend on the names")


EXERCISE = Exercise(
    id="name_bias",
    title="Measure the bias by name",
    order=14,
    points=3,
    difficulty=3,
    importance=4,
    minutes=12,
    source="ours, after J. Cohen 1960",
    hints=(
        (
            "Someone who guesses without looking at names is in the name's region now and then. How often, if"
            " 80 of 100 names and 80 of 100 guesses are of the same region?"
        ),
        (
            "Chance: draw a name and, independently, a guess. Both are of region r with the probability"
            " (share of names of r) · (share of guesses of r). Add this up over the regions, and subtract it"
            " from the share that really agrees."
        ),
        (
            "Names A A B, guesses A B B: two of three agree. Chance: (2/3)·(1/3) for A and (1/3)·(2/3) for B,"
            " together 4/9. The excess is 6/9 − 4/9 = 2/9."
        ),
    ),
    check=check,
)
