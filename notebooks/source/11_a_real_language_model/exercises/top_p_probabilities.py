"""Exercise top_p_probabilities: keep the fewest most likely tokens that hold the probability p."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.transformer_parts import again, tensor_of

ROUNDS = (
    ". Possible cause: rounding may keep the sum of all probabilities a little below 1, so that it never"
    " reaches p; all tokens are kept then"
)


def kept(shares: Sequence[float], p: float) -> list[int]:
    """The tokens that are kept: from the most likely one on, until they hold p together."""
    tokens: list[int] = []
    held = 0.0
    for i in sorted(range(len(shares)), key=lambda i: -shares[i]):
        tokens.append(i)
        held += shares[i]
        if held >= p:
            break
    return tokens


def case(rng: random.Random, size: int, count: int) -> tuple[Tensor, float]:
    """Logits, and a p well inside the range that keeps `count` tokens."""
    while True:
        parts = [rng.expovariate(1.0) ** 2 + 0.02 for _ in range(size)]
        shares = [part / sum(parts) for part in parts]
        ordered = sorted(shares, reverse=True)
        before, after = sum(ordered[: count - 1]), sum(ordered[:count])
        gaps = [a - b for a, b in itertools.pairwise(ordered)]
        if after - before > 0.02 and min(gaps) > 1e-3:
            p = before + (after - before) * rng.uniform(0.25, 0.75)
            return torch.tensor(shares, dtype=torch.float64).log() + rng.uniform(-3, 3), p


def below_one(rng: random.Random) -> Tensor:
    """Logits whose probabilities, added up by torch from the largest on, stay below 1 by rounding."""
    while True:
        logits, _ = case(rng, 6, 3)
        if float(logits.softmax(-1).sort(descending=True).values.cumsum(0)[-1]) < 1.0:
            return logits


def faint() -> Tensor:
    """Logits of three tokens, one of which has the probability 1e-6."""
    return torch.tensor([0.6, 1e-6, 0.399999], dtype=torch.float64).log()


def _some(tokens: list[int]) -> str:
    return f"{tokens}" if len(tokens) < 9 else f"{str(tokens[:8])[:-1]}, …], {len(tokens)} in all"


def flat(rng: random.Random) -> tuple[Tensor, float]:
    """120 logits that differ little, and a p that keeps about 100."""
    logits = torch.linspace(0.0, 1.0, 120, dtype=torch.float64)
    shares = sorted(logits.softmax(-1).tolist(), reverse=True)
    order = torch.randperm(120, generator=torch.Generator().manual_seed(rng.getrandbits(30)))
    return logits[order], sum(shares[:100]) - 0.5 * shares[99]


def unusual(rng: random.Random) -> list[tuple[Tensor, float]]:
    """Logits far below 0; one token; a p that the first token holds many times over, and one near 1."""
    logits, p = case(rng, 5, 2)
    tail = torch.tensor([0.001, 0.3, 0.2985, 0.4, 0.0005], dtype=torch.float64).log()
    many, _ = flat(rng)
    return [(logits - 1000, p), (logits[:1], 0.5), (many, 0.001), (tail, 0.999), (logits, 1e-6)]


def judge(answered: object, logits: Tensor, p: float) -> None:
    """Raise NotYet unless `answered` holds these probabilities."""
    shares = logits.double().softmax(-1).tolist()
    tokens = kept(shares, p)
    shown = ", ".join(f"{share:.4g}" for share in shares[:8]) + ", …" * (len(shares) > 8)
    near = round(float(logits.mean()), -3)  # ordinary logits are far below 500 in size
    far = f", logits near {near:,.0f}".replace("-", "−") if near else ""
    far += ", in float32" * (logits.dtype is torch.float32)
    said = f"with the probabilities ({shown}){far} and p = {p:.6g},"
    found = tensor_of(answered, tuple(logits.shape), logits.dtype, f"{said} your result").double()
    alive = (found > 0).nonzero().flatten().tolist()
    sums = logits.softmax(-1).sort(descending=True).values.cumsum(0)
    never = alive == tokens[:1] and float(sums[-1]) < p == 1.0
    expect(
        alive == sorted(tokens),
        f"{said} the tokens to keep are {_some(sorted(tokens))}; yours are {_some(alive)}{ROUNDS * never}",
    )
    total = float(found.sum())
    expect(abs(total - 1) < 1e-4, f"{said} the probabilities should add up to 1; yours add up to {total:.6g}")
    held = sum(shares[i] for i in tokens)
    for i in tokens:
        wanted = shares[i] / held
        mine, yours = told(wanted, float(found[i]))
        expect(abs(float(found[i]) - wanted) < 1e-5, f"{said} token {i} should get {mine}; yours is {yours}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The worked example, other sizes, one token and all of them; large logits; p = 1; logits unchanged."""
    example = torch.tensor([0.5, 0.3, 0.15, 0.05], dtype=torch.float64).log()
    for p in (0.7, 0.9, 0.3, 0.97):
        judge(answer(example, p), example, p)
    for size, count in ((6, 3), (5, 1), (8, 5), (4, 4)):
        logits, p = case(rng, size, count)
        judge(again(answer, logits, p), logits, p)
    large = case(rng, 5, 2)
    judge(again(answer, large[0] + 1000, large[1]), large[0] + 1000, large[1])
    many = flat(rng)
    judge(again(answer, *many), *many)
    for logits, p in unusual(rng):
        judge(again(answer, logits, p), logits, p)
    for logits in (example, below_one(rng), faint()):
        judge(
            again(answer, logits, 1.0, advice={"IndexError": "with p = 1 your code stops" + ROUNDS}),
            logits,
            1.0,
        )
    leaves_alone(answer, ("logits",), *case(rng, 6, 3))
    return right("the fewest tokens that hold p are kept, and their probabilities add up to 1")


EXERCISE = Exercise(
    id="top_p_probabilities",
    title="Top-p, or nucleus sampling",
    order=8,
    points=2,
    difficulty=3,
    importance=4,
    minutes=12,
    source="Holtzman et al. 2020",
    hints=(
        (
            "In the worked example with p = 0.7, the most likely token holds 0.5. Is that enough? Is it"
            " enough"
            " with the second one?"
        ),
        (
            "Sort the probabilities in descending order and take running sums. A token is kept if the sum of"
            " those *before* it is below p. Put the kept ones back into their places and divide by their sum."
        ),
        (
            "shares, order = torch.sort(softmax, descending=True); the sum before a token is"
            " torch.cumsum(shares, -1) minus its own share. torch.zeros_like(logits).scatter(-1, order, …)"
            " puts values back into the old order."
        ),
    ),
    check=check,
)
