"""Answer key of MyAttention. The oracle is the library's `CausalSelfAttention` with the same weights."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._own_classes import PROBE, config
from course_exercises.MyAttention import case, lasting, low, sizes_of
from course_keys import _own_class_mistakes
from torch import nn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, ones, a long row, and the properties of a module for several heads."""
    for B, T, sizes in (
        (2, 5, sizes_of(9, 3, 12)),
        (1, 1, sizes_of(1, 1, 2)),
        (2, 6, sizes_of(6, 4, 4)),
        (1, 2, sizes_of(2, 1, 4)),
        (1, 70, sizes_of(80, 2, 4)),
        (1, 900, sizes_of(910, 1, 2)),
    ):
        case(answer, rng, B, T, sizes)
    low(answer, rng, sizes_of(9, 3, 6))
    lasting(answer, rng, 5, sizes_of(9, 3, 6))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two sizes."""
    return [(config(sizes_of(6, 2, 6)),), (config(sizes_of(5, 3, 12)),)]


class MyAttention(nn.Module):
    """The reference."""

    def __init__(self, config):
        super().__init__()
        d = config.d_model
        self.n_head = config.n_head
        self.query, self.key, self.value = nn.Linear(d, d), nn.Linear(d, d), nn.Linear(d, d)
        self.projection = nn.Linear(d, d)

    def forward(self, x):
        B, T, d = x.shape
        # (B, n_head, T, d_k) each
        q, k, v = (
            layer(x).view(B, T, self.n_head, d // self.n_head).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        )
        allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(d // self.n_head)  # (B, n_head, T, T)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return self.projection(heads.transpose(1, 2).reshape(B, T, d))


class Fused(nn.Module):
    """torch's kernel does the middle."""

    def __init__(self, config):
        super().__init__()
        for name in ("query", "key", "value", "projection"):
            setattr(self, name, nn.Linear(config.d_model, config.d_model))
        self.heads = config.n_head

    def forward(self, x):
        q, k, v = (
            each(x).unflatten(-1, (self.heads, -1)).transpose(1, 2)  # type: ignore[operator]
            for each in (self.query, self.key, self.value)
        )
        return self.projection(  # type: ignore[operator]
            F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        )


class KeptMask(nn.Module):
    """A mask for the longest row, in a buffer that is not saved."""

    def __init__(self, config):
        super().__init__()
        self.config = config
        L, d = config.block_size, config.d_model
        self.projection, self.value, self.key, self.query = (nn.Linear(d, d) for _ in range(4))
        self.register_buffer("mask", torch.ones(L, L).tril().bool().view(1, 1, L, L), persistent=False)

    def forward(self, x):
        B, T, C = x.size()
        h = self.config.n_head
        k = self.key(x).view(B, T, h, C // h).transpose(1, 2)
        q = self.query(x).view(B, T, h, C // h).transpose(1, 2)
        v = self.value(x).view(B, T, h, C // h).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = F.softmax(att.masked_fill(~self.mask[:, :, :T, :T], float("-inf")), dim=-1)  # type: ignore[index]
        return self.projection((att @ v).transpose(1, 2).contiguous().view(B, T, C))


class HeadByHead(nn.Module):
    """One head after the other, concatenated."""

    def __init__(self, config):
        super().__init__()
        self.n_head, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        heads = []
        t = torch.arange(x.shape[1], device=x.device)
        for q, k, v in zip(
            *(layer(x).chunk(self.n_head, -1) for layer in (self.query, self.key, self.value)), strict=True
        ):
            scores = torch.where(t[:, None] >= t, q @ k.mT * q.shape[-1] ** -0.5, -math.inf)
            heads.append(scores.softmax(-1) @ v)
        return self.projection(torch.cat(heads, dim=-1))


class ByIndex(nn.Module):
    """In index notation, with -inf added."""

    def __init__(self, config):
        super().__init__()
        d, self.h = config.d_model, config.n_head
        self.query, self.key, self.value, self.projection = map(nn.Linear, [d] * 4, [d] * 4)

    def forward(self, x):
        split = [
            torch.stack(layer(x).split(x.shape[-1] // self.h, -1), 2)
            for layer in (self.query, self.key, self.value)
        ]
        q, k, v = split  # (B, T, h, d_k)
        future = torch.full((x.shape[1], x.shape[1]), -math.inf, dtype=x.dtype, device=x.device).triu(1)
        weights = (torch.einsum("bihd,bjhd->bhij", q, k) / q.shape[-1] ** 0.5 + future).softmax(-1)
        return self.projection(torch.einsum("bhij,bjhd->bihd", weights, v).flatten(2))


class PositionByPosition(nn.Module):
    """No mask: each position gets the keys and values up to itself."""

    def __init__(self, config):
        super().__init__()
        self.n_head, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            torch.stack(layer(x).chunk(self.n_head, -1), 1) for layer in (self.query, self.key, self.value)
        )
        rows = []
        for t in range(x.shape[1]):
            scores = (k[:, :, : t + 1] @ q[:, :, t, :, None]).squeeze(-1) / math.sqrt(q.shape[-1])
            rows.append((scores.softmax(-1)[:, :, None] @ v[:, :, : t + 1]).flatten(1))
        return self.projection(torch.stack(rows, 1))


class InFunctionalForm(nn.Module):
    """Exponentials of what is allowed, divided by their sum."""

    def __init__(self, config):
        super().__init__()
        self.n, d = config.n_head, config.d_model
        for name in ("key", "value", "projection", "query"):
            self.add_module(name, nn.Linear(d, d))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = (
            F.linear(x, part.weight, part.bias).reshape(B, T, self.n, -1).permute(0, 2, 1, 3)  # type: ignore[arg-type, union-attr]
            for part in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(2, 3) / (C / self.n) ** 0.5
        past = torch.tril(torch.ones_like(scores))
        scores = scores.where(past > 0, -math.inf)
        powers = (scores - scores.amax(-1, keepdim=True)).exp()
        return self.projection((powers @ v / powers.sum(-1, keepdim=True)).transpose(1, 2).reshape(B, T, C))  # type: ignore[operator]


class MaskIsSaved(nn.Module):
    """A mask is saved with the weights, so checkpoints do not fit: register_buffer needs persistent=False."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))
        self.register_buffer("mask", torch.ones(config.block_size, config.block_size).tril().bool())

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        T = x.shape[1]
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=self.mask[:T, :T])  # type: ignore[index]
        return self.projection(y.transpose(1, 2).flatten(2))


class FullBlockOnly(nn.Module):
    """The length is taken from config.block_size, in the mask or in a reshape, so shorter rows do not fit:
    use the length of x, x.shape[1].
    """

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))
        self.size = config.block_size

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        allowed = torch.ones(self.size, self.size, dtype=torch.bool, device=x.device).tril()
        y = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(~allowed, -math.inf).softmax(-1) @ v
        return self.projection(y.transpose(1, 2).flatten(2))


class Detached(nn.Module):
    """The gradient of the keys is cut off, as by detach or .data, so they are not trained."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        y = F.scaled_dot_product_attention(q, k.detach(), v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2))


KEY = AnswerKey(
    id="MyAttention",
    hidden=hidden,
    reference=MyAttention,
    accepted=(Fused, KeptMask, HeadByHead, ByIndex, PositionByPosition, InFunctionalForm),
    rejected=(*_own_class_mistakes.ATTENTION, MaskIsSaved, FullBlockOnly, Detached),
    fingerprint=fingerprint,
    values=lambda answer, made: answer.method(PROBE, "measured", made),
    commentary="""
    `__init__` makes what is trained, once, and `forward` is the function that you have written before. In
    your notebook it is shorter: `split_heads`, `attention_scores`, `causal_mask` and `merge_heads` do the
    work. The names of the layers are the names in the state dictionary, so they decide whether a
    checkpoint fits. The mask is no parameter: it is made in `forward`, on the device of x, or kept in a
    buffer that is not saved.
    """,
)
