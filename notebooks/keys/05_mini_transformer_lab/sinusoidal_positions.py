"""Answer key of sinusoidal_positions. Nothing here is random:
the hidden check asks for other lengths and widths.

Tolerance 2e-3 in every dtype from float32 on, and less for short tables: at position 511 an angle computed in
float32 through exp(−log …) is off by 3e-4, at position 5 by 3e-6. The longest table has two pairs: one has
the speed 1, so its angles are exact, and the other is slow.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.sinusoidal_positions import same_table, waves

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady

SIZES = ((1, 2), (1, 48), (9, 2), (7, 4), (96, 48), (512, 16), (9001, 4), (6, 128), (3, 514))


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Sizes at the ends, one long table, one of random size. A short one many times."""
    for length, d_model in (*SIZES, (rng.randint(50, 90), 2 * rng.randint(3, 30))):
        same_table(waves(answer(length, d_model), length, d_model), length, d_model)
    steady(answer, 3, 4)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A small table and a larger one."""
    return [(5, 8), (40, 12)]


def sinusoidal_positions(T, d):
    """The reference."""
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)  # (T, d/2)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def entry_by_entry(T, d):
    """As the paper writes it."""
    out = torch.zeros(T, d)
    for position in range(T):
        for m in range(d // 2):
            angle = position / 10_000 ** (2 * m / d)
            out[position, 2 * m] = math.sin(angle)
            out[position, 2 * m + 1] = math.cos(angle)
    return out


def with_exponentials(T, d):
    """As the annotated Transformer does it."""
    out = torch.empty(T, d)
    position = torch.arange(T).unsqueeze(1)
    scale = torch.exp(torch.arange(0, d, 2) * -(math.log(10_000.0) / d))
    out[:, 0::2] = torch.sin(position * scale)
    out[:, 1::2] = torch.cos(position * scale)
    return out


def turning_hands(T, d):
    """Each pair is a complex number that is multiplied by the same turn at every step."""
    turn = torch.polar(
        torch.ones(d // 2, dtype=torch.float64), 10_000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    )
    hand, rows = torch.ones(d // 2, dtype=torch.complex128), []
    for _ in range(T):
        rows.append(torch.stack((hand.imag, hand.real), dim=1).reshape(-1))
        hand = hand * turn
    return torch.stack(rows)


def shifted_sines(T, d):
    """A cosine is a sine a quarter turn ahead."""
    column = torch.arange(d)
    rate = torch.pow(torch.tensor(10_000.0, dtype=torch.float64), -(column - column % 2) / d)
    return torch.sin(torch.arange(T, dtype=torch.float64).outer(rate) + (column % 2) * (math.pi / 2))


def halves(T, d):
    """You put all sines first and all cosines after them.
    Here they should alternate: the sine in column 2m, the cosine in 2m + 1.
    """
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.cat((angle.sin(), angle.cos()), dim=1)


def cosines_first(T, d):
    """You exchange sine and cosine: column 2m should hold the sine."""
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.cos(), angle.sin()), dim=-1).flatten(1)


def speeding_up(T, d):
    """The minus in your exponent is missing: the speeds grow from 1 to nearly 10000 instead of falling."""
    angle = torch.arange(T, dtype=torch.float64)[:, None] * 10_000.0 ** (torch.arange(0, d, 2) / d).double()
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def one_frequency_a_column(T, d):
    """Each of your columns has a speed of its own. Columns 2m and 2m + 1 should share one."""
    column = torch.arange(d)
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-column / d)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def half_exponent(T, d):
    """Your exponent is −m/d, or your base is 100, which is the same. With m counting pairs, the speed is
    10000^(−2m/d).
    """
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(d // 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def double_exponent(T, d):
    """Your exponent is −4m/d: the 2 came in twice, as with a range in steps of 2 that is multiplied by 2,
    or when you divide by d/2.
    """
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-2 * torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def from_one(T, d):
    """Your positions start at 1; the first one should be 0."""
    angle = torch.arange(1, T + 1)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def all_the_way(T, d):
    """Your slowest pair has the speed 1/10000 exactly, as with linspace or logspace, or when you
    divide by d/2 − 1. The exponent is −2m/d.
    """
    steps = max(d // 2 - 1, 1)
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(d // 2) / steps)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def base_thousand(T, d):
    """Your base is 1000. It should be 10000."""
    angle = torch.arange(T)[:, None] * 1_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def one_hand(T, d):
    """All your columns have the same speed: it has to fall from pair to pair."""
    angle = torch.arange(T)[:, None].expand(T, d // 2).float()
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


def transposed(T, d):
    """Your table is transposed: rows should be positions, and columns components."""
    angle = torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1).T


def in_turns(T, d):
    """You measure angles in full turns (a factor 2π). The formula uses radians."""
    angle = 2 * math.pi * torch.arange(T)[:, None] * 10_000.0 ** (-torch.arange(0, d, 2) / d)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(1)


KEY = AnswerKey(
    id="sinusoidal_positions",
    hidden=hidden,
    reference=sinusoidal_positions,
    accepted=(entry_by_entry, with_exponentials, turning_hands, shifted_sines),
    rejected=(
        *(
            halves,
            cosines_first,
            speeding_up,
            one_frequency_a_column,
            half_exponent,
            double_exponent,
            from_one,
            all_the_way,
        ),
        *(base_thousand, one_hand, transposed, in_turns),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The speeds $10000^{-2m/d}$ are a vector with one entry per pair. Times the column of positions,"
        " broadcasting gives all angles at once, (T, d/2). Stacking sine and cosine in a new last axis and"
        " flattening it makes them alternate: sine in column $2m$, cosine in $2m+1$. Writing `cat` instead of"
        " `stack` gives all sines first, which is the most common difference; some libraries do this on"
        " purpose."
    ),
)
