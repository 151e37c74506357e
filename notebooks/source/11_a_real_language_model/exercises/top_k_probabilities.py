"""Exercise top_k_probabilities: keep the k most likely tokens, at a temperature."""

from __future__ import annotations

import math
import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.transformer_parts import again, draw, tensor_of


def expected(logits: Tensor, k: int, temperature: float) -> list[float]:
    """The probabilities, in plain Python."""
    values = [float(value) for value in logits]
    order = sorted(range(len(values)), key=values.__getitem__, reverse=True)
    powers = {i: math.exp((values[i] - values[order[0]]) / temperature) for i in order[:k]}
    total = math.fsum(powers.values())
    return [powers.get(i, 0.0) / total for i in range(len(values))]


def judge(answered: object, logits: Tensor, k: int, temperature: float) -> None:
    """Raise NotYet unless `answered` holds these probabilities."""
    middle = float(logits.mean())
    near = f" with logits near {middle:,.0f}" if abs(middle) > 100 else ""
    if len(logits) > 1 and (apart := float(logits.max() - logits.min())) < 1e-3:
        near = f" with logits that differ by at most {apart:.1g}"
    near += " in float32" * (logits.dtype is torch.float32)
    said = f"for {len(logits)} tokens{near}, k = {k} and temperature {temperature:g},"
    found = tensor_of(answered, tuple(logits.shape), logits.dtype, f"{said} your result").double()
    wanted = torch.tensor(expected(logits, k, temperature), dtype=torch.float64)
    alive = int((found > 0).sum())
    expect(alive <= k, f"{said} {k} of the probabilities should be above 0; of yours, {alive} are")
    lost = int(((found == 0) & (wanted > 1e-30)).sum())
    expect(not lost or k > 1, f"{said} the token with the largest logit should be kept; yours has 0 for it")
    expect(lost == 0, f"{said} the {k} largest should be kept; {lost} of these have the probability 0")
    total = float(found.sum())
    expect(abs(total - 1) < 1e-4, f"{said} the probabilities should add up to 1; yours add up to {total:.6g}")
    i = int((found - wanted).abs().argmax())
    mine, yours = told(float(wanted[i]), float(found[i]))
    expect(
        bool(abs(found[i] - wanted[i]) < 1e-5),
        f"{said} token {i} should have the probability {mine}; yours is {yours}",
    )


def unusual(rng: random.Random) -> list[tuple[Tensor, int, float]]:
    """Logits far above 0 and far below, one token, many tokens, nearly equal logits, a high temperature."""
    near = 1.0 + 1e-7 * draw(rng, 6)
    return [
        *((draw(rng, 6) + shift, 3, 0.9) for shift in (1000.0, -1000.0, -20_000.0)),
        (draw(rng, 1), 1, 0.7),
        (draw(rng, 700), 650, 1.5),
        (near, 4, 1.0),
        (draw(rng, 5, scale=3.0), 3, 5000.0),
    ]


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The worked example, other sizes, k = 1 and k = all, high and low temperatures; logits unchanged."""
    example = torch.tensor([2.0, 1.0, 0.0, -1.0], dtype=torch.float64)
    judge(answer(example, 2, 1.0), example, 2, 1.0)
    judge(answer(example, 2, 0.5), example, 2, 0.5)
    judge(answer(example, 3, 1.0), example, 3, 1.0)  # one of those kept is 0
    for size, k, temperature, scale in (
        (7, 3, 6.0, 2.0),
        (5, 1, 1.0, 2.0),
        (6, 6, 2.0, 2.0),
        (6, 3, 0.9, 2.0),
        (9, 4, 0.01, 9.0),
        (8, 5, 0.02, 0.04),
        (100, 60, 0.001, 0.0005),  # powers of the probabilities would be 0
    ):
        logits = draw(rng, size, scale=scale)
        judge(again(answer, logits, k, temperature), logits, k, temperature)
    for logits, k, temperature in unusual(rng):
        judge(again(answer, logits, k, temperature), logits, k, temperature)
    leaves_alone(answer, ("logits",), draw(rng, 6), 2, 0.7)
    return right()


EXERCISE = Exercise(
    id="top_k_probabilities",
    title="Temperature and top-k",
    order=7,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Fan et al. 2018",
    hints=(
        "What must the logit of a token be, so that the softmax gives it exactly 0?",
        (
            "Find the k largest logits. Make a new tensor in which all others are −inf, divide by the"
            " temperature and take the softmax."
        ),
        (
            "torch.topk(logits, k) returns values and indices. torch.full_like(logits, -math.inf) is a tensor"
            " of −inf into which you can write the k logits at their indices. Do not write into `logits`."
        ),
    ),
    check=check,
)
