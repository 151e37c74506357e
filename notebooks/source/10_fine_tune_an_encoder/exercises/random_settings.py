"""Exercise random_settings: settings for a random search,
with the learning rate uniform on a logarithmic scale.

The check draws 2,000 settings, 500 at a time, and compares the logarithms of their rates with the uniform
distribution by the Kolmogorov-Smirnov distance. A right answer exceeds 0.055 in about one of 100,000 checks;
rates that are uniform themselves are above 0.3.

Whether draws are independent shows in 60 searches of three settings each. By chance the rates have a given
order in 1 of 6 searches. One rate is in each third of the range in 2 of 9. With six sizes, the three sizes
differ in 5 of 9, and with fewer sizes more seldom. A right answer does one of these in all 60 searches with a
probability of at most (5/9)^60, below 1e-15.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import torch

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.exercise_helpers.corrupted_rows import AGAIN, going_on

NAMES = {"learning_rate", "batch_size"}
MANY, AT_ONCE, DISTANCE = 2_000, 500, 0.055
ELSEWHERE = (
    "two rng with the same seed give different settings. Possible cause: they depend on something"
    " other than rng"
)
SEARCHES, FEW = 60, 3
DEPENDENT = (
    "in every one of {searches} searches of {few} settings, {what}. With independent draws that practically"
    " never happens"
)
REPEATED = "in every one of {searches} searches of {few} settings, all settings are equal"
SEEDED = "two rng with different seeds give the same five settings"
NARROW = (0.5, 0.9, (8, 16))  # within a factor of 2

Setting = tuple[float, int]


def read_settings(value: object, count: int, low: float, high: float, sizes: Sequence[int]) -> list[Setting]:
    """(rate, size) of each setting. Raises NotYet unless they are `count` dicts inside the ranges."""
    if not isinstance(value, (list, tuple)):
        raise NotYet(f"return a list of settings; yours is {kind_of(value)}")
    expect(len(value) == count, f"{count} settings were asked for; you return {len(value)}")
    found = []
    for each in value:
        if not isinstance(each, dict) or set(each) != NAMES:
            names = sorted(map(str, each)) if isinstance(each, dict) else kind_of(each)
            raise NotYet(
                f"each setting must be a dict with learning_rate and batch_size; one of yours is {names}"
            )
        rate, size = number(each["learning_rate"], "learning_rate"), number(each["batch_size"], "batch_size")
        inside = low * (1 - 1e-9) <= rate <= high * (1 + 1e-9)
        expect(inside, f"learning rates must lie between {low:g} and {high:g}; one of yours is {rate:g}")
        expect(size in sizes, f"batch sizes must be among {list(sizes)}; one of yours is {size:g}")
        found.append((rate, int(size)))
    return found


def distance(places: Sequence[float]) -> float:
    """The largest distance between the shares of these numbers and the uniform distribution on [0, 1]."""
    ordered, n = sorted(places), len(places)
    return max(max(abs(x - i / n), abs(x - (i + 1) / n)) for i, x in enumerate(ordered))


def drawn_well(answer: Answer, rng: random.Random, low: float, high: float, sizes: Sequence[int]) -> None:
    """Raise NotYet unless many settings have the right distribution and come from `rng`."""
    try:
        _drawn_well(answer, rng, low, high, sizes)
    except NotYet as wrong:
        raise NotYet(f"for rates from {low:g} to {high:g} and the sizes {list(sizes)}: {wrong}") from None


def _drawn_well(answer: Answer, rng: random.Random, low: float, high: float, sizes: Sequence[int]) -> None:
    seed = rng.getrandbits(30)

    def settings(count: int, seed: int) -> list[Setting]:
        return read_settings(answer(count, low, high, list(sizes), Seeded(seed)), count, low, high, sizes)

    expect(settings(5, seed) == settings(5, seed), ELSEWHERE)
    expect(settings(5, seed) != settings(5, seed + 1), SEEDED)
    independent(answer, rng, low, high, sizes)
    found = [each for number in range(MANY // AT_ONCE) for each in settings(AT_ONCE, seed + 2 + number)]
    rates = Counter(rate for rate, _ in found)
    often, times = rates.most_common(1)[0]
    expect(
        len(rates) > 0.99 * MANY,
        f"{MANY} settings have only {len(rates)} different learning rates; {often:g} comes {times} times"
        f"{_why_repeated(rates, low, high)}",
    )
    places = [math.log(rate / low) / math.log(high / low) for rate, _ in found]
    for part, empty in (("lowest", min(places) > 0.01), ("highest", max(places) < 0.99)):
        expect(
            not empty,
            f"of {MANY} rates, about 20 should be in the {part} hundredth on the logarithmic scale; 0 are",
        )
    below = {tenth: sum(place < tenth / 10 for place in places) / MANY for tenth in (5, *range(1, 10))}
    tenth = max(below, key=lambda each: abs(below[each] - each / 10))
    expect(
        distance(places) < DISTANCE,
        "the logarithms of the learning rates should be uniform between those of low and high, so that"
        f" {10 * tenth} % of the rates are below {low * (high / low) ** (tenth / 10):.3g}; of {MANY} of"
        f" yours, {100 * below[tenth]:.1f} % are",
    )
    expected, spread = MANY / len(sizes), math.sqrt(MANY / len(sizes) * (1 - 1 / len(sizes)))
    counts = {size: sum(each == size for _, each in found) for size in sizes}
    rare = min(counts, key=lambda size: counts[size])
    expect(
        abs(counts[rare] - expected) <= 5 * spread,
        f"every batch size should be equally likely; of {MANY} settings, {counts[rare]} have batch size"
        f" {rare}",
    )
    unrelated(places, [sizes.index(size) for _, size in found])
    if len(sizes) > 1:
        same = sum(a == b for (_, a), (_, b) in pairwise(found)) / (MANY - 1)
        expect(
            same > 0.5 / len(sizes),
            f"only {100 * same:.0f} % of the batch sizes equal the one before; of independent draws"
            f" {100 / len(sizes):.0f} % do",
        )
        by_size = [[p for p, (_, size) in zip(places, found, strict=True) if size == each] for each in sizes]
        tied = any(abs(sum(each) / len(each) - 0.5) > 5 / math.sqrt(12 * len(each)) for each in by_size)
        means = [low * (high / low) ** (sum(each) / len(each)) for each in by_size]
        shown = " and ".join(f"{mean:.3g} with {size}" for mean, size in zip(means, sizes, strict=True))
        expect(
            not tied,
            "the learning rate depends on the batch size: its mean on the logarithmic scale should be"
            f" {math.sqrt(low * high):.3g} with each, and is {shown}",
        )


def _why_repeated(rates: Counter[float], low: float, high: float) -> str:
    """The end of the sentence about rates of which some are drawn several times."""
    repeated = [rate for rate, times in rates.items() if times > 1]
    if all(min(abs(rate / low - 1), abs(rate / high - 1)) < 1e-9 for rate in repeated):
        return (
            ", and only the ends of the range repeat. Possible cause: rates that are drawn outside the"
            " range are moved to its ends"
        )
    return ""


def independent(answer: Answer, rng: random.Random, low: float, high: float, sizes: Sequence[int]) -> None:
    """Raise NotYet if small searches are always sorted,
    spread evenly over the range, or without a repeated size.
    """
    calls = [(FEW, low, high, list(sizes), Seeded(rng.getrandbits(30))) for _ in range(SEARCHES)]
    searches = [read_settings(value, FEW, low, high, sizes) for value in answer.map(calls)]
    rates = [[rate for rate, _ in search] for search in searches]
    thirds = [
        {min(FEW - 1, int(FEW * math.log(rate / low) / math.log(high / low))) for rate in each}
        for each in rates
    ]
    orders = {tuple(sorted(range(FEW), key=each.__getitem__)) for each in rates}
    drawn = [[size for _, size in search] for search in searches]
    several = len(sizes) > 1
    expect(any(len(set(search)) > 1 for search in searches), REPEATED.format(searches=SEARCHES, few=FEW))
    always = {
        **{
            f"the rate of setting {i} is {column[0]:g}": len(set(column)) == 1
            for i, column in enumerate(zip(*rates, strict=True))
        },
        **{
            f"the batch size of setting {i} is {column[0]}": several and len(set(column)) == 1
            for i, column in enumerate(zip(*drawn, strict=True))
        },
        "all sizes are equal": several and all(len(set(each)) == 1 for each in drawn),
        "the sizes rise": several and all(each == sorted(each) for each in drawn),
        "the sizes fall": several and all(each == sorted(each, reverse=True) for each in drawn),
        "all rates are equal": all(len(set(each)) == 1 for each in rates),
        "the rates have the same order, such as the smallest first": len(orders) == 1,
        "one rate is in each third of the range": all(len(each) == FEW for each in thirds),
        "no batch size occurs twice": all(len({size for _, size in search}) == FEW for search in searches),
    }
    for what, found in always.items():
        expect(not found, DEPENDENT.format(searches=SEARCHES, few=FEW, what=what))


def unrelated(places: Sequence[float], indices: Sequence[int]) -> None:
    """Raise NotYet if a rate or a size is correlated with one drawn before it. Six standard errors are
    allowed.
    """
    n = len(places)
    size = "the place of the size in the list of sizes"
    drawn = {
        "the logarithm of the rate": places,
        "its distance from the middle of the range": [abs(x - 0.5) for x in places],
        size: indices,
    }
    pairs = list(itertools.product(drawn.items(), drawn.items()))
    for lag, (first, second) in itertools.product((0, 1, 2), pairs):
        (name, one), (other_name, other) = first, second
        a, b = torch.tensor(one[: n - lag]).double(), torch.tensor(other[lag:]).double()
        if (lag == 0 and (name == other_name or size not in (name, other_name))) or not (a.std() and b.std()):
            continue
        found = float(torch.corrcoef(torch.stack((a, b)))[0, 1])
        expect(
            abs(found) < 6 / math.sqrt(n),
            f"in {n} settings, {name} is correlated with {other_name} of"
            f" {('the same setting', 'the next setting', 'the next but one')[lag]} (r = {found:.2f};"
            " of independent draws r is about 0)",
        )


def moves_on(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if one rng gives the same settings in twenty calls."""
    calls = [(5, 1e-4, 1e-1, [16, 32], going_on(rng.getrandbits(60)))] * 20
    searches = [read_settings(value, 5, 1e-4, 1e-1, (16, 32)) for value in answer.map(calls)]
    expect(any(search != searches[0] for search in searches), AGAIN.format("five settings"))


def no_two_equal(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet if two of 90 searches are the same.
    One of 2³² seeds a search gives this with probability below 1e-6.
    """
    calls = [(5, 1e-4, 1e-1, [16, 32], Seeded(seed)) for seed in rng.sample(range(2**30), 90)]
    searches = [tuple(read_settings(value, 5, 1e-4, 1e-1, (16, 32))) for value in answer.map(calls)]
    expect(
        any(len(set(search)) == 5 for search in searches),
        "in each of 90 searches of five settings, two settings are equal",
    )
    expect(len(set(searches)) == 90, "of 90 searches with different seeds of rng, two are the same")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Three decades, three sizes; a narrow range; many searches."""
    drawn_well(answer, rng, 1e-4, 1e-1, (16, 32, 64))
    drawn_well(answer, rng, *NARROW)
    no_two_equal(answer, rng)
    moves_on(answer, rng)
    names = ("count", "low", "high", "batch_sizes")
    leaves_alone(answer, names, 5, 1e-4, 1e-1, [*range(8, 81, 8)], Seeded(rng.getrandbits(30)))
    return right(
        "equal ratios of learning rates are equally likely, so is every size, and the draws are independent"
    )


EXERCISE = Exercise(
    id="random_settings",
    title="Draw settings for a random search",
    order=18,
    points=2,
    difficulty=2,
    importance=3,
    minutes=15,
    source="Bergstra and Bengio 2012",
    hints=(
        (
            "From 0.0001 to 0.1 there are three factors of ten. If you draw uniformly between the two, how"
            " many of 100 rates are below 0.001?"
        ),
        (
            "Draw the logarithm of the rate uniformly between log(low) and log(high), and take the"
            " exponential. rng.uniform and rng.choice draw the two numbers of a setting; draw both anew for"
            " each setting."
        ),
        (
            "`math.exp(rng.uniform(math.log(low), math.log(high)))` is one rate. With low 0.0001 and high"
            " 0.1, a third of the rates is below 0.001, because log10 runs from −4 to −1 and −3 is a third of"
            " the way."
        ),
    ),
    check=check,
)
