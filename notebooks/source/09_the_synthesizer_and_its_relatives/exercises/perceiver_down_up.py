"""Exercise perceiver_down_up: attention from m rows to the input, and back."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Iterator, Sequence

import torch
from course_exercises.synthesizer_attention import not_kept
from torch import Tensor

from kqa_core.check.answer import Answer, Build, Handle
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import (
    FINITE,
    ROOT,
    again,
    agree,
    agree_if_large,
    apart,
    difference,
    differing,
    draw,
    first_leak,
    gradients_agree,
    in_float32,
    tensor_of,
)

ZEROS = (
    "for x (2, 4, 5) whose input 1 is all zeros, so that some allowed logits are exactly 0, {what} is"
    " wrong{off}"
)


def case(rng: random.Random, N: int, T: int, m: int, d: int, steep: float = 1.5) -> tuple[Tensor, ...]:
    """x (N, T, d) and basis (m, d)."""
    return draw(rng, N, T, d, scale=steep), draw(rng, m, d, scale=steep)


def rows_and_output(result: object, x: Tensor, basis: Tensor, *, where: str = "") -> tuple[Tensor, Tensor]:
    """`result` as y (N, m, d) and output (N, T, d). Raises NotYet unless it is one, for the input `where`."""
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise NotYet(f"return two tensors, (y, output); yours is {kind_of(result)}")
    y = tensor_of(result[0], (len(x), *basis.shape), x.dtype, f"y{where}")
    return y, tensor_of(result[1], tuple(x.shape), x.dtype, f"the output{where}")


def read_one(query: Tensor, rows: Tensor) -> Tensor:
    """One query (d,) attends to all rows (n, d), which are keys and values."""
    powers = [math.exp(float(query @ row) / math.sqrt(len(query))) for row in rows]
    return sum((p * row for p, row in zip(powers, rows, strict=True)), torch.zeros_like(query)) / sum(powers)


def farthest(found: Tensor, wanted: Tensor) -> int:
    """The row that differs most from the one of `wanted`, in units of its own tolerance."""
    gaps = [apart(*rows) for rows in zip(found, wanted, strict=True)]
    return max(range(len(gaps)), key=lambda row: math.inf if math.isnan(gaps[row]) else gaps[row])


def both(x: Tensor, basis: Tensor) -> tuple[Tensor, Tensor]:
    """y and the output, by torch's kernel."""
    read = torch.nn.functional.scaled_dot_product_attention
    y = read(basis.expand(len(x), *basis.shape), x, x, is_causal=True)
    return y, x + read(x, y, y, is_causal=True)


def with_zeros(rng: random.Random) -> tuple[Tensor, ...]:
    """x and a basis; input 1 is all zeros, so some allowed logits are exactly 0."""
    x, basis = case(rng, 2, 4, 3, 5)
    x[:, 1] = 0.0
    return x, basis


def low(rng: random.Random) -> tuple[Tensor, ...]:
    """x (1, 3, 4) and a basis of three rows. The allowed logits of row 0 are near −247, and so are those
    of position 1, which may read rows 0 and 1; those of later inputs and of row 2 are near 247.
    """
    one, other = 22.2 * torch.eye(4, dtype=torch.float64)[:2]
    x, basis = torch.stack([one, -one, other]), torch.stack([-one, one, -one])
    return (x + draw(rng, 3, 4).tanh() / 10)[None], basis


def expect_both(result: object, given: tuple[Tensor, ...], sentence: str) -> None:
    """Raise NotYet with `sentence` ({what}, {off}) unless y and the output are right."""
    where = sentence.partition("{what}")[0].rstrip(", ")
    found = rows_and_output(result, *given, where=f" {where}")
    for what, one, wanted in zip(("y", "the output"), found, both(*given), strict=True):
        agree(one, wanted, sentence.format(what=what, off=differing(one, wanted)), ROOT)


class Part:
    """One of the two tensors of an answer, as an answer of its own."""

    def __init__(self, answer: Answer, index: int) -> None:
        self._answer, self._index = answer, index

    def __call__(self, *args: object) -> object:
        """The tensor of one call."""
        result = self._answer(*args)
        if not isinstance(result, (tuple, list)) or len(result) != 2:
            raise NotYet("return two tensors, (y, output), for every input")
        return result[self._index]

    def map(self, calls: Sequence[tuple[object, ...]]) -> list[object]:
        """Many calls, in order."""
        return [self(*args) for args in calls]

    def rewind(self, count: int) -> None:
        """As the answer's."""
        self._answer.rewind(count)

    def attribute(self, handle: Handle, name: str) -> object:
        """As the answer's."""
        return self._answer.attribute(handle, name)

    def method(self, handle: Handle | Build, name: str, *args: object) -> object:
        """As the answer's."""
        return self._answer.method(handle, name, *args)


@contextlib.contextmanager
def of_part(index: int) -> Iterator[None]:
    """Sentences about one of the two tensors say which one."""
    try:
        yield
    except NotYet as found:
        said = str(found)
        raise NotYet(f"For {('y', 'the output')[index]} alone: {said[0].lower()}{said[1:]}") from None


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Row 0 and output 0; each row and each output, one at a time; the future changed;
    as many inputs as rows, and fewer; logits far below 0 and of exactly 0; effects; gradients.
    """
    x, basis = case(rng, 2, 5, 3, 4)
    y, output = rows_and_output(answer(x, basis), x, basis)
    said = "for x (2, 5, 4) and basis (3, 4), row 0 can only attend to input 0, so y[:, 0] is x[:, 0]"
    agree(y[:, 0], x[:, 0], f"{said}: {difference(y[:, 0], x[:, 0])}")
    for b in range(2):
        wanted = torch.stack([read_one(basis[i], x[b, : i + 1]) for i in range(3)])
        i = farthest(y[b], wanted)
        agree(
            y[b, i],
            wanted[i],
            f"in example {b} of the batch, row {i} of y is not the average that basis row {i} takes of inputs"
            f" 0 to {i}: {difference(y[b, i], wanted[i])}{' (y of example 0 is right)' * b}",
        )
    for b in range(2):
        wanted = torch.stack([x[b, t] + read_one(x[b, t], y[b, : t + 1]) for t in range(5)])
        t = farthest(output[b], wanted)
        agree(
            output[b, t],
            wanted[t],
            f"in example {b} of the batch, output {t} is not x at {t} plus the average that x at {t} takes of"
            f" rows 0 to {min(t, 2)} of y: {difference(output[b, t], wanted[t])}"
            f"{' (the output of example 0 is right)' * b}",
        )
    later = x.clone()
    later[:, 3:] += 1.0
    other = again(answer, later, basis)
    expect(
        isinstance(other, (tuple, list)) and len(other) == 2,
        "return two tensors, (y, output), for every input",
    )
    assert isinstance(other, (tuple, list))
    first_leak(output, other[1], 3)
    for size in ((2, 5, 3, 4), (2, 3, 3, 4), (1, 5, 3, 4), (2, 2, 4, 4), (1, 2, 4, 3)):
        given = case(rng, *size)
        result = again(answer, *given)
        if size == (2, 5, 3, 4):
            for one, wanted in zip(rows_and_output(result, *given), both(*given), strict=True):
                not_kept(one, wanted, ROOT)
        sizes = f"x {tuple(given[0].shape)} and basis {tuple(given[1].shape)}"
        expect_both(result, given, f"for {sizes} {{what}} is wrong{{off}}")
    given = low(rng)
    for one, wanted in zip(rows_and_output(again(answer, *given), *given), both(*given), strict=True):
        agree(one, wanted, FINITE, ROOT)
    given = with_zeros(rng)
    expect_both(again(answer, *given), given, ZEROS)
    given = tuple(in_float32(low(rng)))  # row 0 is at −247, row 1 at 247
    for index, wanted in enumerate(both(*given)):
        with of_part(index):
            agree_if_large(again(Part(answer, index), *given), wanted)
    steep = case(rng, 2, 9, 6, 4, steep=6.0)
    expect_both(
        again(answer, *steep),
        steep,
        "for x (2, 9, 4), basis (6, 4) and logits beyond ±50 {what} is wrong{off}",
    )
    leaves_alone(answer, ("x", "basis"), x, basis)
    for index in (1, 0):  # output depends on y
        with of_part(index):
            gradients_agree(
                Part(answer, index),
                lambda x, basis, index=index: both(x, basis)[index],
                {"x": x, "basis": basis},
            )
    return right("down to m rows and up again, and no position depends on a later one")


EXERCISE = Exercise(
    id="perceiver_down_up",
    title="The Perceiver, down and up",
    order=12,
    points=2,
    difficulty=3,
    importance=2,
    extra=True,
    minutes=15,
    source="CS224n A5 2(g) of 2023; Jaegle et al. 2021",
    hints=(
        "There are two attentions. For each of them: what are the queries, and what are the keys and values?",
        (
            "Down: the queries are the basis, keys and values are x, and row i may attend to inputs up to i."
            " Up: the queries are x, keys and values are y, and position t may attend to rows up to t. Then"
            " add x."
        ),
        (
            "The masks are torch.ones(m, T).tril() and torch.ones(T, m).tril(), as bool and on the device of"
            " x. The logits are basis @ x.transpose(-2, -1) / d**0.5, and then x @ y.transpose(-2, -1) /"
            " d**0.5."
        ),
    ),
    check=check,
)
