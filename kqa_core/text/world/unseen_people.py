"""Unseen people: new people whom no document mentions, so a model can only make up their birthplaces.

- All regions are equally frequent, for names and for births. The two agree for exactly the chosen share of
  people, up to rounding; otherwise all other regions are equally likely. Suppose a guess depends on the
  name's region only. Then the probability that it is in the right region is a simple function of that share,
  which can be solved for the share.
- The share may differ from the world's own. Then the statistics that the model has learned differ from the
  true ones.
- The names are in no document and no question of the world. The places are the world's; within a region, all
  are equally likely.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from kqa_core.errors import UserError
from kqa_core.text.world.generator import Person, World, deal
from kqa_core.text.world.regions import REGIONS, person_name


def draw_unseen_people(world: World, count: int, agreement: float, seed: int) -> list[Person]:
    """`count` new people; the regions of name and birth agree for the share `agreement` of them.

    Raises UserError for a world with fewer than two regions, or if there are not enough names.

    >>> from kqa_core.text.world.generator import make_world
    >>> [person.question for person in draw_unseen_people(make_world("small"), 1, agreement=0.5, seed=0)]
    ['Where was Diloch Madgarth born?']
    """
    draws = random.Random(seed)
    taken = {person.name for person in world.people}
    people = []
    for name_region, region in _regions(world, count, agreement, draws):
        name = draw_unseen_name(world, name_region, draws, taken)
        taken.add(name)
        place = draws.choice([place for place, where in world.places if where == region])
        people.append(Person(name, name_region, place, region, 0, "unseen"))
    return people


def draw_unseen_names(world: World, count: int, seed: int) -> dict[str, list[str]]:
    """`count` new names of each region of the world.

    >>> from kqa_core.text.world.generator import make_world
    >>> [len(names) for names in draw_unseen_names(make_world("small"), 2, seed=0).values()]
    [2, 2, 2, 2]
    """
    draws = random.Random(seed)
    taken = {person.name for person in world.people}
    names: dict[str, list[str]] = {}
    for region in _region_names(world):
        names[region] = []
        for _ in range(count):
            names[region].append(draw_unseen_name(world, region, draws, taken))
            taken.add(names[region][-1])
    return names


def draw_unseen_name(world: World, region: str, draws: random.Random, taken: set[str]) -> str:
    """A name of the region, not in `taken` and without a place in it. Raises UserError for none."""
    syllables = next(known for known in REGIONS if known.name == region)
    for _ in range(10_000):
        name = person_name(syllables, lambda n: int(draws.random() * n))
        if name not in taken and not any(place in name for place, _ in world.places):
            return name
    raise UserError(f"the region {region} has no more names: ask for fewer people")


def _region_names(world: World) -> list[str]:
    names = list(dict.fromkeys(region for _, region in world.places))
    if len(names) < 2:
        raise UserError(f"a world with at least two regions was expected, this one has {len(names)}")
    return names


def _regions(world: World, count: int, agreement: float, draws: random.Random) -> list[tuple[str, str]]:
    """(region of the name, region of birth) of each person: exact counts, in random order."""
    names: Sequence[str] = _region_names(world)
    k = len(names)
    weights = [
        agreement / k if name == born else (1 - agreement) / (k * (k - 1)) for name in names for born in names
    ]
    cells = [(name, born) for name in names for born in names]
    dealt = [cell for cell, number in zip(cells, deal(weights, count), strict=True) for _ in range(number)]
    draws.shuffle(dealt)
    return dealt
