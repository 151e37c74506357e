"""Wrong answers to MyAttention and MyGPT, each with the sentence about its mistake."""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import nn


class WithoutMask(nn.Module):
    """There is no causal mask: every position attends to later ones, too."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        y = F.scaled_dot_product_attention(q, k, v)
        return self.projection(y.transpose(1, 2).flatten(2))


class WithoutScale(nn.Module):
    """You do not divide the scores by the root of d_k, the width of a head."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, scale=1.0)
        return self.projection(y.transpose(1, 2).flatten(2))


class OneHead(nn.Module):
    """There is a single head of full width. The vectors should be split into config.n_head heads."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (layer(x)[:, None] for layer in (self.query, self.key, self.value))  # (B, 1, T, d)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2))


class OtherNames(nn.Module):
    """The layers of your class have other names than those of a checkpoint. They should be called query,
    key, value and projection.
    """

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.w_q, self.w_k, self.w_v, self.w_o = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.w_q, self.w_k, self.w_v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.w_o(y.transpose(1, 2).flatten(2))


class MergedByReshape(nn.Module):
    """You merge the heads by a reshape alone, which mixes tokens: exchange the axes of heads and tokens
    first.
    """

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.reshape(x.shape))


class SplitByReshape(nn.Module):
    """You split into heads by a reshape alone, which mixes tokens: split the last axis, then exchange
    two axes.
    """

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        B, T, d = x.shape
        q, k, v = (f(x).reshape(B, self.h, T, d // self.h) for f in (self.query, self.key, self.value))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.projection(y.transpose(1, 2).flatten(2))


class MaskedAfter(nn.Module):
    """The mask comes after the softmax, so later scores still count in the denominator."""

    def __init__(self, config):
        super().__init__()
        self.h, d = config.n_head, config.d_model
        self.query, self.key, self.value, self.projection = (nn.Linear(d, d) for _ in range(4))

    def forward(self, x):
        q, k, v = (
            f(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        y = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1).tril() @ v
        return self.projection(y.transpose(1, 2).flatten(2))


ATTENTION = (WithoutMask, WithoutScale, OneHead, OtherNames, MergedByReshape, SplitByReshape, MaskedAfter)


class PlainList(nn.Module):
    """Your blocks are in an ordinary list, where state_dict() and an optimizer do not find them: use
    nn.ModuleList.
    """

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = [block(config) for _ in range(config.n_layer)]
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        for layer in self.blocks:
            x = layer(x)
        return self.head(self.norm(x))


class OneBlockManyTimes(nn.Module):
    """All blocks share their weights, as when one block is in the list many times: call block(config) for
    each.
    """

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config)] * config.n_layer)
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))


class WithoutPositions(nn.Module):
    """You do not add the position embeddings: without them the model does not know the order of its
    tokens.
    """

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens)
        return self.head(self.norm(self.blocks(x)))


class LastPositions(nn.Module):
    """You add the last rows of the position table. A row should begin at position 0."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[-tokens.shape[1] :]
        return self.head(self.norm(self.blocks(x)))


class WithoutLastNorm(nn.Module):
    """The last LayerNorm has no effect in forward. It should come between the last block and the head."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.head(self.blocks(x))


class HeadWithBias(nn.Module):
    """Your head has a bias, and that of a checkpoint has none: give bias=False."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))


class TiedHead(nn.Module):
    """You use the token table as the head. This model has a head with weights of its own."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.norm(self.blocks(x)) @ self.token_embedding.weight.T


class PositionsInALayer(nn.Module):
    """Your position embedding is an nn.Embedding, whose weight has another name. It should be an
    nn.Parameter of the model itself.
    """

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Embedding(config.block_size, d)
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding.weight[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x)))


class PositionsAsBuffer(nn.Module):
    """The position embeddings get no gradient: they are a buffer or do not require one, or detach, .data or
    no_grad cuts it off.
    """

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.register_buffer("position_embedding", torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]  # type: ignore[index]
        return self.head(self.norm(self.blocks(x)))


class Probabilities(nn.Module):
    """You return probabilities: return the logits, before the softmax."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.Sequential(*[block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]
        return self.head(self.norm(self.blocks(x))).softmax(dim=-1)


GPT = (
    PlainList,
    OneBlockManyTimes,
    WithoutPositions,
    LastPositions,
    WithoutLastNorm,
    HeadWithBias,
    TiedHead,
    PositionsInALayer,
    PositionsAsBuffer,
    Probabilities,
)
