"""Exercise cross_attention: the decoder attends to the encoder's output."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.exercise_helpers.named_mistakes import (
    agree_or_name,
    attention_mistakes,
    multi_head,
    sum_of_weights,
    torch_module,
    with_sums,
)
from kqa_core.exercise_helpers.transformer_parts import (
    ROOT,
    again,
    agree,
    differing,
    draw,
    gradients_agree,
    tensor_of,
)

NAMES = ("x", "memory", "w_q", "w_k", "w_v", "w_o")
STEEP = (
    "for x (2, 3, 6), memory (2, 5, 18) and scores that are {} from each other your output is not that of"
    " torch's attention"
)
NOT_FINITE = (
    "for x (2, 3, 6), memory (2, 5, 18) and scores that are {} from each other your output holds nan or an"
    f" infinite number. {POSSIBLE}the largest score of a row is not subtracted before exponentials"
)
WIDTHS = (
    "Your code stops for x (2, 3, 6), memory (2, 5, 18), 2 heads, d_k = 4 and d_v = 7; it did not for equal"
    f" widths. {POSSIBLE}a width is not that of its matrix: w_q and w_k have h · d_k columns, and w_v"
    " has h · d_v."
)
Output = Callable[[], torch.Tensor]


def case(
    rng: random.Random, B: int, n_q: int, n_k: int, C: int, D: int, n_head: int, d_k: int, d_v: int
) -> tuple[torch.Tensor, ...]:
    """x (B, n_q, C), memory (B, n_k, D), w_q (C, h·d_k), w_k (D, h·d_k), w_v (D, h·d_v), w_o (h·d_v, C)."""
    x, memory = draw(rng, B, n_q, C), draw(rng, B, n_k, D)
    w_q, w_k = (
        draw(rng, C, n_head * d_k, scale=1.5 * C**-0.5),
        draw(rng, D, n_head * d_k, scale=1.5 * D**-0.5),
    )
    return (
        x,
        memory,
        w_q,
        w_k,
        draw(rng, D, n_head * d_v, scale=D**-0.5),
        draw(rng, n_head * d_v, C, scale=0.5),
    )


def mistakes(x: torch.Tensor, memory: torch.Tensor, *maps: torch.Tensor) -> dict[str, Output]:
    """The outputs that common mistakes give, for three heads and one width."""
    causal = "it has a causal mask here: the whole memory exists before the first token is written"
    named: dict[str, Output] = {causal: partial(torch_module, x, memory, *maps, n_head=3, causal=True)}
    if x.shape == memory.shape:
        named |= wrong_sources(x, memory, *maps)
    return {**named, **attention_mistakes(x, memory, *maps, n_head=3, causal=False)}


def wrong_sources(x: torch.Tensor, memory: torch.Tensor, *maps: torch.Tensor) -> dict[str, Output]:
    """The outputs if queries, keys or values are computed from the wrong one of two tensors of the same
    shape, for three heads.

    Attention from x beside memory to itself: each matrix has zeros for the half that it does not use.
    """
    *projections, w_o = maps
    both = torch.cat((x, memory), dim=-1)
    found: dict[str, Output] = {}
    for sources in itertools.product(("x", "memory"), repeat=3):
        wide = [
            torch.cat((w, 0 * w) if source == "x" else (0 * w, w))
            for w, source in zip(projections, sources, strict=True)
        ]
        query, key, value = sources
        said = f"your queries come from {query}, your keys from {key} and your values from {value}"
        found[f"{said}. Queries come from x, keys and values from memory"] = partial(
            multi_head, both, both, *wide, w_o, n_head=3, causal=False
        )
    return found


def wrong_divisors(given: tuple[torch.Tensor, ...], n_head: int) -> dict[str, Output]:
    """The outputs if the scores are divided by the root of another width than d_k."""
    x, memory, w_q, w_k, w_v, w_o = given
    d_k, widths = w_k.shape[1] / n_head, {"d_v": w_v.shape[1] / n_head, "d/h": x.shape[-1] / n_head}
    widths |= {
        "D/h": memory.shape[-1] / n_head,
        "d": x.shape[-1],
        "D": memory.shape[-1],
        "h · d_k": w_k.shape[1],
        "n_k": memory.shape[1],
    }
    return {
        f"the scores are divided by the root of {name}: each one sums d_k products": partial(
            multi_head, x, memory, w_q * (d_k / width) ** 0.5, w_k, w_v, w_o, n_head=n_head, causal=False
        )
        for name, width in widths.items()
    }


def oracle(x: torch.Tensor, memory: torch.Tensor, *rest: Any) -> torch.Tensor:
    """torch's fused kernel; after x and memory, the four matrices and n_head."""
    *maps, n_head = rest
    return multi_head(x, memory, *maps, n_head=n_head, causal=False)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """As many queries as keys, where roles can be confused; other numbers; other widths; steep scores;
    scores of 0; many queries and keys; float32; arguments unchanged, and gradients.
    """
    for n_q, n_k in ((4, 4), (3, 5)):
        given = case(rng, 2, n_q, n_k, 12, 12, 3, 4, 4)
        result = answer(*given, 3) if n_q == n_k else again(answer, *given, 3)
        found = tensor_of(result, (2, n_q, 12), torch.float64, "the output")
        wanted = torch_module(*given, n_head=3, causal=False)
        said = (
            f"for x (2, {n_q}, 12) and memory (2, {n_k}, 12) your output is not that of torch's"
            " nn.MultiheadAttention"
        )
        try:
            agree_or_name(found, wanted, said, mistakes(*given), ROOT)
            agree(found, wanted, said + differing(found, wanted))  # the root of d_k = 4 is exact
        except NotYet as wrong:
            steady(answer, *given, 3)
            sums = sum_of_weights(answer, given[:2], given[2], given[3], 3)
            raise NotYet(with_sums(str(wrong), sums)) from None
    given = case(rng, 2, 3, 5, 6, 18, 2, 4, 7)
    try:
        found = tensor_of(answer(*given, 2), (2, 3, 6), torch.float64, "the output")
    except AnswerRaised as raised:
        raise NotYet(WIDTHS) from raised
    wanted = multi_head(*given, n_head=2, causal=False)
    said = (
        "for x (2, 3, 6), memory (2, 5, 18), 2 heads, d_k = 4 and d_v = 7 your output is not that of torch's"
        " attention"
    )
    agree_or_name(found, wanted, said, wrong_divisors(given, 2), ROOT)
    agree(found, wanted, said + differing(found, wanted))
    for far, spread in ((3e4, "many thousands"), (20.0, "tens")):
        steep = (far * given[0], *given[1:])
        result = answer(*steep, 2)
        expect(
            not isinstance(result, torch.Tensor) or bool(result.isfinite().all()), NOT_FINITE.format(spread)
        )
        what = f"where scores are {spread} from each other the output"
        found = tensor_of(result, (2, 3, 6), torch.float64, what)
        wanted = multi_head(*steep, n_head=2, causal=False)
        agree(found, wanted, STEEP.format(spread) + differing(found, wanted))
    leaves_alone(answer, NAMES, *given, 2)
    given = case(rng, 2, 3, 5, 6, 10, 2, 4, 7)
    gradients_agree(answer, oracle, {**dict(zip(NAMES, given, strict=True)), "n_head": 2})
    given[1][:, 1] = 0.0  # all scores of this key are exactly 0
    for what, n_head, each in (
        (" and a vector of zeros in the memory", 2, given),
        (", 1 head", 1, case(rng, 1, 30, 70, 4, 6, 1, 4, 2)),
        (", 1 head", 1, case(rng, 1, 2, 300, 4, 6, 1, 1, 2)),
        (", 3 heads", 3, case(rng, 2, 9, 9, 5, 3, 3, 4, 2)),
        (", 2 heads", 2, case(rng, 2, 2, 2, 6, 6, 2, 3, 3)),
        (", in float32", 2, tuple(one.float() for one in given)),
    ):
        x, memory = each[:2]
        said = f"for x {tuple(x.shape)}, memory {tuple(memory.shape)}{what}"
        found = tensor_of(again(answer, *each, n_head), tuple(x.shape), x.dtype, f"{said} the output")
        wanted = multi_head(*each, n_head=n_head, causal=False)
        said += " your output is not that of torch's attention"
        agree(found, wanted, said + differing(found, wanted), ROOT)
    return right("your cross-attention gives what torch's gives")


EXERCISE = Exercise(
    id="cross_attention",
    title="Cross-attention",
    order=18,
    points=3,
    difficulty=3,
    importance=4,
    minutes=15,
    source="Vaswani et al. 2017, section 3.2.3",
    hints=(
        (
            "Two tensors come in. From which one are the queries computed, and from which one the keys and"
            " values?"
        ),
        (
            "Queries come from x, keys and values from memory. The weights have shape (n_q, n_k) in each"
            " head. Is there a future in the memory that must be hidden?"
        ),
        (
            "split_heads finds the width of a head from the width of its input, so it works for d_k and for"
            " d_v. The rest is your attention layer without the mask: scores, softmax over the keys, times"
            " the values, merge_heads, and @ w_o."
        ),
    ),
    check=check,
)
