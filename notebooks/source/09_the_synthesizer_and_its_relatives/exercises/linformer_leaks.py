"""Exercise linformer_leaks: which inputs an output of the Linformer depends on, from E and F alone.

The output at t is Σ_j w_tj (F v)_j with w_t = softmax(q_t · (E k)_j / √d_h).

- v_s enters through column s of F. All weights are positive and differ with q, so v_s counts unless that column is 0.
- k_s enters through column s of E. If its entries are all equal, k_s shifts all r scores by the same amount, which the softmax
  ignores. And weights only matter if the rows of F v differ, so k_s does not count if all rows of F are equal.
- t does not occur: every position depends on the same inputs, so no mask can help.
"""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.check.helpers.transformer_parts import again


def truth_table(result: object, T: int) -> Tensor:
    """`result` as a BoolTensor (T, T). Raises NotYet unless it is one."""
    if not isinstance(result, Tensor):
        raise NotYet(f"return a tensor of shape (T, T); yours is {kind_of(result)}")
    expect(
        tuple(result.shape) == (T, T), f"return a tensor of shape (T, T), here ({T}, {T}); yours has shape {tuple(result.shape)}"
    )
    expect(result.dtype is torch.bool, f"return a tensor of dtype torch.bool; yours is {result.dtype}")
    return result


def whole_numbers(rng: random.Random, r: int, T: int) -> Tensor:
    """(r, T) of whole numbers from ±1 to ±4, in which no column is constant if r > 1, and no column repeats another."""
    while True:
        rows = [[float(rng.choice((-4, -3, -2, -1, 1, 2, 3, 4))) for _ in range(T)] for _ in range(r)]
        table = torch.tensor(rows, dtype=torch.float64)
        if r == 1 or bool((table != table[:1]).any(dim=0).all()):
            return table


def told(found: Tensor, wanted: Tensor, E: Tensor, F: Tensor) -> None:
    """Raise NotYet if the two differ; the sentence names one entry and its effect."""
    if torch.equal(found, wanted):
        return
    t, s = (int(index) for index in (found != wanted).nonzero()[0])
    seen = f"position {s} has the column {E[:, s].tolist()} in E and {F[:, s].tolist()} in F"
    claim = "yours says that it does not" if wanted[t, s] else "yours says that it does"
    verb = "depends" if wanted[t, s] else "does not depend"
    raise NotYet(f"{seen}, r = {len(E)}: the output at {t} {verb} on the input at {s}; {claim}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Full matrices; and one position that neither of them uses."""
    E, F = whole_numbers(rng, 3, 5), whole_numbers(rng, 3, 5)
    wanted = torch.ones(5, 5, dtype=torch.bool)
    told(truth_table(answer(E, F), 5), wanted, E, F)
    unread = rng.randrange(1, 4)
    E[:, unread], F[:, unread] = 0.0, 0.0
    wanted[:, unread] = False
    told(truth_table(again(answer, E, F), 5), wanted, E, F)
    return right("the hidden check has stranger matrices: think of what a softmax ignores")


EXERCISE = Exercise(
    id="linformer_leaks",
    title="What a Linformer output depends on",
    order=7,
    points=3,
    difficulty=4,
    importance=3,
    minutes=20,
    source="this course",
    hints=(
        "Write the output at position t as a sum over the r mixed rows. Where does t occur in it, and where does s?",
        "v_s comes in through column s of F, k_s through column s of E. Adding the same number to all r scores of a query "
        "changes nothing: for which columns of E does k_s do just that? And what can weights change if all the rows "
        "they weigh are equal?",
        "v counts where (F != 0).any(dim=0). k counts where (E != E[:1]).any(dim=0), and only if (F != F[:1]).any(). A position "
        "is read where either counts, and all T outputs read the same positions: expand to (T, T).",
    ),
    check=check,
)
