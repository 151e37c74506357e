"""Answer key of london_baseline."""

from __future__ import annotations

import random

import torch
from course_exercises.london_baseline import draw, exactly_london

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.people import places


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Exact matches only, whatever else is called London."""
    exactly_london(answer, rng, 4)
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
