"""Exercise truncate: cut a sentence, and keep its special tokens."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
from course_exercises._encoder_parts import FIRST, LAST
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of


def words_of(rng: random.Random, count: int) -> list[int]:
    """The ids of this many words."""
    return rng.sample(range(200, 900), count)


def shortened(answer: Answer, words: Sequence[int], max_length: int, ends: tuple[int, int] = (FIRST, LAST)) -> None:
    """Raise NotYet unless the answer keeps the special tokens and the first words between them."""
    first, last = ends
    ids = [first, *words, last]
    value = answer(list(ids), max_length)
    found = value.tolist() if isinstance(value, (Tensor, np.ndarray)) else value
    if not isinstance(found, (list, tuple)):
        raise NotYet(f"return a list of ids; yours is {kind_of(value)}")
    expect(all(type(each) is int for each in found), "the list must hold ids, which are ints")
    wanted = [first, *words[: max_length - 2], last]
    expect(list(found) == wanted, f"{ids} cut to {max_length} is {wanted}; yours is {list(found)[:20]}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Too long, exactly long enough, and too short to be cut."""
    for words, max_length in ((6, 5), (3, 5), (2, 7)):
        shortened(answer, words_of(rng, words), max_length)
    return right("the beginning, the end, and what fits between")


EXERCISE = Exercise(
    id="truncate",
    title="Truncate a sentence",
    order=4,
    points=1,
    difficulty=1,
    importance=3,
    minutes=5,
    source="Washington §3: truncation",
    hints=(
        "What would the model miss if you simply cut off the end of the list?",
        "If it is short enough, nothing is to be done. Otherwise keep the first max_length − 1 ids, and the very last one.",
        "With max_length 4, [101, 7, 8, 9, 102] becomes [101, 7, 8, 102]: three from the front, and ids[-1].",
    ),
    check=check,
)
