"""Exercise neutral_names: the same person under a name that does not show a region."""

from __future__ import annotations

import functools
import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import cast

from course_exercises._certainty import REGIONS

from kqa_core.check.answer import Answer, AnswerRaised, Seeded
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.corrupted_rows import AGAIN, going_on
from kqa_core.exercise_helpers.people import names as made_up

PEOPLE = (2_000, 400, 1_200, 400)  # of each old region: lopsided, so that a shuffle of the people shows
SIZES = (8, 40, 12, 20)
CHANGED = "Your code changes {} in place: leave it as it was"
STAYS = ". A name that was drawn stays in its list, at its place"


def slack(count: int) -> int:
    """Seven standard deviations of Binomial(count, 1/4)."""
    return math.ceil(7 * math.sqrt(count * 3) / 4)


def lists_of_names(rng: random.Random, sizes: Sequence[int]) -> dict[str, list[str]]:
    """This many names for each of the first regions, without repetition."""
    pool = made_up(rng, sum(sizes))
    return {region: [pool.pop() for _ in range(size)] for region, size in zip(REGIONS, sizes, strict=False)}


def renamed(answer: Answer, regions: list[str], names_of: dict[str, list[str]], seed: int) -> list[str]:
    """The new names of one call. Raises NotYet as `names_in`."""
    return names_in(answer(regions, names_of, Seeded(seed)), regions, names_of)


def names_in(found: object, regions: list[str], names_of: dict[str, list[str]]) -> list[str]:
    """`found` as a list of new names. Raises NotYet unless they are names of the lists,
    one for each person.
    """
    if not isinstance(found, (list, tuple)):
        raise NotYet(f"return a list of names; yours is {kind_of(found)}")
    expect(
        len(found) == len(regions),
        f"each of the {len(regions)} people needs a name; you return {len(found)} names",
    )
    known = {name for names in names_of.values() for name in names}
    for name in found:
        if type(name) is not str:
            raise NotYet(f"each name should be a str; one of yours is {kind_of(name)}")
        expect(name in known, f"every new name should come from the lists; {name[:40]!r} is in none of them")
    return list(found)


def counted(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless the new regions of 4,000 people are independent of the old ones,
    and every name comes.
    """
    names_of = lists_of_names(rng, SIZES)
    of_name = {name: region for region, names in names_of.items() for name in names}
    regions = [region for region, count in zip(names_of, PEOPLE, strict=True) for _ in range(count)]
    rng.shuffle(regions)
    given = renamed(answer, regions, names_of, rng.getrandbits(40))
    new = [of_name[name] for name in given]
    total = len(regions)
    kept = sum(old == now for old, now in zip(regions, new, strict=True))
    expect(
        abs(kept - total // 4) <= slack(total),
        f"of {total:,} people of 4 regions, {kept:,} got a name of their own region; it should be about"
        f" {total // 4:,}",
    )
    for region, count in Counter(new).items():
        likely = f"every region should be equally likely, about {total // 4:,} names"
        expect(
            abs(count - total // 4) <= slack(total),
            f"{count:,} of {total:,} new names are of region {region}; {likely}",
        )
    cells = Counter(zip(regions, new, strict=True))
    for old, count in zip(names_of, PEOPLE, strict=True):
        for now in names_of:
            given_now = f"of {count:,} people of {old}, {cells[old, now]:,} got a name of {now}"
            expect(
                abs(cells[old, now] - count // 4) <= slack(count),
                f"{given_now}; whatever the old region is, it should be about {count // 4:,}",
            )
    alike = sum(one == other for one, other in pairwise(new))
    expect(
        abs(alike - (total - 1) // 4) <= slack(total),
        f"of {total:,} people in a row, {alike:,} got a name of the same region as the person before; it"
        f" should be about {total // 4:,}, because nobody's name depends on another's",
    )
    often = Counter(given)
    for names in names_of.values():
        wanted, room = total / 4 / len(names), room_for(total, 1 / 4 / len(names))
        for name in names:
            expect(
                abs(often[name] - wanted) <= room,
                f"of {total:,} new names, {often[name]:,} are {name}, one of {len(names)} of its region;"
                f" every name of a region should be equally likely, so it should be about {wanted:.0f}",
            )
    equal = sum(1 / 16 / size for size in SIZES)
    for steps, whom in ((1, "the person before"), (2, "the person two places before")):
        same = sum(one == other for one, other in zip(given, given[steps:], strict=False))
        expect(
            abs(same - total * equal) <= room_for(total, equal),
            f"of {total:,} people in a row, {same} got the same name as {whom}; it should be about"
            f" {total * equal:.0f}, because nobody's name depends on another's",
        )
    share = sum(1 / 4 / len(names) for names in names_of.values())
    for place, which in ((0, "first"), (-1, "last")):
        count = sum(often[names[place]] for names in names_of.values())
        expect(
            abs(count - total * share) <= room_for(total, share),
            f"of {total:,} new names, {count:,} are the {which} of the list of their region; it should be"
            f" about {total * share:.0f}",
        )
    independent(given, regions, names_of)
    used = set(given)
    expect(
        all(name in used for names in names_of.values() for name in names[:8]),
        "some names of the lists never come; every name of the drawn region should be equally likely",
    )


def room_for(count: int, probability: float) -> float:
    """Eight standard deviations of Binomial(count, probability)."""
    return 8 * math.sqrt(count * probability * (1 - probability))


def independent(given: Sequence[str], regions: Sequence[str], names_of: dict[str, list[str]]) -> None:
    """Raise NotYet unless a quarter of each list comes as often as any other. This must hold for each old
    region of a person, each place in `regions` and each new region of the person two places before.

    A quarter is the names of even or odd places in the first or second half of a list.
    """
    quarter = {
        name: (region, place % 2, 2 * place < len(names))
        for region, names in names_of.items()
        for place, name in enumerate(names)
    }
    new = [quarter[name][0] for name in given]
    known = {
        "people of {}": regions,
        "people at {} places": ["even" if place % 2 == 0 else "odd" for place in range(len(given))],
        "people two places after one who got a name of {}": ["nobody", "nobody", *new],
    }
    for words, whom in known.items():
        cells = Counter(zip(whom, map(quarter.__getitem__, given), strict=False))
        for which, count in Counter(whom[: len(given)]).items():
            for part in sorted(set(quarter.values())) if count > 99 else ():
                expect(
                    abs(cells[which, part] - count / 16) <= room_for(count, 1 / 16),
                    f"of {count:,} {words.format(which)}, {cells[which, part]} got a name of a certain"
                    f" quarter of the list of {part[0]}; it should be about {count / 16:.0f}, as for"
                    " everyone",
                )


def balanced(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if both regions, or both names of a region, come equally often in too many of 60 calls.

    Six of twelve is drawn with probability 0.226; 45 of 60 such calls have a probability below 1e-15.
    """
    for what, lists in (
        ("two regions with one name each", {"Aldara": ["Bo Kern"], "Breosk": ["Ada Lund"]}),
        ("one region with two names", {"Aldara": ["Bo Kern", "Ada Lund"]}),
    ):
        calls = answer.map([(["Aldara"] * 12, lists, Seeded(rng.getrandbits(40))) for _ in range(60)])
        even = sum(names_in(found, ["Aldara"] * 12, lists).count("Bo Kern") == 6 for found in calls)
        expect(
            even < 45,
            f"twelve people, {what}: in {even} of 60 calls each name comes exactly 6 times; it should be in"
            " about 14, because nobody's name depends on another's",
        )


def of_many_regions(answer: Answer, rng: random.Random) -> None:
    """Six regions with two names each, 400 people of two regions. A name is missing with probability
    (11/12)^400 < 1e-15.
    """
    names_of = lists_of_names(rng, (2,) * 6)
    given = renamed(answer, list(names_of)[:2] * 200, names_of, rng.getrandbits(40))
    for region, names in names_of.items():
        expect(
            given.count(names[0]) > 0 and given.count(names[1]) > 0,
            f"400 people, 6 regions with two names each: a name of {region}, {names[0]} or {names[1]}, never"
            " comes",
        )


def repeats(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless two people get the same name as often as chance has it: in half of 60 calls.

    Fewer than 5 or more than 55 of them have a probability below 1e-12.
    """
    pair = {"Aldara": ["Bo Kern", "Ada Lund"]}
    calls = answer.map([(["Aldara", "Aldara"], pair, Seeded(rng.getrandbits(40))) for _ in range(60)])
    same = sum(len(set(names_in(found, ["Aldara"] * 2, pair))) == 1 for found in calls)
    expect(
        5 <= same <= 55,
        f"two people, one region with two names: in {same} of 60 calls both get the same name; it should be"
        " about 30, because nobody's name depends on another's",
    )


def in_turn_comes(answer: Answer, rng: random.Random) -> None:
    """4,000 people, one after the other from the four regions in turn;
    one list is shorter than its region's name is long.
    """
    names_of = lists_of_names(rng, (3, 40, 12, 20))
    new = renamed(answer, list(names_of) * 1_000, names_of, rng.getrandbits(40))
    kept = sum(name in names for name, names in zip(new, list(names_of.values()) * 1_000, strict=True))
    expect(
        abs(kept - 1_000) <= slack(4_000),
        f"4,000 people come from 4 regions in turn, and {kept:,} get a name of their own region; it should be"
        " about 1,000",
    )
    for region, names in names_of.items():
        count = sum(name in names for name in new)
        expect(
            abs(count - 1_000) <= slack(4_000),
            f"{count:,} of 4,000 new names are of region {region}, whose list has {len(names)}; it should be"
            " about 1,000",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Names from the lists, of all regions, drawn from rng; a region that nobody has; one person; the
    arguments as they were; the counts; people in turn.

    Each of 120 names misses a given one of 3 regions with probability (2/3)^120 < 1e-21, and one person in 60
    calls with probability (2/3)^60 < 3e-11. 40 people get names of one region with probability 3^-39 < 1e-18;
    two draws of 120 names from 15 agree with probability below 1e-100.
    """
    names_of = lists_of_names(rng, (5, 5, 5))
    regions = [region for region in names_of for _ in range(40)]
    rng.shuffle(regions)
    seed = rng.getrandbits(32)
    try:
        first, again, other = (renamed(answer, regions, names_of, each) for each in (seed, seed, seed + 1))
    except AnswerRaised as raised:
        if not raised.stub:
            left_alone(answer, regions[:2], names_of)
        raise
    expect(
        first == again,
        "with rng in the same state, a second call returned other names: they should depend on the arguments"
        " and on rng alone",
    )
    expect(first != other, "with rng in another state you returned the same names; they should come from rng")
    calls = answer.map([(regions, names_of, going_on(seed))] * 20)
    expect(len({tuple(names_in(found, regions, names_of)) for found in calls}) > 1, AGAIN.format("names"))
    expect(len(set(first)) > 1, "all 120 people got the same name: draw for each person anew")
    of_name = {name: region for region, names in names_of.items() for name in names}
    for old in names_of:
        new = {of_name[name] for name, region in zip(first, regions, strict=True) if region == old}
        expect(
            len(new) > 1,
            f"all 40 people of {old} got names of one region, {min(new)}: for each person anew, every region"
            " should be equally likely",
        )
    for region, names in names_of.items():
        expect(
            any(name in names for name in first),
            f"none of 120 new names is of region {region}: every region should be equally likely",
        )
    one, *others = names_of
    alike = renamed(answer, [one] * 120, names_of, seed)
    for region in others:
        expect(
            any(name in names_of[region] for name in alike),
            f"all 120 people are of {one}, and none of their new names is of {region}: every region of"
            " names_of should be equally likely, whatever the old regions are",
        )
    calls = answer.map([([one], names_of, Seeded(seed + number)) for number in range(60)])
    single = [name for found in calls for name in names_in(found, [one], names_of)]
    for region, names in names_of.items():
        expect(
            any(name in names for name in single),
            f"one person got a new name 60 times, and never one of {region}: every region should be equally"
            " likely for everyone",
        )
    left_alone(answer, regions, names_of)
    counted(answer, rng)
    in_turn_comes(answer, rng)
    repeats(answer, rng)
    balanced(answer, rng)
    of_many_regions(answer, rng)
    return right("all people have new names, which reveal nothing about the old ones")


def left_alone(answer: Answer, regions: list[str], names_of: dict[str, list[str]]) -> None:
    """Raise NotYet if the answer changes one of the two."""
    drawn = cast(Answer, functools.partial(_without_rng, answer))
    try:
        leaves_alone(drawn, ("regions", "names_of"), regions, names_of)
    except NotYet as wrong:
        which, more = ("regions", "") if "changes regions" in str(wrong) else ("names_of", STAYS)
        raise NotYet(CHANGED.format(which) + more) from None


def _without_rng(answer: Answer, regions: object, names_of: object) -> object:
    return answer(regions, names_of, Seeded(1))


EXERCISE = Exercise(
    id="neutral_names",
    title="Draw neutral names",
    order=15,
    points=2,
    difficulty=3,
    importance=4,
    minutes=10,
    source="ours, after Bertrand and Mullainathan 2004",
    hints=(
        (
            "Suppose that someone knows the new name. What can they conclude about the old one? It must be"
            " nothing."
        ),
        (
            "Draw in two steps, for each person anew: first a region, each with the same probability,"
            " whatever the old region was; then a name from the list of this region."
        ),
        (
            "`rng.choice(list(names_of))` draws a region, and `rng.choice(names_of[region])` a name of it."
            " The old region must be among the regions that are drawn from: otherwise the new name tells"
            " where the person is *not* from."
        ),
    ),
    check=check,
)
