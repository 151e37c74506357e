"""Answer key of name_bias."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import torch
from course_exercises._certainty import ALIKE, people_of_regions
from course_exercises.name_bias import Table, agrees

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

LOPSIDED = [[30, 10, 0], [5, 20, 5], [10, 0, 20]]
NEVER_GUESSED = [[12, 0, 3], [7, 0, 5], [4, 0, 9]]
NEVER_NAMED = [[12, 4, 3], [7, 9, 5], [0, 0, 0]]
AGAINST = [[2, 9], [14, 1]]


def random_table(rng: random.Random, size: int) -> Table:
    """People of every combination, those on the diagonal favoured or not."""
    favour = rng.choice([0, 4, 12])
    return [[rng.randint(1, 9) + favour * (i == j) for j in range(size)] for i in range(size)]


def off(table: Table) -> str:
    """The sentence about people of this table."""
    people = f"{sum(map(sum, table))} people of {len(table)} region{'s' * (len(table) > 1)}"
    shown = f", a row for each region of a name: {[*map(list, table)]};" if len(table) < 5 else ","
    return f"for {people}{shown} the excess is {{wanted}}; yours is {{found}}"


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Lopsided tables, regions that only one side knows, guesses that go against the name."""
    for table in (LOPSIDED, NEVER_GUESSED, NEVER_NAMED, AGAINST):
        agrees(answer, rng, table, off(table))
    for size in (2, 4, 6, 4):
        drawn = random_table(rng, size)
        agrees(answer, rng, drawn, off(drawn))
    large = random_table(rng, 10)
    agrees(answer, rng, large, off(large), ALIKE)
    for table in ([[1]], [[9]], [[0, 0], [1, 0]], [[0, 2, 0], [0, 0, 1], [1, 0, 0]]):
        agrees(answer, rng, table, off(table))
    steady(answer, *people_of_regions(rng, LOPSIDED))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The same kinds of tables."""
    tables = [LOPSIDED, NEVER_GUESSED, NEVER_NAMED, AGAINST, random_table(rng, 3), random_table(rng, 5)]
    return [people_of_regions(rng, table) for table in tables]


def name_bias(name_regions, guess_regions):
    """The reference."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return agree - sum(names[region] * guesses[region] for region in names) / total**2


def all_pairs(name_regions, guess_regions):
    """Chance is the agreement of everybody's name with everybody's guess."""
    pairs = [name == guess for name in name_regions for guess in guess_regions]
    own = [name == guess for name, guess in zip(name_regions, guess_regions, strict=True)]
    return sum(own) / len(own) - sum(pairs) / len(pairs)


def with_a_table(name_regions, guess_regions):
    """A contingency table in numpy; the trace of what it is minus what its margins make."""
    regions = sorted({*name_regions, *guess_regions})
    table = np.zeros((len(regions), len(regions)))
    for name, guess in zip(name_regions, guess_regions, strict=True):
        table[regions.index(name), regions.index(guess)] += 1
    table /= table.sum()
    return np.trace(table - np.outer(table.sum(axis=1), table.sum(axis=0)))


def covariances(name_regions, guess_regions):
    """The sum of the covariances of "is of region r" between names and guesses."""
    total = 0.0
    for region in set(name_regions):
        named = torch.tensor([name == region for name in name_regions], dtype=torch.float64)
        guessed = torch.tensor([guess == region for guess in guess_regions], dtype=torch.float64)
        total += float(((named - named.mean()) * (guessed - guessed.mean())).mean())
    return total


def region_by_region(name_regions, guess_regions):
    """How much more often a region is guessed for its own names than for anybody, weighed by its names."""
    everybody = Counter(guess_regions)
    excess = 0.0
    for region in set(name_regions):
        own = [guess for name, guess in zip(name_regions, guess_regions, strict=True) if name == region]
        excess += (
            len(own)
            / len(name_regions)
            * (own.count(region) / len(own) - everybody[region] / len(guess_regions))
        )
    return excess


def without_chance(name_regions, guess_regions):
    """The agreement by chance is not subtracted, or not for every region in the lists, whatever its name.
    Someone who never looks at names would agree now and then, too.
    """
    return sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / len(
        name_regions
    )


def one_in_k(name_regions, guess_regions):
    """You use 1/k for chance, as if all regions were equally common. A region that is common among names
    *and* guesses agrees more often by chance.
    """
    regions = {*name_regions, *guess_regions}
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / len(
        name_regions
    )
    return agree - 1 / len(regions)


def chance_alone(name_regions, guess_regions):
    """You return the share that agrees by chance. Subtract it from the share that really agrees."""
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return sum(names[region] * guesses[region] for region in names) / len(name_regions) ** 2


def kappa(name_regions, guess_regions):
    """You return Cohen's kappa, the excess divided by the largest possible excess. Return the excess."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    chance = sum(names[region] * guesses[region] for region in names) / total**2
    return (agree - chance) / (1 - chance)


def names_alone(name_regions, guess_regions):
    """For chance you draw two names. Draw a name and a guess,
    because the guesses have their own favourites.
    """
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    return agree - sum(count * count for count in Counter(name_regions).values()) / total**2


def guesses_alone(name_regions, guess_regions):
    """For chance you draw two guesses. Draw a name and a guess."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    return agree - sum(count * count for count in Counter(guess_regions).values()) / total**2


def the_commonest(name_regions, guess_regions):
    """You subtract the share of the commonest region. Chance is the agreement that the model's own guesses
    would reach if they were handed out at random.
    """
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    return agree - max(Counter(name_regions).values()) / total


def turned_round(name_regions, guess_regions):
    """Your difference is chance minus agreement. It should be agreement minus chance."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return sum(names[region] * guesses[region] for region in names) / total**2 - agree


def a_ratio(name_regions, guess_regions):
    """You divide agreement by chance. Return the difference."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return agree / (sum(names[region] * guesses[region] for region in names) / total**2)


def a_count(name_regions, guess_regions):
    """You return a number of people. Divide by the number of all people."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True))
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return agree - sum(names[region] * guesses[region] for region in names) / total


def without_a_sign(name_regions, guess_regions):
    """You take the absolute value. If guesses avoid the region of the name,
    the excess is negative, and this should be visible.
    """
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return abs(agree - sum(names[region] * guesses[region] for region in names) / total**2)


def in_percent(name_regions, guess_regions):
    """Your excess is in percentage points. It should be a fraction."""
    total = len(name_regions)
    agree = sum(name == guess for name, guess in zip(name_regions, guess_regions, strict=True)) / total
    names, guesses = Counter(name_regions), Counter(guess_regions)
    return 100 * (agree - sum(names[region] * guesses[region] for region in names) / total**2)


KEY = AnswerKey(
    id="name_bias",
    hidden=hidden,
    reference=name_bias,
    accepted=(all_pairs, with_a_table, covariances, region_by_region),
    rejected=(
        *(
            without_chance,
            one_in_k,
            chance_alone,
            kappa,
            names_alone,
            guesses_alone,
            the_commonest,
            turned_round,
            a_ratio,
            a_count,
        ),
        *(without_a_sign, in_percent),
    ),
    fingerprint=fingerprint,
    commentary="""
The share that agrees is counted directly. The share expected by chance is the probability that a random name
and an independent random guess are of the same region: the sum over regions of (share of names) · (share of
guesses).

The commonest mistake is to use 1/k for chance. That is right only if the names or the guesses are spread
evenly over the regions. Divided by (1 − chance), the excess is Cohen's kappa.
""",
)
