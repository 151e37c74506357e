"""Causal self-attention put together from interchangeable steps:
hundreds of right answers, and hundreds with one wrong step.

Each step has several right forms, and several wrong ones. A right answer takes a right form of every step; a
wrong one takes a wrong form of exactly one. Tensors between the steps: q, k, v (B, nh, T, hs), scores and
weights (B, nh, T, T).
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F

# ---- how an input meets a matrix, (B, T, C) and (C, C) → (B, T, C)
PROJECT = {
    "matmul": lambda x, w: x @ w,
    "linear": lambda x, w: F.linear(x, w.T),
    "einsum": lambda x, w: torch.einsum("btc,cd->btd", x, w),
    "flat": lambda x, w: torch.mm(x.reshape(-1, x.shape[-1]), w).reshape(x.shape),
    "rows": lambda x, w: torch.stack([row @ w for row in x]),
    "tensordot": lambda x, w: torch.tensordot(x, w, dims=1),
}
WRONG_PROJECT = {
    "transposed": lambda x, w: x @ w.T,
    "skipped": lambda x, w: x + 0 * (x @ w),
    "elementwise": lambda x, w: x * w.diagonal(),
}

# ---- into heads, (B, T, C) → (B, nh, T, hs)
SPLIT = {
    "reshape": lambda x, h: x.reshape(*x.shape[:2], h, -1).transpose(1, 2),
    "chunks": lambda x, h: torch.stack(x.chunk(h, dim=-1), dim=1),
    "unflatten": lambda x, h: x.unflatten(-1, (h, -1)).permute(0, 2, 1, 3),
    "slices": lambda x, h: torch.stack(
        [x[..., i * (x.shape[-1] // h) :][..., : x.shape[-1] // h] for i in range(h)], 1
    ),
    "copied": lambda x, h: (
        x.contiguous().view(x.shape[0], x.shape[1], h, x.shape[2] // h).transpose(1, 2).contiguous()
    ),
}
WRONG_SPLIT = {
    "no transpose": lambda x, h: x.reshape(x.shape[0], h, x.shape[1], -1),
    "interleaved": lambda x, h: x.unflatten(-1, (-1, h)).permute(0, 3, 1, 2),
    "first head only": lambda x, h: torch.stack([x[..., : x.shape[-1] // h]] * h, dim=1),
}

# ---- scores, scaled
SCORE = {
    "after": lambda q, k: q @ k.mT / math.sqrt(q.shape[-1]),
    "query first": lambda q, k: (q * q.shape[-1] ** -0.5) @ k.mT,
    "key first": lambda q, k: q @ (k / k.shape[-1] ** 0.5).transpose(-2, -1),
    "both": lambda q, k: (q / q.shape[-1] ** 0.25) @ (k / q.shape[-1] ** 0.25).mT,
    "einsum": lambda q, k: torch.einsum("bhid,bhjd->bhij", q, k).div(math.sqrt(k.shape[-1])),
    "broadcast": lambda q, k: (q[..., :, None, :] * k[..., None, :, :]).sum(-1) * q.shape[-1] ** -0.5,
    "transposed twice": lambda q, k: (k @ q.mT).mT / torch.tensor(float(q.shape[-1]), dtype=q.dtype).sqrt(),
}
WRONG_SCORE = {
    "no root": lambda q, k: q @ k.mT,
    "no root of it": lambda q, k: q @ k.mT / q.shape[-1],
    "root of d_model": lambda q, k: q @ k.mT / math.sqrt(q.shape[-1] * q.shape[1]),
    "times": lambda q, k: q @ k.mT * math.sqrt(q.shape[-1]),
    "exchanged": lambda q, k: k @ q.mT / math.sqrt(q.shape[-1]),
    "one head for all": lambda q, k: (q[:, :1] @ k[:, :1].mT / math.sqrt(q.shape[-1])).expand(
        -1, q.shape[1], -1, -1
    ),
    "one too many": lambda q, k: q @ k.mT / math.sqrt(q.shape[-1] + 1),
}


def _allowed(scores):
    return torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()


def _softmax_by_hand(scores):
    powers = torch.exp(scores - scores.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def _row_by_row(scores):
    rows = [
        F.pad(scores[..., t, : t + 1].softmax(-1), (0, scores.shape[-1] - t - 1))
        for t in range(scores.shape[-1])
    ]
    return torch.stack(rows, dim=-2)


def _renormalised(scores):
    top = scores.masked_fill(~_allowed(scores), -math.inf).amax(-1, keepdim=True)
    powers = (scores - top).clamp(max=0).exp() * _allowed(scores)
    return powers / powers.sum(-1, keepdim=True)


def _added(value):
    return lambda s: (s + torch.full(s.shape[-2:], value, dtype=s.dtype, device=s.device).triu(1)).softmax(-1)


# ---- from scores to weights
WEIGH = {
    "masked_fill": lambda s: s.masked_fill(~_allowed(s), -math.inf).softmax(-1),
    "where": lambda s: torch.where(_allowed(s), s, float("-inf")).softmax(dim=3),
    "added": _added(float("-inf")),
    "half of the smallest": lambda s: F.softmax(
        s.masked_fill(torch.ones_like(s[0, 0]).triu(1) > 0, torch.finfo(s.dtype).min / 2), dim=-1
    ),
    "smallest": lambda s: s.masked_fill(~_allowed(s), torch.finfo(s.dtype).min).softmax(-1),
    "compared": lambda s: _softmax_by_hand(
        s.masked_fill((at := torch.arange(s.shape[-1], device=s.device))[:, None] < at, -math.inf)
    ),
    "log": lambda s: s.masked_fill(~_allowed(s), -math.inf).log_softmax(-1).exp(),
    "rows": _row_by_row,
    "renormalised": _renormalised,
}
WRONG_WEIGH = {
    "afterwards": lambda s: s.softmax(-1) * _allowed(s),
    "no mask": lambda s: s.softmax(-1),
    "over queries": lambda s: s.masked_fill(~_allowed(s), -math.inf).softmax(-2),
    "over heads": lambda s: s.softmax(1) * _allowed(s),
    "inverted": lambda s: s.masked_fill(_allowed(s), -math.inf).softmax(-1),
    "transposed": lambda s: s.masked_fill(~_allowed(s).T, -math.inf).softmax(-1),
    "one too far": lambda s: s.masked_fill(torch.ones_like(s[0, 0]).triu(2) > 0, -math.inf).softmax(-1),
    "not itself": lambda s: s.masked_fill(torch.ones_like(s[0, 0]).triu(0) > 0, -math.inf).softmax(-1),
    "minus 1e9": lambda s: F.softmax(s.masked_fill(torch.ones_like(s[0, 0]).triu(1) > 0, -1e9), dim=-1),
    "minus ten": _added(-10.0),
    "minus three": lambda s: s.masked_fill(~_allowed(s), -3.0).softmax(-1),
    "zero": lambda s: s.masked_fill(~_allowed(s), 0.0).softmax(-1),
    "on the cpu": lambda s: s.masked_fill(~torch.ones(s.shape[-2:]).tril().bool(), -math.inf).softmax(-1),
    "no softmax": lambda s: s * _allowed(s),
    "dropout": lambda s: F.dropout(s.masked_fill(~_allowed(s), -math.inf).softmax(-1), 0.2),
    "rounded": lambda s: (
        s.masked_fill(~_allowed(s), -math.inf).float().softmax(-1).to(torch.bfloat16).to(s.dtype)
    ),
    "detached": lambda s: s.masked_fill(~_allowed(s), -math.inf).softmax(-1).detach(),
}

# ---- reading: weights and values → (B, nh, T, hs)
READ = {
    "matmul": lambda a, v: a @ v,
    "einsum": lambda a, v: torch.einsum("bhij,bhjd->bhid", a, v),
    "broadcast": lambda a, v: (a[..., None] * v[:, :, None]).sum(-2),
    "bmm": lambda a, v: torch.bmm(a.flatten(0, 1), v.flatten(0, 1)).unflatten(0, a.shape[:2]),
}
WRONG_READ = {
    "transposed weights": lambda a, v: a.mT @ v,
    "detached": lambda a, v: a @ v.detach(),
    "values added": lambda a, v: a @ v + v,
}

# ---- back to one stream and through w_o
MERGE = {
    "reshape": lambda y, w: y.transpose(1, 2).reshape(y.shape[0], y.shape[2], -1) @ w,
    "cat": lambda y, w: torch.cat(y.unbind(1), dim=-1) @ w,
    "flatten": lambda y, w: F.linear(y.movedim(1, 2).flatten(-2), w.T),
    "einsum": lambda y, w: torch.einsum("bhtd,hdc->btc", y, w.reshape(y.shape[1], y.shape[3], -1)),
    "summed": lambda y, w: sum(y[:, h] @ w.chunk(y.shape[1])[h] for h in range(y.shape[1])),
    "contiguous": lambda y, w: y.permute(0, 2, 1, 3).contiguous().view(y.shape[0], y.shape[2], -1).matmul(w),
}
WRONG_MERGE = {
    "no transpose": lambda y, w: y.reshape(y.shape[0], y.shape[2], -1) @ w,
    "no projection": lambda y, w: torch.cat(y.unbind(1), dim=-1),
    "backwards": lambda y, w: torch.cat(y.flip(1).unbind(1), dim=-1) @ w,
    "mean of heads": lambda y, w: torch.cat([y.mean(1)] * y.shape[1], dim=-1) @ w,
    "detached": lambda y, w: (torch.cat(y.unbind(1), dim=-1) @ w).detach(),
    "transposed projection": lambda y, w: torch.cat(y.unbind(1), dim=-1) @ w.T,
    "float32": lambda y, w: (torch.cat(y.unbind(1), dim=-1) @ w).float(),
    "interleaved": lambda y, w: y.permute(0, 2, 3, 1).flatten(-2) @ w,
}

STEPS = (PROJECT, SPLIT, SCORE, WEIGH, READ, MERGE)
WRONG_STEPS = (WRONG_PROJECT, WRONG_SPLIT, WRONG_SCORE, WRONG_WEIGH, WRONG_READ, WRONG_MERGE)


def assembled(project, split, score, weigh, read, merge):
    """An answer made of these six steps."""

    def causal_self_attention(x, w_q, w_k, w_v, w_o, n_head):
        q, k, v = (split(project(x, w), n_head) for w in (w_q, w_k, w_v))
        return merge(read(weigh(score(q, k)), v), w_o)

    return causal_self_attention
