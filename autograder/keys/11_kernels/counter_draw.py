"""Answer key of counter_draw.

Any function of the three that stirs well is right: Philox, a hash, a seeded generator for every row. How likely a right one
is to be refused is worked out in the visible half; `test_11_kernels.py` tries the accepted ones under many seeds.
"""

from __future__ import annotations

import hashlib
import random

import numpy as np
import torch
from course_exercises.counter_draw import FINE, draws, evenly, everything_counts, only_of_its_row, same

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, expect, right
from kqa_core.text.span_corruption import philox

FAR = "row r and row r + 2³² draw the same: a row's number has up to 48 bits, and all of them count"


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The same properties under other seeds; rows far apart; bounds that are no power of two."""
    seed, step = rng.randrange(10**9), rng.randrange(10**6)
    only_of_its_row(answer, seed, step, rng)
    everything_counts(answer, seed, step, rng)
    near = torch.arange(500) + rng.randrange(10**6)
    expect(not same(draws(answer, seed, step, near, FINE), draws(answer, seed, step, near + 2**32, FINE)), FAR)
    evenly(answer, seed, step, 109, 109)
    evenly(answer, rng.randrange(10**6), 0, 10**6, 64)
    draws(answer, seed, step, near, 1)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Rows alone and in batches, near and far; steps and seeds that differ and change places."""
    rows = torch.tensor([0, 1, 2, 7, 2**32, 2**32 + 1, 7])
    calls = [(seed, step, rows, bound) for seed, step in ((0, 0), (3, 40), (40, 3), (5, 6)) for bound in (10, FINE)]
    return [*calls, (3, 40, rows[3:], FINE), (3, 40, rows.flip(0), FINE)]


def counter_draw(seed, step, rows, bound):
    """The reference."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))  # (4, B)
    return philox(counter, seed)[0] * bound >> 32


def hashed(seed, step, rows, bound):
    """A cryptographic hash of the three, as text."""
    numbers = []
    for row in rows.tolist():
        digest = hashlib.blake2b(f"{seed}/{step}/{row}".encode(), digest_size=8).digest()
        numbers.append(int.from_bytes(digest, "little") % bound)
    return torch.tensor(numbers)


def a_generator_for_each(seed, step, rows, bound):
    """A generator of Python's for every row, seeded with all three."""
    return torch.tensor([random.Random(f"{seed},{step},{int(row)}").randrange(bound) for row in rows])


def stirred(seed, step, rows, bound):
    """SplitMix64's last steps, once for each of the three, in wrapping 64-bit arithmetic."""
    state = torch.zeros_like(rows)
    for word in (seed, step, rows):
        state = state + word + -7046029254386353131  # 0x9E3779B97F4A7C15
        for shift, factor in ((30, -4658895280553007687), (27, -7723592293110705685), (31, 1)):
            state = (state ^ ((state >> shift) & ((1 << (64 - shift)) - 1))) * factor
    return ((state >> 32) & 0xFFFFFFFF).mul(bound).bitwise_right_shift(32)


def by_seed_sequence(seed, step, rows, bound):
    """numpy's SeedSequence stirs any list of numbers."""
    words = (np.random.SeedSequence((seed, step, r)).generate_state(1, np.uint64)[0] for r in rows.numpy().tolist())
    return torch.from_numpy(np.array([int(w) * bound // 2**64 for w in words], dtype=np.int64))


def one_generator_a_step(seed, step, rows, bound):
    """You seed one generator for the step and draw for the whole batch: what a row gets depends on its place in it. Let the
    row's own number decide.
    """
    generator = torch.Generator().manual_seed(1_000_003 * seed + step)
    return torch.randint(bound, (len(rows),), generator=generator)


def row_forgotten(seed, step, rows, bound):
    """All rows of a step get one number: the row must count."""
    return torch.full_like(rows, random.Random(f"{seed},{step}").randrange(bound))


def step_forgotten(seed, step, rows, bound):
    """The step does not count: every document would be cut the same way for ever."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.zeros_like(rows), torch.zeros_like(rows)))
    return philox(counter, seed)[0] * bound >> 32


def seed_forgotten(seed, step, rows, bound):
    """The seed does not count: every run would cut alike."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))
    return philox(counter, 0)[0] * bound >> 32


def all_added(seed, step, rows, bound):
    """You add the three before stirring, so row 1 of step 0 draws what row 0 of step 1 draws: give each a word of its own."""
    return torch.tensor([random.Random(seed + step + row).randrange(bound) for row in rows.tolist()])


def row_and_step_added(seed, step, rows, bound):
    """You add step and row: each step's batch is the last one's, moved by a row. Give them a word each."""
    one = rows + step
    counter = torch.stack((one & 0xFFFFFFFF, one >> 32, torch.zeros_like(rows), torch.zeros_like(rows)))
    return philox(counter, seed)[0] * bound >> 32


def seed_and_step_exchanged(seed, step, rows, bound):
    """You combine seed and step by ^, which is the same either way round: seed 3 in step 40 is seed 40 in step 3."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.zeros_like(rows), torch.zeros_like(rows)))
    return philox(counter, seed ^ step)[0] * bound >> 32


def only_half_of_the_row(seed, step, rows, bound):
    """You keep the row's lower 32 bits only, so rows 2³² apart draw alike: the upper half needs a word, too."""
    counter = torch.stack((rows & 0xFFFFFFFF, torch.full_like(rows, step), torch.zeros_like(rows), torch.zeros_like(rows)))
    return philox(counter, seed)[0] * bound >> 32


def not_stirred(seed, step, rows, bound):
    """A sum of multiples modulo bound is even, but not random: the next row's number is this one's plus the same."""
    return (seed * 2_654_435_761 + step * 40_503 + rows * 97) % bound


def coarse(seed, step, rows, bound):
    """You take 8 of the 32 bits: that gives 256 different numbers at most, whatever the bound."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))
    return (philox(counter, seed)[0] >> 24) * bound >> 8


def from_one(seed, step, rows, bound):
    """Your numbers go from 1 to bound; asked is 0 to bound − 1."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))
    return (philox(counter, seed)[0] * bound >> 32) + 1


def as_floats(seed, step, rows, bound):
    """You return floats; these numbers choose characters, so they are whole, torch.int64."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))
    return torch.floor(philox(counter, seed)[0] / 2**32 * bound)


def squared(seed, step, rows, bound):
    """Your numbers are not equally likely: small ones come too often. Do not multiply two random numbers."""
    counter = torch.stack((rows & 0xFFFFFFFF, rows >> 32, torch.full_like(rows, step), torch.zeros_like(rows)))
    bits = philox(counter, seed)
    return (bits[0] * (bits[1] * bound >> 32)) >> 32


KEY = AnswerKey(
    id="counter_draw",
    hidden=hidden,
    reference=counter_draw,
    accepted=(hashed, a_generator_for_each, stirred, by_seed_sequence),
    rejected=(
        *(one_generator_a_step, row_forgotten, step_forgotten, seed_forgotten, all_added, row_and_step_added),
        *(seed_and_step_exchanged, only_half_of_the_row, not_stirred, coarse, from_one, as_floats, squared),
    ),
    fingerprint=fingerprint,
)
