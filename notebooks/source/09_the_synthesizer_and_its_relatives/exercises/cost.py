"""Exercise cost: how many multiplications and weights each relative needs."""

from __future__ import annotations

import random

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of, number

NAMES = ("attention", "synthesizer", "random_synthesizer", "linformer", "bigbird", "perceiver")
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
    """A text of one position in one dimension; and the change of each number when T doubles."""
    one = counts_of(answer(1, 1, 1, 1, 1))
    expect(
        one["attention"] == (2, 1),
        f"attention with T = d = 1 multiplies twice, q·k and weight·v, and has one weight; yours says {one['attention']}",
    )
    T, d = 8 * rng.randint(10, 40), 4 * rng.randint(2, 9)
    short, long = counts_of(answer(T, d, 3, 5, 7)), counts_of(answer(2 * T, d, 3, 5, 7))
    for name in NAMES:
        factor = 4 if name in ("attention", "synthesizer", "random_synthesizer") else 2
        for which, before, after in zip(("multiplications", "weights"), short[name], long[name], strict=True):
            expect(
                before > 0 and after == factor * before,
                f"when T doubles, all else equal, the {which} of {name} should grow by a factor of {factor}; yours grow from "
                f"{before:g} to {after:g}",
            )
    return right("the growth is right; the hidden check looks at the factors")


EXERCISE = Exercise(
    id="cost",
    title="Count multiplications and weights",
    order=10,
    points=2,
    difficulty=2,
    importance=3,
    minutes=12,
    source="this course",
    hints=(
        "A product of an (a, b) and a (b, c) matrix takes a·b·c multiplications. Which products does each of them need?",
        "Attention: (T, d) with (d, T), then (T, T) with (T, d). The Linformer has four products, the Perceiver four as well, "
        "the random Synthesizer has one, since its logits are there already.",
        "Linformer: E k and F v take r·T·d each, the scores T·d·r, the reading T·r·d: 4·r·T·d, and T·r weights. BigBird reads k "
        "positions in the place of T, and the Perceiver has m·T weights on each of its two ways.",
    ),
    check=check,
)
