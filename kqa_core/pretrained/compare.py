"""Two runs of one model, compared layer by layer. A mistake is in the first layer that differs.

A run is a list of n_layer + 2 tensors: the token embeddings, the output of each block, and the logits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.pretrained.llama import Llama


@dataclass(frozen=True)
class LayerDifference:
    """How far two runs are apart after one layer."""

    name: str  # such as "block 3"
    difference: float  # the largest one
    size: float  # the largest entry of the right run
    near: bool

    def __str__(self) -> str:
        """Such as "block 3: largest difference 4.2 of 17.9"."""
        return f"{self.name}: largest difference {self.difference:.2g} of {self.size:.3g}"


def layer_names(n_layer: int) -> list[str]:
    """The names of the tensors of a run."""
    return ["the token embeddings", *(f"block {i}" for i in range(n_layer)), "the logits"]


@torch.no_grad()
def states_of(model: Llama, tokens: Tensor) -> list[Tensor]:
    """The run of the course's own model: tokens (B, T) → n_layer + 1 tensors (B, T, C), then the logits."""
    states = model.hidden_states(tokens)
    logits = model.norm(states[-1]) @ model.token_embedding.weight.T  # (B, T, vocab_size)
    return [*states, logits]


def compare_states(
    run: Sequence[Tensor], right: Sequence[Tensor], tolerance: float = 1e-3
) -> list[LayerDifference]:
    """The difference after each layer. `near` is True up to `tolerance`, or up to 1e-5 of the largest entry,
    whichever is more: the residual stream of a real model has a few very large entries.

    Raises ValueError if the runs are not of the same length or shapes.
    """
    if len(run) != len(right):
        raise ValueError(f"your run has {len(run)} tensors; the model's has {len(right)}")
    names, differences = layer_names(len(right) - 2), []
    for name, one, other in zip(names, run, right, strict=True):
        if one.shape != other.shape:
            raise ValueError(f"{name}: shape {tuple(one.shape)}; it should be {tuple(other.shape)}")
        apart, size = float((one - other).abs().max()), float(other.abs().max())
        differences.append(LayerDifference(name, apart, size, apart <= max(tolerance, 1e-5 * size)))
    return differences


def first_difference(differences: Sequence[LayerDifference]) -> LayerDifference | None:
    """The first layer after which the runs differ; None if they agree everywhere."""
    return next((layer for layer in differences if not layer.near), None)
