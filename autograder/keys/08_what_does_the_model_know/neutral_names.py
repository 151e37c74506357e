"""Answer key of neutral_names.

False alarms. In 4,000 people of 4 regions, the number of new names of a region is Binomial(4000, 1/4): standard deviation 27.4;
it is off by more than 190 (6.9 standard deviations) with probability below 1e-11. The same holds for how many are given a name
of their own region, and within the 1,000 of one old region (Binomial(1000, 1/4), s.d. 13.7) a bound of 95 stands at 6.9, too.
With 4 + 1 + 16 counts the whole is below 1e-9 (a test adds the exact tails up). A name in a list of n is drawn with probability
1/(4·n), 1/160 at the least; each of the first 8 of a list is missing from 4,000 with probability (1 − 1/160)^4000 < 2e-11.
"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
from course_exercises.neutral_names import lists_of_names, renamed

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, expect, right

PEOPLE, REGION_SLACK, CELL_SLACK = 4_000, 190, 95
SIZES = (8, 40, 12, 20)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Counts of old and new regions; lists of different lengths; a few people; one region alone."""
    names_of = lists_of_names(rng, SIZES)
    of_name = {name: region for region, names in names_of.items() for name in names}
    regions = [region for region in names_of for _ in range(PEOPLE // len(names_of))]
    rng.shuffle(regions)
    given = renamed(answer, regions, names_of, rng.getrandbits(40))
    new = [of_name[name] for name in given]
    share = PEOPLE // len(names_of)
    kept = sum(old == now for old, now in zip(regions, new, strict=True))
    expect(
        abs(kept - share) <= REGION_SLACK,
        f"of {PEOPLE:,} people of 4 regions, {kept:,} got a name of their own region; drawn blindly it is about {share:,}",
    )
    for region, count in Counter(new).items():
        expect(
            abs(count - share) <= REGION_SLACK,
            f"of {PEOPLE:,} new names {count:,} are of region {region}; with each region as likely it would be about {share:,}",
        )
    cells = Counter(zip(regions, new, strict=True))
    for old in names_of:
        for now in names_of:
            expect(
                abs(cells[old, now] - share // 4) <= CELL_SLACK,
                f"of {share:,} people of {old}, {cells[old, now]:,} got a name of {now}; whatever the old region, it should be "
                f"about {share // 4}",
            )
    used = set(given)
    expect(
        all(name in used for names in names_of.values() for name in names[:8]),
        "some names of the lists are never given; every name of the drawn region should be as likely",
    )
    renamed(answer, regions[:3], names_of, 5)
    renamed(answer, [], names_of, 5)
    renamed(answer, ["Aldara"] * 4, {"Aldara": ["Bo Kern"]}, 5)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Few people many times: what an answer draws shows in what it returns."""
    names_of = lists_of_names(rng, SIZES)
    regions = [rng.choice(list(names_of)) for _ in range(60)]
    calls = [(regions, 1), (regions, 2), (regions[:5], 3)]
    return [(some, names_of, Seeded(seed)) for some, seed in calls]


def neutral_names(regions, names_of, rng):
    """The reference."""
    return [rng.choice(names_of[rng.choice(list(names_of))]) for _ in regions]


def dealt(regions, names_of, rng):
    """Deals the regions out in equal numbers, shuffles them, and then picks names."""
    every = list(names_of)
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
    """Your new name is never of the old region, so it still tells where the person is *not* from, and guesses will fall below
    chance: draw from all regions, the old one among them.
    """
    others = [[region for region in names_of if region != old] or [old] for old in regions]
    return [rng.choice(names_of[rng.choice(each)]) for each in others]


def within_the_region(regions, names_of, rng):
    """You give another name of the same region, and with it the same cue."""
    return [rng.choice(names_of[region]) for region in regions]


def all_of_one(regions, names_of, rng):
    """You give everybody a name of one and the same region: the cue is gone, but you look at that region's names only."""
    one = rng.choice(list(names_of))
    return [rng.choice(names_of[one]) for _ in regions]


def from_all_names(regions, names_of, rng):
    """You draw from all names alike, so a region with a longer list comes more often: draw the region first."""
    pool = [name for names in names_of.values() for name in names]
    return [rng.choice(pool) for _ in regions]


def the_next_region(regions, names_of, rng):
    """You move each person on to the next region: whoever knows that can read the old region from the new name."""
    every = list(names_of)
    return [rng.choice(names_of[every[(every.index(old) + 1) % len(every)]]) for old in regions]


def region_for_region(regions, names_of, rng):
    """You draw one new region for each old one, and give it to all its people: their names still tell them apart from others."""
    every = list(names_of)
    rng.shuffle(every)
    swap = dict(zip(names_of, every, strict=True))
    return [rng.choice(names_of[swap[old]]) for old in regions]


def half_of_them(regions, names_of, rng):
    """You leave half of the people in their region, so half of the cue is left."""
    return [rng.choice(names_of[old if rng.random() < 0.5 else rng.choice(list(names_of))]) for old in regions]


def the_first_name(regions, names_of, rng):
    """You always give the first name of a list; a single name may be odd, so draw among all of them."""
    return [names_of[rng.choice(list(names_of))][0] for _ in regions]


def the_same_for_all(regions, names_of, rng):
    """You draw one name and give it to everybody; draw anew for each person."""
    name = rng.choice(names_of[rng.choice(list(names_of))])
    return [name] * len(regions)


def regions_for_names(regions, names_of, rng):
    """You return regions; a name of the region was asked for."""
    return [rng.choice(list(names_of)) for _ in regions]


def an_own_generator(regions, names_of, rng):
    """You make a generator of your own with a fixed seed, so every call gives the same names: use the rng that is passed in."""
    own = random.Random(0)
    return [own.choice(names_of[own.choice(list(names_of))]) for _ in regions]


def in_turn(regions, names_of, rng):
    """You go through the regions in turn instead of drawing; people often come in some order, and then the new region goes
    with it.
    """
    every = list(names_of)
    return [names_of[every[i % len(every)]][i // len(every) % len(names_of[every[i % len(every)]])] for i in range(len(regions))]


KEY = AnswerKey(
    id="neutral_names",
    hidden=hidden,
    reference=neutral_names,
    accepted=(dealt, with_numpy, weighted, by_rejection),
    rejected=(
        *(never_the_own, within_the_region, all_of_one, from_all_names, the_next_region, region_for_region, half_of_them),
        *(the_first_name, the_same_for_all, regions_for_names, an_own_generator, in_turn),
    ),
    fingerprint=fingerprint,
)
