"""Random keys for the numeric exercises of notebook 01, on which each known mistake shows.

- Four keys (4, 3) with no common plane, condition number of [K 1] below 12: every prescribed set of weights
  can be reached, and to 1e-13 in float64.
- Row 0 is short and leans towards row 1: pointing along row 0 selects row 1, and least squares on K alone, at
  any scale, does not select row 0 nor average rows 0 and 1. Solving for the first three rows leaves row 3 in
  front.
- A query is drawn as well: rows 0 and 1 share its weight, and a unit key in row 2 can take all of it. The
  unit keys along row 0, row 1 and their mean cannot.
- Keys are drawn until they are as promised, which takes about a millisecond. They have two decimals, so a
  sentence can show them.

The visible checks try the notebook's keys first (`cases`), then drawn ones, so that an answer made for one K
does not pass them.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import torch
from course_exercises._concrete_keys import Q_TWO, K
from numpy.typing import NDArray
from torch import Tensor

Array = NDArray[np.float64]


def _softmax(x: Array) -> Array:
    e = np.exp(x - x.max())
    return np.asarray(e / e.sum(), dtype=np.float64)


def _least_squares_misses(keys: Array) -> bool:
    solve = np.linalg.pinv(keys)  # (3, 4)
    for scale in (15.0, 60.0, 1000.0):
        one = _softmax(keys @ (solve @ np.array([scale, 0, 0, 0])))
        two = _softmax(keys @ (solve @ np.array([scale, scale, 0, 0])))
        if one[0] > 0.9 or abs(two[0] - 0.5) < 0.05:
            return False
    return True


def _three_rows_miss(keys: Array) -> bool:
    if np.linalg.matrix_rank(keys[:3]) < 3:
        return False
    query = np.linalg.solve(keys[:3], np.array([1.0, 0, 0]))
    return float(keys[3] @ query) > 1.0  # so row 3 leads at any scale


def _unit_select_is_a_question(keys: Array, query: Array) -> bool:
    def weight(direction: Array) -> float:
        changed = keys.copy()
        changed[2] = direction / np.linalg.norm(direction)
        return float(_softmax(changed @ query)[2])

    return weight(query) > 0.999 and max(weight(keys[0]), weight(keys[1]), weight(keys[0] + keys[1])) < 0.95


def draw_keys_and_query(rng: random.Random) -> tuple[Tensor, Tensor]:
    """Keys (4, 3) and a query (3,), float64, as the module's text promises."""
    generator = np.random.default_rng(rng.getrandbits(64))
    while True:
        keys = generator.uniform(-1.3, 1.3, (4, 3)).round(2)
        keys[0] = (0.45 * keys[1] + generator.uniform(-0.3, 0.3, 3)).round(2)
        if keys[0] @ keys[1] < keys[0] @ keys[0] + 0.1:
            continue
        with_ones = np.concatenate([keys, np.ones((4, 1))], axis=1)  # (4, 4)
        if np.linalg.cond(with_ones) > 12 or not _three_rows_miss(keys) or not _least_squares_misses(keys):
            continue
        query = np.linalg.solve(with_ones, np.array([8.0, 8.0, 0.5, -3.0]))[:3]
        if _unit_select_is_a_question(keys, query):
            return torch.from_numpy(keys), torch.from_numpy(query)


def draw_keys(rng: random.Random) -> Tensor:
    """Keys (4, 3), float64."""
    return draw_keys_and_query(rng)[0]


def draw_weights(rng: random.Random) -> Tensor:
    """Four positive weights that add up to 1, between 1e-4 and 0.99 or so."""
    logits = torch.tensor([rng.uniform(-4, 4) for _ in range(4)], dtype=torch.float64)
    return torch.softmax(logits, dim=0)


def scaled(scale: float, rng: random.Random) -> list[tuple[str, Tensor]]:
    """Drawn keys, and the same longer or shorter, each with how a sentence about it begins: so the length is
    named only if it is the cause.
    """
    keys = draw_keys(rng)
    return [
        (another(keys), keys),
        (another(scale * keys, f", {scale:g} times one that was right"), scale * keys),
    ]


def another(keys: Tensor, words: str = "", query: Tensor | None = None) -> str:
    """How a sentence about drawn keys (4, 3), and a query (3,), begins."""
    shown = ", ".join(_shown(key) for key in keys)
    return f"with another K{words}, [{shown}]" + ("" if query is None else f", and q = {_shown(query)}")


def _shown(vector: Tensor) -> str:
    return f"[{', '.join(f'{float(entry) + 0.0:.4g}' for entry in vector)}]"


def cases(rng: random.Random, drawn: int = 2, scales: Sequence[float] = ()) -> list[tuple[str, Tensor]]:
    """The notebook's keys (4, 3), then `drawn` others, and others as long as `scales` says, each with the
    words that a sentence begins with.
    """
    found = [("with the K of this notebook", K)]
    found += [(another(keys), keys) for keys in (draw_keys(rng) for _ in range(drawn))]
    for scale in scales:
        found += scaled(scale, rng)
    return found


def pairs(rng: random.Random, drawn: int = 2) -> list[tuple[str, Tensor, Tensor]]:
    """The same with queries (3,): the notebook's keys and query, then `drawn` other pairs."""
    others = [draw_keys_and_query(rng) for _ in range(drawn)]
    return [
        ("with the K and the q of this notebook", K, Q_TWO),
        *((another(keys, query=query), keys, query) for keys, query in others),
    ]
