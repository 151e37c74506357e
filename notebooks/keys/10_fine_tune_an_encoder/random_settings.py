"""Answer key of random_settings."""

from __future__ import annotations

import math
import random

import numpy as np
import torch
from course_exercises.random_settings import drawn_well, moves_on, no_two_equal, read_settings

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, expect, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other ranges, one size, and many sizes; one setting; many searches, no two of them equal; one
    rng for all calls."""
    for low, high, sizes in (
        (2e-4, 2e-2, (16, 32, 64, 128)),
        (1e-6, 1.0, (8,)),
        (0.5, 3.0, (1, 2, 3, 5, 8, 13)),
    ):
        drawn_well(answer, rng, low, high, sizes)
    calls = [(1, 1e-3, 1e-1, [8, 16], Seeded(rng.getrandbits(30))) for _ in range(40)]
    single = [read_settings(value, 1, 1e-3, 1e-1, (8, 16))[0] for value in answer.map(calls)]
    rates, drawn = {rate for rate, _ in single}, {size for _, size in single}
    expect(len(rates) == 40 and len(drawn) == 2, "in 40 searches of one setting, some settings never occur")
    no_two_equal(answer, rng)
    moves_on(answer, rng)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A few settings of two ranges, and the same seed twice."""
    seed = rng.getrandbits(30)
    return [
        *((3, 1e-4, 1e-1, [16, 32, 64], Seeded(seed + i)) for i in range(4)),
        (6, 1e-4, 1e-1, [16, 32, 64], Seeded(seed)),
        (6, 1e-4, 1e-1, [16, 32, 64], Seeded(seed)),
        (4, 2e-4, 1e-2, [8, 16], Seeded(seed)),
        *((4, 2.0, 3.0, [8], Seeded(seed)), (4, 0.5, 0.9, [8, 16], Seeded(seed))),
    ]


def random_settings(count, low, high, batch_sizes, rng):
    """The reference."""
    return [
        {
            "learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


def as_a_power(count, low, high, batch_sizes, rng):
    """A random fraction of the way, as a power of the ratio."""
    settings: list[dict[str, float]] = []
    while len(settings) < count:
        place = rng.random()
        size = batch_sizes[int(rng.random() * len(batch_sizes))]
        settings.append({"batch_size": size, "learning_rate": low * (high / low) ** place})
    return tuple(settings)


def by_decades(count, low, high, batch_sizes, rng):
    """The exponent of 10; the sizes are drawn at once."""
    sizes = rng.choices(batch_sizes, k=count)
    return [
        {"learning_rate": 10 ** rng.uniform(math.log10(low), math.log10(high)), "batch_size": size}
        for size in sizes
    ]


def in_numpy(count, low, high, batch_sizes, rng):
    """numpy's generator, seeded from the one that was given."""
    chance = np.random.default_rng(rng.getrandbits(32))
    rates = (
        np.geomspace(low, high, 2) if count == 0 else np.exp(chance.uniform(np.log(low), np.log(high), count))
    )
    return [
        {"learning_rate": r, "batch_size": s}
        for r, s in zip(rates, chance.choice(batch_sizes, count), strict=True)
    ]


def in_torch(count, low, high, batch_sizes, rng):
    """torch's generator, seeded from the one that was given."""
    generator = torch.Generator().manual_seed(rng.randrange(2**40))
    place = torch.rand(count, generator=generator, dtype=torch.float64)
    rates = low * torch.exp(place * math.log(high / low))
    which = torch.randint(len(batch_sizes), (count,), generator=generator).tolist()
    return [
        {"learning_rate": rate, "batch_size": batch_sizes[i]} for rate, i in zip(rates, which, strict=True)
    ]


def uniform(count, low, high, batch_sizes, rng):
    """The rate itself is uniform. Draw its logarithm uniformly."""
    return [
        {"learning_rate": rng.uniform(low, high), "batch_size": rng.choice(batch_sizes)} for _ in range(count)
    ]


def two_decades(count, low, high, batch_sizes, rng):
    """Your rates are the two ends of the range; every rate between them is possible."""
    return [
        {"learning_rate": rng.choice((low, high)), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]


def on_a_grid(count, low, high, batch_sizes, rng):
    """Your rates are those of a grid. A random search draws each one anew."""
    grid = [low * (high / low) ** (i / 9) for i in range(10)]
    return [{"learning_rate": rng.choice(grid), "batch_size": rng.choice(batch_sizes)} for _ in range(count)]


def one_setting(count, low, high, batch_sizes, rng):
    """One setting is drawn for the whole search, or one dict is in the list several times."""
    setting = {
        "learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))),
        "batch_size": rng.choice(batch_sizes),
    }
    return [setting] * count


def in_turn(count, low, high, batch_sizes, rng):
    """Your batch sizes take turns instead of being drawn."""
    return [
        {
            "learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))),
            "batch_size": batch_sizes[i % len(batch_sizes)],
        }
        for i in range(count)
    ]


def first_size(count, low, high, batch_sizes, rng):
    """The batch size is always the first one."""
    return [
        {"learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))), "batch_size": batch_sizes[0]}
        for _ in range(count)
    ]


def exponents_mixed_up(count, low, high, batch_sizes, rng):
    """Your powers have base 10, but your exponents are natural logarithms: the rates leave the range."""
    return [
        {
            "learning_rate": 10 ** rng.uniform(math.log(low), math.log(high)),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


def own_seed(count, low, high, batch_sizes, rng):
    """The random numbers have a fixed seed (rng itself or a generator of your own), so every search tries
    the same settings. Draw from rng as it is, and seed nothing.
    """
    rng = random.Random(0)
    return [
        {
            "learning_rate": math.exp(rng.uniform(math.log(low), math.log(high))),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


def global_chance(count, low, high, batch_sizes, rng):
    """The numbers come from Python's global random numbers. Draw from rng."""
    return [
        {
            "learning_rate": math.exp(random.uniform(math.log(low), math.log(high))),
            "batch_size": random.choice(batch_sizes),
        }
        for _ in range(count)
    ]


def tied(count, low, high, batch_sizes, rng):
    """One random number decides both the rate and the batch size. Draw the two independently."""
    settings = []
    for _ in range(count):
        place = rng.random()
        settings.append(
            {
                "learning_rate": low * (high / low) ** place,
                "batch_size": batch_sizes[int(place * len(batch_sizes))],
            }
        )
    return settings


def evenly_spaced(count, low, high, batch_sizes, rng):
    """Your rates are evenly spaced on the logarithmic scale, which is a grid. Draw each one at random."""
    return [
        {"learning_rate": low * (high / low) ** (i / count), "batch_size": rng.choice(batch_sizes)}
        for i in range(count)
    ]


def one_in_each_part(count, low, high, batch_sizes, rng):
    """One rate is in each of `count` equal parts of the range,
    so the draws are not independent of each other.
    """
    places = [(i + rng.random()) / count for i in range(count)]
    rng.shuffle(places)
    return [
        {"learning_rate": low * (high / low) ** place, "batch_size": rng.choice(batch_sizes)}
        for place in places
    ]


def in_order(count, low, high, batch_sizes, rng):
    """The settings are sorted by their rates, so a setting depends on the others.
    Return them as you draw them.
    """
    rates = sorted(low * (high / low) ** rng.random() for _ in range(count))
    return [{"learning_rate": rate, "batch_size": rng.choice(batch_sizes)} for rate in rates]


def sizes_dealt(count, low, high, batch_sizes, rng):
    """The batch sizes are dealt out like cards, each equally often. Draw each one anew with rng.choice."""
    sizes = (list(batch_sizes) * (count // len(batch_sizes) + 1))[:count]
    rng.shuffle(sizes)
    return [{"learning_rate": low * (high / low) ** rng.random(), "batch_size": size} for size in sizes]


def halved(count, low, high, batch_sizes, rng):
    """The rates are from the lower half of the logarithmic range only."""
    top = math.sqrt(low * high)
    return [
        {
            "learning_rate": math.exp(rng.uniform(math.log(low), math.log(top))),
            "batch_size": rng.choice(batch_sizes),
        }
        for _ in range(count)
    ]


def bell_shaped(count, low, high, batch_sizes, rng):
    """Your logarithms crowd in the middle of the range. They should be uniform."""
    settings = []
    for _ in range(count):
        place = sum(rng.random() for _ in range(4)) / 4
        settings.append({"learning_rate": low * (high / low) ** place, "batch_size": rng.choice(batch_sizes)})
    return settings


def whole_ratio(count, low, high, batch_sizes, rng):
    """The ratio of high and low is without its fraction, as with `//`, so the largest rates never come."""
    return [
        {"learning_rate": low * (high // low) ** rng.random(), "batch_size": rng.choice(batch_sizes)}
        for _ in range(count)
    ]


def from_100_seeds(count, low, high, batch_sizes, rng):
    """There are 100 different searches at most, as from 100 seeds. Draw every number from rng."""
    chance = random.Random(rng.randrange(100))
    ends = math.log(low), math.log(high)
    return [
        {"learning_rate": math.exp(chance.uniform(*ends)), "batch_size": chance.choice(batch_sizes)}
        for _ in range(count)
    ]


KEY = AnswerKey(
    id="random_settings",
    hidden=hidden,
    reference=random_settings,
    accepted=(as_a_power, by_decades, in_numpy, in_torch),
    rejected=(
        *(
            uniform,
            two_decades,
            on_a_grid,
            one_setting,
            in_turn,
            first_size,
            exponents_mixed_up,
            own_seed,
            global_chance,
            tied,
        ),
        *(halved, bell_shaped, evenly_spaced, one_in_each_part, in_order, sizes_dealt),
        *(whole_ratio, from_100_seeds),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The exponential of a uniform logarithm gives each decade the same share of the trials: between"
        " 0.0001 and 0.1, a third of the rates is below 0.001. Each setting draws its two numbers anew, so"
        " that good and bad values of one are combined with all values of the other. All draws come from"
        " `rng`, so one seed repeats the whole search. The most common mistake is `rng.uniform(low, high)`:"
        " nearly all of its rates have the size of `high`."
    ),
)
