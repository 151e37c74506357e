"""Exercise gpt_forward: from tokens to logits, with the weights of a checkpoint."""

from __future__ import annotations

import random

import torch
from course_exercises._own_classes import large_scores, small_stream
from course_exercises._small_models import (
    HERE,
    LOW,
    Sizes,
    gpt_mistakes,
    gpt_output,
    n_blocks,
    weights_of,
    with_low_scores,
    without_queries,
)
from course_exercises.pre_ln_block import (
    IN_FLOAT32,
    LARGE_SCORES,
    OTHERS,
    SMALL_STREAM,
    ZERO_SCORES,
    reordered,
)

from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.exercise_helpers.named_mistakes import agree_if_low, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    ROOT,
    again,
    gradients_agree,
    in_turn,
    tensor_of,
)

LONG = (
    "your code stops for a row of 260 tokens; it did not in the calls before, with at most 6 tokens in a row"
)
Given = tuple[torch.Tensor, dict[str, torch.Tensor], int]  # tokens, weights, n_head


def draw_tokens(rng: random.Random, B: int, T: int, vocab_size: int, least: int = 0) -> torch.Tensor:
    """Random tokens (B, T) from `least` on, int64."""
    return torch.tensor([[rng.randrange(least, vocab_size) for _ in range(T)] for _ in range(B)])


def case(rng: random.Random, B: int, T: int, sizes: Sizes, least: int = 0) -> Given:
    """Tokens (B, T) from `least` on, the weights of a GPT of these sizes, and its number of heads."""
    return draw_tokens(rng, B, T, sizes[0], least), weights_of(sizes, rng.getrandbits(30)), sizes[3]


def judge(answered: object, given: Given, how: str = "") -> None:
    """Raise NotYet unless `answered` holds the logits of the course's own GPT. `how` is said of the case."""
    tokens, weights, n_head = given
    shape = (*tokens.shape, len(weights["token_embedding.weight"]))
    what = f"for tokens {tuple(tokens.shape)} the tensor of logits"
    found = tensor_of(answered, shape, weights["head.weight"].dtype, what)
    said = f"for tokens {tuple(tokens.shape)}, {n_blocks(weights)} blocks and n_head = {n_head}{how}"
    with torch.no_grad():
        wanted = gpt_output(*given)
        said += " your logits are not those of a GPT with these weights"
        agree_or_name(found, wanted, said, gpt_mistakes(*given), ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows shorter than the position table, in three blocks; one token; eleven blocks and thirteen;
    the weights in another order;
    scores of 0, large ones and ones far below 0; small embeddings; float32; a long row; arguments
    unchanged, and gradients.
    """
    # B, T, n_layer, n_head
    sizes = (
        (2, 5, 3, 2),
        (2, 5, 3, 2),
        (1, 1, 1, 2),
        (1, 3, 11, 2),
        (1, 2, 13, 2),
        (2, 4, 2, 3),
        (1, 3, 1, 1),
        (1, 6, 2, 2),
    )
    first, *cases = [case(rng, B, T, (9, 8, n_layer, n_head, 6), 1) for B, T, n_layer, n_head in sizes]
    tokens, weights, n_head = case(rng, 1, 4, (9, 8, 2, 2, 6), 1)
    special = {
        "": weights,
        ZERO_SCORES: without_queries(weights, n_head),
        SMALL_STREAM: small_stream(weights),  # ε matters in each norm
        LARGE_SCORES.format(factor=1000): large_scores(weights),
        IN_FLOAT32: {name: each.float() for name, each in weights.items()},
    }
    zero = tokens.clone()
    zero[0, 1] = 0
    said = ["", OTHERS, *special, ", token 0 at position 1,", *("" for _ in cases[1:])]
    cases = [
        *(first, cases[0]),
        *((tokens, each, n_head) for each in special.values()),
        *((zero, weights, n_head), *cases[1:]),
    ]
    for how, (given, result) in zip(said, in_turn(answer, cases), strict=True):
        try:
            judge(result, given, how)
        except NotYet:
            steady(answer, *given)
            raise
    given = case(rng, 1, 260, (9, 262, 1, 2, 4))
    judge(again(answer, *given, advice={"RuntimeError": LONG, "IndexError": LONG}), given)
    for low in LOW:
        rest = with_low_scores(weights, n_head, low), n_head
        with torch.no_grad():
            wanted = gpt_output(tokens, *rest)
        later = torch.cat((tokens[:, :-1], (tokens[:, -1:] + 1) % 9), dim=1)
        agree_if_low(answer, (tokens, *rest), (later, *rest), wanted, -low)
    reordered(answer, (tokens, weights, n_head), judge)
    leaves_alone(answer, ("tokens", "weights"), *cases[0])
    trained = Build(f"{HERE}:weights_of", ((9, 8, 2, 2, 6), rng.getrandbits(30), True))
    gradients_agree(
        answer, gpt_output, {"tokens": torch.tensor([[0, 1, 2, 3, 4, 0]]), "weights": trained, "n_head": 2}
    )
    return right("your forward pass is the course's own")


EXERCISE = Exercise(
    id="gpt_forward",
    title="The forward pass of a GPT",
    order=14,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="CS224n A5 2(a): mingpt/model.py, GPT.forward",
    hints=(
        (
            "Print sorted(weights) of the checkpoint. Which names belong to the blocks, and which are left"
            " over? Every name is used exactly once."
        ),
        (
            "Your pre_ln_block expects a dict without the prefix 'blocks.0.'. Make such a dict for each"
            " block: select the names that start with the prefix, and cut it off with removeprefix. The"
            " number of blocks follows from the names."
        ),
        (
            "After the last block come one more LayerNorm, with the weights norm.weight and norm.bias, and a"
            " linear map without a bias whose weight has shape (vocab_size, d). Mind the dot in the prefix:"
            " 'blocks.1' also begins 'blocks.10'."
        ),
    ),
    check=check,
)
