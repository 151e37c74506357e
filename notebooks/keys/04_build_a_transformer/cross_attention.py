"""Answer key of cross_attention.

Judged against torch's fused kernel on unequal sizes (d_k ≠ d_v, n_q ≠ n_k, widths of x and memory), against
nn.MultiheadAttention where it can (d_k = d_v), and by two symmetries: shuffled queries give shuffled outputs,
a shuffled memory the same ones.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.cross_attention import NAMES, case, oracle
from course_keys._cross_attention_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.named_mistakes import torch_module
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    agree,
    gradients_agree,
    rounding,
    tensor_of,
)

SIZES = (  # B, n_q, n_k, C, D, n_head, d_k, d_v
    *(
        (2, 3, 7, 6, 10, 2, 4, 3),
        (1, 5, 2, 8, 8, 4, 1, 5),
        (3, 1, 4, 5, 3, 1, 2, 6),
        (2, 6, 1, 4, 7, 3, 3, 2),
    ),
    *(
        (1, 1, 1, 2, 3, 1, 1, 2),
        (2, 4, 4, 6, 6, 3, 2, 2),
        (1, 2, 2, 4, 4, 1, 4, 4),
        (1, 2, 530, 3, 2, 1, 4, 2),
    ),
    *((1, 140, 3, 3, 2, 1, 1, 2), (2, 12, 9, 8, 8, 2, 4, 4)),
)


def judge(answered: object, given: tuple[torch.Tensor, ...], n_head: int, what: str = "") -> torch.Tensor:
    """NotYet unless `answered` is what torch gives."""
    x, memory, *maps = given
    found = tensor_of(answered, tuple(x.shape), x.dtype, "the output")
    d_k, d_v = maps[0].shape[1] // n_head, maps[2].shape[1] // n_head
    within = rounding(d_k)
    said = f"x {tuple(x.shape)}, memory {tuple(memory.shape)}, n_head {n_head}, d_k {d_k}, d_v {d_v}{what}"
    agree(
        found,
        oracle(*given, n_head),
        f"for {said} your output is not that of cross-attention: {{entry}}",
        within,
    )
    if maps[0].shape == maps[3].shape and d_k == d_v and maps[0].shape[0] == maps[0].shape[1]:
        wanted = torch_module(x, memory, *maps, n_head=n_head, causal=False)
        agree(
            found, wanted, f"for {said} your output is not that of nn.MultiheadAttention: {{entry}}", within
        )
    return found


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes and ones, scores of 0 and steep ones, both symmetries, layout and precision;
    gradients; and one call many times.
    """
    for sizes in SIZES:
        given = case(rng, *sizes)
        judge(again(answer, *given, sizes[5]), given, sizes[5])
    x, memory, *maps = given = case(rng, 2, 5, 6, 8, 10, 2, 3, 4)
    memory[:, 1] = 0.0  # so the scores of this key are exactly 0
    found = judge(again(answer, *given, 2), given, 2)
    order = torch.tensor(rng.sample(range(5), 5))
    shuffled = tensor_of(answer(x[:, order], memory, *maps, 2), tuple(x.shape), x.dtype, "the output")
    agree(
        shuffled,
        found[:, order],
        "the output of a query changes when the order of the 5 queries does: {entry}",
    )
    order = torch.tensor(rng.sample(range(6), 6))
    shuffled = tensor_of(answer(x, memory[:, order], *maps, 2), tuple(x.shape), x.dtype, "the output")
    agree(
        shuffled,
        found,
        "your output changes when the order of the 6 vectors of the memory does: {entry}",
    )
    for far in (20.0, 300.0, 1e5):
        given = (far * x, memory, *maps)
        judge(answer(*given, 2), given, 2, ", with scores far from each other,")
    given = (x, memory, *maps)
    moved = [Build(f"{HERE}:strided", (each,)) for each in given]
    judge(again(answer, *moved, 2), given, 2, ", not contiguous,")
    single = tuple(each.float() for each in given)
    judge(answer(*single, 2), single, 2, ", in float32,")
    gradients_agree(
        answer, oracle, {**dict(zip(NAMES, case(rng, 2, 3, 4, 6, 5, 2, 3, 2), strict=True)), "n_head": 2}
    )
    steady(answer, *given, 2)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Sizes that are all equal, sizes that are all unequal, and some between; and scores of 0."""
    sizes = (
        (2, 4, 4, 12, 12, 3, 4, 4),
        (2, 3, 7, 6, 18, 2, 4, 5),
        (1, 5, 3, 6, 6, 2, 3, 3),
        (1, 3, 5, 8, 8, 2, 4, 4),
    )
    cases = [case(rng, *each) for each in sizes]
    cases[-1][1][:, 2] = 0.0  # a vector of the memory
    return [(*given, each[5]) for given, each in zip(cases, sizes, strict=True)]


def cross_attention(x, memory, w_q, w_k, w_v, w_o, n_head):
    """The reference."""
    q, k, v = (
        (s @ w).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (B, nh, n_q, n_k)
    return (weights @ v).transpose(1, 2).flatten(2) @ w_o


def fused(x, memory, w_q, w_k, w_v, w_o, n_head):
    """torch's kernel does the middle."""
    q, k, v = (
        F.linear(s, w.T).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for s, w in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    read = F.scaled_dot_product_attention(q, k, v)
    return read.transpose(1, 2).flatten(-2) @ w_o


def head_after_head(x, memory, w_q, w_k, w_v, w_o, n_head):
    """One head at a time; the projected heads add up."""
    out = torch.zeros_like(x)
    pieces = zip(*(w.chunk(n_head, -1) for w in (w_q, w_k, w_v)), w_o.chunk(n_head, 0), strict=True)
    for own_q, own_k, own_v, own_o in pieces:
        scores = (x @ own_q) @ (memory @ own_k).mT * own_q.shape[-1] ** -0.5
        out = out + scores.softmax(-1) @ memory @ own_v @ own_o
    return out


def einstein(x, memory, w_q, w_k, w_v, w_o, n_head):
    """In index notation."""
    h = n_head
    q = torch.einsum("bic,chd->bhid", x, w_q.reshape(w_q.shape[0], h, -1))
    k = torch.einsum("bjc,chd->bhjd", memory, w_k.reshape(w_k.shape[0], h, -1))
    v = torch.einsum("bjc,chd->bhjd", memory, w_v.reshape(w_v.shape[0], h, -1))
    scores = torch.einsum("bhid,bhjd->bhij", q, k) / q.shape[-1] ** 0.5
    scores = scores - scores.logsumexp(-1, keepdim=True)
    return torch.einsum("bhij,bhjd,hdc->bic", scores.exp(), v, w_o.reshape(h, -1, w_o.shape[1]))


def a_query_at_a_time(x, memory, w_q, w_k, w_v, w_o, n_head):
    """Query after query, head after head."""
    rows = []
    for i in range(x.shape[1]):
        heads = []
        for h in range(n_head):
            d_k, d_v = w_k.shape[1] // n_head, w_v.shape[1] // n_head
            keys, values = memory @ w_k[:, h * d_k : (h + 1) * d_k], memory @ w_v[:, h * d_v : (h + 1) * d_v]
            query = x[:, i] @ w_q[:, h * d_k : (h + 1) * d_k]
            scores = (keys * query[:, None]).sum(-1) / math.sqrt(d_k)
            powers = torch.exp(scores - scores.amax(-1, keepdim=True))
            heads.append((powers[..., None] * values).sum(1) / powers.sum(-1, keepdim=True))
        rows.append(torch.cat(heads, dim=-1) @ w_o)
    return torch.stack(rows, dim=1)


KEY = AnswerKey(
    id="cross_attention",
    hidden=hidden,
    reference=cross_attention,
    accepted=(fused, head_after_head, einstein, a_query_at_a_time),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary="""
    Only the sources differ from self-attention: queries come from x, keys and values from the memory. So the
    weights have the shape (n_q, n_k), and there is no causal mask. `unflatten(-1, (n_head, -1))` finds the
    width of a head by itself, which helps because d_k and d_v differ here. The divisor is the root of d_k,
    the width of the queries.
    """,
)
