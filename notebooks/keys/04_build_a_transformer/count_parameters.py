"""Answer key of count_parameters.

A block: attention 4(C² + C), MLP 8C² + 5C, two norms 4C, together 12C² + 13C. Outside: vocab·C + block·C, the
last norm 2C and the head C·vocab. `test_04_parts.py` compares it with the parameters of the course's own GPT.
"""

from __future__ import annotations

import random

import torch
from course_exercises.count_parameters import ODD, Sizes, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def draw_sizes(rng: random.Random) -> Sizes:
    """vocab_size, block_size, n_layer, n_head and d_model."""
    n_head = rng.choice((2, 3, 4, 6))
    return rng.randint(20, 300), rng.randint(16, 200), rng.randint(2, 8), n_head, n_head * rng.randint(3, 20)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Random sizes, the smallest there are, and a large odd count, many times."""
    for sizes in (*(draw_sizes(rng) for _ in range(4)), (1, 1, 1, 1, 1), (5, 3, 1, 1, 2)):
        judge(again(answer, *sizes), sizes)
    judge(again(answer, *ODD), ODD)
    steady(answer, *ODD)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """The assignment's sizes and two others."""
    return [(256, 128, 4, 8, 256), draw_sizes(rng), draw_sizes(rng)]


def count_parameters(vocab_size, block_size, n_layer, n_head, d_model):
    """The reference."""
    attention = 4 * (d_model**2 + d_model)
    mlp = (d_model * 4 * d_model + 4 * d_model) + (4 * d_model * d_model + d_model)
    norms = 2 * 2 * d_model
    tables = (vocab_size + block_size) * d_model
    return tables + n_layer * (attention + mlp + norms) + 2 * d_model + d_model * vocab_size


def closed_form(vocab_size, block_size, n_layer, n_head, d_model):
    """All collected by powers of d_model."""
    return 12 * n_layer * d_model**2 + (13 * n_layer + 2 * vocab_size + block_size + 2) * d_model


def by_building(vocab_size, block_size, n_layer, n_head, d_model):
    """Builds the parts, and counts."""
    C = d_model
    shapes = [(vocab_size, C), (block_size, C), (C,), (C,), (vocab_size, C)]
    for _ in range(n_layer):
        shapes += [(C, C), (C,)] * 4 + [(4 * C, C), (4 * C,), (C, 4 * C), (C,)] + [(C,)] * 4
    return sum(torch.empty(shape, device="meta").numel() for shape in shapes)


def head_by_head(vocab_size, block_size, n_layer, n_head, d_model):
    """Each head by itself: the number of heads cancels."""
    d_head = d_model // n_head
    projections = 3 * n_head * (d_model * d_head + d_head)
    total = projections + n_head * d_head * d_model + d_model
    total += 8 * d_model**2 + 5 * d_model + 4 * d_model
    return float(n_layer * total + d_model * (2 * vocab_size + block_size + 2))


def linear_maps(vocab_size, block_size, n_layer, n_head, d_model):
    """A list of maps, each with and without its bias."""
    maps = n_layer * ([(d_model, d_model)] * 4 + [(d_model, 4 * d_model), (4 * d_model, d_model)])
    weights = sum(
        a * b for a, b in [*maps, (vocab_size, d_model), (block_size, d_model), (d_model, vocab_size)]
    )
    biases = sum(b for _, b in maps)
    return torch.tensor(weights + biases + (2 * n_layer + 1) * 2 * d_model)


def without_biases(vocab_size, block_size, n_layer, n_head, d_model):
    """You leave out the biases: the four maps of attention and the two of the MLP have them."""
    return 12 * n_layer * d_model**2 + (4 * n_layer + 2 * vocab_size + block_size + 2) * d_model


def without_norms(vocab_size, block_size, n_layer, n_head, d_model):
    """You leave out the LayerNorms: each has a gain and a shift for every component."""
    return 12 * n_layer * d_model**2 + (9 * n_layer + 2 * vocab_size + block_size) * d_model


def norms_without_shift(vocab_size, block_size, n_layer, n_head, d_model):
    """You count one number for each component of a LayerNorm. There are two, a gain and a shift."""
    return 12 * n_layer * d_model**2 + (11 * n_layer + 2 * vocab_size + block_size + 1) * d_model


def without_the_last_norm(vocab_size, block_size, n_layer, n_head, d_model):
    """You leave out the LayerNorm between the last block and the head."""
    return 12 * n_layer * d_model**2 + (13 * n_layer + 2 * vocab_size + block_size) * d_model


def head_tied(vocab_size, block_size, n_layer, n_head, d_model):
    """You count head and embedding as one table, as some models do. Here the head has weights of its own."""
    return 12 * n_layer * d_model**2 + (13 * n_layer + vocab_size + block_size + 2) * d_model


def head_with_bias(vocab_size, block_size, n_layer, n_head, d_model):
    """You count a bias of the head. It should have none."""
    return 12 * n_layer * d_model**2 + (13 * n_layer + 2 * vocab_size + block_size + 2) * d_model + vocab_size


def without_positions(vocab_size, block_size, n_layer, n_head, d_model):
    """You leave out the position table: block_size rows of d numbers, which are learned too."""
    return 12 * n_layer * d_model**2 + (13 * n_layer + 2 * vocab_size + 2) * d_model


def heads_multiplied(vocab_size, block_size, n_layer, n_head, d_model):
    """You count n_head projections of full width.
    The heads share the d components, so their number does not matter.
    """
    attention = n_head * 3 * (d_model**2 + d_model) + d_model**2 + d_model
    return n_layer * (attention + 8 * d_model**2 + 9 * d_model) + (2 * vocab_size + block_size + 2) * d_model


def no_output_projection(vocab_size, block_size, n_layer, n_head, d_model):
    """You count three maps in attention. The fourth is the output projection."""
    return 11 * n_layer * d_model**2 + (12 * n_layer + 2 * vocab_size + block_size + 2) * d_model


def one_layer(vocab_size, block_size, n_layer, n_head, d_model):
    """You count one block. There are n_layer of them, each with its own weights."""
    return 12 * d_model**2 + (13 + 2 * vocab_size + block_size + 2) * d_model


def narrow_mlp(vocab_size, block_size, n_layer, n_head, d_model):
    """You count an MLP whose hidden layer is as wide as the model. It is four times as wide."""
    return 6 * n_layer * d_model**2 + (10 * n_layer + 2 * vocab_size + block_size + 2) * d_model


def mask_counted(vocab_size, block_size, n_layer, n_head, d_model):
    """You count the causal mask. It should not count, because it is not learned."""
    whole = 12 * n_layer * d_model**2 + (13 * n_layer + 2 * vocab_size + block_size + 2) * d_model
    return whole + n_layer * block_size**2


def rule_of_thumb(vocab_size, block_size, n_layer, n_head, d_model):
    """You return 12·n_layer·d², a rule of thumb for large models. Count tables and biases, too."""
    return 12 * n_layer * d_model**2


KEY = AnswerKey(
    id="count_parameters",
    hidden=hidden,
    reference=count_parameters,
    accepted=(closed_form, by_building, head_by_head, linear_maps),
    rejected=(
        *(
            without_biases,
            without_norms,
            norms_without_shift,
            without_the_last_norm,
            head_tied,
            head_with_bias,
        ),
        *(
            without_positions,
            heads_multiplied,
            no_output_projection,
            one_layer,
            narrow_mlp,
            mask_counted,
            rule_of_thumb,
        ),
    ),
    fingerprint=fingerprint,
    commentary="""
    Attention has four maps of $d^2 + d$ parameters, and the MLP has $8d^2 + 5d$. With two LayerNorms a block
    has $12d^2 + 13d$. Outside the blocks are two tables, the last LayerNorm and the head. The number of heads
    does not appear, because the heads share the $d$ components. People most often forget biases, the last
    LayerNorm, or the position table.
    """,
)
