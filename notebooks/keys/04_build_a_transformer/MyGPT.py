"""Answer key of MyGPT. The oracle is the library's `GPT` with the same weights."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises._own_classes import PROBE
from course_exercises.MyGPT import arguments, case, lasting
from course_keys import _own_class_mistakes
from torch import nn

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, both kinds of blocks, many blocks, and the properties of a module for the other kind."""
    for B, T, sizes, kind in (
        (2, 5, (11, 9, 2, 3, 12), "attention"),
        (1, 1, (3, 1, 1, 1, 2), "attention"),
        (2, 3, (4, 6, 12, 1, 4), "attention"),
        (3, 6, (7, 8, 3, 1, 5), "mean"),
    ):
        case(answer, rng, B, T, sizes, kind)
    case(answer, rng, 2, 4, (7, 4, 1, 3, 6), "mean", small=True)
    lasting(answer, rng, 5, (8, 9, 3, 1, 6), "mean")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Both kinds of blocks."""
    return [arguments((9, 6, 3, 2, 6), "attention"), arguments((6, 5, 2, 2, 4), "mean")]


class MyGPT(nn.Module):
    """The reference."""

    def __init__(self, config, block):
        super().__init__()
        d = config.d_model
        self.token_embedding = nn.Embedding(config.vocab_size, d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(d)
        self.head = nn.Linear(d, config.vocab_size, bias=False)

    def forward(self, tokens):
        x = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[1]]  # (B, T, d)
        for layer in self.blocks:
            x = layer(x)
        return self.head(self.norm(x))  # (B, T, vocab_size)


class Stacked(nn.Module):
    """The blocks are an nn.Sequential."""

    def __init__(self, config, block):
        super().__init__()
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Parameter(0.02 * torch.randn(config.block_size, config.d_model))
        self.blocks = nn.Sequential(*(block(config) for _ in range(config.n_layer)))
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, tokens):
        B, T = tokens.shape
        x = self.token_embedding(tokens) + self.position_embedding[:T].expand(B, T, -1)
        return self.head(self.norm(self.blocks(x)))


class Functional(nn.Module):
    """Embeddings and head by functions."""

    def __init__(self, config, block):
        super().__init__()
        self.blocks = nn.ModuleList()
        for _ in range(config.n_layer):
            self.blocks.append(block(config))
        self.head = nn.Linear(config.d_model, config.vocab_size, False)
        self.norm = nn.LayerNorm(config.d_model)
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Parameter(torch.empty(config.block_size, config.d_model).normal_(0, 0.1))

    def forward(self, tokens):
        t = torch.arange(tokens.shape[1], device=tokens.device)
        x = F.embedding(tokens, self.token_embedding.weight) + F.embedding(t, self.position_embedding)
        for i in range(len(self.blocks)):
            x = self.blocks[i](x)
        x = F.layer_norm(x, x.shape[-1:], self.norm.weight, self.norm.bias)
        return x @ self.head.weight.T


class SmallHead(nn.Module):
    """The head starts with small numbers."""

    def __init__(self, config, block):
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, config.d_model))
        self.blocks = nn.ModuleList(block(config) for _ in range(config.n_layer))
        self.norm, self.head = (
            nn.LayerNorm(config.d_model),
            nn.Linear(config.d_model, config.vocab_size, bias=False),
        )
        for parameter in self.head.parameters():
            nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens):
        x = self.token_embedding.weight[tokens]
        x = x + self.position_embedding[None, : x.shape[1]]
        for one in self.blocks:
            x = one(x)
        return self.head(self.norm(x))


class InTwoMethods(nn.Module):
    """The stream and the logits have methods of their own; blocks by their names."""

    def __init__(self, config, block):
        super().__init__()
        self.blocks = nn.ModuleDict({str(i): block(config) for i in range(config.n_layer)})
        self.position_embedding = nn.Parameter(torch.rand(config.block_size, config.d_model) - 0.5)
        self.token_embedding, self.norm = (
            nn.Embedding(config.vocab_size, config.d_model),
            nn.LayerNorm(config.d_model),
        )
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def stream(self, tokens):
        x = self.position_embedding.narrow(0, 0, tokens.size(1)) + self.token_embedding(tokens)
        for name in self.blocks:
            x = self.blocks[name](x)
        return x

    def forward(self, tokens):
        return self.head(self.norm(self.stream(tokens)))


class Started(nn.Module):
    """The stream begins as a list of rows."""

    def __init__(self, config, block):
        nn.Module.__init__(self)
        self.norm, self.blocks = nn.LayerNorm(config.d_model), nn.Sequential()
        for i in range(config.n_layer):
            self.blocks.add_module(str(i), block(config))
        self.register_parameter(
            "position_embedding", nn.Parameter(torch.zeros(config.block_size, config.d_model))
        )
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)

    def forward(self, tokens):
        rows = [self.token_embedding(row) + self.position_embedding[: len(row)] for row in tokens]  # type: ignore[index]
        return self.head(self.norm(self.blocks(torch.stack(rows))))


class Recursive(nn.Module):
    """The first block, then the others."""

    def __init__(self, config, block):
        super().__init__()
        d, V = config.d_model, config.vocab_size
        self.token_embedding, self.norm = nn.Embedding(V, d), nn.LayerNorm(d)
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, d))
        self.blocks = nn.ModuleList([block(config) for _ in range(config.n_layer)])
        self.head = nn.Linear(d, V, bias=False)

    def through(self, x, i):
        return x if i == len(self.blocks) else self.through(self.blocks[i](x), i + 1)

    def forward(self, tokens):
        start = self.token_embedding(tokens) + self.position_embedding[: tokens.shape[-1]]
        return self.head(self.norm(self.through(start, 0)))


KEY = AnswerKey(
    id="MyGPT",
    hidden=hidden,
    reference=MyGPT,
    accepted=(Stacked, Functional, SmallHead, InTwoMethods, Started, Recursive),
    rejected=_own_class_mistakes.GPT,
    fingerprint=fingerprint,
    values=lambda answer, made: answer.method(PROBE, "measured", made),
    commentary="""
    The class is the list of names, turned into code. `nn.ModuleList` is needed because modules in an
    ordinary list are not found: they would be missing in `state_dict()` and in `parameters()`, so they
    would be neither saved nor trained. `block(config)` is called once for each block. The model does not
    know what a block is, so it also takes blocks with another attention, or those of a Llama.
    """,
)
