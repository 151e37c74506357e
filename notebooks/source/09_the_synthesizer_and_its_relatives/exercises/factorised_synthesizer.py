"""Exercise factorised_synthesizer: L logits from a + b numbers."""

from __future__ import annotations

import math
import random

from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, draw, first_leak, tensor_of


def case(rng: random.Random, N: int, T: int, a: int, b: int, d: int, d_h: int, steep: float = 1.0) -> tuple[Tensor, ...]:
    """x (N, T, d), A (d, d_h), b1 (d_h,), B_a (d_h, a), c_a (a,), B_b (d_h, b), c_b (b,), V (d, d_h); T ≤ a·b."""
    return (
        draw(rng, N, T, d),
        draw(rng, d, d_h, scale=d**-0.5),
        draw(rng, d_h, scale=0.5),
        draw(rng, d_h, a, scale=1.5 * steep * d_h**-0.5),
        draw(rng, a, scale=steep),
        draw(rng, d_h, b, scale=1.5 * steep * d_h**-0.5),
        draw(rng, b, scale=steep),
        draw(rng, d, d_h, scale=d**-0.5),
    )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Position 0; the future changed; and the weights of a position, one number at a time."""
    given = case(rng, 1, 5, 2, 3, 3, 4)
    x, *maps = given
    found = tensor_of(answer(*given), (1, 5, 4), x.dtype, "the output")
    agree(found[:, 0], x[:, 0] @ maps[-1], "position 0 can only read itself: its output is x[:, 0] @ V; yours is not")
    later = x.clone()
    later[:, 3:] += 1.0
    first_leak(found, again(answer, later, *maps), 3)
    A, b1, B_a, c_a, B_b, c_b, V = maps
    for t in range(1, 5):
        h = (x[0, t] @ A + b1).clamp_min(0)
        f, g = (h @ B_a + c_a).tolist(), (h @ B_b + c_b).tolist()
        powers = [math.exp(f[s // 3] * g[s % 3]) for s in range(t + 1)]
        wanted = sum((p * (x[0, s] @ V) for s, p in enumerate(powers)), x.new_zeros(4)) / sum(powers)
        agree(found[0, t], wanted, f"with a = 2 and b = 3, position {t} does not read what the formula says")
    return right("a + b numbers speak of a·b positions")


EXERCISE = Exercise(
    id="factorised_synthesizer",
    title="The factorised Synthesizer",
    order=5,
    points=2,
    difficulty=3,
    importance=2,
    minutes=15,
    source="Tay et al. 2020, section 3.1.3",
    hints=(
        "Write down s // 3 and s % 3 for s = 0, 1, 2, 3, 4, 5. Which of the two runs fast?",
        "All products of f (…, a) and g (…, b) are a table (…, a, b). Read it row by row, and you have the logits in order.",
        "logits = (f[..., :, None] * g[..., None, :]).flatten(-2)[..., :T] with f = h @ B_a + c_a and g = h @ B_b + c_b; the "
        "mask, the softmax and the values are as before.",
    ),
    check=check,
)
