"""Exercise MyAttention: causal self-attention as a module that keeps its weights."""

from __future__ import annotations

import random

import torch
from course_exercises._own_classes import (
    Sizes,
    Weights,
    config,
    config_of,
    drawn,
    expected,
    holds_up,
    judge,
    large_scores,
    made_by,
    output_of,
)
from course_exercises._small_models import LOW, with_low_scores
from torch import Tensor

from kqa_core.check.answer import Answer, Handle
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.exercise_helpers.named_mistakes import LOW_LEAK, LOW_WRONG, Mistakes
from kqa_core.exercise_helpers.transformer_parts import ROOT, agree, apart, differing, draw
from kqa_core.model.attention import CausalSelfAttention, merge_heads, split_heads

NAME = "MyAttention"
FAR = (
    "for x (2, 4, {}), {} heads and scores that are hundreds from each other your module does not compute"
    " what the library's computes: {{entry}}"
)


def sizes_of(block_size: int, n_head: int, width: int) -> Sizes:
    """The sizes of a config that a layer needs."""
    return 1, block_size, 1, n_head, width


def mistakes(weights: Weights, x: Tensor, sizes: Sizes) -> Mistakes:
    """The outputs of common mistakes, by what was done. The library's layer computes them."""
    n_head, width = sizes[3:]
    eye, zero = torch.eye(width, dtype=x.dtype), torch.zeros(width, dtype=x.dtype)

    def attention(changed: Weights, heads: int = n_head) -> Tensor:
        return expected(CausalSelfAttention(config_of(*sizes_of(sizes[1], heads, width))), changed, x)

    def times(factor: float) -> Weights:
        return weights | {f"query.{end}": factor * weights[f"query.{end}"] for end in ("weight", "bias")}

    def exchanged(one: str, other: str) -> Weights:
        names = ((one, other), (other, one))
        return weights | {f"{a}.{end}": weights[f"{b}.{end}"] for a, b in names for end in ("weight", "bias")}

    def heads_of(name: str) -> Tensor:
        return split_heads(x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"], n_head)

    def projected(merged: Tensor) -> Tensor:
        return merged @ weights["projection.weight"].T + weights["projection.bias"]

    def unmasked() -> Tensor:
        query, key, value = (heads_of(name) for name in ("query", "key", "value"))
        read = torch.nn.functional.scaled_dot_product_attention(query, key, value)
        return projected(merge_heads(read))

    def reshaped() -> Tensor:
        query, key, value = (heads_of(name) for name in ("query", "key", "value"))
        read = torch.nn.functional.scaled_dot_product_attention(query, key, value, is_causal=True)
        return projected(read.reshape(x.shape))

    no_mask = f"there is no causal mask here, for rows of {x.shape[1]} tokens and block_size = {sizes[1]}"
    return {
        no_mask: unmasked,
        "the scores are not divided by the root of d_k": lambda: attention(times((width / n_head) ** 0.5)),
        "the scores are divided by the root of d, but each head sums only d_k products": lambda: attention(
            times(n_head**-0.5)
        ),
        "a single head of full width gives this, and config.n_head is another number": lambda: attention(
            weights, 1
        ),
        "the projection is missing: the merged heads go through it": lambda: attention(
            weights | {"projection.weight": eye, "projection.bias": zero}
        ),
        "query and key are exchanged": lambda: attention(exchanged("query", "key")),
        "key and value are exchanged": lambda: attention(exchanged("key", "value")),
        "x is added: the block does that, not the layer": lambda: x + attention(weights),
        "the heads are merged by a reshape alone, which mixes tokens": reshaped,
    }


def case(answer: Answer, rng: random.Random, B: int, T: int, sizes: Sizes, first: bool = False) -> None:
    """One module and one input. Raises NotYet unless the module computes what the library's does."""
    oracle, x = CausalSelfAttention(config_of(*sizes)), draw(rng, B, T, sizes[4], scale=2.0)
    weights = drawn(oracle, rng)
    said = f"x ({B}, {T}, {sizes[4]}) and {sizes[3]} heads"
    judge(answer, NAME, (config(sizes),), oracle, weights, x, said, mistakes(weights, x, sizes), first)


def lasting(answer: Answer, rng: random.Random, T: int, sizes: Sizes) -> None:
    """The properties of a module that is right."""
    oracle, x = CausalSelfAttention(config_of(*sizes)), draw(rng, 2, T, sizes[4])
    others = (config(sizes_of(sizes[1], 1 if sizes[3] > 1 else 2, sizes[4])),)
    holds_up(answer, NAME, (config(sizes),), oracle, drawn(oracle, rng), x, others)


def low(answer: Answer, rng: random.Random, sizes: Sizes) -> None:
    """Raise NotYet unless the output is right where every allowed score is far below 0, and where scores are
    far from each other.
    """
    oracle, x = CausalSelfAttention(config_of(*sizes)), draw(rng, 2, 4, sizes[4])

    def outputs(weights: Weights, where: str) -> tuple[Handle, Tensor, Tensor]:
        wanted, made = expected(oracle, weights, x), made_by(answer, NAME, (config(sizes),), weights)
        try:
            return made, output_of(answer, made, weights, x, wanted), wanted
        except NotYet as wrong:
            raise NotYet(f"where {where}, {wrong}") from None

    for far in LOW:
        weights = with_low_scores(drawn(oracle, rng), sizes[3], far)
        made, found, wanted = outputs(weights, f"all allowed scores are near {-far:g}")
        if apart(found, wanted, ROOT) > 1.0:
            later = torch.cat((x[:, :-1], -x[:, -1:]), dim=1)
            moved = output_of(answer, made, weights, later, wanted)
            agree(moved[:, :-1], found[:, :-1], LOW_LEAK.format(low=-far, entry="{entry}"), ROOT)
            raise NotYet(LOW_WRONG.format(low=-far) + differing(found, wanted))
    _, found, wanted = outputs(large_scores(drawn(oracle, rng)), "scores are hundreds from each other")
    agree(found, wanted, FAR.format(sizes[4], sizes[3]), ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Several sizes, lengths from 1 to the whole block, low scores, and the properties of a module."""
    for number, (B, T, sizes) in enumerate(
        (
            (2, 7, sizes_of(7, 2, 6)),
            (1, 4, sizes_of(7, 3, 6)),
            (2, 2, sizes_of(4, 2, 4)),
            (3, 1, sizes_of(4, 1, 4)),
        )
    ):
        case(answer, rng, B, T, sizes, first=number == 0)
    low(answer, rng, sizes_of(6, 2, 4))
    lasting(answer, rng, 4, sizes_of(6, 2, 4))
    return right("your layer takes the library's weights, and computes the same with them")


EXERCISE = Exercise(
    id="MyAttention",
    title="Attention as a class",
    order=22,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="CS224n A5: mingpt/attention.py, CausalSelfAttention",
    hints=(
        (
            "What your function gets as arguments (the four matrices and n_head) the class makes once, in"
            " __init__, and keeps in self. What then is left for forward?"
        ),
        (
            "In __init__: super().__init__(), four layers nn.Linear(d, d) with the names of the list, and"
            " self.n_head. In forward: self.query(x) and the other two, then your split_heads,"
            " attention_scores, causal_mask and merge_heads, and self.projection at the end."
        ),
        (
            "q, k, v = (split_heads(layer(x), self.n_head) for layer in (self.query, self.key, self.value))."
            " Then the scores with the mask, softmax, times v, merge_heads, self.projection. The mask needs"
            " .to(x.device)."
        ),
    ),
    check=check,
)
