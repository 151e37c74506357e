"""Exercise synthesizer_attention: one head of the dense Synthesizer."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import (
    FINITE,
    again,
    agree,
    agree_if_large,
    apart,
    difference,
    differing,
    draw,
    first_leak,
    gradients_agree,
    in_float32,
    tensor_of,
)

FULL = "Your code stops for x {} and L = {}, a full row, though it works for x (2, 4, 3) and L = 6"
AFTER = (
    "the weights are cut or masked after the softmax, so they do not add up to 1: cut and mask the logits,"
    " before the softmax"
)


def not_kept(found: Tensor, wanted: Tensor, within: float = 0.0) -> None:
    """Raise NotYet unless the output for other arguments of the same shapes is right."""
    said = "for other arguments of the same shapes as before, when it was right, your output is wrong"
    agree(found, wanted, said + differing(found, wanted), within)


def repeated(first: Tensor, second: Tensor) -> None:
    """Raise NotYet unless two equal calls have the same output."""
    both = difference(second, first).replace(" should be ", " is ").replace("; yours is ", " and then ")
    expect(
        apart(second, first) <= 1e-3,
        f"Two calls with the same arguments give different outputs: {both}. {POSSIBLE}random numbers"
        " are drawn,"
        " as dropout does, an argument is changed in place, or something is kept from one call to the next",
    )


def case(
    rng: random.Random, N: int, T: int, L: int, d: int, d_k: int, steep: float = 1.0
) -> tuple[Tensor, ...]:
    """x (N, T, d), A (d, d_k), b1 (d_k,), B (d_k, L), b2 (L,), V (d, d_k); logits `steep` times as large.
    In b1, the last number is negative and the first is positive, so no ReLU of b1 alone makes it 0.
    """
    x, A, b1 = draw(rng, N, T, d), draw(rng, d, d_k, scale=d**-0.5), draw(rng, d_k, scale=0.5)
    b1[-1] = -b1[-1].abs()
    b1[0] = b1[0].abs()
    return (
        x,
        A,
        b1,
        draw(rng, d_k, L, scale=2.0 * steep * d_k**-0.5),
        draw(rng, L, scale=1.5 * steep),
        draw(rng, d, d_k, scale=d**-0.5),
    )


def far_apart(rng: random.Random, n_head: int) -> tuple[Tensor, ...]:
    """x (2, 4, 2 n_head), A, b1, B (2, 5) and b2: the logits of every second position are near 249
    and −249 in turn; those of the others are near −249. All are between −250 and 250.
    """
    d = 2 * n_head
    x = torch.eye(2, dtype=torch.float64).repeat(2, n_head)[None].expand(2, 4, d).clone()
    level = torch.tensor([[249.0, -249.0, 249.0, -249.0, 249.0], [-249.0] * 5], dtype=torch.float64)
    B, b2 = level + draw(rng, 2, 5).tanh() / 2, draw(rng, 5).tanh() / 2
    return x, torch.eye(d, dtype=torch.float64), 0 * x[0, 0], B, b2


def of_full_length(answer: Answer, *given: Tensor) -> object:
    """A call with T = L."""
    try:
        return answer(*given)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        raise NotYet(FULL.format(tuple(given[0].shape), len(given[4]))) from raised


def read_at(t: int, given: tuple[Tensor, ...]) -> list[float]:
    """The output of the one row x (1, T, d) at position t, one number at a time."""
    x, A, b1, B, b2, V = given
    rows = x[0].tolist()
    hidden = [
        max(0.0, _dot(rows[t], column) + shift)
        for column, shift in zip(A.T.tolist(), b1.tolist(), strict=True)
    ]
    logits = [_dot(hidden, B[:, s].tolist()) + float(b2[s]) for s in range(t + 1)]
    powers = [math.exp(logit - max(logits)) for logit in logits]
    values = [[_dot(rows[s], column) for column in V.T.tolist()] for s in range(t + 1)]
    return [
        sum(p * value[c] for p, value in zip(powers, values, strict=True)) / sum(powers)
        for c in range(len(values[0]))
    ]


def _dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def averaged(logits: Tensor, value: Tensor, causal: bool = True) -> Tensor:
    """Values (N, T, d_k) averaged with the softmax of logits (N, T, T), by torch's kernel:
    the logits are its additive mask.
    """
    T, none = logits.shape[-1], torch.zeros(*logits.shape[:2], 1, dtype=logits.dtype)
    later = torch.arange(T)[:, None] < torch.arange(T)
    mask = logits.masked_fill(later, -math.inf) if causal else logits
    return F.scaled_dot_product_attention(none, none, value, attn_mask=mask)


def expected(x: Tensor, A: Tensor, b1: Tensor, B: Tensor, b2: Tensor, V: Tensor) -> Tensor:
    """The output (N, T, d_k) of one head, by torch's kernel."""
    hidden = (torch.einsum("ntd,dk->ntk", x, A) + b1).clamp_min(0)
    logits = torch.einsum("ntk,ki->nti", hidden, B) + b2
    return averaged(logits[..., : x.shape[1]], torch.einsum("ntd,dk->ntk", x, V))


def level_weights(output: Tensor, value: Tensor, case: str) -> None:
    """Raise NotYet unless `output` averages the values (N, T, d_k) up to each position with equal weights."""
    T, said = (
        value.shape[1],
        f"if {case}, the output at position t is the mean of the values of positions 0 to t",
    )
    blind = value.mean(dim=1, keepdim=True).expand_as(value)
    expect(
        apart(output, blind) > 1.0,
        f"{said}; yours is the mean of the values of all {T} positions. {POSSIBLE}a logit of 0 is taken for a"
        " masked one",
    )
    agree_or_name(output, value.cumsum(dim=1) / torch.arange(1, T + 1)[:, None], said, {})


def strict(logits: Tensor, value: Tensor) -> Tensor:
    """As `averaged`, but position t attends to positions before t only;
    position 0, which has none, to itself.
    """
    T = logits.shape[-1]
    later = torch.arange(T)[:, None] <= torch.arange(T)
    later[0, 0] = False
    return logits.masked_fill(later, -math.inf).softmax(dim=-1) @ value


def mistakes(given: tuple[Tensor, ...]) -> Mistakes:
    """The outputs of common mistakes, by what was done."""
    x, A, b1, B, b2, V = given
    T, value = x.shape[1], torch.einsum("ntd,dk->ntk", x, V)
    before = torch.einsum("ntd,dk->ntk", x, A)  # (N, T, d_k)
    hidden = (before + b1).clamp_min(0)

    def logits_of_block(hidden: Tensor, B: Tensor = B, b2: Tensor = b2) -> Tensor:
        return torch.einsum("ntk,ki->nti", hidden, B) + b2

    def logits(hidden: Tensor, B: Tensor = B, b2: Tensor = b2) -> Tensor:
        return logits_of_block(hidden, B, b2)[..., :T]

    right = logits(hidden)
    return {
        "the causal mask is missing: every position attends to the whole row": lambda: averaged(
            right, value, causal=False
        ),
        "the logits of later positions are 0, and e⁰ is 1: set them to minus infinity": lambda: averaged(
            right.tril(), value, causal=False
        ),
        "the ReLU is missing": lambda: averaged(logits(before + b1), value),
        "b2 is missing, or added to whole rows of logits": lambda: averaged(logits(hidden, b2=0 * b2), value),
        "b1 is missing, or added to whole rows": lambda: averaged(logits(before.clamp_min(0)), value),
        "the logits are divided by √d_k, but here nothing is scaled": lambda: averaged(
            right / A.shape[1] ** 0.5, value
        ),
        "the logits are divided by √d, but here nothing is scaled": lambda: averaged(
            right / A.shape[0] ** 0.5, value
        ),
        "the last T columns of B are used, but column i belongs to position i: use the first T": lambda: (
            averaged(logits(hidden, B.roll(T - B.shape[1], 1), b2.roll(T - len(b2))), value)
        ),
        AFTER: lambda: torch.softmax(right, dim=-1).tril() @ value,
        f"{AFTER} ": lambda: torch.softmax(logits_of_block(hidden), dim=-1)[..., :T].tril() @ value,
        "position t attends to earlier positions only, and it must attend to itself too": lambda: strict(
            right, value
        ),
        "the values are x itself, and not x @ V": lambda: averaged(right, x),
        "the values are x @ A, and not x @ V": lambda: averaged(right, before),
    }


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Two equal calls; the formula, one number at a time; the future changed; full rows; one position; equal
    logits; logits far below 0, and steep ones; effects; gradients.
    """
    given = case(rng, 2, 4, 6, 3, 5)
    x, *maps = given
    found = tensor_of(answer(*given), (2, 4, 5), x.dtype, "the output")
    same = tensor_of(again(answer, *given), (2, 4, 5), x.dtype, "the output")
    repeated(found, same)
    wanted = x.new_tensor([[read_at(t, (row, *maps)) for t in range(4)] for row in x.unsqueeze(1)])
    agree_or_name(
        found, wanted, "for x (2, 4, 3) and L = 6 the output is not what the formula gives", mistakes(given)
    )
    other = case(rng, 2, 4, 6, 3, 5)
    not_kept(tensor_of(again(answer, *other), (2, 4, 5), x.dtype, "the output"), expected(*other))
    later = x.clone()
    later[:, 2:] += 1.0
    first_leak(found, again(answer, later, *maps), 2)
    two = case(rng, 1, 2, 3, 3, 2)
    agree_or_name(
        tensor_of(again(answer, *two), (1, 2, 2), x.dtype, "the output"),
        expected(*two),
        "for x (1, 2, 3) and L = 3 the output is not what the formula gives",
        mistakes(two),
    )
    full = case(rng, 2, 4, 4, 3, 5)
    whole = tensor_of(of_full_length(answer, *full), (2, 4, 5), x.dtype, "the output for T = L")
    wanted = x.new_tensor([[read_at(t, (row, *full[1:])) for t in range(4)] for row in full[0].unsqueeze(1)])
    agree_or_name(whole, wanted, "for x (2, 4, 3) and L = 4 the output is not what the formula gives", {})
    x, *maps = case(rng, 2, 1, 3, 4, 2)
    alone = tensor_of(again(answer, x, *maps), (2, 1, 2), x.dtype, "the output")
    agree_or_name(
        alone,
        x @ maps[-1],
        "for x (2, 1, 4), rows of one position, which can only attend to itself, the output is x @ V",
        {},
    )
    x, A, b1, B, b2, V = case(rng, 2, 4, 5, 3, 2)
    level = tensor_of(
        again(answer, x, A, b1 - 100.0, B, 0 * b2, V),
        (2, 4, 2),
        x.dtype,
        "the output for logits that are all 0",
    )
    level_weights(level, x @ V, "all logits are 0")
    low = (*case(rng, 2, 4, 5, 3, 2)[:4], draw(rng, 5) - 200.0, V)
    read = tensor_of(again(answer, *low), (2, 4, 2), x.dtype, "the output for logits near −200")
    agree(read, expected(*low), FINITE)
    steep = case(rng, 2, 4, 5, 3, 2, steep=12.0)
    read = tensor_of(again(answer, *steep), (2, 4, 2), x.dtype, "the output for large logits")
    agree_or_name(
        read,
        expected(*steep),
        "for x (2, 4, 3), L = 5 and large logits the output is not what the formula gives",
        {},
    )
    x, A, b1, B, b2, V = case(rng, 2, 4, 5, 3, 2)
    wide = 12.0 * x, A, 12.0 * b1 + 12.0, B / 12.0, b2, V
    read = tensor_of(again(answer, *wide), (2, 4, 2), x.dtype, "the output for large numbers in x")
    said = "for x (2, 4, 3) and b1 with large numbers the output is not what the formula gives"
    agree_or_name(read, expected(*wide), said, {})
    spread = in_float32((*far_apart(rng, 1), draw(rng, 2, 2)))
    spread[3][1, 3] += 498.0  # position 1 has its largest logit in the future
    agree_if_large(again(answer, *spread), expected(*spread))
    names = ("x", "A", "b1", "B", "b2", "V")
    leaves_alone(answer, names, *given)
    gradients_agree(answer, expected, dict(zip(names, given, strict=True)))
    return right("the weights are those of the formula, and no position depends on a later one")


EXERCISE = Exercise(
    id="synthesizer_attention",
    title="One head of the dense Synthesizer",
    order=1,
    points=4,
    difficulty=3,
    importance=5,
    minutes=15,
    source="CS224n A5 2(g); Tay et al. 2020, section 3.1.1",
    hints=(
        (
            "The worked example computes one row of weights. The same products, for all positions at once,"
            " give logits of shape (N, T, L). In what are they different from those of attention? After them,"
            " everything is as in notebook 04."
        ),
        (
            "A row of T positions needs only the first T of the L columns. Then set the logits of later"
            " positions to minus infinity, take the softmax over the last axis, and multiply the weights by"
            " the values."
        ),
        (
            "hidden = torch.relu(x @ A + b1); logits = (hidden @ B + b2)[..., :T]; logits.masked_fill(future,"
            " -math.inf) with future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1); then"
            " softmax(dim=-1) @ (x @ V)."
        ),
    ),
    check=check,
)
