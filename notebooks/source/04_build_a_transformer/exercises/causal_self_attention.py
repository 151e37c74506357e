"""Exercise causal_self_attention: the whole layer."""

from __future__ import annotations

import random
from typing import Any

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
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
    device_kept,
    difference,
    differing,
    draw,
    first_leak,
    gradients_agree,
    tensor_of,
)

NAMES = ("x", "w_q", "w_k", "w_v", "w_o")
LOW = " the output holds nan or an infinite number"
KEPT = (
    "for another x of the same shape as in the call before, larger by 1 from position 3 on, your output is"
    " wrong"
)
LONG = "your code stops for a row of 300 positions; it did not in the calls before, with at most 5 positions"


def case(rng: random.Random, B: int, T: int, C: int, scale: float = 1.0) -> tuple[torch.Tensor, ...]:
    """x (B, T, C) and four matrices (C, C) that keep its size,
    the ones for queries and keys times `scale`.
    """
    width = C**-0.5
    maps = [draw(rng, C, C, scale=width * factor) for factor in (1.5 * scale, 1.5 * scale, 1.0, 1.0)]
    return (draw(rng, B, T, C), *maps)


def oracle(x: torch.Tensor, *rest: Any) -> torch.Tensor:
    """torch's fused kernel; after x, the four matrices and n_head."""
    *maps, n_head = rest
    return multi_head(x, x, *maps, n_head=n_head, causal=True)


def steep(answer: Answer) -> None:
    """Raise NotYet unless the future is forbidden where every allowed score is far below 0, as well."""
    generator = torch.Generator().manual_seed(3)
    x = 1 + 0.4 * torch.randn(1, 5, 4, generator=generator, dtype=torch.float64)  # all point one way
    one = torch.eye(4, dtype=torch.float64)
    maps = (-one, one, one, one)  # a score is −q·k
    for length in (20.0, 1500.0, 1e18):  # the lowest score is −200, below −10⁶, or −5·10³⁵
        x = length * x / x.norm(dim=-1, keepdim=True)
        later = torch.cat((x[:, :3], x[:, 3:] + max(1.0, length / 1500)), dim=1)
        scores = torch.cat([-(each @ each.mT).flatten() / 2 for each in (x, later)])
        about = f"for 1 head, where all scores are between {scores.min():.3g} and {scores.max():.3g},"
        results = [again(answer, each, *maps, 1) for each in (x, later)]
        expect(all(isinstance(each, Tensor) and each.isfinite().all() for each in results), about + LOW)
        found, changed = (tensor_of(each, (1, 5, 4), x.dtype, "the output") for each in results)
        expect(
            bool((found[:, :3] - changed[:, :3]).abs().max() < 1e-6 * max(1.0, length / 1500)),
            f"{about} positions 0 to 2 of the output change when x does from position 3 on:"
            f" {difference(changed[:, :3], found[:, :3])}. {POSSIBLE}a forbidden score is only a number that"
            " others may fall below",
        )
        wanted = oracle(x, *maps, 1)
        said = f"{about} your output is not that of torch's attention"
        agree(found, wanted, said + differing(found, wanted), ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Against torch's own module; with later positions changed;
    arguments unchanged, and gradients; and on another device.
    """
    x, *maps = case(rng, 2, 5, 12)
    result = answer(x, *maps, 3)
    if isinstance(result, torch.Tensor) and result.shape == x.shape and bool(result.isnan().any()):
        places = result.isnan().any(dim=2).any(dim=0).nonzero().flatten().tolist()
        where = f"position{'s' * (len(places) > 1)} {', '.join(map(str, places))}"
        raise NotYet(f"for x (2, 5, 12) and 3 heads your output is nan at {where}, counted from 0 to 4")
    found = tensor_of(result, (2, 5, 12), x.dtype, "the output")
    later = x.clone()
    later[:, 3:] += 1.0
    try:
        moved = again(answer, later, *maps, 3)
        first_leak(found, moved, 3)
        wanted = torch_module(x, x, *maps, n_head=3, causal=True)
        said = "for x (2, 5, 12) and 3 heads your output is not that of torch's nn.MultiheadAttention"
        agree_or_name(found, wanted, said, attention_mistakes(x, x, *maps, n_head=3, causal=True), ROOT)
        agree(found, wanted, said + differing(found, wanted))  # the root of d_k = 4 is exact
        wanted = oracle(later, *maps, 3)
        moved = tensor_of(moved, (2, 5, 12), x.dtype, "the output")
        agree(moved, wanted, KEPT + differing(moved, wanted))
    except NotYet as wrong:
        steady(answer, x, *maps, 3)
        sums = sum_of_weights(answer, (x,), maps[0], maps[1], 3)
        raise NotYet(with_sums(str(wrong), sums)) from wrong.__cause__
    given = x, *maps
    whole = "that of torch's nn.MultiheadAttention"
    alone = "x @ w_v @ w_o, and a single position can only attend to itself"
    for B, T, C, n_head, what in (
        *((2, 5, 12, 1, whole), (2, 2, 12, 3, whole)),
        *((2, 1, 12, 3, alone), (1, 1, 4, 1, alone)),
    ):
        x, *maps = case(rng, B, T, C)
        found = tensor_of(again(answer, x, *maps, n_head), (B, T, C), x.dtype, "the output")
        said = f"for x {B, T, C} and {n_head} head{'s' * (n_head > 1)} your output is not {what}"
        named = attention_mistakes(x, x, *maps, n_head=n_head, causal=True)
        agree_or_name(found, oracle(x, *maps, n_head), said, named, ROOT * (T > 1))
    leaves_alone(answer, NAMES, *given, 3)
    gradients_agree(answer, oracle, {**dict(zip(NAMES, case(rng, 2, 3, 4), strict=True)), "n_head": 2})
    device_kept(answer, *given, 3)
    steep(answer)
    x, *maps = case(rng, 1, 300, 8)
    for name, query_map in (
        ("", maps[0]),
        (" and queries of zeros, so that every score is 0,", 0 * maps[0]),
        (" and large scores", 30 * maps[0]),
        (" and scores of many thousands", 3e4 * maps[0]),
    ):
        result = again(answer, x, query_map, *maps[1:], 2, advice={"RuntimeError": LONG, "IndexError": LONG})
        what, wanted = f"for x (1, 300, 8), 2 heads{name}", oracle(x, query_map, *maps[1:], 2)
        found = tensor_of(result, (1, 300, 8), x.dtype, f"{what} the output")
        said = f"{what} your output is not that of torch's nn.MultiheadAttention"
        agree(found, wanted, said + differing(found, wanted))
    single = tuple(each.float() for each in given)
    agree(
        tensor_of(answer(*single, 3), (2, 5, 12), torch.float32, "the output"),
        oracle(*single, 3),
        "for x (2, 5, 12) in float32 your output is not that of torch's nn.MultiheadAttention: {entry}",
    )
    half = tuple(each.bfloat16() for each in given)
    agree(
        tensor_of(again(answer, *half, 3), (2, 5, 12), torch.bfloat16, "the output").double(),
        oracle(*given, 3),
        "for x (2, 5, 12) in bfloat16 your output is not that of torch's nn.MultiheadAttention: {entry}",
        0.1,
    )
    return right("your layer gives what torch's gives, and it does not use the future")


EXERCISE = Exercise(
    id="causal_self_attention",
    title="Causal self-attention with several heads",
    order=9,
    points=4,
    difficulty=3,
    importance=5,
    minutes=25,
    source="CS224n A5 2(a)",
    hints=(
        (
            "You have written almost every part already. In which order are they used, and what comes between"
            " the scores and the values?"
        ),
        (
            "Project x three times and split each result. Then scores; minus infinity where the mask forbids;"
            " softmax over the keys; weights times values; merge; output projection."
        ),
        (
            "For example, q = split_heads(x @ w_q, n_head) has shape (B, h, T, d_k), and"
            " scores.masked_fill(~mask, -math.inf) sets the forbidden scores. The mask must be on the device"
            " of x: causal_mask(T).to(x.device)."
        ),
    ),
    check=check,
)
