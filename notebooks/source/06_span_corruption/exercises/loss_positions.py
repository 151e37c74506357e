"""Exercise loss_positions: read a finetuning row, and list the positions that count in the loss."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import torch

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.text.birthplaces import Pair, encode_pair
from kqa_core.text.vocabulary import Vocabulary


def places_of(value: object, about: str) -> list[int]:
    """`value` as a list of distinct whole numbers, sorted.
    Raises NotYet unless it is one; `about` says for which pair.
    """
    if (
        isinstance(value, torch.Tensor)
        and value.dtype is not torch.bool
        and not value.is_floating_point()
        and value.ndim == 1
    ):
        value = value.tolist()
    if isinstance(value, np.ndarray) and value.dtype.kind in "iu" and value.ndim == 1:
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"a list of positions was expected; yours is {kind_of(value)}")
    places: list[Any] = [
        place.item() if isinstance(place, (np.generic, torch.Tensor)) and np.size(place) == 1 else place
        for place in value
    ]
    for place in places:
        if type(place) is not int:
            raise NotYet(f"each position is a whole number; yours holds {kind_of(place)}")
    twice = next((place for place in places if places.count(place) > 1), None)
    expect(
        twice is None,
        f"{about}: position {twice} is in your list twice",
    )
    return sorted(places)


def positions(question: str, answer: str, block_size: int) -> list[int]:
    """Where the target of this pair's row is not padding."""
    vocabulary = Vocabulary.from_text(question + answer)
    _, y = encode_pair(Pair(question, answer), vocabulary, block_size)
    return [t for t, target in enumerate(y) if target != vocabulary.pad_index]


def judge(question: str, answer: str, block_size: int, value: object) -> None:
    """Raise NotYet unless `value` lists the positions of this pair's row whose target is not padding."""
    shown = repr(answer)
    if answer and "  " in f" {answer} ":  # a sentence has one space where there are several
        shown = f"{shown.replace(' ', '␣')} (␣ is a space)"
    about = f"for {question!r}, {shown} and block_size {block_size}"
    found, wanted = places_of(value, about), positions(question, answer, block_size)
    expect(
        len(found) > 0,
        f"{about} your list is empty; y holds something other than □ at {len(wanted)} positions",
    )
    expect(
        found[0] >= 0,
        f"{about}: position {found[0]} is in your list; positions are counted from 0, so none is negative",
    )
    extra, missing = sorted(set(found) - set(wanted)), sorted(set(wanted) - set(found))
    expect(
        not extra,
        f"{about}: position {extra[0] if extra else ''} is in your list, but there y holds □, or ends"
        " before it",
    )
    expect(
        not missing,
        f"{about}: position {missing[0] if missing else ''} is not in your list, but there y holds a"
        " character or ⁇",
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Eight pairs: one just fits its block, in one the answer is also in the question, in one it is empty.
    In two, spaces begin and end the answer, or the question mark is not the question's last character; one is
    long.
    """
    before: list[int] = []
    for question, place, block_size in (
        ("Where was Owain Penlan born?", "Aberwyn", 128),
        ("Where was Ren Ōsada born?", "Kitayama", 64),
        ("Where was Bo born?", "Ty", 22),
        ("Where was Ty Bo born?", "Ty", 40),
        ("Where was Bo born?", "", 30),
        ("Where was Al born?", " New  York ", 60),
        ("Al? Where was he born ", "Ty", 40),
        (f"Where was {'Bo ' * 40}Li born?", "Ty " * 20, 300),
    ):
        value = answer(question, place, block_size)
        wanted = positions(question, place, block_size)
        expect(
            not before or value != before + wanted,
            f"for {question!r}, {place!r} and block_size {block_size} your list begins with the positions of"
            f" the call before, {before}. {POSSIBLE}it is not made anew in every call",
        )
        judge(question, place, block_size, value)
        before = wanted
    return right("these are the positions with a loss")


EXERCISE = Exercise(
    id="loss_positions",
    title="Find the positions with a loss",
    order=1,
    points=1,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5 2(b)",
    hints=(
        (
            "Go back to the worked example with `ab?` and `X`. Which positions have a loss there, and how do"
            " you get them from the lengths of question and answer?"
        ),
        (
            "y[t] is the character that follows x[t]. For which t is it the ⁇ after the question? For which t"
            " is it the last ⁇?"
        ),
        (
            "In the row, the first ⁇ is at position len(question), because the question fills 0 to"
            " len(question) − 1. In y everything is one position earlier. From there on, count the ⁇, the"
            " answer's characters, and the second ⁇."
        ),
    ),
    check=check,
)
