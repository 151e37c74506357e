"""Exercise cost: how many multiplications and weights each relative needs."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.check.partial_credit import by_parts
from kqa_core.exercise_helpers.transformer_parts import again

PARTS = {"attention and synthesizer": 1, "linformer and bigbird": 1}
Counts = dict[str, tuple[float, float]]
FACTORS = {  # the products of T = 2, d_k = 3, r = 5, k = 1: each takes the product of its three sizes
    "attention": "(2, 3)·(3, 2) for the logits and (2, 2)·(2, 3) for the output",
    "synthesizer": "(2, 3)·(3, 2) for the logits and (2, 2)·(2, 3) for the output",
    "linformer": (
        "(5, 2)·(2, 3) twice for the mixing, (2, 3)·(3, 5) for the logits and (2, 5)·(5, 3) for the output"
    ),
    "bigbird": "for each of 2 queries, (1, 3)·(3, 1) for the logits and (1, 1)·(1, 3) for the output",
}
SMALL = {"attention": (24, 4), "synthesizer": (24, 4), "linformer": (120, 10), "bigbird": (12, 2)}
# T = 3, d_k = 2, r = 20, k = 3
ODD = {"attention": (36, 9), "synthesizer": (36, 9), "linformer": (480, 60), "bigbird": (36, 9)}


def counts_of(result: object, part: str) -> Counts:
    """The part of `result`, as {name: (multiplications, weights)}. Raises NotYet unless it is there."""
    if not isinstance(result, dict):
        raise NotYet(f"return a dict, {{name: (multiplications, weights)}}; yours is {kind_of(result)}")
    found = {}
    for name in part.split(" and "):
        expect(name in result, f"the dict must have the keys {', '.join(SMALL)}; yours lacks {name}")
        pair = result[name]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise NotYet(
                f"{name} must have two numbers, (multiplications, weights); yours is {kind_of(pair)}"
            )
        found[name] = (
            number(pair[0], f"the multiplications of {name}"),
            number(pair[1], f"the weights of {name}"),
        )
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The example of the text; a small case, product by product; more mixed rows than positions;
    and the change of each number when T doubles.
    """
    sizes = 8 * rng.randint(10, 40), 4 * rng.randint(2, 9)
    return by_parts(
        PARTS,
        lambda part: _check_part(answer, part, *sizes),
        "the counts are right, and they grow as they should",
    )


def _check_part(answer: Answer, part: str, T: int, d_k: int) -> None:
    example = counts_of(answer(4, 2, 1, 1), part)
    for name in ("attention", "synthesizer"):
        counts = example.get(name, (64, 16))
        expect(
            counts == (64, 16),
            f"{name} with T = 4 and d_k = 2, the example, has 64 multiplications and 16 weights; yours has"
            f" {counts[0]:g} and {counts[1]:g}",
        )
    for name, (multiplications, weights) in counts_of(again(answer, 2, 3, 5, 1), part).items():
        shown = f"for T = 2, d_k = 3, r = 5 and k = 1, {name}"
        expect(
            multiplications == SMALL[name][0],
            f"{shown} has the products {FACTORS[name]}: {SMALL[name][0]} multiplications; yours are"
            f" {multiplications:g}",
        )
        expect(
            weights == SMALL[name][1],
            f"{shown} has {SMALL[name][1]} weights, results of a softmax; yours are {weights:g}",
        )
    for name, (multiplications, weights) in counts_of(again(answer, 3, 2, 20, 3), part).items():
        expect(
            (multiplications, weights) == ODD[name],
            f"for T = 3, d_k = 2, r = 20 and k = 3, {name} has {ODD[name][0]} multiplications and"
            f" {ODD[name][1]} weights; yours has {multiplications:g} and {weights:g}",
        )
    short, long = (counts_of(again(answer, length, d_k, 3, 5), part) for length in (T, 2 * T))
    for name in short:
        factor = 4 if name in ("attention", "synthesizer") else 2
        for which, before, after in zip(("multiplications", "weights"), short[name], long[name], strict=True):
            expect(
                before > 0 and after == factor * before,
                f"from T = {T} to {2 * T}, with d_k = {d_k}, r = 3 and k = 5, the {which} of {name} should"
                f" become {factor} times as many; yours go from {before:,.0f} to {after:,.0f}",
            )


EXERCISE = Exercise(
    id="cost",
    title="Count multiplications and weights",
    order=9,
    points=2,
    parts=PARTS,
    difficulty=2,
    importance=3,
    minutes=8,
    source="this course",
    hints=(
        (
            "List the matrix products of each layer with their shapes. The product of an (a, b) and a (b, c)"
            " matrix takes a·b·c multiplications."
        ),
        (
            "The Synthesizer's hidden vectors are given. Its logits are the product of (T, d_k) and (d_k, T),"
            " and its weights are multiplied by values of shape (T, d_k). The Linformer has four products: E"
            " k, F v, the logits and the output."
        ),
        (
            "Linformer: each of the four products takes r·T·d_k multiplications, and there are T·r weights."
            " BigBird: each of T queries has k logits and averages k values, each of them d_k wide."
        ),
    ),
    check=check,
)
