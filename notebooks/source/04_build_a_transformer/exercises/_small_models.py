"""Small models whose weights the checks of notebook 04 pass to an answer.

- `weights_of` draws the weights of a GPT as a dict, with the names and shapes of a checkpoint. With `follow`,
  each is `followed`, so that the check learns which gradients reach it. The oracle is `kqa_core`'s own model
  with these weights.
- Everything is float64. Nothing here uses torch's global generator, so every process draws the same numbers.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import cache, partial, reduce
from typing import TypeVar, cast

import torch
from torch import Tensor, nn
from torch.func import functional_call

from kqa_core.exercise_helpers.followed import followed
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT

HERE = "course_exercises._small_models"
Module = TypeVar("Module", bound=nn.Module)
Sizes = tuple[int, int, int, int, int]  # vocab_size, block_size, n_layer, n_head, d_model


def _empty(make: Callable[[], Module]) -> Module:
    """A module without numbers. To initialise one on "meta" would import torch's compiler, for seconds."""
    with torch.random.fork_rng(devices=[]):
        return make().eval().to("meta")


@cache
def _model(sizes: Sizes, last_norm: bool = True) -> GPT:
    """The course's GPT of these sizes, without numbers and without dropout,
    and if wanted without its last LayerNorm.
    """
    vocab_size, block_size, n_layer, n_head, d_model = sizes
    model = _empty(lambda: GPT(GPTConfig(vocab_size, block_size, n_layer, n_head, d_model)))
    if not last_norm:
        model.norm = nn.Identity()  # type: ignore[assignment]  # it has no weights
    return model


def weights_of(sizes: Sizes, seed: int, follow: bool = False) -> dict[str, Tensor]:
    """All weights of a GPT, by their names in a checkpoint:
    from N(0, 0.5²), plus 1 for the gain of a LayerNorm.
    """
    generator, weights = torch.Generator().manual_seed(seed), {}
    for name, parameter in _model(sizes).state_dict().items():
        drawn = 0.5 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        weights[name] = drawn + 1.0 if "norm" in name and name.endswith("weight") else drawn
    return _followed(weights) if follow else weights


def _followed(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """The weights, followed; but not the keys' biases:
    they move all scores of a query alike, so their gradient is 0.
    """
    return {
        name: each if name.endswith("key.bias") else followed(each, name) for name, each in weights.items()
    }


def block_weights(sizes: Sizes, seed: int, follow: bool = False) -> dict[str, Tensor]:
    """The weights of block 0 alone, under the names that they have inside the block: "norm_1.weight", …"""
    start = "blocks.0."
    chosen = {name: each for name, each in weights_of(sizes, seed).items() if name.startswith(start)}
    inside = {name.removeprefix(start): each for name, each in chosen.items()}
    return _followed(inside) if follow else inside


def without_queries(weights: dict[str, Tensor], n_head: int) -> dict[str, Tensor]:
    """The weights of a block or a GPT in which the queries of head 0 are zero,
    so that all scores of this head are 0.
    """
    found = dict(weights)
    for name in (name for name in weights if "attention.query." in name):
        found[name] = weights[name].clone()
        found[name][: len(weights[name]) // n_head] = 0.0
    return found


LOW = (200.0, 2e6, 1e18)  # how far below 0 scores are


def with_low_scores(weights: dict[str, Tensor], n_head: int, low: float = LOW[0]) -> dict[str, Tensor]:
    """The weights of a layer, a block or a GPT in which all queries point one way and all keys the other, by
    their biases: every score is near −`low`.
    """
    found = dict(weights)
    for name, sign in itertools.product(weights, (1.0, -1.0)):
        if name.endswith("query.bias" if sign > 0 else "key.bias"):
            shift = (low**2 * n_head / len(weights[name])) ** 0.25  # shift² · d_head / √d_head is low
            found[name] = weights[name] + sign * shift
    return found


# a block and the stream x (B, T, C) → the stream after a part of the block
Step = Callable[[Block, Tensor], Tensor]


def block_output(x: Tensor, weights: dict[str, Tensor], n_head: int, steps: tuple[Step, ...] = ()) -> Tensor:
    """The output for x (B, T, C) of the course's block with these weights, or of one that takes `steps`."""
    out: Tensor = functional_call(_block(x.shape[-1], n_head, steps), weights, (x,))
    return out


@cache
def _block(width: int, n_head: int, steps: tuple[Step, ...]) -> Block:
    block = _empty(lambda: Block(GPTConfig(1, 1, 1, n_head, width)))
    if steps:
        block.forward = lambda x: reduce(lambda x, step: step(block, x), steps, x)  # type: ignore[method-assign, assignment, misc]
    return block


def _attention(b: Block, x: Tensor) -> Tensor:
    """The first half of a pre-LN block."""
    out: Tensor = x + b.attention(b.norm_1(x))
    return out


def _mlp(b: Block, x: Tensor) -> Tensor:
    """The second half of a pre-LN block."""
    out: Tensor = x + b.mlp(b.norm_2(x))
    return out


def _unmasked(b: Block, x: Tensor) -> Tensor:
    """The first half without a causal mask."""
    a, y = cast(CausalSelfAttention, b.attention), b.norm_1(x)
    # (B, nh, T, hs)
    q, k, v = (torch.stack(layer(y).chunk(a.n_head, dim=-1), dim=1) for layer in (a.query, a.key, a.value))
    out: Tensor = x + a.combined(nn.functional.scaled_dot_product_attention(q, k, v))
    return out


NO_BIASES = "the biases of attention are missing: causal_self_attention has none, so use its parts"
NOT_TRANSPOSED = "the weights of attention are not transposed: a linear layer computes y @ weight.T + bias"
STEPS: dict[str, tuple[Step, ...]] = {
    "": (_attention, _mlp),
    "each LayerNorm follows an addition, which is post-LN: in pre-LN it is the first step of a branch": (
        lambda b, x: b.norm_1(x + b.attention(x)),
        lambda b, x: b.norm_2(x + b.mlp(x)),
    ),
    "each branch is added to the normalised x: add it to x itself, which no LayerNorm changes": (
        lambda b, x: b.norm_1(x),
        lambda b, y: b.norm_2(y + b.attention(y)),
        lambda b, z: z + b.mlp(z),
    ),
    "the branches replace the stream: add each result to it": (
        lambda b, x: b.attention(b.norm_1(x)),
        lambda b, x: b.mlp(b.norm_2(x)),
    ),
    "the first addition is missing: add the output of attention to x": (
        lambda b, x: b.attention(b.norm_1(x)),
        _mlp,
    ),
    "the second addition is missing: add the output of the MLP to the stream": (
        _attention,
        lambda b, x: b.mlp(b.norm_2(x)),
    ),
    "the MLP gets the x from before attention: it gets the sum": (
        lambda b, x: x + b.attention(b.norm_1(x)) + b.mlp(b.norm_2(x)),
    ),
    "the result of the MLP is added to the x from before attention: add it to the sum": (
        lambda b, x: x + b.mlp(b.norm_2(x + b.attention(b.norm_1(x)))),
    ),
    "the MLP comes first: attention comes before it": (_mlp, _attention),
    "the LayerNorms are missing": (lambda b, x: x + b.attention(x), lambda b, x: x + b.mlp(x)),
    "the first LayerNorm is missing: attention gets norm_1 of x": (lambda b, x: x + b.attention(x), _mlp),
    "the second LayerNorm is missing: the MLP gets norm_2 of the stream": (
        _attention,
        lambda b, x: x + b.mlp(x),
    ),
    "each LayerNorm comes after its branch: it belongs before attention and before the MLP": (
        lambda b, x: x + b.norm_1(b.attention(x)),
        lambda b, x: x + b.norm_2(b.mlp(x)),
    ),
    "the causal mask is missing: each position attends to later ones too": (_unmasked, _mlp),
    "GELU is its approximation with tanh: use the exact one": (
        _attention,
        lambda b, x: x + b.mlp[2](nn.functional.gelu(b.mlp[0](b.norm_2(x)), approximate="tanh")),
    ),
    "the MLP uses ReLU: use GELU": (_attention, lambda b, x: x + b.mlp[2](b.mlp[0](b.norm_2(x)).relu())),
    "the MLP has no GELU between its two layers": (
        _attention,
        lambda b, x: x + b.mlp[2](b.mlp[0](b.norm_2(x))),
    ),
}


def block_mistakes(x: Tensor, weights: dict[str, Tensor], n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The outputs of blocks with one to three common mistakes (biases, transposes, steps),
    or with one in the other weights.
    """
    attention = [name for name in weights if name.startswith("attention.")]
    linear = [*attention, *(name for name in weights if name.startswith("mlp."))]
    bare = {"": [], NO_BIASES: attention, "the biases of the linear layers are missing": linear}
    turned = {"": [], NOT_TRANSPOSED: attention}
    changed = {
        (bias, turn): {
            name: (
                0 * each
                if name in cut and name.endswith("bias")
                else each.T
                if name in swapped and each.ndim == 2
                else each
            )
            for name, each in weights.items()
        }
        for (bias, cut), (turn, swapped) in itertools.product(bare.items(), turned.items())
    }
    found: dict[str, Callable[[], Tensor]] = {
        "; ".join(filter(None, (bias, turn, shape))): partial(block_output, x, each, n_head, steps)
        for (shape, steps), ((bias, turn), each) in itertools.product(STEPS.items(), changed.items())
    }
    del found[""]  # no mistake
    found |= {
        name: partial(block_output, x, each, n_head) for name, each in _wrong_weights(weights, n_head).items()
    }
    found |= _wrong_heads(partial(block_output, x, weights), x.shape[-1], n_head)
    return dict(sorted(found.items(), key=lambda each: each[0].count(";")))


def _wrong_weights(weights: dict[str, Tensor], n_head: int) -> dict[str, dict[str, Tensor]]:
    """The weights with which the course's block does what common mistakes do."""
    name, shift = "attention.projection", weights["norm_1.bias"]  # any vector of the block's width
    d_k, identity = (
        len(shift) / n_head,
        {f"{name}.weight": torch.eye(len(shift)).to(shift), f"{name}.bias": 0 * shift},
    )
    queries = [name for name in weights if name.startswith("attention.query.")]
    found = {
        "norm_1 is used twice: norm_2 belongs to the MLP": _renamed(weights, norm_2="norm_1"),
        "norm_1 and norm_2 are exchanged: norm_1 belongs to attention": _renamed(
            weights, norm_1="norm_2", norm_2="norm_1"
        ),
        "the LayerNorms do not use their weight and bias, the gain and the shift": {
            name: torch.full_like(each, name.endswith("weight")) if "norm" in name else each
            for name, each in weights.items()
        },
        f"{name} is missing: the merged heads go through it before they are added": {**weights, **identity},
        "the scores are not divided by the root of d_k": {
            **weights,
            **{name: weights[name] * d_k**0.5 for name in queries},
        },
        "the scores are divided by the root of d: each head sums only d_k products": {
            **weights,
            **{name: weights[name] / n_head**0.5 for name in queries},
        },
    }
    for one, other in itertools.combinations(("query", "key", "value"), 2):
        found[f"{one} and {other} are exchanged: look at the names of the weights"] = _renamed(
            weights, **{one: other, other: one}
        )
    return found


def _renamed(weights: dict[str, Tensor], **source: str) -> dict[str, Tensor]:
    """The weights in which the layers named in `source` have the numbers of another layer."""
    return {name: weights[".".join(source.get(part, part) for part in name.split("."))] for name in weights}


def _wrong_heads(output: Callable[[int], Tensor], width: int, n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The outputs with another number of heads than n_head: one, or another divisor of the width."""
    found: dict[str, Callable[[], Tensor]] = {
        f"{n} heads are used: here n_head is {n_head}": partial(output, n)
        for n in range(2, width + 1)
        if width % n == 0 and n != n_head
    }
    single: dict[str, Callable[[], Tensor]] = {
        "the split into heads is missing: a single head of full width gives this": partial(output, 1)
    }
    return found if n_head == 1 else single | found


def n_blocks(weights: dict[str, Tensor]) -> int:
    """The number of blocks of a GPT with these weights."""
    return len({name.split(".")[1] for name in weights if name.startswith("blocks.")})


def gpt_output(tokens: Tensor, weights: dict[str, Tensor], n_head: int, last_norm: bool = True) -> Tensor:
    """The logits (B, T, vocab_size) of the course's own GPT for tokens (B, T) with these weights."""
    (vocab_size, d_model), block_size = (
        weights["token_embedding.weight"].shape,
        len(weights["position_embedding"]),
    )
    model = _model((vocab_size, block_size, n_blocks(weights), n_head, d_model), last_norm)
    out: Tensor = functional_call(model, weights, (tokens,))[0]
    return out


def gpt_mistakes(tokens: Tensor, weights: dict[str, Tensor], n_head: int) -> dict[str, Callable[[], Tensor]]:
    """The logits of GPTs with one common mistake:
    the output, the embeddings, and the number and order of the blocks.
    """
    layers, logits = n_blocks(weights), partial(gpt_output, tokens, weights, n_head)
    table = weights["token_embedding.weight"]
    changed = {
        "the position embeddings are missing": {
            **weights,
            "position_embedding": 0 * weights["position_embedding"],
        },
        "the last LayerNorm has no shift, norm.bias": {**weights, "norm.bias": 0 * weights["norm.bias"]},
        "the token embeddings are used as the output head: this model has head.weight": {
            **weights,
            "head.weight": table,
        },
    }
    orders = {f"only the first {n} of {layers} blocks are used": [*range(n)] for n in range(1, layers)}
    orders["block 0 is used every time: each block has weights of its own"] = [0] * layers
    orders["the blocks are used in reverse order: blocks.0 comes first"] = [*range(layers)][::-1]
    orders["the blocks are in alphabetical order, blocks.10 before blocks.2: use their numbers"] = sorted(
        range(layers), key=str
    )
    if layers > 10:
        name = "block 1 has the weights of block 10: end the prefix with a dot, 'blocks.1.'"
        orders[name] = [0, 10, *range(2, layers)]
    ordered: dict[str, Callable[[], Tensor]] = {
        name: lambda order=order: gpt_output(tokens, _with_blocks(weights, order), n_head)  # type: ignore[misc]
        for name, order in orders.items()
    }
    return {
        **_wrong_heads(partial(gpt_output, tokens, weights), table.shape[1], n_head),
        (
            "the last LayerNorm is missing: norm.weight and norm.bias belong between the last block and the"
            " output head"
        ): partial(logits, last_norm=False),
        "they are probabilities: return the logits, before the softmax": lambda: logits().softmax(dim=-1),
        "they are logarithms of probabilities: return the logits, before the softmax": lambda: (
            logits().log_softmax(dim=-1)
        ),
        **{name: partial(gpt_output, tokens, each, n_head) for name, each in changed.items()},
        **ordered,
    }


def _with_blocks(weights: dict[str, Tensor], order: list[int]) -> dict[str, Tensor]:
    """The weights of a GPT whose blocks are those of these numbers, in this order."""
    found = {name: each for name, each in weights.items() if not name.startswith("blocks.")}
    for place, number in enumerate(order):
        start = f"blocks.{number}."
        inside = {name.removeprefix(start): each for name, each in weights.items() if name.startswith(start)}
        found |= {f"blocks.{place}.{name}": each for name, each in inside.items()}
    return found
