"""Exercise neutral_names: the same person under a name that does not show a region."""

from __future__ import annotations

import random
from collections.abc import Sequence

from course_exercises._certainty import REGIONS

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.people import names as made_up
from kqa_core.check.helpers.read_values import kind_of


def lists_of_names(rng: random.Random, sizes: Sequence[int]) -> dict[str, list[str]]:
    """This many names for each of the first regions, without repetition."""
    pool = made_up(rng, sum(sizes))
    return {region: [pool.pop() for _ in range(size)] for region, size in zip(REGIONS, sizes, strict=False)}


def renamed(answer: Answer, regions: list[str], names_of: dict[str, list[str]], seed: int) -> list[str]:
    """The new names. Raises NotYet unless they are names of the lists, one for each person."""
    found = answer(regions, names_of, Seeded(seed))
    if not isinstance(found, (list, tuple)):
        raise NotYet(f"return a list of names; yours is {kind_of(found)}")
    expect(len(found) == len(regions), f"{len(regions)} people need a name each; you return {len(found)}")
    known = {name for names in names_of.values() for name in names}
    for name in found:
        if type(name) is not str:
            raise NotYet(f"a name is a str; one of yours is {kind_of(name)}")
        expect(name in known, f"every new name comes from the lists; {name[:40]!r} is in none of them")
    return list(found)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Names from the lists, of all regions, drawn from rng.

    Each of 120 names misses a given one of 3 regions with probability (2/3)^120 < 1e-21; two draws of 120 names from 15 agree
    with probability below 1e-100.
    """
    names_of = lists_of_names(rng, (5, 5, 5))
    regions = [region for region in names_of for _ in range(40)]
    rng.shuffle(regions)
    seed = rng.getrandbits(32)
    first, again, other = (renamed(answer, regions, names_of, each) for each in (seed, seed, seed + 1))
    expect(first == again, "with rng in the same state you gave other names: draw from rng, and from nothing else")
    expect(first != other, "with rng in another state you gave the same names: draw them from rng")
    for region, names in names_of.items():
        expect(any(name in names for name in first), f"of 120 new names none is of region {region}: each is as likely")
    return right("new names for all; the hidden check counts whether they still tell the old region")


EXERCISE = Exercise(
    id="neutral_names",
    title="Draw neutral names",
    order=10,
    points=2,
    difficulty=3,
    importance=4,
    minutes=15,
    source="ours, after Bertrand and Mullainathan 2004",
    hints=(
        "If somebody knows the new name, what may they still conclude about the old one? It must be nothing at all.",
        "Draw in two steps: first a region, each as likely, whatever the person's was; then a name from that region's list.",
        "rng.choice(list(names_of)) draws a region, rng.choice(names_of[region]) a name of it. The person's own region has to be "
        "among those drawn from: if it never came, a new name would tell where the person is *not* from.",
    ),
    check=check,
)
