"""Exercise pre_ln_block: a whole Transformer block, from the weights of a checkpoint."""

from __future__ import annotations

import random
from collections.abc import Callable

import torch
from course_exercises._own_classes import large_scores, small_stream
from course_exercises._small_models import (
    LOW,
    block_mistakes,
    block_output,
    block_weights,
    with_low_scores,
    without_queries,
)

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, observed_and_cause, right
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.exercise_helpers.named_mistakes import agree_if_low, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    ROOT,
    again,
    draw,
    gradients_agree,
    in_turn,
    tensor_of,
)

LONG = "your code stops for a row of 260 positions; it did not in the calls before, with at most 7 positions"
REORDERED = f"{{}}. {POSSIBLE}something is taken from the order of the dict, and not from the names"
# what a sentence says of a case, here and in gpt_forward
OTHERS = ", as in the first call, and other numbers in the weights,"
ZERO_SCORES = ", queries of 0 in head 0,"
SMALL = ", entries of x near 0.02 in size,"
SMALL_STREAM = ", weights that add only small numbers to the stream,"
LOW_SCORES = ", weights with which all scores are near −200,"
LARGE_SCORES = ", queries {factor:,} times as large as usual (scores of thousands and more, of both signs),"
IN_FLOAT32 = ", all in float32,"
Given = tuple[torch.Tensor, dict[str, torch.Tensor], int]  # x, weights, n_head


def case(rng: random.Random, B: int, T: int, C: int, n_head: int) -> Given:
    """x (B, T, C), the weights of a block, and the number of heads."""
    return draw(rng, B, T, C, scale=2.0), block_weights((1, 1, 1, n_head, C), rng.getrandbits(30)), n_head


def judge(answered: object, given: Given, how: str = "") -> None:
    """Raise NotYet unless `answered` is the output of the course's own block. `how` is said of the case."""
    x, _, n_head = given
    case_named = f"for x {tuple(x.shape)} and {n_head} heads{how}"
    found = tensor_of(answered, tuple(x.shape), x.dtype, f"{case_named} the output")
    with torch.no_grad():
        wanted = block_output(*given)
    said = f"{case_named} your output is not that of a pre-LN block with these weights"
    agree_or_name(found, wanted, said, block_mistakes(*given), ROOT)


def reordered(answer: Answer, given: Given, judge: Callable[[object, Given], None]) -> None:
    """Raise NotYet unless the answer is right with the same weights in another order, too."""
    first, weights, n_head = given
    turned = first, dict(reversed(weights.items())), n_head
    try:
        judge(answer(*turned), turned)
    except AnswerRaised as raised:
        raise NotYet(REORDERED.format("with the weights in the reverse order your code stops")) from raised
    except NotYet as wrong:
        seen = observed_and_cause(str(wrong))[0].rstrip(".")
        raise NotYet(REORDERED.format(f"with the dict of weights in the reverse order, {seen}")) from None


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two heads, one position and two, three heads, a longer row; scores of 0 and large ones, small x,
    float32, the weights in another order, scores far below 0;
    x and the weights unchanged; and the gradient at x.
    """
    first, second = (case(rng, 2, 4, 6, 2) for _ in range(2))
    cases = [case(rng, *sizes) for sizes in ((1, 1, 4, 1), (2, 2, 6, 2), (1, 3, 6, 3), (1, 7, 6, 2))]
    x, weights, n_head = case(rng, 1, 4, 6, 2)
    special = {
        "": (x, weights, n_head),
        ZERO_SCORES: (x, without_queries(weights, n_head), n_head),
        SMALL: (0.01 * x, weights, n_head),  # ε matters
        SMALL[:-1] + SMALL_STREAM: (0.01 * x, small_stream(weights), n_head),  # in both norms
        LARGE_SCORES.format(factor=1000): (x, large_scores(weights), n_head),
        IN_FLOAT32: (x.float(), {name: each.float() for name, each in weights.items()}, n_head),
    }
    said = ["", OTHERS, *special, *("" for _ in cases)]
    cases = [first, second, *special.values(), *cases]
    for how, (given, result) in zip(said, in_turn(answer, cases), strict=True):
        try:
            judge(result, given, how)
        except NotYet:
            steady(answer, *given)
            raise
    given = case(rng, 1, 260, 4, 2)
    judge(again(answer, *given, advice={"RuntimeError": LONG, "IndexError": LONG}), given)
    for low in LOW:
        rest = with_low_scores(weights, n_head, low), n_head
        with torch.no_grad():
            wanted = block_output(x, *rest)
        later = torch.cat((x[:, :-1], x[:, -1:].flip(-1)), dim=1)
        agree_if_low(answer, (x, *rest), (later, *rest), wanted, -low)
    reordered(answer, (x, weights, n_head), judge)
    given = case(rng, 1, 3, 4, 2)
    leaves_alone(answer, ("x", "weights"), *given)
    gradients_agree(answer, block_output, dict(zip(("x", "weights", "n_head"), given, strict=True)))
    return right("your block is the course's own")


EXERCISE = Exercise(
    id="pre_ln_block",
    title="A pre-LayerNorm block",
    order=13,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="Xiong et al. 2020, fig. 1(b)",
    hints=(
        (
            "Follow the residual stream in the diagram from left to right. Where does a branch leave it, and"
            " where is the result of the branch added? Compare with the post-LN formula of 2017 above: what"
            " moves?"
        ),
        (
            "Write two small functions first: one for a linear layer with a name, and one for a LayerNorm"
            " with a name. They look up weight and bias in the dict. Then each branch is a chain of things"
            " that you have already written."
        ),
        (
            "A linear layer called name computes y @ weights[name + '.weight'].T + weights[name + '.bias']."
            " The attention branch needs three of them before split_heads, and one after merge_heads. The"
            " MLP's layers are called mlp.0 and mlp.2."
        ),
    ),
    check=check,
)
