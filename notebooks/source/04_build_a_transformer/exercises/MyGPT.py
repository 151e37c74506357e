"""Exercise MyGPT: the whole model as a module, with blocks of any kind."""

from __future__ import annotations

import random

import torch
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
from course_exercises._small_models import gpt_mistakes
from course_exercises.gpt_forward import draw_tokens
from torch import Tensor

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.exercise_helpers.kept_classes import LibraryGPT
from kqa_core.exercise_helpers.named_mistakes import Mistakes

NAME = "MyGPT"


def arguments(sizes: Sizes, kind: str) -> tuple[object, ...]:
    """config, and what makes a block: with "attention", or "mean" for one without."""
    return config(sizes), Build(f"{HERE}:block", (kind,))


def case(
    answer: Answer,
    rng: random.Random,
    B: int,
    T: int,
    sizes: Sizes,
    kind: str,
    first: bool = False,
    small: bool = False,
    least: int = 0,
    tokens: Tensor | None = None,
) -> None:
    """One module and one input, `tokens` or random ones from `least` on; if it is `small`, ε matters in each
    LayerNorm. Raises NotYet unless the module computes what the library's does.
    """
    oracle = LibraryGPT(config_of(*sizes), block(kind))
    tokens = draw_tokens(rng, B, T, sizes[0], least) if tokens is None else tokens
    weights = small_stream(drawn(oracle, rng)) if small else drawn(oracle, rng)
    blocks = "the library's blocks" if kind == "attention" else "blocks of another kind"
    row = tokens[0].tolist()
    said = f"tokens ({B}, {T}), row 0 of them {row}, a vocabulary of {sizes[0]} and {sizes[2]} of {blocks}"
    if small:
        said += ", and weights that add only small numbers to the stream,"
    mistakes: Mistakes = gpt_mistakes(tokens, weights, sizes[3]) if kind == "attention" else {}
    judge(answer, NAME, arguments(sizes, kind), oracle, weights, tokens, said, mistakes, first)


def lasting(answer: Answer, rng: random.Random, T: int, sizes: Sizes, kind: str) -> None:
    """The properties of a module that is right."""
    oracle, tokens = LibraryGPT(config_of(*sizes), block(kind)), draw_tokens(rng, 2, T, sizes[0])
    tokens[:, 0] = 0  # a token like all others, whose row is trained, too
    others = arguments((sizes[0] + 1, sizes[1] + 1, 1, 1, sizes[4] + 2), kind)
    holds_up(answer, NAME, arguments(sizes, kind), oracle, drawn(oracle, rng), tokens, others)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two kinds of blocks, one block to three, lengths from 1 to the whole block, the module's properties."""
    for number, (B, T, sizes, kind) in enumerate(
        (
            (2, 8, (9, 8, 3, 2, 6), "attention"),
            (1, 4, (7, 4, 1, 1, 4), "attention"),
            (3, 1, (5, 6, 2, 2, 4), "attention"),
            (2, 2, (5, 4, 1, 2, 4), "attention"),
            (2, 4, (6, 5, 2, 1, 4), "mean"),
        )
    ):
        case(answer, rng, B, T, sizes, kind, first=number == 0, least=1)
    case(answer, rng, 2, 3, (300, 4, 2, 2, 6), "attention", least=256)
    case(answer, rng, 1, 3, (9, 4, 2, 2, 6), "attention", tokens=torch.tensor([[3, 0, 5]]))
    case(answer, rng, 2, 3, (9, 4, 2, 2, 6), "attention", small=True)
    lasting(answer, rng, 4, (6, 7, 2, 2, 4), "attention")
    return right("your model takes a checkpoint of the library's, and computes the same logits")


EXERCISE = Exercise(
    id="MyGPT",
    title="The whole model as a class",
    order=24,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="CS224n A5: mingpt/model.py, GPT",
    hints=(
        (
            "Five names are on the list: a table, a parameter, a list of blocks, a LayerNorm and a linear"
            " map. forward uses each of them once, in this order."
        ),
        (
            "nn.Parameter(torch.zeros(block_size, d)) is a trained table without a layer around it. Blocks in"
            " an ordinary list are not found by state_dict(): use nn.ModuleList. Call block(config) once for"
            " each block, because each has weights of its own."
        ),
        (
            "self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)]). forward begins"
            " with self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]], sends the sum"
            " through the blocks in a loop, and ends with the head of the norm."
        ),
    ),
    check=check,
)
