"""Exercise induction_score: how much weight each head gives to the places of an ideal induction head."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import again, difference, draw, tensor_of

Given = tuple[Tensor, Tensor]


def case(rng: random.Random, B: int, layers: int, heads: int, T: int, share: float = 0.25) -> Given:
    """Causal attention weights (B, layers, heads, T, T), and a mask (B, T, T) inside the causal part, in
    which some rows are empty and some have several entries.
    """
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    weights = draw(rng, B, layers, heads, T, T, scale=2.0).masked_fill(later, -torch.inf).softmax(-1)
    mask = torch.tensor(
        [[[i <= t and rng.random() < share for i in range(T)] for t in range(T)] for _ in range(B)]
    )
    if T > 2:
        mask[0, T - 1, :2] = True  # several entries
        mask[-1, 1] = False  # none
    if not bool(mask.any()):
        mask[0, -1, 0] = True
    return weights, mask


def onto_first(given: Given) -> Given:
    """The same masks, but every query gives all its weight to position 0: many have 0 inside the mask."""
    weights, mask = given
    first = torch.zeros_like(weights)
    first[..., 0] = 1.0
    return first, mask


def expected(weights: Tensor, mask: Tensor) -> Tensor:
    """Query by query."""
    sums = [
        weights[b, :, :, t][..., mask[b, t]].sum(-1)
        for b in range(len(mask))
        for t in range(mask.shape[1])
        if bool(mask[b, t].any())
    ]
    return torch.stack(sums).mean(0)


def mistakes(weights: Tensor, mask: Tensor) -> dict[str, Tensor]:
    """The results of common mistakes."""
    inside = torch.einsum("blhti,bti->blht", weights, mask.to(weights))  # (B, L, H, T)
    used = mask.any(-1)  # (B, T)
    rows = [inside[b][..., used[b]].mean(-1) for b in range(len(mask)) if bool(used[b].any())]
    return {
        "queries without any target are counted, too": inside.mean((0, 3)),
        "the sum is divided by the number of True entries, not of queries that have one": inside.sum((0, 3))
        / mask.sum(),
        "it is the mean of the rows' means; all queries of all rows count alike": torch.stack(rows).mean(0),
        "the queries are added up; their mean is asked for": inside.sum((0, 3)),
        "queries and keys are exchanged: weights[…, t, i] belongs to mask[t, i]": torch.einsum(
            "blhit,bti->lh", weights, mask.to(weights)
        )
        / used.sum(),
    }


def judge(answered: object, given: Given, how: str = "", first: bool = False) -> None:
    """Raise NotYet unless `answered` holds the score of each head. Only in the first case a mistake is named:
    later, the code was right without it.
    """
    weights, _ = given
    B, L, H, T, _ = weights.shape
    found = tensor_of(answered, (L, H), weights.dtype, "the tensor of scores")
    wanted = expected(*given)
    within = 2e-7 if weights.dtype == torch.float64 else 1e-5
    if bool(((found - wanted).abs() < within).all()):
        return
    counts = ((B, "row"), (T, "token"), (L, "layer"), (H, "head"))
    rows, tokens, layers, heads = (f"{count} {what}{'s' * (count > 1)}" for count, what in counts)
    said = f"for {rows} of {tokens} and {layers} of {heads}{how} your scores are wrong"
    likely = mistakes(*given) if first else {}
    named = [name for name, other in likely.items() if bool(((found - other).abs() < within).all())]
    cause = f". Possible cause: {named[0]}" if len(named) == 1 else ""
    raise NotYet(f"{said}: {difference(found, wanted)}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Several rows, one row, one head; empty queries and queries with several targets; weights of exactly
    0; arguments unchanged.
    """
    cases = [
        case(rng, *sizes) for sizes in ((3, 2, 4, 6), (1, 3, 1, 5), (2, 1, 2, 8), (4, 2, 2, 3), (2, 1, 3, 1))
    ]
    judge(answer(*cases[0]), cases[0], first=True)
    for given in cases[1:]:
        judge(again(answer, *given), given)
    zeros = onto_first(cases[0])
    judge(again(answer, *zeros), zeros, ", where all weight is on position 0,")
    leaves_alone(answer, ("weights", "mask"), *cases[0])
    return right()


EXERCISE = Exercise(
    id="induction_score",
    title="Score every head",
    order=13,
    points=2,
    difficulty=3,
    importance=5,
    minutes=12,
    source="ours, after Olsson et al. 2022",
    hints=(
        "For one head and one query t: which weights of row t count? And what if the mask has none in row t?",
        (
            "Multiply the weights by the mask, which needs two more axes for layers and heads, and add up"
            " over"
            " the keys. Then take the mean over those pairs (row, query) whose mask is not empty."
        ),
        (
            "(weights * mask[:, None, None]).sum(-1) has the shape (B, L, H, T). mask.any(-1) says which"
            " queries count: its sum is the number to divide by."
        ),
    ),
    check=check,
)
