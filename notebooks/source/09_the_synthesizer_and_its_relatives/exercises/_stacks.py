"""Models whose layers have their own weights, or share some: the inputs of `shared_layers`.

Nothing else in a model shows how it was made: a student's function finds out from the parameters.
"""

from __future__ import annotations

import copy

import torch
from torch import nn

KINDS = ("apart", "copies", "one layer", "first and last", "two pairs", "one table", "one norm")
PAIRS = {  # the layers that share a parameter, for four layers
    "apart": (),
    "copies": (),
    "one layer": ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)),
    "first and last": ((0, 3),),
    "two pairs": ((0, 2), (1, 3)),
    "one table": ((0, 1), (0, 3), (1, 3)),
    "one norm": ((1, 2),),
}


class Layer(nn.Module):
    """One layer: a norm, a table and an MLP. Only its parameters matter, so it computes nothing."""

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.table = nn.Parameter(torch.empty(width, 2 * width))
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width))
        for parameter in self.parameters():
            parameter.data = torch.randn(parameter.shape, generator=generator)


class Stack(nn.Module):
    """A model of four layers, in `blocks`."""

    def __init__(self, blocks: list[nn.Module]) -> None:
        super().__init__()
        self.blocks = nn.ModuleList(blocks)


def stack(kind: str, width: int, seed: int) -> Stack:
    """Four layers that share the parameters named by `kind`."""
    generator = torch.Generator().manual_seed(seed)
    layers = [Layer(width, generator) for _ in range(4)]
    if kind == "copies":
        layers = [copy.deepcopy(layers[0]) for _ in range(4)]
    elif kind == "one layer":
        layers = [layers[0]] * 4
    elif kind == "first and last":
        layers[3] = layers[0]
    elif kind == "two pairs":
        layers[2].mlp, layers[3].table = layers[0].mlp, layers[1].table
    elif kind == "one table":
        layers[1].table = layers[3].table = layers[0].table
    elif kind == "one norm":
        layers[2].norm.bias = layers[1].norm.bias
    return Stack(list(layers))
