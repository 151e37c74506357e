"""Exercise london_baseline: the accuracy of always answering London."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import fraction, told
from kqa_core.exercise_helpers.people import birthplace_question, names, places

NEAR = (
    *("London Colney", "Londonderry", "New London", "london", "LONDON", "Lon", "London ", " London"),
    *("London.", "London\n", "London, Ontario", "London-Colney", "Ｌondon", ""),
)


def draw(rng: random.Random) -> list[tuple[str, str]]:
    """Pairs that look like London without being it, some of them twice; one town is commoner than London."""
    people, towns = names(rng, 45), places(rng, 8)
    home = ["London"] * rng.randint(5, 8) + [towns[0]] * 12
    home += [*NEAR, *(rng.choice(towns[1:]) for _ in range(8))]
    pairs = [(birthplace_question(person), place) for person, place in zip(people, home, strict=False)]
    pairs += [(birthplace_question(f"Jack {x} London"), rng.choice(towns)) for x in "ABC"]
    pairs.append(("London", towns[1]))
    pairs += pairs[:3]  # two sources may have the same person
    pairs.append((pairs[0][0], towns[2]))  # and another place of theirs
    rng.shuffle(pairs)
    return pairs


def exactly_london(answer: Answer, rng: random.Random, count: int) -> None:
    """Raise NotYet unless the accuracy is right on such lists, twenty times each; on short ones first."""
    lists = [[(birthplace_question("Ada Quill"), place)] for place in ("London", *NEAR)]  # one pair alone
    lists += [[(question, "Ur")] for question in ("London", birthplace_question("Jack London"))]
    lists.append([*lists[0], *lists[0], *lists[-1]])  # a pair twice
    lists += [draw(rng) for _ in range(count)]
    lists.append([pair for _ in range(9) for pair in draw(rng)])  # some hundred pairs
    # the same list again: an answer right now and then is not right; a list of more than a thousand pairs
    calls = [(pairs,) for pairs in lists for _ in range(20)]
    calls.append(([pair for _ in range(40) for pair in draw(rng)],))
    seen: dict[int, float] = {}
    for (pairs,), value in zip(calls, answer.map(calls), strict=True):
        accuracy = fraction(value, "the accuracy")
        hits = len([1 for pair in pairs if pair[1] == "London"])
        expect(
            seen.setdefault(id(pairs), accuracy) == accuracy,
            f"the same list of {len(pairs)} pairs gave you two accuracies, {seen[id(pairs)]} and {accuracy}",
        )
        mine, yours = told(hits / len(pairs), accuracy)
        expect(
            abs(accuracy - hits / len(pairs)) < 1e-6,
            f"{'in a list' if len(pairs) > 3 else f'for {pairs}'}, {hits} of {len(pairs)} places are exactly"
            f" London, and the accuracy is {mine}; yours is {yours}",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three pairs; then lists: London in some, in none, in all, and places that only look like London."""
    people = names(rng, 12)
    towns = places(rng, 12)
    three = ["London", *towns[:2]]
    pairs = [(birthplace_question(person), place) for person, place in zip(people, three, strict=False)]
    accuracy = fraction(answer(pairs), "the accuracy")
    expect(
        abs(accuracy - 1 / 3) < 1e-6,
        f"for three pairs, whose places are {three}, the accuracy is 0.3333; yours is"
        f" {told(1 / 3, accuracy)[1]}",
    )
    for londoners in (rng.randint(2, 5), 0, 12):
        towns[-1], towns[-2] = (
            rng.choice(("London Bridge", "london", "New London")),
            rng.choice(("Lon", " London", "London ")),
        )
        others = f", one is {towns[-1]!r} and one {towns[-2]!r}" * (londoners < 12)
        said = f"{londoners} of 12 places are London{others}"
        pairs = [
            (birthplace_question(person), "London" if i < londoners else towns[i])
            for i, person in enumerate(people)
        ]
        rng.shuffle(pairs)
        accuracy = fraction(answer(pairs), "the accuracy")
        mine, yours = told(londoners / 12, accuracy)
        expect(
            abs(accuracy - londoners / 12) < 1e-6,
            f"{said}, and the accuracy is {mine}; yours is {yours}",
        )
    exactly_london(answer, rng, 2)
    leaves_alone(answer, ("the list `pairs`",), pairs)
    return right("this is the accuracy of always answering London")


EXERCISE = Exercise(
    id="london_baseline",
    title="The London baseline",
    order=1,
    points=1,
    difficulty=1,
    importance=3,
    minutes=5,
    source="CS224n A5 2(c)",
    hints=(
        "A pair is (question, place). The answer is always London. For which pairs is it right?",
        "Count the pairs whose place is exactly London, and divide by the number of pairs.",
        (
            "Compare with == and not with `in`. For a list `places` of the second parts, `places.count(x)`"
            " counts exact matches of x."
        ),
    ),
    check=check,
)
