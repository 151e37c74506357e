"""Exercise linformer_leaks: which inputs an output of the Linformer depends on, from E and F alone.

The output at t is Σ_j w_tj (F v)_j with w_t = softmax(q_t · (E k)_j / √d_k).

- v_i enters through column i of F. All weights are positive and change with q, so v_i counts unless that
  column is 0.
- k_i enters through column i of E. If its entries are all equal, k_i changes all r logits by the same number,
  which the softmax ignores. And weights only matter if the rows of F v differ, so k_i does not count if all
  rows of F are equal.
- t does not occur: every position depends on the same inputs, so no mask can help.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import again

CASES = ". Compare these two columns with cases 1 to 3 of the text"


def truth_table(result: object, T: int) -> Tensor:
    """`result` as a BoolTensor (T, T). Raises NotYet unless it is one."""
    if not isinstance(result, Tensor):
        raise NotYet(f"return a tensor of shape (T, T); yours is {kind_of(result)}")
    expect(
        tuple(result.shape) == (T, T),
        f"return a tensor of shape (T, T), here ({T}, {T}); yours has shape {tuple(result.shape)}",
    )
    expect(result.dtype is torch.bool, f"return a tensor of dtype torch.bool; yours is {result.dtype}")
    return result


def whole_numbers(rng: random.Random, r: int, T: int) -> Tensor:
    """(r, T) of whole numbers from ±1 to ±4, in which no column is constant if r > 1,
    and no column repeats another.
    """
    while True:
        rows = [[float(rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))) for _ in range(T)] for _ in range(r)]
        table = torch.tensor(rows, dtype=torch.float64)
        if r == 1 or bool((table != table[:1]).any(dim=0).all()):
            return table


def compare(found: Tensor, wanted: Tensor, E: Tensor, F: Tensor, why: str = "") -> None:
    """Raise NotYet if the two differ; the sentence names one entry and its effect, and ends with `why`."""
    if torch.equal(found, wanted):
        return
    t, s = (int(index) for index in (found != wanted).nonzero()[0])
    column = f"column {s} is {_written(E[:, s])} in E and {_written(F[:, s])} in F"
    claim = "yours says that it does not" if wanted[t, s] else "yours says that it does"
    verb = "depends" if wanted[t, s] else "does not depend"
    raise NotYet(
        f"T = {E.shape[1]}, r = {len(E)}; {column}: output {t} {verb} on input {s}, and {claim}{why}"
    )


def _written(column: Tensor) -> str:
    return f"({', '.join(f'{entry:g}' for entry in column.tolist())})"


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Full matrices; the four cases of the text, alone and together; one row; the arguments afterwards."""
    E, F = whole_numbers(rng, 3, 5), whole_numbers(rng, 3, 5)
    wanted = torch.ones(5, 5, dtype=torch.bool)
    found = answer(E, F)
    compare(truth_table(found, 5), wanted, E, F)
    unused, by_value, same, by_key = rng.sample(range(5), 4)
    E[:, unused], F[:, unused], E[:, by_value] = 0.0, 0.0, 0.0
    E[:, same], F[:, same], F[:, by_key] = 5.0, 0.0, 0.0
    wanted[:, [unused, same]] = False
    compare(truth_table(again(answer, E, F), 5), wanted, E, F, CASES)
    E, F = whole_numbers(rng, 2, 4), whole_numbers(rng, 1, 4).expand(2, 4).clone()
    F[:, 1] = 0.0
    wanted = torch.ones(4, 4, dtype=torch.bool)
    wanted[:, 1] = False
    compare(
        truth_table(again(answer, E, F), 4),
        wanted,
        E,
        F,
        ". The rows of F are equal, as in case 4 of the text",
    )
    leaves_alone(answer, ("E", "F"), E, F)
    return right("your table has the four cases of the text; the hidden check has more special matrices")


EXERCISE = Exercise(
    id="linformer_leaks",
    title="What a Linformer's output depends on",
    order=7,
    points=3,
    difficulty=3,
    importance=3,
    minutes=12,
    source="this course",
    hints=(
        (
            "The four cases of the example are all you need. Which of them is about the values, and which are"
            " about the keys? And does the query's position t occur in any of them?"
        ),
        (
            "Input i counts if its value counts or its key counts. The value counts if column i of F is not"
            " all zeros. The key counts if column i of E is not constant, and if the rows of F are not all"
            " equal."
        ),
        (
            "by_value = (F != 0).any(dim=0); by_key = (E != E[:1]).any(dim=0) & (F != F[:1]).any(). The"
            " answer has the same row, by_value | by_key, T times."
        ),
    ),
    check=check,
)
