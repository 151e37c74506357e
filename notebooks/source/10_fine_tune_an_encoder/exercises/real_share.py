"""Exercise real_share: which share of a padded batch is real tokens."""

from __future__ import annotations

import random
from collections.abc import Sequence

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, number, told

Batches = list[list[int]]

LENGTHS = [3, 4, 9, 8, 3]
IN_ORDER: Batches = [[0, 1], [2, 3], [4]]
BY_LENGTH: Batches = [[0, 4], [1], [3, 2]]
# lengths of 1 and long ones, and much padding
LONG = [1, 5000, *[1] * 18, 700, 65, 300]
LONG_BATCHES: Batches = [[*range(20)], [21, 20], [22]]
UNEVEN: Batches = [[1, 0, 2, 4], [3]]
OTHERS: tuple[list[int], Batches] = ([5, 2, 11, 4, 7, 3, 6], [[0, 3, 1], [5, 4]])


def share(lengths: Sequence[int], batches: Sequence[Sequence[int]]) -> float:
    """Real tokens, divided by places, over all batches."""
    places = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return sum(lengths[i] for batch in batches for i in batch) / places


def shares(lengths: Sequence[int], batches: Sequence[Sequence[int]]) -> dict[str, float]:
    """Wrong shares, by the sentence that names the mistake."""
    each = [share(lengths, [batch]) for batch in batches]
    places = sum(len(batch) * max(lengths[i] for i in batch) for batch in batches)
    return {
        "it is the mean of the batches' shares; add up tokens and places first": sum(each) / len(each),
        "it is the share of padding": 1 - share(lengths, batches),
        "sentences that are in no batch are counted": sum(lengths) / places,
        "each batch is as wide as its own longest sentence, not the longest of all": (
            sum(lengths[i] for batch in batches for i in batch) / (max(lengths) * sum(map(len, batches)))
        ),
    }


def agrees(answer: Answer, lengths: list[int], batches: Batches) -> None:
    """Raise NotYet unless the share is right. A mistake is named if it also gives what the answer says of
    OTHERS.
    """
    shown = (
        f"for the lengths {lengths} and the batches {batches}"
        if len(lengths) < 7
        else f"for {len(lengths)} sentences of {min(lengths)} to {max(lengths):,} tokens and"
        f" {len(batches)} batches"
    )
    value = answer(list(lengths), [list(batch) for batch in batches])
    found = fraction(value, f"{shown} the share")
    if abs(found - share(lengths, batches)) < 2e-7:
        return
    mine, yours = told(share(lengths, batches), found)
    more = number(answer(list(OTHERS[0]), [list(batch) for batch in OTHERS[1]]), "the share")
    wrong = [
        text
        for (text, value), other in zip(
            shares(lengths, batches).items(), shares(*OTHERS).values(), strict=True
        )
        if abs(found - value) < 1e-6 and abs(more - other) < 1e-6
    ]
    cause = f". Possible cause: {wrong[0]}" if len(wrong) == 1 else ""
    raise NotYet(f"{shown} the share is {mine}; yours is {yours}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Batches in order and by length, batches of unequal size, and one without any padding."""
    agrees(answer, LENGTHS, IN_ORDER)
    agrees(answer, LENGTHS, BY_LENGTH)
    agrees(answer, LENGTHS, UNEVEN)
    agrees(answer, [5, 5, 5], [[2, 0, 1]])
    agrees(answer, [2, 7, 3], [[0, 2]])
    agrees(answer, LONG, LONG_BATCHES)
    leaves_alone(answer, ("lengths", "batches"), list(LENGTHS), [[1, 0, 2], [4], [3]])
    return right("each batch is as wide as its longest sentence")


EXERCISE = Exercise(
    id="real_share",
    title="How much of a batch is padding",
    order=7,
    points=1,
    difficulty=1,
    importance=3,
    minutes=8,
    source="new",
    hints=(
        "How many places does one batch have, and how many of them hold a real token?",
        (
            "A batch with n sentences, the longest of which has t tokens, has n·t places. Its real tokens are"
            " the sum of its lengths. Add up both over all batches, and divide at the end."
        ),
        (
            "Lengths [3, 9, 4], batches [[0, 1], [2]]: 2·9 + 1·4 = 22 places, 3 + 9 + 4 = 16 real tokens, so"
            " the share is 16/22."
        ),
    ),
    check=check,
)
