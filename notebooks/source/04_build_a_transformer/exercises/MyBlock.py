"""Exercise MyBlock: a pre-LN block as a module, with any layer that mixes the tokens."""

from __future__ import annotations

import random

from course_exercises._own_classes import (
    HERE,
    Sizes,
    block,
    config,
    config_of,
    drawn,
    holds_up,
    judge,
    small_stream,
)
from course_exercises._small_models import block_mistakes

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, Verdict, right
from kqa_core.exercise_helpers.named_mistakes import Mistakes
from kqa_core.exercise_helpers.transformer_parts import draw

NAME = "MyBlock"
LAYERS = {"attention": "attention", "mean": "another layer", "same": "a layer that returns its input"}
CALLED = f"{POSSIBLE}the layer that attention(config) makes is called with more than x."


def arguments(sizes: Sizes, kind: str) -> tuple[object, ...]:
    """config, and what makes the layer, by its name in LAYERS."""
    return config(sizes), Build(f"{HERE}:mixer", (kind,))


def case(
    answer: Answer,
    rng: random.Random,
    B: int,
    T: int,
    sizes: Sizes,
    kind: str,
    first: bool = False,
    small: bool = False,
) -> None:
    """One module and one input; if it is `small`, ε matters in both LayerNorms.
    Raises NotYet unless the module computes what the library's does.
    """
    oracle, x = block(kind)(config_of(*sizes)), draw(rng, B, T, sizes[4], scale=2.0)
    weights = drawn(oracle, rng)
    if small:
        x, weights = 0.005 * x, small_stream(weights)
    said = f"x ({B}, {T}, {sizes[4]}), n_head = {sizes[3]} and {LAYERS[kind]}"
    if small:
        said += ", small entries of x and weights that add only small numbers,"
    mistakes: Mistakes = block_mistakes(x, weights, sizes[3]) if kind == "attention" else {}
    judge(answer, NAME, arguments(sizes, kind), oracle, weights, x, said, mistakes, first, CALLED)


def lasting(answer: Answer, rng: random.Random, T: int, sizes: Sizes, kind: str) -> None:
    """The properties of a module that is right."""
    oracle, x = block(kind)(config_of(*sizes)), draw(rng, 2, T, sizes[4])
    others = arguments((1, sizes[1], 1, 1, sizes[4] + 2), kind)
    holds_up(answer, NAME, arguments(sizes, kind), oracle, drawn(oracle, rng), x, others)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Attention and other layers, sizes, lengths from 1 to the whole block, the module's properties."""
    for number, (B, T, sizes, kind) in enumerate(
        (
            (2, 7, (1, 7, 1, 2, 6), "attention"),
            (1, 4, (1, 7, 2, 3, 6), "attention"),
            (2, 2, (1, 4, 1, 2, 4), "attention"),
            (3, 1, (1, 4, 1, 1, 4), "attention"),
            (2, 5, (1, 5, 1, 2, 4), "mean"),
            (2, 3, (1, 5, 1, 2, 4), "same"),
        )
    ):
        case(answer, rng, B, T, sizes, kind, first=number == 0)
    case(answer, rng, 2, 3, (1, 4, 1, 2, 6), "attention", small=True)
    lasting(answer, rng, 4, (1, 6, 1, 2, 4), "attention")
    return right("your block takes the library's weights, and any layer that mixes the tokens")


EXERCISE = Exercise(
    id="MyBlock",
    title="A block as a class",
    order=23,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5: mingpt/model.py, Block",
    hints=(
        (
            "Which four layers does the list name? The block makes three of them itself. Where does the"
            " fourth come from?"
        ),
        (
            "self.attention = attention(config) makes the layer that mixes the tokens, whatever it is. The"
            " MLP is an nn.Sequential of three layers, so that its linear maps are called mlp.0 and mlp.2."
        ),
        (
            "nn.Sequential(nn.Linear(d, 4 * d), nn.GELU(), nn.Linear(4 * d, d)) is the MLP. forward has two"
            " lines: x = x + self.attention(self.norm_1(x)), and the same with mlp and norm_2."
        ),
    ),
    check=check,
)
