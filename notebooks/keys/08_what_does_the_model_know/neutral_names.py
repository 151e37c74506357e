"""Answer key of neutral_names.

False alarms. The number of new names of one region is Binomial(4000, 1/4), in both draws of 4,000. So is
the number of people who get a name of their own region. The new names within an old region of n people are
Binomial(n, 1/4). Each count may be off by seven standard deviations, and the counts of single names and of
quarters of a list by eight. A test adds up the exact tails of all counts. A name in a list of n is
drawn with probability 1/(4·n), at least 1/160; each of the first 8 of a list is missing from 4,000 with
probability (1 − 1/160)^4000 < 2e-11.
"""

from __future__ import annotations

import random

import numpy as np
from course_exercises.neutral_names import (
    SIZES,
    balanced,
    counted,
    in_turn_comes,
    lists_of_names,
    of_many_regions,
    renamed,
)

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Counts of old and new regions; a few people, nobody, one region alone."""
    counted(answer, rng)
    in_turn_comes(answer, rng)
    balanced(answer, rng)
    of_many_regions(answer, rng)
    names_of = lists_of_names(rng, (3, 1, 2))
    renamed(answer, list(names_of) * 2, names_of, 5)
    renamed(answer, [], names_of, 5)
    renamed(answer, ["Aldara"] * 4, {"Aldara": ["Bo Kern"]}, 5)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Few people many times: what an answer draws shows in what it returns."""
    names_of = lists_of_names(rng, SIZES)
    regions = [rng.choice(list(names_of)) for _ in range(60)]
    calls = [
        (regions, 1),
        (regions, 2),
        (regions[:5], 3),
        ([next(iter(names_of))] * 40, 4),
        (list(names_of) * 4, 5),
    ]
    short = lists_of_names(rng, (3, 40, 12, 20))
    return [*((some, names_of, Seeded(seed)) for some, seed in calls), (regions, short, Seeded(6))]


def neutral_names(regions, names_of, rng):
    """The reference."""
    return [rng.choice(names_of[rng.choice(list(names_of))]) for _ in regions]


def with_one_number(regions, names_of, rng):
    """One random number for both: its whole part is the region, the rest is the name."""
    lists, new = list(names_of.values()), []
    for _ in regions:
        drawn = rng.random() * len(lists)
        names = lists[int(drawn)]
        new.append(names[int(drawn % 1 * len(names))])
    return new


def dealt(regions, names_of, rng):
    """You deal the regions out in numbers as equal as can be, and shuffle them. So the name of one person
    depends on those of the others. Draw for each person anew.
    """
    every = rng.sample(list(names_of), len(names_of))
    new = [every[i % len(every)] for i in range(len(regions))]
    rng.shuffle(new)
    return [names_of[region][int(rng.random() * len(names_of[region]))] for region in new]


def with_numpy(regions, names_of, rng):
    """A generator of numpy's, seeded from rng."""
    draws = np.random.default_rng(rng.getrandbits(64))
    lists = list(names_of.values())
    chosen = draws.integers(len(lists), size=len(regions))
    return [lists[k][draws.integers(len(lists[k]))] for k in chosen]


def weighted(regions, names_of, rng):
    """One draw from all names, each weighed so that its region has the same share."""
    pool = [name for names in names_of.values() for name in names]
    weights = [1 / len(names) for names in names_of.values() for _ in names]
    return rng.choices(pool, weights, k=len(regions))


def by_rejection(regions, names_of, rng):
    """Draws from all names and throws a draw away the more often, the longer its list."""
    shortest = min(map(len, names_of.values()))
    length = {name: len(names) for names in names_of.values() for name in names}
    pool = list(length)
    new: list[str] = []
    while len(new) < len(regions):
        name = pool[rng.randrange(len(pool))]
        if rng.random() * length[name] < shortest:
            new.append(name)
    return new


def never_the_own(regions, names_of, rng):
    """Your new name is never from the old region, so it still tells where the person is *not* from. Draw from
    all regions, also the old one.
    """
    others = [[region for region in names_of if region != old] or [old] for old in regions]
    return [rng.choice(names_of[rng.choice(each)]) for each in others]


def within_the_region(regions, names_of, rng):
    """You choose another name from the same region, so the cue is still there. Draw the region as well."""
    return [rng.choice(names_of[region]) for region in regions]


def all_of_one(regions, names_of, rng):
    """You give everybody a name from one and the same region. Draw a region for each person anew."""
    one = rng.choice(list(names_of))
    return [rng.choice(names_of[one]) for _ in regions]


def from_all_names(regions, names_of, rng):
    """You draw from the list of all names, so a region with a longer list comes more often.
    Draw the region first.
    """
    pool = [name for names in names_of.values() for name in names]
    return [rng.choice(pool) for _ in regions]


def the_next_region(regions, names_of, rng):
    """You move each person to the next region,
    so the old region can be computed from the new name. Draw the region.
    """
    every = list(names_of)
    return [rng.choice(names_of[every[(every.index(old) + 1) % len(every)]]) for old in regions]


def region_for_region(regions, names_of, rng):
    """You draw one new region for each old region and give it to all its people. Then people of one region
    still have something in common. Draw a region for each person.
    """
    every = list(names_of)
    rng.shuffle(every)
    swap = dict(zip(names_of, every, strict=True))
    return [rng.choice(names_of[swap[old]]) for old in regions]


def half_of_them(regions, names_of, rng):
    """Half of the people stay in their region, so half of the cue is left. Draw the region for everybody."""
    return [
        rng.choice(names_of[old if rng.random() < 0.5 else rng.choice(list(names_of))]) for old in regions
    ]


def the_first_name(regions, names_of, rng):
    """You always take the first name of a list. Every name of the drawn region should be equally likely."""
    return [names_of[rng.choice(list(names_of))][0] for _ in regions]


def the_same_for_all(regions, names_of, rng):
    """You draw one name and give it to everybody. Draw again for each person."""
    name = rng.choice(names_of[rng.choice(list(names_of))])
    return [name] * len(regions)


def regions_for_names(regions, names_of, rng):
    """You return regions. Return names of these regions."""
    return [rng.choice(list(names_of)) for _ in regions]


def an_own_generator(regions, names_of, rng):
    """Every call returns the same names, because you set a fixed seed, of rng or of a generator of your own.
    Draw from the rng that you are given, as it comes.
    """
    own = random.Random(0)
    return [own.choice(names_of[own.choice(list(names_of))]) for _ in regions]


def of_somebody(regions, names_of, rng):
    """You take the region of a random person, so a region with more people comes more often.
    Draw from the regions of the dict.
    """
    return [rng.choice(names_of[rng.choice(regions)]) for _ in regions]


def shuffled(regions, names_of, rng):
    """You hand the old regions out in another order, so a region with more people comes more often. Draw from
    the regions of the dict.
    """
    new = rng.sample(regions, len(regions))
    return [rng.choice(names_of[region]) for region in new]


def in_turn(regions, names_of, rng):
    """You go through the regions in turn instead of drawing. If the people come in a certain order, the new
    region depends on the old one.
    """
    every = list(names_of)
    return [
        names_of[every[i % len(every)]][i // len(every) % len(names_of[every[i % len(every)]])]
        for i in range(len(regions))
    ]


def in_turn_with_any_name(regions, names_of, rng):
    """You go through the regions in turn instead of drawing. If the people come in a certain order, the new
    region depends on the old one.
    """
    every = list(names_of)
    return [rng.choice(names_of[every[i % len(every)]]) for i in range(len(regions))]


def dealt_from_the_first(regions, names_of, rng):
    """You deal the regions out in turn, from the first one on, and shuffle them. If the number of people is
    no multiple of the number of regions, the first regions come more often; one person always gets the first.
    Draw for each person.
    """
    every = list(names_of)
    new = [every[i % len(every)] for i in range(len(regions))]
    rng.shuffle(new)
    return [rng.choice(names_of[region]) for region in new]


def as_long_as_the_regions_name(regions, names_of, rng):
    """You compare with the lengths of the regions' own names, and not of their lists, so a region with a
    short list comes too seldom.
    """
    shortest = min(map(len, names_of))
    length = {name: len(names) for names in names_of.values() for name in names}
    pool = list(length)
    new: list[str] = []
    while len(new) < len(regions):
        name = rng.choice(pool)
        if rng.random() * length[name] < shortest:
            new.append(name)
    return new


KEY = AnswerKey(
    id="neutral_names",
    hidden=hidden,
    reference=neutral_names,
    accepted=(with_one_number, with_numpy, weighted, by_rejection),
    rejected=(
        *(
            never_the_own,
            within_the_region,
            all_of_one,
            from_all_names,
            the_next_region,
            region_for_region,
            half_of_them,
        ),
        *(
            the_first_name,
            the_same_for_all,
            regions_for_names,
            an_own_generator,
            in_turn,
            of_somebody,
            shuffled,
        ),
        *(in_turn_with_any_name, as_long_as_the_regions_name, dealt_from_the_first, dealt),
    ),
    fingerprint=fingerprint,
    commentary="""
The region is drawn for each person anew, with equal probabilities and without looking at the old one. Then a
name is drawn from the list of this region. So the new name is independent of the old region.

A common mistake is to exclude the old region, which still reveals something about it. Another one is to draw
from the list of all names, where a region with a longer list comes more often.
""",
)
