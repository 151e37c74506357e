"""Small models that the checks of notebook 04 pass to an answer: the weights of a GPT, and an encoder with its decoder.

- `weights_of` draws the weights of a GPT as a dict, with the names and shapes of a checkpoint. With `follow`, each is
  `followed`, so that the check learns which gradients reach it. The oracle is `kqa_core`'s own model with these weights.
- `Encoder` and `Decoder` are made in the answer's process, from a seed (`Build`). They hold nothing that shows the verdict.
- Everything is float64. Nothing here uses torch's global generator, so every process draws the same numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, partial

import torch
from torch import Tensor, nn
from torch.func import functional_call

from kqa_core.check.helpers.transformer_parts import followed
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT

HERE = "course_exercises._small_models"
Sizes = tuple[int, int, int, int, int]  # vocab_size, block_size, n_layer, n_head, d_model


@cache
def _model(sizes: Sizes, last_norm: bool = True) -> GPT:
    """The course's GPT of these sizes, without numbers and without dropout, and if wanted without its last LayerNorm."""
    vocab_size, block_size, n_layer, n_head, d_model = sizes
    with torch.device("meta"):
        model = GPT(GPTConfig(vocab_size, block_size, n_layer, n_head, d_model)).eval()
    if not last_norm:
        model.norm = nn.Identity()  # type: ignore[assignment]  # it has no weights
    return model


def weights_of(sizes: Sizes, seed: int, follow: bool = False) -> dict[str, Tensor]:
    """All weights of a GPT, by their names in a checkpoint: from N(0, 0.5²), plus 1 for the gain of a LayerNorm."""
    generator, weights = torch.Generator().manual_seed(seed), {}
    for name, parameter in _model(sizes).state_dict().items():
        drawn = 0.5 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        weights[name] = drawn + 1.0 if "norm" in name and name.endswith("weight") else drawn
    return _followed(weights) if follow else weights


def _followed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights, followed; but not the keys' biases: they move all scores of a query alike, so their gradient is 0."""
    return {name: each if name.endswith("key.bias") else followed(each, name) for name, each in weights.items()}


def block_weights(sizes: Sizes, seed: int, follow: bool = False) -> dict[str, Tensor]:
    """The weights of block 0 alone, under the names that they have inside the block: "norm_1.weight", …"""
    start = "blocks.0."
    chosen = {name: each for name, each in weights_of(sizes, seed).items() if name.startswith(start)}
    inside = {name.removeprefix(start): each for name, each in chosen.items()}
    return _followed(inside) if follow else inside


def block_output(x: Tensor, weights: dict[str, Tensor], n_head: int) -> Tensor:
    """The output of the course's own block for x (B, T, C) with these weights."""
    return _output_of(Block, x, weights, n_head)


def _output_of(kind: type[Block], x: Tensor, weights: dict[str, Tensor], n_head: int) -> Tensor:
    with torch.device("meta"):
        block = kind(GPTConfig(1, 1, 1, n_head, x.shape[-1])).eval()
    out: Tensor = functional_call(block, weights, (x,))
    return out


class _PostBlock(Block):
    """The block of 2017, which normalises the stream after each addition."""

    def forward(self, x: Tensor, cache: object = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        x = self.norm_1(x + self.attention(x))
        out: Tensor = self.norm_2(x + self.mlp(x))
        return out


class _OntoTheNormalised(Block):
    """A block whose branches are added to the normalised stream."""

    def forward(self, x: Tensor, cache: object = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        y = self.norm_1(x)
        z = self.norm_2(y + self.attention(y))
        out: Tensor = z + self.mlp(z)
        return out


class _WithoutAdditions(Block):
    """A block whose branches replace the stream."""

    def forward(self, x: Tensor, cache: object = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        out: Tensor = self.mlp(self.norm_2(self.attention(self.norm_1(x))))
        return out


class _SideBySide(Block):
    """A block whose MLP gets the x from before attention."""

    def forward(self, x: Tensor, cache: object = None) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        out: Tensor = x + self.attention(self.norm_1(x)) + self.mlp(self.norm_2(x))
        return out


NO_BIASES = "the biases of attention are missing: causal_self_attention has none, so use its parts"
NOT_TRANSPOSED = "the weights of attention are not transposed: a linear layer computes y @ weight.T + bias"
BLOCKS: dict[str, type[Block]] = {
    "": Block,
    "each LayerNorm follows an addition, which is post-LN: in pre-LN it is the first step of a branch": _PostBlock,
    "each branch is added to the normalised x: add it to x itself, which no LayerNorm changes": _OntoTheNormalised,
    "the branches replace the stream: add each result to it": _WithoutAdditions,
    "the MLP gets the x from before attention: it gets the sum": _SideBySide,
}


def block_mistakes(x: Tensor, weights: dict[str, Tensor], n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The outputs of blocks with one to three common mistakes: biases, transposes, and the order of the parts."""
    attention = [name for name in weights if name.startswith("attention.")]
    linear = [*attention, *(name for name in weights if name.startswith("mlp."))]
    bare: dict[str, list[str]] = {
        "": [],
        "the biases of attention are missing: causal_self_attention has none, so use its parts": attention,
    }
    bare["the biases of the linear layers are missing"] = linear
    turned: dict[str, list[str]] = {
        "": [],
        "the weights of attention are not transposed: a linear layer computes y @ weight.T + bias": attention,
    }
    found: dict[str, Callable[[], Tensor]] = {}
    for (shape, kind), (bias, cut), (turn, swapped) in itertools.product(BLOCKS.items(), bare.items(), turned.items()):
        changed = {
            name: 0 * each if name in cut and name.endswith("bias") else each.T if name in swapped and each.ndim == 2 else each
            for name, each in weights.items()
        }
        found["; ".join(filter(None, (bias, turn, shape)))] = partial(_output_of, kind, x, changed, n_head)
    del found[""]  # no mistake
    other = {"norm_1": "norm_2", "norm_2": "norm_1"}
    exchanged = {".".join(other.get(part, part) for part in name.split(".")): each for name, each in weights.items()}
    found["norm_1 and norm_2 are exchanged: norm_1 belongs to attention"] = partial(_output_of, Block, x, exchanged, n_head)
    found |= _wrong_heads(partial(block_output, x, weights), x.shape[-1], n_head)
    return dict(sorted(found.items(), key=lambda each: each[0].count(";")))


def _wrong_heads(output: Callable[[int], Tensor], width: int, n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The outputs with another number of heads than n_head: one, or another divisor of the width."""
    found = {
        f"it is what {n} heads give: use the argument n_head, which is {n_head}": partial(output, n)
        for n in range(2, width + 1)
        if width % n == 0 and n != n_head
    }
    single = {"it is what a single head of full width gives, so the split into heads is missing": partial(output, 1)}
    return found if n_head == 1 else single | found


def n_blocks(weights: dict[str, Tensor]) -> int:
    """The number of blocks of a GPT with these weights."""
    return len({name.split(".")[1] for name in weights if name.startswith("blocks.")})


def gpt_output(tokens: Tensor, weights: dict[str, Tensor], n_head: int, last_norm: bool = True) -> Tensor:
    """The logits (B, T, vocab_size) of the course's own GPT for tokens (B, T) with these weights."""
    (vocab_size, d_model), block_size = weights["token_embedding.weight"].shape, len(weights["position_embedding"])
    model = _model((vocab_size, block_size, n_blocks(weights), n_head, d_model), last_norm)
    out: Tensor = functional_call(model, weights, (tokens,))[0]
    return out


def gpt_mistakes(tokens: Tensor, weights: dict[str, Tensor], n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The logits of GPTs with one common mistake: the output, the embeddings, and the number and order of the blocks."""
    layers, logits = n_blocks(weights), partial(gpt_output, tokens, weights, n_head)
    table = weights["token_embedding.weight"]
    changed = {
        "the position embeddings are missing": {**weights, "position_embedding": 0 * weights["position_embedding"]},
        "the token embeddings are used as the output head: this model has head.weight": {**weights, "head.weight": table},
    }
    orders = {f"only the first {n} of {layers} blocks are used": [*range(n)] for n in range(1, layers)}
    orders["block 0 is used every time: each block has weights of its own"] = [0] * layers
    orders["the blocks are used in reverse order: blocks.0 comes first"] = [*range(layers)][::-1]
    orders["the blocks are in alphabetical order, blocks.10 before blocks.2: use their numbers"] = sorted(range(layers), key=str)
    if layers > 10:
        orders["block 1 has the weights of block 10: end the prefix with a dot, 'blocks.1.'"] = [0, 10, *range(2, layers)]
    changed |= {name: _with_blocks(weights, order) for name, order in orders.items()}
    return {
        **_wrong_heads(partial(gpt_output, tokens, weights), table.shape[1], n_head),
        "the last LayerNorm is missing: norm.weight and norm.bias belong between the last block and the output head": partial(
            logits, last_norm=False
        ),
        "they are probabilities: return the logits, before the softmax": lambda: logits().softmax(dim=-1),
        "they are logarithms of probabilities: return the logits, before the softmax": lambda: logits().log_softmax(dim=-1),
        **{name: partial(gpt_output, tokens, each, n_head) for name, each in changed.items()},
    }


def _with_blocks(weights: dict[str, Tensor], order: list[int]) -> dict[str, Tensor]:
    """The weights of a GPT whose blocks are those of these numbers, in this order."""
    found = {name: each for name, each in weights.items() if not name.startswith("blocks.")}
    for place, number in enumerate(order):
        start = f"blocks.{number}."
        inside = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        found |= {f"blocks.{place}.{name}": each for name, each in inside.items()}
    return found


class Encoder:
    """source (1, n) → memory (1, n, width). Each call after the first gives another memory, because a source is encoded once."""

    def __init__(self, seed: int, vocab_size: int, width: int) -> None:
        self.table = torch.randn(vocab_size, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
        self.calls = 0

    def __call__(self, source: Tensor) -> Tensor:
        """The memory of these tokens."""
        self.calls += 1
        memory = self.table[source]  # (1, n, width)
        return (memory + memory.cumsum(dim=1)) * (1 if self.calls == 1 else -1)


class Decoder:
    """memory (1, n, width), tokens (1, m) → logits (1, m, vocab_size). Each position depends on all tokens up to it."""

    def __init__(self, seed: int, vocab_size: int, width: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.table = torch.randn(vocab_size, width, generator=generator, dtype=torch.float64)
        self.head = torch.randn(width, vocab_size, generator=generator, dtype=torch.float64)

    def __call__(self, memory: Tensor, tokens: Tensor) -> Tensor:
        """The logits at every position of the tokens."""
        m = tokens.shape[1]
        turns = torch.cos(torch.arange(1, m + 1, dtype=torch.float64))[:, None]  # (m, 1): the order of the tokens matters
        prefix = (self.table[tokens] * turns).cumsum(dim=1)  # (1, m, width)
        weights = torch.softmax(prefix @ memory.transpose(1, 2), dim=-1)  # (1, m, n)
        return (prefix + 2.0 * weights @ memory) @ self.head
