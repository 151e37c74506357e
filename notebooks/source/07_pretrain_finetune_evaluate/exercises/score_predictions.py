"""Exercise score_predictions: the accuracy of a file of predictions."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.people import birthplace_question, names, places
from kqa_core.check.helpers.read_values import fraction, kind_of


def refuses(answer: Answer, *args: object) -> bool:
    """Whether the answer raises ValueError on these arguments. Raises NotYet if it returns a value instead."""
    try:
        value = answer(*args)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        if raised.kind != "ValueError":
            wanted = "raise ValueError where the number of lines is not that of the questions"
            raise NotYet(f"{wanted}; yours raises {raised.kind}") from None
        return True
    shown = f"{value:.4g}" if type(value) is float else kind_of(value)
    raise NotYet(f"where the number of lines is not that of the questions, raise ValueError; yours returns {shown}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A good file with and without its last newline, one with an empty answer, and one with a line missing."""
    towns = places(rng, 8)
    pairs = [(birthplace_question(person), town) for person, town in zip(names(rng, 8), towns, strict=True)]
    good = rng.randint(2, 6)
    lines = [town if i < good else towns[i - 1] for i, town in enumerate(towns)]
    for content in ("\n".join(lines) + "\n", "\n".join(lines)):
        accuracy = fraction(answer(content, pairs), "the accuracy")
        expect(abs(accuracy - good / 8) < 1e-9, f"{good} of these 8 predictions are right; your accuracy is {accuracy:.4g}")
    lines[0] = ""
    accuracy = fraction(answer("\n".join(lines) + "\n", pairs), "the accuracy")
    expect(
        abs(accuracy - (good - 1) / 8) < 1e-9,
        f"where the model wrote nothing its line is empty: now {good - 1} of 8 are right; your accuracy is {accuracy:.4g}",
    )
    refuses(answer, "\n".join(towns[:-1]) + "\n", pairs)
    return right("that is the accuracy the file deserves")


EXERCISE = Exercise(
    id="score_predictions",
    title="Score a file of predictions",
    order=6,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="CS224n A5 2(d)",
    hints=(
        "Line i belongs to question i. What goes wrong with everything after an empty line if you drop it?",
        'Take one newline off the end if there is one, cut at "\\n" and nothing else, compare the number of lines with that '
        "of pairs, and only then compare line by line.",
        '`text.removesuffix("\\n").split("\\n")` gives a piece per line, empty ones too. `zip(lines, pairs, strict=True)` raises '
        "the ValueError for you when the numbers differ.",
    ),
    check=check,
)
