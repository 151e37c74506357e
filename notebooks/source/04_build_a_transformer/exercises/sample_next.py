"""Exercise sample_next: choose the next token at random, at a temperature."""

from __future__ import annotations

import itertools
import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Question, Verdict, expect, right
from kqa_core.check.helpers.effects import kept_nothing, leaves_alone
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.exercise_helpers.transformer_parts import draw

BELOW_ONE = torch.tensor([0.3, 0.1, -0.2, 0.1, 0.2, 0.0, 0.1])  # float32: the last running sum may be below 1


def probabilities(logits: Tensor, temperature: float) -> list[float]:
    """softmax(logits / temperature), in plain Python; all on the largest logit at temperature 0."""
    values = [float(each) for each in logits]
    top = max(values)
    if temperature == 0:
        return [1.0 if i == values.index(top) else 0.0 for i in range(len(values))]
    powers = [math.exp((value - top) / temperature) for value in values]
    return [power / sum(powers) for power in powers]


def judge(answered: object, logits: Tensor, temperature: float, wanted: int, u: float) -> None:
    """Raise NotYet unless `answered` is the token `wanted`."""
    if isinstance(answered, Tensor) and answered.ndim:
        raise NotYet(f"return one token, a whole number; yours is a tensor of shape {tuple(answered.shape)}")
    if answered is None or isinstance(answered, (str, list, tuple, dict)):
        raise NotYet(f"return one token, a whole number; yours is {kind_of(answered)}")
    if isinstance(answered, float) or (isinstance(answered, Tensor) and answered.is_floating_point()):
        raise NotYet(f"return one token, a whole number (an int); yours is {kind_of(answered)}")
    found = number(answered, "the token")
    if temperature == 0:
        given = f"{len(logits)} logits, the largest {float(logits.max()):.9g},"
        if len(logits) < 9:
            given = f"the logits ({', '.join(f'{each:.9g}' for each in logits.tolist())})"
        said = f"for {given}, temperature 0 and u = {u:.3g} you should return token {wanted}, whatever u is"
        expect(found == wanted, f"{said}; yours is token {found:g}")
        return
    shares = probabilities(logits, temperature)
    ends = [0.0, *itertools.accumulate(shares)]
    nearest = min(abs(u - end) for end in ends[1:])
    # enough to see on which side of an end u lies
    digits = next((n for n in (3, 5, 8) if nearest > 10.0**-n or u == 0), 10)
    drawn = (
        "u = 0"
        if u == 0
        else f"u = {u:.{digits}f}"
        if u <= 1 - 10.0**-digits
        else f"u = {u!r}, just below 1,"
    )
    if len(shares) > 9:
        start, end = ends[wanted : wanted + 2]
        told = (
            f"the stretch of token {wanted} of {len(shares)} is from {start:.{digits}f} to {end:.{digits}f}"
        )
    else:
        each = (f"{share:.{digits}f}" if share else "0" for share in shares)
        told = f"the probabilities are ({', '.join(each)})"
    if 1 - u < torch.finfo(logits.dtype).eps:
        drawn = drawn.rstrip(",") + " (rounding may leave the last running sum below it)"
    far = f" and logits near {float(logits.max()):,.0f}" if abs(float(logits.max())) > 100 else ""
    far += " and logits in float32" * (logits.dtype is torch.float32)
    case = f"at temperature {temperature:g}{far} {told}, so {drawn}"
    expect(found == wanted, f"{case} should give token {wanted}; yours is {found:g}")


def cases(
    rng: random.Random,
    vocab_size: int,
    temperature: float,
    scale: float = 1.5,
    inside: tuple[float, float] = (0.2, 0.8),
    least: float = 0.01,
) -> list[tuple[Tensor, float, float, int]]:
    """Logits, temperature, a u in the part `inside` of the stretch of a token, and the token;
    for each with a share of `least`.
    """
    logits = draw(rng, vocab_size, scale=scale)
    found, start = [], 0.0
    for token, share in enumerate(probabilities(logits, temperature)):
        if share > least:
            found.append((logits, temperature, start + share * rng.uniform(*inside), token))
        start += share
    return found


def judge_edges(answer: Answer) -> None:
    """Logits that are nearly equal, negative ones and a single one, at temperature 0; temperatures from 1e-5
    to 1,000; a tiny share; many tokens; logits far from 0; a share of 0; and running sums that rounding
    leaves below 1.

    Rounding depends on how an answer adds: in float64 about one draw in four ends below 1, whatever the way,
    so there are 24.
    """
    for values in ((1.0, 1.0001, 0.0), (0.0, 1e-9, -1e-9), (-2.0, -1.5, -9.0), (7.0,)):
        logits = torch.tensor(values, dtype=torch.float64)
        for cold in (0.0, 0):
            judge(answer(logits, cold, 0.2), logits, cold, min(1, len(values) - 1), 0.2)
    for temperature, scale in ((2, 1.0), (1000.0, 1000.0), (1e-5, 1e-5)):
        logits = scale * torch.tensor([0.0, 1.0, -0.5, 0.8], dtype=torch.float64)
        shares = probabilities(logits, temperature)
        for token in range(4):
            u = sum(shares[:token]) + shares[token] / 2
            judge(answer(logits, temperature, u), logits, temperature, token, u)
    rare = torch.tensor([0.0, -10.0, 0.0], dtype=torch.float64)
    shares = probabilities(rare, 1.0)
    u = shares[0] + shares[1] / 2
    judge(answer(rare, 1.0, u), rare, 1.0, 1, u)
    many = torch.cos(torch.arange(150, dtype=torch.float64))
    shares = probabilities(many, 1.0)
    for token in (3, 60, 120, 149):
        u = sum(shares[:token]) + shares[token] / 2
        judge(answer(many, 1.0, u), many, 1.0, token, u)
    for middle in (1_000.0, -1_000.0):  # all exponentials overflow, or all are 0
        large = torch.tensor([middle, middle + 1.0, middle - 0.5], dtype=torch.float64)
        judge(answer(large, 1.0, 0.5), large, 1.0, 1, 0.5)
    never = torch.tensor([-math.inf, 0.5, 1.5], dtype=torch.float64)
    judge(answer(never, 1.0, 0.0), never, 1.0, 1, 0.0)
    for u, token in ((0.1, 0), (1 - 2**-24, 6)):
        judge(answer(BELOW_ONE, 1.0, u), BELOW_ONE, 1.0, token, u)
    u = math.nextafter(1.0, 0.0)
    for seed in range(24):
        logits = torch.randn(6, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        judge(answer(logits, 1.0, u), logits, 1.0, 5, u)


def predicted_call(rng: random.Random) -> tuple[tuple[Tensor, float, float], dict[str, float]]:
    """A call whose result can be worked out by hand, and its numbers."""
    temperature, u = rng.choice(((1.0, 0.1), (1.0, 0.6), (1.0, 0.9), (0.01, 0.9), (100.0, 0.9)))
    logits = torch.tensor([0.0, math.log(2), 0.0], dtype=torch.float64)
    return (logits, temperature, u), {"temperature": temperature, "u": u}


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Several temperatures, among them 0 and one so low that exponentials overflow;
    logits unchanged; and edges.
    """
    for temperature, scale in ((1.0, 1.5), (2.5, 1.5), (0.4, 1.5), (0.05, 0.05), (0.0, 1.5), (0.001, 30.0)):
        for logits, at, u, token in cases(rng, 5, temperature, scale):
            with kept_nothing(answer, logits, at, u):
                judge(answer(logits, at, u), logits, at, token, u)
    leaves_alone(answer, ("logits",), draw(rng, 5), 0.5, 0.3)
    judge_edges(answer)
    return right()


EXERCISE = Exercise(
    id="sample_next",
    title="Sample with a temperature",
    order=17,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="this course; Ackley et al. 1985",
    hints=(
        (
            "Lay the probabilities side by side on the line from 0 to 1. Token 0 has the first stretch, token"
            " 1 the next one. In which stretch does u lie?"
        ),
        (
            "Divide the logits by the temperature, take the softmax, then running sums: torch.cumsum. The"
            " answer is the first token whose running sum is greater than u. Temperature 0 needs a line of"
            " its own, because you cannot divide by 0."
        ),
        (
            "For probabilities (0.2, 0.5, 0.3) the running sums are (0.2, 0.7, 1.0). With u = 0.6, one sum is"
            " at most u, so the token is 1: count the sums that are at most u. Rounding can leave the last"
            " sum just below 1, so the result must not exceed n_vocab − 1."
        ),
    ),
    check=check,
    questions=(
        Question(
            "The logits are (0, ln 2, 0), so at temperature 1 the probabilities are (1/4, 1/2, 1/4). Which"
            " token does your code return at temperature {temperature:g} and u = {u:g}?",
            draw=predicted_call,
            reads=lambda token, *arguments: int(token),
        ),
        Question(
            "What changes in your line `{line}` if the temperature is 1?",
            find="temperature",
            words="Nothing is changed by dividing by 1: tokens are drawn with the model's own probabilities.",
        ),
    ),
)
