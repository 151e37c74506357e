"""All numbers of one forward pass, as the walk shows them: one named array for each, in float32.

- They come from one recorded pass (`kqa_core.show.explorer.capture`), so they are the model's own. Only
  logits, weights and the logit lens are computed again, because the fused kernel and the model do not return
  them.
- The residual stream has 2 L + 1 points: after the embedding, and after the attention and the MLP of each of
  L layers.
- The logit lens (nostalgebraist 2020) reads each point as if it were the last: final LayerNorm, then the
  head.

Shapes: L layers, H heads, T tokens, C = d_model, hs = C / H, F = 4 C hidden units, V characters.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.model.attention import CausalSelfAttention, softmax, split_heads
from kqa_core.model.block import Block
from kqa_core.model.config import ROTARY
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import positions_of
from kqa_core.show.explorer.capture import record, seen_in

# all others begin with L layers
ONCE = ("embedding", "position", "stream", "norm", "norm_parameters", "prediction", "lens")
MOST_NUMBERS = 8_000_000  # four bytes each; more would make the page too large

Floats = NDArray[np.float32]


def numbers_of(model: GPT, tokens: Sequence[int]) -> dict[str, Floats]:
    """The arrays of one pass of `model` over `tokens` (T,), by name; docs/widgets.md lists their shapes.

    Raises UserError for a text that is empty, or too long for the model or for a page, and for a variant
    whose blocks have no queries and keys.
    """
    blocks = list(model.blocks)
    if not all(
        isinstance(block, Block) and isinstance(block.attention, CausalSelfAttention) for block in blocks
    ):
        raise UserError(
            f"variant {model.config.variant!r} does not compute queries and keys in every block: "
            "walk through one that does, such as vanilla or rope"
        )
    passed = record(model, tokens)
    seen = seen_in(passed, model, len(tokens))
    assert seen.query is not None and seen.key is not None
    inputs, outputs, heads = passed.inputs, passed.outputs, model.config.n_head

    def each(name: str, *, of: dict[str, Any] = outputs, split: bool = False) -> Tensor:
        """All layers' outputs (or inputs) of module `name`: (L, T, …), or as heads (L, H, T, hs)."""
        parts = torch.cat([of[f"blocks.{layer}{name}"] for layer in range(len(blocks))])
        return split_heads(parts, heads) if split else parts

    def parameters(name: str) -> Tensor:
        """γ and β of every layer's LayerNorm `name`: (L, 2, C)."""
        norms = [block.get_submodule(name) for block in blocks]
        return torch.stack(
            [torch.stack([norm.get_parameter("weight"), norm.get_parameter("bias")]) for norm in norms]
        )

    points = [inputs["blocks.0"]]
    for layer in range(len(blocks)):
        points += [inputs[f"blocks.{layer}.norm_2"], outputs[f"blocks.{layer}"]]
    stream = torch.cat(points)  # (2 L + 1, T, C)
    with torch.no_grad():
        lens = model.head(model.norm(stream))  # (2 L + 1, T, V)
    logits = (
        seen.query @ seen.key.swapaxes(-1, -2) * np.array(seen.scale, dtype=np.float32)[:, None, None, None]
    )
    embedding, position = _embedded(model, outputs["token_embedding"][0])
    arrays: dict[str, Any] = {
        "embedding": embedding,
        "position": position,
        "stream": stream,
        "norm_1": each(".norm_1"),
        "norm_1_parameters": parameters("norm_1"),
        "query": seen.query,
        "key": seen.key,
        "value": torch.cat([call.value for call in passed.calls]),
        "logits": logits if seen.bias is None else logits + seen.bias,
        "allowed": seen.allowed,
        "weights": seen.weights,
        "heads": torch.cat([call.heads for call in passed.calls]),
        "merged": each(".attention.projection", of=inputs),
        "attention": each(".attention"),
        "norm_2": each(".norm_2"),
        "norm_2_parameters": parameters("norm_2"),
        "hidden_before": each(".mlp.0"),
        "hidden": each(".mlp.1"),
        "mlp": each(".mlp"),
        "norm": outputs["norm"][0],
        "norm_parameters": torch.stack([model.norm.weight, model.norm.bias]),
        "prediction": outputs["head"][0],
        "lens": lens,
    }
    if positions_of(model.config) == ROTARY:
        arrays |= {f"{name}_before": each(f".attention.{name}", split=True) for name in ("query", "key")}
    floats = {name: _floats(array) for name, array in arrays.items() if array is not None}
    count = sum(array.size for array in floats.values())
    if count > MOST_NUMBERS:
        raise UserError(
            f"{count:,} numbers are too many for a page (at most {MOST_NUMBERS:,}): give a shorter text"
        )
    return floats


def _embedded(model: GPT, embedding: Tensor) -> tuple[Tensor, Tensor | None]:
    """The tokens' vectors (T, C), and the positions' (T, C), or None where nothing is added."""
    T = len(embedding)
    if model.position_embedding is not None:
        return embedding, model.position_embedding[:T]
    if model.sinusoidal_embedding is not None:
        return math.sqrt(model.config.d_model) * embedding, model.sinusoidal_embedding[:T]
    return embedding, None


def _floats(array: Any) -> Floats:
    if isinstance(array, Tensor):
        array = array.detach().float().cpu().numpy()
    return np.ascontiguousarray(array, dtype=np.float32)


def probabilities(logits: Floats, temperature: float = 1.0) -> Floats:
    """The next characters' probabilities: logits (…, V) → (…, V), sharper at a low temperature."""
    return softmax(torch.from_numpy(logits) / temperature).numpy()
