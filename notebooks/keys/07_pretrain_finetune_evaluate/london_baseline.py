"""Answer key of london_baseline."""

from __future__ import annotations

import random

import torch

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.check.helpers.read_values import fraction, told
from kqa_core.exercise_helpers.people import birthplace_question, names, places


def draw(rng: random.Random) -> list[tuple[str, str]]:
    """Pairs that look like London without being it, some of them twice; one town is commoner than London."""
    people, towns = names(rng, 40), places(rng, 8)
    near = ["London Colney", "Londonderry", "New London", "london", "LONDON", "Lon", "London ", " London"]
    home = ["London"] * rng.randint(5, 8) + [towns[0]] * 12 + near + [rng.choice(towns[1:]) for _ in range(8)]
    pairs = [(birthplace_question(person), place) for person, place in zip(people, home, strict=False)]
    pairs += [(birthplace_question(f"Jack {x} London"), rng.choice(towns)) for x in "ABC"]
    pairs += pairs[:3]  # two sources may have the same person
    rng.shuffle(pairs)
    return pairs


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Exact matches only, whatever else is called London."""
    lists = [draw(rng) for _ in range(4)]
    # the same list again: an answer right now and then is not right
    calls = [(pairs,) for pairs in lists for _ in range(20)]
    seen: dict[int, float] = {}
    for (pairs,), value in zip(calls, answer.map(calls), strict=True):
        accuracy = fraction(value, "the accuracy")
        hits = len([1 for pair in pairs if pair[1] == "London"])
        expect(
            seen.setdefault(id(pairs), accuracy) == accuracy,
            "the same list of pairs gave you two different accuracies",
        )
        mine, yours = told(hits / len(pairs), accuracy)
        expect(
            abs(accuracy - hits / len(pairs)) < 1e-6,
            f"in another list {hits} of {len(pairs)} places are exactly London, and the accuracy is {mine};"
            f" yours is {yours}",
        )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A list of the hidden kind; then short ones, each with one way of almost being London in it."""
    town = places(rng, 1)[0]
    ordinary = [
        ("Where was Ada Quill born?", "London"),
        ("Where was Bo Reed born?", town),
        ("Where was Cy Stone born?", town),
    ]
    traps = [
        ("Where was Di Tern born?", place)
        for place in ("New London", "London Colney", "london", " London", "Lon")
    ]
    traps += [("Where was Jack London born?", town), ordinary[0]]
    return [(draw(rng),), (ordinary,), (ordinary[:1],), *(([*ordinary, trap],) for trap in traps)]


def london_baseline(pairs):
    """The reference."""
    return sum(place == "London" for _, place in pairs) / len(pairs)


def with_a_loop(pairs):
    """A counter and a loop."""
    hits = 0
    for i in range(len(pairs)):
        if pairs[i][1] != "London":
            continue
        hits += 1
    return float(hits) / len(pairs)


def with_count(pairs):
    """list.count."""
    return [place for _, place in pairs].count("London") / len(pairs)


def as_an_average(pairs):
    """A mean of ones and zeros in torch."""
    return torch.tensor([1.0 if place == "London" else 0.0 for _, place in pairs], dtype=torch.float64).mean()


def with_statistics(pairs):
    """The same answer for everybody, compared element by element."""
    predictions = ["London" for _ in pairs]
    return 1 - sum(map(lambda a, b: a != b[1], predictions, pairs)) / len(pairs)


def part_of_a_name(pairs):
    """You count every place that contains London, such as Londonderry. Compare with ==."""
    return sum("London" in place for _, place in pairs) / len(pairs)


def starts_with_london(pairs):
    """You count every place that begins with London, such as London Colney. Compare with ==."""
    return sum(place.startswith("London") for _, place in pairs) / len(pairs)


def whatever_the_case(pairs):
    """You ignore upper and lower case. The evaluation compares exactly, so "london" is not "London"."""
    return sum(place.lower() == "london" for _, place in pairs) / len(pairs)


def spaces_removed(pairs):
    """You remove spaces around the place. The evaluation compares exactly, so " London" is not "London"."""
    return sum(place.strip() == "London" for _, place in pairs) / len(pairs)


def part_of_london(pairs):
    """You count every place that is a part of the word London, such as "Lon". Compare with ==."""
    return sum(place in "London" for _, place in pairs) / len(pairs)


def looks_at_the_question(pairs):
    """You look for London in the whole pair. Only the second part is the birthplace;
    Jack London is a name.
    """
    return sum("London" in question or place == "London" for question, place in pairs) / len(pairs)


def in_percent(pairs):
    """Your accuracy is in per cent. Return a fraction between 0 and 1."""
    return 100 * sum(place == "London" for _, place in pairs) / len(pairs)


def a_count(pairs):
    """You return how many places are London. Divide by the number of pairs."""
    return sum(place == "London" for _, place in pairs)


def the_commonest(pairs):
    """You return the accuracy of the most common place.
    It is London's only if London is the most common one.
    """
    places = [place for _, place in pairs]
    return max(places.count(place) for place in places) / len(places)


def each_place_once(pairs):
    """You divide by the number of different places. Divide by the number of pairs."""
    return sum(place == "London" for _, place in pairs) / len({place for _, place in pairs})


def each_pair_once(pairs):
    """You drop pairs that occur twice. Every pair counts."""
    return sum(place == "London" for _, place in set(pairs)) / len(set(pairs))


def the_error(pairs):
    """You return the share of wrong answers. Return the share of right ones."""
    return sum(place != "London" for _, place in pairs) / len(pairs)


def whole_division(pairs):
    """Your result is a whole number. Return the fraction, without rounding."""
    return sum(place == "London" for _, place in pairs) // len(pairs)


KEY = AnswerKey(
    id="london_baseline",
    hidden=hidden,
    reference=london_baseline,
    accepted=(with_a_loop, with_count, as_an_average, with_statistics),
    rejected=(
        *(
            part_of_a_name,
            starts_with_london,
            whatever_the_case,
            looks_at_the_question,
            in_percent,
            a_count,
            the_commonest,
        ),
        *(each_place_once, each_pair_once, the_error, whole_division, spaces_removed, part_of_london),
    ),
    fingerprint=fingerprint,
    commentary="""
    The answer is the same for every question, so the accuracy is the share of pairs whose second part is
    exactly "London". In Python True counts as 1, so a sum of comparisons counts them. The most common mistake
    is `"London" in place`, which also counts places such as Londonderry.
    """,
)
