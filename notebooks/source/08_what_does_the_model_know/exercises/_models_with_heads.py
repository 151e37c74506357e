"""Small models with several heads, for `ablate_heads` and `patch_heads`,
and what they compute if the output of a head is changed.

- `fresh` makes a model, `same_again` returns the one that was made last. So a check can call an answer twice
  with the same object, and see whether the first call changed it
  (`Build("course_exercises._models_with_heads:same_again")`).
- Weights are as large as in `kqa_core.experiments.small_models`, so that every head matters. Dropout is set
  but
  switched off: an answer that switches it on gives another result at each call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import cast

import torch
from torch import Tensor

from kqa_core.check.helpers.effects import Changed
from kqa_core.experiments.small_models import draw_weights
from kqa_core.model.attention import CausalSelfAttention, attention, merge_heads, split_heads
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT

VOCABULARY, BLOCK = 11, 9
# layer, outputs of its heads (B, nh, T, hs) → the outputs to use in their place
Change = Callable[[int, Tensor], Tensor]
_made = threading.local()  # the judge names the mistakes of several answers at once, each in a thread


def fresh(
    n_layer: int, n_head: int, d_head: int, seed: int, variant: str = "vanilla", double: bool = False
) -> GPT:
    """A model in evaluation mode, for rows of up to `BLOCK` characters of `VOCABULARY`;
    float64 with `double`.
    """
    config = GPTConfig(
        vocab_size=VOCABULARY,
        block_size=BLOCK,
        n_layer=n_layer,
        n_head=n_head,
        d_model=n_head * d_head,
        variant=variant,
    )
    model = GPT(config)
    model = model.double() if double else model
    draw_weights(model, seed)
    _made.model = model.eval()
    return model


def hooked(
    n_layer: int, n_head: int, d_head: int, seed: int, variant: str = "vanilla", double: bool = False
) -> GPT:
    """A model as `fresh` makes it, with hooks before and after the projection of each layer."""
    model = fresh(n_layer, n_head, d_head, seed, variant, double)
    for block in model.blocks:
        projection = cast(CausalSelfAttention, cast(Block, block).attention).projection
        projection.register_forward_pre_hook(lambda _, inputs: (1.5 * inputs[0],))
        projection.register_forward_hook(lambda _, inputs, output: output + 1.0)
    return model


def same_again() -> GPT:
    """The model that was made last, as it is now. Raises Changed if a part of it is in training mode."""
    model: GPT = _made.model
    if any(module.training for module in model.modules()):
        raise Changed
    return model


@torch.no_grad()
def logits_with(
    model: GPT, tokens: Tensor, change: Change, after: Change = lambda _, projected: projected
) -> Tensor:
    """The logits (B, T, vocab_size) for tokens (B, T)
    if `change` replaces the outputs of the heads in every layer.

    `after` does the same with the output (B, T, C) of the projection, where a mistaken answer may change
    something.
    """
    T = tokens.shape[1]
    place = torch.arange(T)
    allowed = place <= place[:, None]  # (T, T): position t attends to positions ≤ t
    x = model.token_embedding(tokens)
    if model.position_embedding is not None:
        x = x + model.position_embedding[:T]
    for layer, block in enumerate(model.blocks):
        assert isinstance(block, Block) and isinstance(block.attention, CausalSelfAttention)
        own, normed = block.attention, block.norm_1(x)
        query, key, value = (
            split_heads(part(normed), own.n_head) for part in (own.query, own.key, own.value)
        )
        # (B, nh, T, hs)
        heads = attention(own.apply_rotary(query, None), own.apply_rotary(key, None), value, allowed)
        x = x + after(layer, own.projection(merge_heads(change(layer, heads))))
        x = x + block.mlp(block.norm_2(x))
    logits: Tensor = model.head(model.norm(x))
    return logits
