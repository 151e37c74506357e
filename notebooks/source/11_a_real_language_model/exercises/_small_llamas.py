"""Small random models of Llama's form for the checks of notebook 11: the real weights are not needed.

`MISTAKES` are changes of the course's own model, made on its weights or on its modules, so that a wrong block
can be named. Everything is float64.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from unittest.mock import patch

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.model.variants.rope import angles
from kqa_core.pretrained import llama
from kqa_core.pretrained.compare import states_of
from kqa_core.pretrained.llama import Llama, LlamaConfig

Given = tuple[Tensor, dict[str, Tensor], int, int, float]  # tokens, weights, n_head, n_key_head, theta
Weights = dict[str, Tensor]


@dataclass(frozen=True)
class Sizes:
    """The form of a small model, and of its tokens (B, T)."""

    n_layer: int
    n_head: int
    n_key_head: int
    d_head: int
    d_mlp: int
    B: int
    T: int
    vocab_size: int = 13
    theta: float = 100.0


def case(rng: random.Random, sizes: Sizes) -> Given:
    """Tokens, and random weights under the names of the real model's."""
    generator = torch.Generator().manual_seed(rng.getrandbits(40))
    with torch.device("meta"):
        empty = Llama(config_of(sizes)).state_dict()
    weights = {}
    for name, parameter in empty.items():
        drawn = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
        weights[name] = 1.0 + 0.3 * drawn if "norm" in name else 0.6 * drawn
    tokens = torch.randint(sizes.vocab_size, (sizes.B, sizes.T), generator=generator)
    return tokens, weights, sizes.n_head, sizes.n_key_head, sizes.theta


def with_low_scores(given: Given) -> Given:
    """The same, but queries are their heads' keys times −3000: the score of a position with itself is far
    below 0, and at the first position it is the only allowed one.
    """
    tokens, weights, n_head, n_key_head, theta = given
    found = dict(weights)
    for name in (name for name in weights if name.endswith("attention.query.weight")):
        keys = torch.stack(weights[name.replace("query", "key")].chunk(n_key_head))
        found[name] = -3000.0 * keys.repeat_interleave(n_head // n_key_head, 0).flatten(0, 1)
    return tokens, found, n_head, n_key_head, theta


def faint(given: Given) -> Given:
    """The same with a stream so small that ε matters in every norm, also in the last one."""
    tokens, weights, n_head, n_key_head, theta = given
    small = ("token_embedding.weight", "projection.weight", "down.weight")
    weights = {name: w * (3e-3 if name.endswith(small) else 1.0) for name, w in weights.items()}
    return tokens, weights, n_head, n_key_head, theta


def config_of(sizes: Sizes) -> LlamaConfig:
    """The configuration of the course's own model."""
    width = sizes.n_head * sizes.d_head
    return LlamaConfig(
        vocab_size=sizes.vocab_size,
        n_layer=sizes.n_layer,
        d_model=width,
        d_mlp=sizes.d_mlp,
        n_head=sizes.n_head,
        n_key_head=sizes.n_key_head,
        theta=sizes.theta,
        epsilon=1e-5,
        block_size=64,
    )


def model_of(given: Given) -> Llama:
    """The course's own model with these weights."""
    _, weights, n_head, n_key_head, theta = given
    table, gate = weights["token_embedding.weight"], weights["blocks.0.mlp.gate.weight"]
    n_layer = sum(name.endswith("norm_1.weight") for name in weights)
    config = LlamaConfig(len(table), n_layer, table.shape[1], len(gate), n_head, n_key_head, theta, 1e-5, 64)
    with torch.device("meta"):
        model = Llama(config)
    model.load_state_dict(weights, assign=True)
    return model.eval()


def expected(given: Given) -> list[Tensor]:
    """The right run: n_layer + 2 tensors."""
    return states_of(model_of(given), given[0])


Block = Callable[[Given, int, Tensor], Tensor]  # the given, the number of a block, its input → its output


def _block(given: Given, i: int, x: Tensor) -> Tensor:
    model = model_of(given)
    angle = angles(torch.arange(x.shape[1]), x.shape[2] // given[2], given[4])
    with torch.no_grad():
        out: Tensor = model.blocks[i](x, angle)
    return out


def _changed(change: Callable[[Weights, Given, str], None]) -> Block:
    """The block with other weights."""

    def run(given: Given, i: int, x: Tensor) -> Tensor:
        weights = dict(given[1])
        change(weights, given, f"blocks.{i}.")
        return _block((given[0], weights, *given[2:]), i, x)

    return run


def _patched(**names: object) -> Block:
    """The block in which names of the module have other values."""

    def run(given: Given, i: int, x: Tensor) -> Tensor:
        with _all(names):
            return _block(given, i, x)

    return run


@contextmanager
def _all(names: dict[str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for name, value in names.items():
            stack.enter_context(patch.object(llama, name, value))
        yield


def _swap(one: str, other: str) -> Callable[[Weights, Given, str], None]:
    def change(weights: Weights, given: Given, at: str) -> None:
        a, b = f"{at}{one}.weight", f"{at}{other}.weight"
        weights[a], weights[b] = weights[b], weights[a]

    return change


def _halves(weights: Weights, given: Given, at: str) -> None:
    """Rotating halves is what the same model does with its rows in the other order, and back again."""
    for name, heads in (("query", given[2]), ("key", given[3])):
        place = f"{at}attention.{name}.weight"
        rows, columns = weights[place].shape
        weights[place] = (
            weights[place].view(heads, 2, rows // heads // 2, columns).transpose(1, 2).reshape(rows, columns)
        )


def _scaled(factor: Callable[[int, int], float]) -> Callable[[Weights, Given, str], None]:
    def change(weights: Weights, given: Given, at: str) -> None:
        place = f"{at}attention.query.weight"
        weights[place] = weights[place] * factor(len(weights[place]) // given[2], given[2])

    return change


def _same_norm(weights: Weights, given: Given, at: str) -> None:
    weights[f"{at}norm_2.weight"] = weights[f"{at}norm_1.weight"]


def _no_projection(weights: Weights, given: Given, at: str) -> None:
    place = f"{at}attention.projection.weight"
    weights[place] = torch.eye(len(weights[place])).to(weights[place])


def _unmasked(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return F.scaled_dot_product_attention(q, k, v)


class _Turns:
    """torch's functional module with GELU in place of SiLU."""

    silu = staticmethod(F.gelu)
    linear = staticmethod(F.linear)


def _other_theta(given: Given, i: int, x: Tensor) -> Tensor:
    return _block((*given[:4], 10_000.0), i, x)


def _taking_turns(given: Given, i: int, x: Tensor) -> Tensor:
    """Query head j uses key head j mod n_key_head: the same as permuted query heads, and back again."""
    weights, heads, shared = dict(given[1]), given[2], given[3]
    order = [j for g in range(shared) for j in range(heads) if j % shared == g]
    query, out = f"blocks.{i}.attention.query.weight", f"blocks.{i}.attention.projection.weight"
    weights[query] = weights[query].view(heads, -1, weights[query].shape[1])[order].flatten(0, 1)
    weights[out] = weights[out].view(len(weights[out]), heads, -1)[:, order].flatten(1, 2)
    return _block((given[0], weights, *given[2:]), i, x)


def _parallel(given: Given, i: int, x: Tensor) -> Tensor:
    """The MLP gets the x from before attention."""
    weights, down = dict(given[1]), f"blocks.{i}.mlp.down.weight"
    weights[down] = 0 * weights[down]
    attended = _block((given[0], weights, *given[2:]), i, x)  # the block without its MLP
    block = model_of(given).blocks[i]
    assert isinstance(block, llama.LlamaBlock)
    with torch.no_grad():
        out: Tensor = attended + block.mlp(block.norm_2(x))
    return out


MISTAKES: dict[str, Block] = {
    "the channels are paired as halves, m and m + d_k/2; here they are neighbours, 2m and 2m + 1": _changed(
        _halves
    ),
    "queries and keys are not rotated": _patched(rotate=lambda x, angle: x),
    "theta is 10,000, and not the argument": _other_theta,
    "the query heads take turns among the key heads; heads of one group are neighbours": _taking_turns,
    "the causal mask is missing": _patched(causal_attention=_unmasked),
    "the logits are not divided by the root of d_k": _changed(_scaled(lambda d_k, _: d_k**0.5)),
    "the logits are divided by d_k, as with the root of d_k twice, and not by its root": _changed(
        _scaled(lambda d_k, _: d_k**-0.5)
    ),
    "the logits are divided by the root of d, the width of all heads, and not by that of d_k": _changed(
        _scaled(lambda _, n_head: n_head**-0.5)
    ),
    "gate and up are exchanged": _changed(_swap("mlp.gate", "mlp.up")),
    "the gate has GELU, and not silu": _patched(F=_Turns),
    "norm_1 is used twice; norm_2 belongs to the MLP": _changed(_same_norm),
    "norm_1 and norm_2 are exchanged": _changed(_swap("norm_1", "norm_2")),
    "the projection after attention is missing": _changed(_no_projection),
    "the MLP gets the x from before attention": _parallel,
}


def named(given: Given, i: int, x: Tensor, found: Tensor, tolerance: float) -> str:
    """The mistake with which block i makes `found` of x; "" if it is none of the common ones."""
    for name, run in MISTAKES.items():
        other = run(given, i, x)
        if float((other - found).abs().max()) <= tolerance:
            return name
    return ""
