"""Exercise random_synthesizer: one head whose weights do not depend on the input."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from course_exercises.synthesizer_attention import averaged, level_weights, not_kept, repeated, strict
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    FINITE,
    again,
    agree,
    agree_if_large,
    apart,
    draw,
    first_leak,
    gradients_agree,
    in_float32,
    tensor_of,
)


def case(
    rng: random.Random, N: int, T: int, L: int, d: int, d_v: int, steep: float = 1.5
) -> tuple[Tensor, ...]:
    """x (N, T, d), R (L, L), V (d, d_v)."""
    return draw(rng, N, T, d), draw(rng, L, L, scale=steep), draw(rng, d, d_v, scale=d**-0.5)


def expected(x: Tensor, R: Tensor, V: Tensor) -> Tensor:
    """The output (N, T, d_v), by torch's kernel."""
    N, T, _ = x.shape
    return averaged(R[:T, :T].expand(N, T, T), torch.einsum("ntd,dk->ntk", x, V))


def mistakes(x: Tensor, R: Tensor, V: Tensor) -> Mistakes:
    """The outputs of common mistakes, by what was done."""
    T = x.shape[1]
    found: dict[str, Callable[[], Tensor]] = {
        "R is transposed: row t of R should have the logits of position t": lambda: expected(x, R.T, V),
        f"the last {T} rows and columns of R are used, not the first": lambda: expected(x, R[-T:, -T:], V),
        f"the last {T} columns of R are used, not the first": lambda: expected(x, R[:, -T:], V),
        "position t attends to earlier positions only, and it must attend to itself too": lambda: strict(
            R[:T, :T].expand(len(x), T, T), torch.einsum("ntd,dk->ntk", x, V)
        ),
        "every position has the logits of row 0 of R": lambda: expected(x, R[:1].expand_as(R), V),
    }
    for size in sorted({T, len(R), *V.shape}):
        found[f"R is divided by √{size}, but here nothing is scaled"] = lambda size=size: expected(  # type: ignore[misc]
            x, R / size**0.5, V
        )
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two equal calls; position 0 attends to itself;
    the map is linear in x; the future changed; another R; numbers far below 0, and large ones;
    effects; gradients.
    """
    x, R, V = case(rng, 2, 4, 6, 3, 5)
    found = tensor_of(answer(x, R, V), (2, 4, 5), x.dtype, "the output")
    same = tensor_of(again(answer, x, R, V), (2, 4, 5), x.dtype, "the output")
    repeated(found, same)
    agree_or_name(
        found[:, 0],
        x[:, 0] @ V,
        "for x (2, 4, 3), position 0 can only attend to itself, so its output is x[:, 0] @ V",
        {},
    )
    later = x.clone()
    later[:, 2:] += 1.0
    first_leak(found, again(answer, later, R, V), 2)
    other = draw(rng, 2, 4, 3)
    alone = tensor_of(again(answer, other, R, V), (2, 4, 5), x.dtype, "the output")
    expect(
        apart(alone, found) > 1e-3,
        "for another x (2, 4, 3) you return the same as before",
    )
    both = tensor_of(again(answer, x + other, R, V), (2, 4, 5), x.dtype, "the output")
    agree_or_name(
        both,
        found + alone,
        "the weights are the same for every text, so the output for x + y should be the sum of those for x"
        " and y",
        {},
    )
    sentence = "for x (2, 4, 3), L = 6 and V (3, 5) the output is not softmax(R) (x V) with the mask"
    agree_or_name(found, expected(x, R, V), sentence, mistakes(x, R, V))
    short = case(rng, 1, 2, 3, 3, 2)
    sentence = "for x (1, 2, 3), L = 3 and V (3, 2) the output is not softmax(R) (x V) with the mask"
    two = tensor_of(again(answer, *short), (1, 2, 2), x.dtype, "the output")
    agree_or_name(two, expected(*short), sentence, mistakes(*short))
    x, R, V = case(rng, 2, 4, 6, 3, 5)
    not_kept(tensor_of(again(answer, x, R, V), (2, 4, 5), x.dtype, "the output"), expected(x, R, V))
    level = tensor_of(again(answer, x, 0 * R, V), (2, 4, 5), x.dtype, "the output for R of zeros")
    level_weights(level, x @ V, "R is all zeros")
    low = x, R - 200.0, V
    agree(tensor_of(again(answer, *low), (2, 4, 5), x.dtype, "the output"), expected(*low), FINITE)
    steep = x, 20.0 * R, V
    agree_or_name(
        tensor_of(again(answer, *steep), (2, 4, 5), x.dtype, "the output"),
        expected(*steep),
        "for an R 20 times as large as before your output is not that of the random Synthesizer",
        {},
    )
    above = torch.where(torch.arange(6) % 2 == 0, 249.0, -249.0)[:, None].repeat(1, 6)  # of every second row
    above[2, 1] = -249.0  # far apart within a row
    above[1, 3] = 249.0  # and large only in the future
    spread = in_float32((x, R.tanh() + above, V))
    agree_if_large(again(answer, *spread), expected(*spread))
    leaves_alone(answer, ("x", "R", "V"), x, R, V)
    gradients_agree(answer, expected, {"x": x, "R": R, "V": V})
    return right("the weights are the same for every text")


EXERCISE = Exercise(
    id="random_synthesizer",
    title="The random Synthesizer",
    order=10,
    points=1,
    difficulty=1,
    importance=2,
    extra=True,
    minutes=6,
    source="Tay et al. 2020, section 3.1.2",
    hints=(
        "Take your synthesizer_attention. Which of its lines make the logits, and what replaces them now?",
        (
            "The logits are rows 0 to T − 1 and columns 0 to T − 1 of R, for every text. Mask them, then take"
            " the softmax."
        ),
        "torch.softmax(R[:T, :T].masked_fill(future, -math.inf), dim=-1) @ (x @ V).",
    ),
    check=check,
)
