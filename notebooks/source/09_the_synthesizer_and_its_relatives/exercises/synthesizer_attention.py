"""Exercise synthesizer_attention: one head of the dense Synthesizer."""

from __future__ import annotations

import math
import random

from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, first_leak, tensor_of

FULL = (
    "Your code stops on a row that fills the block (T = L), though it takes shorter ones: position L − 1 needs a weight of its "
    "own, so every one of the L columns of B must be there."
)


def case(rng: random.Random, N: int, T: int, L: int, d: int, d_h: int, steep: float = 1.0) -> tuple[Tensor, ...]:
    """x (N, T, d), A (d, d_h), b1 (d_h,), B (d_h, L), b2 (L,), V (d, d_h); logits `steep` times as large."""
    return (
        draw(rng, N, T, d),
        draw(rng, d, d_h, scale=d**-0.5),
        draw(rng, d_h, scale=0.5),
        draw(rng, d_h, L, scale=2.0 * steep * d_h**-0.5),
        draw(rng, L, scale=1.5 * steep),
        draw(rng, d, d_h, scale=d**-0.5),
    )


def of_full_length(answer: Answer, *given: object) -> object:
    """A call with T = L. If the code stops, B was cut too short."""
    try:
        return answer(*given)
    except AnswerRaised as raised:
        if raised.stub:
            raise
        raise NotYet(FULL) from None


def read_at(t: int, given: tuple[Tensor, ...]) -> list[float]:
    """The output of the one row x (1, T, d) at position t, one number at a time."""
    x, A, b1, B, b2, V = given
    rows = x[0].tolist()
    hidden = [max(0.0, _dot(rows[t], column) + shift) for column, shift in zip(A.T.tolist(), b1.tolist(), strict=True)]
    logits = [_dot(hidden, B[:, s].tolist()) + float(b2[s]) for s in range(t + 1)]
    powers = [math.exp(logit - max(logits)) for logit in logits]
    values = [[_dot(rows[s], column) for column in V.T.tolist()] for s in range(t + 1)]
    return [sum(p * value[c] for p, value in zip(powers, values, strict=True)) / sum(powers) for c in range(len(values[0]))]


def _dot(a: list[float], b: list[float]) -> float:
    return sum(x * y for x, y in zip(a, b, strict=True))


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows of one position, a full row, a shorter one, and the future changed; against the formula, one number at a time."""
    given = case(rng, 1, 4, 6, 3, 5)
    x, *maps = given
    found = tensor_of(answer(*given), (1, 4, 5), x.dtype, "the output")
    later = x.clone()
    later[:, 2:] += 1.0
    first_leak(found, again(answer, later, *maps), 2)
    full = case(rng, 1, 4, 4, 3, 5)
    whole = tensor_of(of_full_length(answer, *full), (1, 4, 5), x.dtype, "the output for T = L")
    for seen, arguments in ((found, given), (whole, full)):
        for t in range(4):
            wanted = x.new_tensor(read_at(t, arguments))
            agree(seen[0, t], wanted, f"for T = 4 and L = {len(arguments[4])}, position {t} does not read what the formula says")
    x, *maps = case(rng, 2, 1, 3, 4, 2)
    alone = tensor_of(again(answer, x, *maps), (2, 1, 2), x.dtype, "the output")
    agree(alone, x @ maps[-1], "a row of one position can only read itself: its output is x @ V; yours is not")
    return right("your head writes its weights as the formula does, and is blind to the future")


EXERCISE = Exercise(
    id="synthesizer_attention",
    title="The dense Synthesizer",
    order=1,
    points=4,
    difficulty=3,
    importance=5,
    minutes=20,
    source="CS224n A5 2(g); Tay et al. 2020, section 3.1.1",
    hints=(
        "Which tensor says how much position t reads position s, and where in the formula does x stand in for a key? "
        "It does not.",
        "Logits of shape (N, T, L) come first; a row of T positions needs only T of the L columns. Then all is as in causal "
        "attention: minus infinity on the future, softmax over the columns, weights times values.",
        "hidden = torch.relu(x @ A + b1); logits = (hidden @ B + b2)[..., :T]; masked_fill(future, -math.inf) with "
        "future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1); softmax(dim=-1) @ (x @ V).",
    ),
    check=check,
)
