"""The attention heads of a `Llama`: what they attend to, and the model without some of them.

A head is a pair (layer, head), counted from 0. Shapes: B batch, T time, nh query heads of a layer, hs
channels of a head.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator
from typing import Any

import torch
from torch import Tensor, nn

from kqa_core.model.attention import split_heads
from kqa_core.model.variants.rope import rotate
from kqa_core.pretrained.llama import GroupedQueryAttention, Llama, LlamaBlock

Head = tuple[int, int]  # layer, head


@torch.no_grad()
def attention_weights(model: Llama, tokens: Tensor) -> Tensor:
    """tokens (B, T) → the weights of every head (B, n_layer, nh, T, T): row t holds the weights that position
    t gives to the positions 0 … t.
    """
    weights: list[Tensor] = []

    def keep(attention: nn.Module, inputs: tuple[Any, ...]) -> None:
        assert isinstance(attention, GroupedQueryAttention)
        weights.append(_weights(attention, inputs[0], inputs[1]))

    with contextlib.ExitStack() as hooks:
        for block in _blocks(model):
            hooks.enter_context(block.attention.register_forward_pre_hook(keep))
        model.hidden_states(tokens)
    return torch.stack(weights, dim=1)


def _weights(attention: GroupedQueryAttention, x: Tensor, angle: Tensor) -> Tensor:
    """x (B, T, C) → (B, nh, T, T)."""
    config = attention.config
    query = rotate(split_heads(attention.query(x), config.n_head), angle)  # (B, nh, T, hs)
    key = rotate(split_heads(attention.key(x), config.n_key_head), angle)  # (B, nkv, T, hs)
    key = key.repeat_interleave(config.n_head // config.n_key_head, 1)  # (B, nh, T, hs)
    logits = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5  # (B, nh, T, T)
    later = torch.ones(logits.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
    weights: Tensor = logits.masked_fill(later, -torch.inf).softmax(-1)
    return weights


def _blocks(model: Llama) -> list[LlamaBlock]:
    return [block for block in model.blocks if isinstance(block, LlamaBlock)]


@contextlib.contextmanager
def without_heads(model: Llama, heads: Collection[Head]) -> Iterator[None]:
    """Inside the `with` block, the output of each of these heads is 0. Raises IndexError for a head that the
    model does not have.
    """
    config = model.config
    for layer, head in heads:
        if not (0 <= layer < config.n_layer and 0 <= head < config.n_head):
            raise IndexError(
                f"head {(layer, head)}: the model has {config.n_layer} layers of {config.n_head} heads"
            )
    d_head = config.d_model // config.n_head

    def remove(chosen: list[int]) -> Any:
        def hook(projection: nn.Module, inputs: tuple[Tensor, ...]) -> Tensor:
            merged = inputs[0].clone()  # (B, T, C): the outputs of all heads side by side
            for head in chosen:
                merged[..., head * d_head : (head + 1) * d_head] = 0
            return merged

        return hook

    with contextlib.ExitStack() as hooks:
        for layer, block in enumerate(_blocks(model)):
            chosen = [head for of_layer, head in heads if of_layer == layer]
            if chosen:
                hooks.enter_context(block.attention.projection.register_forward_pre_hook(remove(chosen)))
        yield
