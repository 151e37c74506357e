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

CASES = " (see cases 1 to 3 of the text)"
SMALL = 2.0**-300  # 5e-91, exact in binary

# each keeps equal entries equal and others different
SCALES = {
    SMALL: (
        ". However small the numbers are, an entry that is not 0 counts, and entries or rows that differ are"
        " not equal"
    ),
    0.1: (". Entries are equal only if they are the same number"),
}
SCALED = {SMALL: "2⁻³⁰⁰ · ", 0.1: "0.1 · "}


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


def compare(found: Tensor, wanted: Tensor, E: Tensor, F: Tensor, why: str = "", scale: str = "") -> None:
    """Raise NotYet if the two differ; the sentence names one entry and its effect, and ends with `why`.

    `scale` is written before the columns of E and F, if both matrices were multiplied by it for the answer.
    """
    if torch.equal(found, wanted):
        return
    t, s = (int(index) for index in (found != wanted).nonzero()[0])
    column = f"column {s} is {scale}{_written(E[:, s])} in E and {scale}{_written(F[:, s])} in F"
    claim = "yours says that it does not" if wanted[t, s] else "yours says that it does"
    verb = "depends" if wanted[t, s] else "does not depend"
    if wanted[t, s] and not F[:, s].any():
        why = why or f". Column {s} of E varies, and rows of F differ, so the key counts"
    raise NotYet(
        f"T = {E.shape[1]}, r = {len(E)}; {column}: output {t} {verb} on input {s}, and {claim}{why}"
    )


def _written(column: Tensor) -> str:
    return f"({', '.join(f'{entry:g}' for entry in column.tolist())})"


def matrices(rng: random.Random) -> list[tuple[Tensor, Tensor, tuple[int, ...]]]:
    """Everything that can be special about E and F, and what only looks so; and the inputs on which no output
    depends.
    """

    def zeros(table: Tensor, *columns: int) -> Tensor:
        table[:, list(columns)] = 0.0
        return table

    def constant(table: Tensor, *columns: int) -> Tensor:
        table[:, list(columns)] = float(rng.choice((-3, -2, 2, 3)))
        return table

    def new(r: int, T: int) -> Tensor:
        return whole_numbers(rng, r, T)

    def alike(r: int, T: int) -> Tensor:
        return new(1, T).expand(r, T).clone()

    balanced = new(2, 4)
    balanced[:, 1] = torch.tensor([2.0, -2.0])  # adds up to 0, but counts
    centred = new(3, 4)
    centred[:, 1] = torch.tensor([2.0, 1.0, 3.0])  # its mean is its first entry, but it is not constant
    opposite = new(2, 4)
    opposite[:, 1] = torch.tensor([3.0, -3.0])  # the same size, but not constant
    mirrored = torch.tensor([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0]], dtype=torch.float64)  # rows that differ
    constants = torch.arange(1.0, 8.0, dtype=torch.float64).expand(3, 7).clone()
    constants[:, 0] = torch.tensor([1.0, -2.0, 4.0])  # so that the weights are not all the same
    below, first = -new(3, 4).abs(), torch.zeros(3, 4, dtype=torch.float64)
    below[:, 1], first[:, 0] = torch.tensor([-1.0, -2.0, -2.0]), torch.tensor([-1.0, -8.0, -15.0])
    one_entry = zeros(new(3, 5), 1, 3)
    one_entry[2, 3] = 1.0
    multiples = torch.tensor([[1.0], [2.0], [1.0]], dtype=torch.float64) * zeros(new(1, 4), 1)
    late, middle = new(3, 4), new(3, 4)
    late[:, 1], middle[:, 1] = torch.tensor([2.0, 2.0, -1.0]), torch.tensor([2.0, -1.0, 2.0])
    two = zeros(new(2, 4), 1)  # two of three rows are equal, the third is not
    one_value = zeros(new(3, 4), 1)
    one_value[1, 1] = 2.0  # of three mixed rows one holds this value, and its key says nothing
    last_value = zeros(new(9, 4), 1, 2)
    last_value[8, 1] = 2.0
    last_key, last_row = constant(new(9, 4), 1), zeros(alike(9, 4), 1)
    last_key[8, 1], last_row[8, 0] = -1.0, 7.0
    return [
        (zeros(new(9, 4), 1, 2), last_value, (2,)),  # of nine mixed rows, the last holds it
        (last_key, last_row, ()),  # of nine mixed rows, the last differs
        (new(3, 6), new(3, 6), ()),
        (
            zeros(new(3, 6), 0, 4),
            zeros(new(3, 6), 4, 5),
            (4,),
        ),  # by values, by neither, by keys
        (constant(new(3, 6), 1, 2), zeros(new(3, 6), 2, 3), (2,)),  # a constant column of E says nothing
        (new(1, 5), zeros(new(1, 5), 2), (2,)),  # one row: the weights are 1
        (new(3, 5), zeros(alike(3, 5), 1, 4), (1, 4)),  # equal rows of F: the weights do not matter
        (zeros(new(2, 4), 1), balanced, ()),
        (new(3, 4), multiples, ()),  # rows of rank 1 that differ: keys count
        (opposite, zeros(new(2, 4), 1), ()),
        (new(2, 3), mirrored, ()),
        (constants, zeros(new(3, 7), *range(1, 7)), tuple(range(1, 7))),
        (centred, zeros(new(3, 4), 1), ()),
        (one_entry, zeros(new(3, 5), 0, 1, 3), (1,)),
        (zeros(new(3, 4), 1), one_value, ()),
        (late, two[[0, 0, 1]], ()),
        (middle, two[[0, 1, 0]], ()),
        (new(2, 1), new(2, 1), ()),
        (zeros(new(2, 3), 0, 1, 2), zeros(new(2, 3), 0, 1, 2), (0, 1, 2)),  # reads nothing
        (
            zeros(new(6, 3), 1, 2),
            zeros(new(6, 3), 1, 2),
            (1, 2),
        ),  # reads position 0 alone
        (new(2, 4), zeros(new(2, 4), 1), ()),  # two mixed rows that differ are enough for keys to count
        (zeros(new(2, 3), 0, 1, 2), new(2, 3).abs(), ()),  # reads every value and no key
        (below, zeros(-new(3, 4).abs(), 1) + first, ()),  # nothing is above 0
        (new(8, 40), zeros(new(8, 40), 3), ()),  # wide enough for a softmax to saturate
    ]


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
        ". The rows of F are equal, so no key counts (case 4 of the text); a value counts if its column of F"
        " is not 0",
    )
    for E, F, never in matrices(rng):
        T = E.shape[1]
        wanted = torch.ones(T, T, dtype=torch.bool)
        wanted[:, list(never)] = False
        compare(truth_table(again(answer, E, F), T), wanted, E, F)
        for factor, said in SCALES.items():
            scaled = E * factor, F * factor
            compare(truth_table(again(answer, *scaled), T), wanted, E, F, said, SCALED[factor])
    leaves_alone(answer, ("E", "F"), E, F)
    return right("your table has the four cases of the text, alone and together")


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
