"""Random keys and queries for the hidden checks of notebook 01's concrete look-ups.

The draws keep the condition number of [K 1] under 30, so that answers in float64 are good to about 1e-13.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

MAX_CONDITION = 30.0
SETS = 12  # sets of keys that one check draws; every one must be answered


def solve_logits(keys: Tensor, logits: Tensor) -> Tensor:
    """The query whose logits are `logits` up to a common shift: [K 1] (q, c) = logits. keys (4, 3), logits (4,) → (3,)."""
    solution: Tensor = torch.linalg.solve(torch.cat((keys, torch.ones(4, 1, dtype=keys.dtype)), dim=1), logits)  # (4,)
    return solution[:3]


def draw_keys(rng: random.Random, longest: float = 2.0) -> Tensor:
    """Affinely independent keys (4, 3), none longer than `longest`. Half the draws put a longer key right beside the first."""
    while True:
        keys = torch.tensor([[rng.gauss(0, 1) for _ in range(3)] for _ in range(4)], dtype=torch.float64)
        if rng.random() < 0.5:
            noise = torch.tensor([rng.gauss(0, 1) for _ in range(3)], dtype=torch.float64)
            keys[rng.randrange(1, 4)] = 1.4 * keys[0] + 0.3 * noise
        scaled: Tensor = keys * longest / keys.norm(dim=1).max()
        if torch.linalg.cond(torch.cat((scaled, torch.ones(4, 1, dtype=keys.dtype)), dim=1)) < MAX_CONDITION:
            return scaled


def key_sets(rng: random.Random) -> list[tuple[object, ...]]:
    """Calls with one argument, the keys. Some are short, so that a query of fixed length is too weak for them."""
    return [(draw_keys(rng, longest=rng.choice((0.5, 1.0, 2.0))),) for _ in range(SETS)]


def draw_rekeyed(rng: random.Random) -> tuple[Tensor, Tensor]:
    """Keys (4, 3) shorter than 0.8 and a query (3,) that shares its weight between the first two.

    Since ‖k_0‖ ≤ 0.8, a unit key along q beats k_0 by at least 0.2 ‖q‖, and q is long enough for that to be 12.
    """
    keys = draw_keys(rng, longest=0.8)
    query = solve_logits(keys, torch.tensor([1.0, 1.0, 0.0, 0.0], dtype=torch.float64))
    gap = 12.0 + 4.0 * rng.random()
    return keys, query * max(gap, 5 * gap / float(query.norm()))


def rekeyed_sets(rng: random.Random) -> list[tuple[object, ...]]:
    """Calls with two arguments: keys, and the query that averages the first two."""
    return [draw_rekeyed(rng) for _ in range(SETS)]
