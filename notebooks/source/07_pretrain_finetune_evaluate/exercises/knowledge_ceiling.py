"""Exercise knowledge_ceiling: how many of the answers does the text contain?"""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.people import birthplace_question, names, places
from kqa_core.check.helpers.read_values import fraction


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One line per person, with an empty last document; then people who are mentioned more than once, or never."""
    people, towns = names(rng, 8), places(rng, 8)
    pairs = [(birthplace_question(person), town) for person, town in zip(people, towns, strict=True)]
    told = rng.randint(3, 6)
    documents = [f"{person}. Born in {town}, in winter." for person, town in zip(people[:told], towns, strict=False)]
    documents += [f"{person}. A painter of some note." for person in people[told:]]
    rng.shuffle(documents)
    ceiling = fraction(answer([*documents, ""], pairs), "the ceiling")
    expect(
        abs(ceiling - told / 8) < 1e-9,
        f"of these 8 people {told} have their birthplace in their own line, the others do not; your ceiling is {ceiling:.4g}",
    )
    documents = [f"{people[0]}. A poet.", f"{people[0]}. Came from {towns[0]}.", f"{people[1]}. A sailor.", ""]
    ceiling = fraction(answer(documents, pairs[:4]), "the ceiling")
    expect(
        abs(ceiling - 1 / 4) < 1e-9,
        "a person may have several lines, or none: with four people, of whom only the first is told to come from somewhere "
        f"(in the second of two lines), your ceiling is {ceiling:.4g}",
    )
    return right("that is the most that reading can give")


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
        "Take one pair. Which lines are that person's own, and does the place stand in one of them as a word of its own?",
        'The name is what stands between "Where was " and " born?"; an own line begins with the name, a full stop and a space. '
        "Ask for each pair whether any of those lines holds the place with no letter or digit touching it.",
        r'`re.search(r"(?<!\w)" + re.escape(place) + r"(?!\w)", line)` finds a whole word; `line.startswith(name + ". ")` finds '
        "an own line; `any(...)` over the lines, then a mean over the pairs.",
    ),
    check=check,
)
