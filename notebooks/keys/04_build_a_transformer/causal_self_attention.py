"""Answer key of causal_self_attention.

Judged against torch's fused kernel and nn.MultiheadAttention; right answers differ from both by rounding
only, as `test_04_attention.py` measures. A finite number in place of minus infinity is refused where it
leaks: scores reach ±50 here.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.causal_self_attention import NAMES, case, oracle
from course_keys import _attention_layer_mistakes, _attention_weights_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.named_mistakes import torch_module
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    agree,
    device_kept,
    draw,
    first_leak,
    gradients_agree,
    rounding,
    tensor_of,
)

# B, T, C, n_head
SIZES = ((2, 6, 12, 3), (1, 7, 6, 6), (3, 4, 8, 1), (2, 1, 10, 5), (1, 1, 3, 1), (4, 9, 4, 2), (2, 2, 6, 1))
STEEP = 5.0  # queries and keys this many times as long: scores near ±50, where a softmax is all but hard


def judge(answered: object, given: tuple[torch.Tensor, ...], n_head: int, what: str) -> torch.Tensor:
    """NotYet unless `answered` is what both of torch's implementations give."""
    x, *maps = given
    found = tensor_of(answered, tuple(x.shape), x.dtype, "the output")
    within = rounding(x.shape[-1] // n_head)
    for wanted in (oracle(*given, n_head), torch_module(x, x, *maps, n_head=n_head, causal=True)):
        agree(
            found,
            wanted,
            f"for x {tuple(x.shape)} and {n_head} heads{what} your output is not that of causal"
            " self-attention: {entry}",
            within,
        )
    return found


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, ones, long rows, scores of 0, steep ones,
    the future, layout, precision, device, gradients; steady.
    """
    for B, T, C, n_head in SIZES:
        given = case(rng, B, T, C)
        judge(again(answer, *given, n_head), given, n_head, "")
    long = case(rng, 1, 900, 2)
    judge(again(answer, *long, 1), long, 1, "")
    x, *maps = case(rng, 2, 5, 6)
    x[:, 1::2] = 0.0  # so some allowed scores are exactly 0
    judge(again(answer, x, *maps, 2), (x, *maps), 2, ", with tokens whose vector is 0,")
    for scale, width in ((STEEP, 12), (20.0, 8), (300.0, 12)):
        steep = case(rng, 3, 8, width, scale=scale)
        judge(again(answer, *steep, 4), steep, 4, " and large scores")
    x, *maps = given = case(rng, 2, 7, 12)
    found = judge(again(answer, *given, 4), given, 4, "")
    for t in (1, 4, 6):
        later = x.clone()
        later[:, t:] = draw(rng, 2, 7 - t, 12, scale=10.0)
        first_leak(found, answer(later, *maps, 4), t)
    moved = [Build(f"{HERE}:strided", (each,)) for each in given]
    judge(again(answer, *moved, 3), given, 3, ", not contiguous,")
    single = tuple(each.float() for each in given)
    judge(answer(*single, 2), single, 2, ", in float32,")
    gradients_agree(answer, oracle, {**dict(zip(NAMES, case(rng, 2, 4, 6), strict=True)), "n_head": 2})
    device_kept(answer, *given, 4)
    steady(answer, *case(rng, 1, 2, 4), 2)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Some sizes, steep scores, and a token whose vector is 0."""
    calls: list[tuple[object, ...]] = [
        (*case(rng, B, T, C), h) for B, T, C, h in ((2, 5, 12, 3), (1, 4, 6, 2), (2, 6, 8, 4), (2, 2, 4, 1))
    ]
    calls.append((*case(rng, 2, 6, 12, scale=STEEP), 3))
    x, *maps = case(rng, 2, 5, 6)
    x[:, 2] = 0.0
    return [*calls, (x, *maps, 2)]


def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
    """The reference."""
    B, T, C = x.shape
    # (B, nh, T, hs)
    q, k, v = ((x @ w).reshape(B, T, n_head, C // n_head).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)  # (B, nh, T, T)
    allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    weights = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1)
    return (weights @ v).transpose(1, 2).reshape(B, T, C) @ w_o


def fused(x, w_q, w_k, w_v, w_o, n_head):
    """torch's kernel does the middle."""
    q, k, v = (F.linear(x, w.T).unflatten(-1, (n_head, -1)).transpose(1, 2) for w in (w_q, w_k, w_v))
    return F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2) @ w_o


def einstein(x, w_q, w_k, w_v, w_o, n_head):
    """In index notation from end to end, with -inf added."""
    C = x.shape[-1]
    q, k, v = (torch.einsum("btc,chd->bhtd", x, w.reshape(C, n_head, -1)) for w in (w_q, w_k, w_v))
    future = torch.full((x.shape[1],) * 2, float("-inf"), dtype=x.dtype, device=x.device).triu(1)
    weights = (torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5 + future).softmax(-1)
    return torch.einsum("bhij,bhjd,hdc->bic", weights, v, w_o.reshape(n_head, -1, C))


def a_position_at_a_time(x, w_q, w_k, w_v, w_o, n_head):
    """No mask at all: position t is given only what it may read."""
    rows = []
    for t in range(x.shape[1]):
        seen, heads = x[:, : t + 1], []
        for q, k, v in zip(
            *((part @ w).chunk(n_head, -1) for part, w in ((x[:, t], w_q), (seen, w_k), (seen, w_v))),
            strict=True,
        ):
            scores = (k @ q.unsqueeze(-1)).squeeze(-1) / q.shape[-1] ** 0.5
            heads.append((scores.softmax(-1).unsqueeze(-1) * v).sum(1))
        rows.append(torch.cat(heads, -1) @ w_o)
    return torch.stack(rows, 1)


def heads_summed_up(x, w_q, w_k, w_v, w_o, n_head):
    """Each head with its own slices of the four matrices; the projected heads add up."""
    d = x.shape[-1] // n_head
    out = torch.zeros_like(x)
    for h in range(n_head):
        own = slice(h * d, (h + 1) * d)
        scores = (x @ w_q[:, own]) @ (x @ w_k[:, own]).mT / d**0.5
        late = torch.arange(x.shape[1], device=x.device)
        scores = scores.where(late[:, None] >= late[None, :], torch.finfo(x.dtype).min)
        out = out + torch.exp(scores.log_softmax(-1)) @ (x @ w_v[:, own]) @ w_o[own]
    return out


def masked_after_and_divided(x, w_q, w_k, w_v, w_o, n_head):
    """Exponentials of what is allowed, divided by their sum."""
    B, T, C = x.shape
    q, k, v = torch.stack([x @ w for w in (w_q, w_k, w_v)]).view(3, B, T, n_head, -1).permute(0, 1, 3, 2, 4)
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    allowed = torch.tril(torch.ones_like(scores))
    top = torch.where(allowed > 0, scores, -math.inf).amax(-1, keepdim=True)
    powers = torch.where(allowed > 0, scores - top, -math.inf).exp()
    return torch.cat((powers @ v / powers.sum(-1, keepdim=True)).unbind(1), -1) @ w_o


def online(x, w_q, w_k, w_v, w_o, n_head):
    """Keys one after the other, with a running maximum and a running sum."""
    B, T, C = x.shape
    q, k, v = (torch.stack((x @ w).split(C // n_head, -1), 1) for w in (w_q, w_k, w_v))
    top = torch.full_like(q[..., :1], torch.finfo(x.dtype).min)
    total, read = torch.zeros_like(top), torch.zeros_like(v)
    for s in range(T):
        score = (q * k[:, :, s : s + 1]).sum(-1, keepdim=True) * (C // n_head) ** -0.5
        score = torch.where(torch.arange(T, device=x.device)[:, None] >= s, score, -math.inf)
        new = torch.maximum(top, score)
        total = total * torch.exp(top - new) + torch.exp(score - new)
        read = read * torch.exp(top - new) + torch.exp(score - new) * v[:, :, s : s + 1]
        top = new
    return (read / total).transpose(1, 2).reshape(B, T, C) @ w_o


KEY = AnswerKey(
    id="causal_self_attention",
    hidden=hidden,
    reference=causal_self_attention,
    accepted=(fused, einstein, a_position_at_a_time, heads_summed_up, masked_after_and_divided, online),
    rejected=(*_attention_weights_mistakes.REJECTED, *_attention_layer_mistakes.REJECTED),
    fingerprint=fingerprint,
    commentary="""
    The body follows the formula from the inside out, and with your own functions it takes five lines. The
    mask is made on the device of x, and the scale comes from the width of a head and not from that of the
    model. Most mistakes keep the shape and change the numbers: a mask that comes too late, a missing
    transpose, √d instead of √d_k.
    """,
)
