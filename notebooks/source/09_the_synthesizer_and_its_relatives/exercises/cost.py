"""Exercise cost: how many multiplications and weights each relative needs."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.check.helpers.transformer_parts import again

NAMES = ("attention", "synthesizer", "linformer", "bigbird")
Counts = dict[str, tuple[float, float]]


def counts_of(result: object) -> Counts:
    """`result` as {name: (multiplications, weights)}. Raises NotYet unless it is one."""
    if not isinstance(result, dict):
        raise NotYet(f"return a dict, {{name: (multiplications, weights)}}; yours is {kind_of(result)}")
    missing = [name for name in NAMES if name not in result]
    expect(not missing, f"the dict must have the keys {', '.join(NAMES)}; yours lacks {', '.join(missing)}")
    found = {}
    for name in NAMES:
        pair = result[name]
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise NotYet(f"{name} must have two numbers, (multiplications, weights); yours is {kind_of(pair)}")
        found[name] = (number(pair[0], f"the multiplications of {name}"), number(pair[1], f"the weights of {name}"))
    return found


def check(answer: Answer, rng: random.Random) -> Verdict:
    """One position in one dimension; the example of the text; and the change of each number when T doubles."""
    one = counts_of(answer(1, 1, 1, 1))
    expect(
        one["attention"] == (2, 1),
        "attention with T = d_k = 1 multiplies twice, q·k and weight·v, and has one weight; yours has "
        f"{one['attention'][0]:g} multiplications and {one['attention'][1]:g} weights",
    )
    example = counts_of(again(answer, 4, 2, 1, 1))["attention"]
    expect(
        example == (64, 16),
        f"attention with T = 4 and d_k = 2, the example, has 64 multiplications and 16 weights; yours has {example[0]:g} and "
        f"{example[1]:g}",
    )
    T, d_k = 8 * rng.randint(10, 40), 4 * rng.randint(2, 9)
    short, long = (counts_of(again(answer, length, d_k, 3, 5)) for length in (T, 2 * T))
    for name in NAMES:
        factor = 4 if name in ("attention", "synthesizer") else 2
        for which, before, after in zip(("multiplications", "weights"), short[name], long[name], strict=True):
            expect(
                before > 0 and after == factor * before,
                f"from T = {T} to {2 * T}, the {which} of {name} should become {factor} times as many; yours go from "
                f"{before:,.0f} to {after:,.0f}",
            )
    return right("they grow as they should; the hidden check looks at the factors too")


EXERCISE = Exercise(
    id="cost",
    title="Count multiplications and weights",
    order=9,
    points=2,
    difficulty=2,
    importance=3,
    minutes=8,
    source="this course",
    hints=(
        "List the matrix products of each layer with their shapes. The product of an (a, b) and a (b, c) matrix takes a·b·c "
        "multiplications.",
        "The Synthesizer's hidden vectors are given. Its logits are the product of (T, d_k) and (d_k, T), and its weights are "
        "multiplied by values of shape (T, d_k). The Linformer has four products: E k, F v, the logits and the output.",
        "Linformer: each of the four products takes r·T·d_k multiplications, and there are T·r weights. BigBird: each of T "
        "queries has k logits and averages k values, each of them d_k wide.",
    ),
    check=check,
)
