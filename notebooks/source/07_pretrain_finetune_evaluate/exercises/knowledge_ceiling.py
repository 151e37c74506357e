"""Exercise knowledge_ceiling: how many of the answers does the text contain?"""

from __future__ import annotations

import random

from course_exercises._ceiling_traps import KINDS, THERE, TRAPS, draw

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, told
from kqa_core.exercise_helpers.people import birthplace_question, names, places


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One line per person, with an empty last document;
    then people with several lines or none; then parts of words; then each trap alone.
    """
    people, towns = names(rng, 8), places(rng, 8)
    pairs = [(birthplace_question(person), town) for person, town in zip(people, towns, strict=True)]
    known = rng.randint(3, 6)
    documents = [
        f"{person}. Born in {town}, in winter." for person, town in zip(people[:known], towns, strict=False)
    ]
    documents += [f"{person}. A painter of some note." for person in people[known:]]
    rng.shuffle(documents)
    ceiling = fraction(answer([*documents, ""], pairs), "the ceiling")
    mine, yours = told(known / 8, ceiling)
    expect(
        abs(ceiling - known / 8) < 1e-6,
        f"of these 8 people {known} have their birthplace in their own line, the others do not, so the"
        f" ceiling is {mine}; yours is {yours}",
    )
    documents = [
        f"{people[0]}. A poet.",
        f"{people[0]}. Came from {towns[0]}.",
        f"{people[1]}. A sailor.",
        "",
    ]
    ceiling = fraction(answer(documents, pairs[:4]), "the ceiling")
    expect(
        abs(ceiling - 1 / 4) < 1e-6,
        "a person may have several lines, or none: of these four people, only the first has the birthplace"
        f" in a line (the second of two), so the ceiling is 0.25; yours is {told(0.25, ceiling)[1]}",
    )
    documents = [
        f"{people[0]}. Born in {towns[0]}ese country.",
        f"{people[1]}. Taught New{towns[1]}.",
        f"{people[2]}. In {towns[2]}2.",
    ]
    ceiling = fraction(answer([*documents, f"{people[3]}son. Born in {towns[3]}."], pairs[:4]), "the ceiling")
    expect(
        ceiling < 1e-6,
        "here the places are only parts of longer words, or in the line of a person with a longer name, so"
        f" the ceiling is 0; yours is {told(0.0, ceiling)[1]}",
    )
    documents, asked = [f"{people[0]}. Born in {towns[0]}, early.", f"{people[1]}. A smith."], pairs[0][0]
    ceiling = fraction(answer(documents, [pairs[0], pairs[0], pairs[1], (asked, towns[2])]), "the ceiling")
    expect(
        abs(ceiling - 2 / 4) < 1e-6,
        "every pair counts: one with its place in a line is there twice, one is without, and one asks the"
        " same question for a place that is in no line, so the ceiling is 0.5; yours is"
        f" {told(0.5, ceiling)[1]}",
    )
    for kind in range(1, KINDS):
        documents, pairs = draw(rng, (0, kind))
        wanted = (1 + (kind in THERE)) / 2
        ceiling = fraction(answer(documents, pairs), "the ceiling")
        expect(
            abs(ceiling - wanted) < 1e-6,
            f"for the documents {documents} and the questions about {_asked(pairs)}, the ceiling is"
            f" {wanted:g}; yours is {told(wanted, ceiling)[1]}. Think of"
            f" {TRAPS.get(kind, 'people with two lines or none')}",
        )
    leaves_alone(answer, ("the list `documents`", "the list `pairs`"), [*documents, ""], pairs[:4])
    return right("no model can know more than this from the text")


def _asked(pairs: list[tuple[str, str]]) -> str:
    """The people and places of some pairs."""
    said = (
        f"{question.removeprefix('Where was ').removesuffix(' born?')} ({place})" for question, place in pairs
    )
    return " and ".join(said)


EXERCISE = Exercise(
    id="knowledge_ceiling",
    title="The ceiling of what can be known",
    order=2,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="CS224n A5 2(d), one step further",
    hints=(
        "Take one pair. Which lines are the person's own? Is the place in one of them, as a whole word?",
        (
            'The name is between "Where was " and " born?". An own line begins with the name, a full stop and'
            " a space. For each pair, ask whether any of these lines has the place with no letter or digit"
            " next to it."
        ),
        r'`re.search(r"(?<!\w)" + re.escape(place) + r"(?!\w)", line)` finds a whole word;'
        r' `line.startswith(name + ". ")` finds '
        "an own line; `any(...)` over the lines, then a mean over the pairs.",
    ),
    check=check,
)
