"""Small modules that the checks of notebook 04 pass to an answer: the parts of a block, and the parts of a GPT.

- They are made in the answer's process, from sizes and a seed (`Build`), in float64 and in evaluation mode. They hold nothing
  that shows the verdict. The check makes the same ones for itself.
- With a name, every parameter is `followed`, so that the check learns which gradients reach it.
- Their dropout rate is high, so that an answer that turns it on is noticed. The modules start on a device without numbers, so
  making them does not use torch's global generator, and a mistake with dropout gives the same result in every process.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from kqa_core.check.helpers.transformer_parts import followed, multi_head

HERE = "course_exercises._small_models"


class Mixer(nn.Module):
    """The attention of a block: causal, with its own weights, and dropout that is off in evaluation mode."""

    def __init__(self, width: int, n_head: int = 2) -> None:
        super().__init__()
        self.maps = nn.ParameterList([nn.Parameter(torch.empty(width, width)) for _ in range(4)])
        self.n_head = n_head
        self.dropout = nn.Dropout(0.5)

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        out: Tensor = self.dropout(multi_head(x, x, *self.maps, n_head=self.n_head, causal=True))
        return out


def _mlp(width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width), nn.Dropout(0.5))


def layer(kind: str, width: int, seed: int, name: str | None = None) -> nn.Module:
    """A "norm", "attention" or "mlp" of that width in float64, in evaluation mode; followed, if it has a name."""
    makers: dict[str, Callable[[int], nn.Module]] = {"norm": nn.LayerNorm, "attention": Mixer, "mlp": _mlp}
    with torch.device("meta"):
        module = makers[kind](width)
    return _filled(module, seed, name)


class Block(nn.Module):
    """One pre-LN block, as a part of `small_gpt`."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm_1, self.attention, self.norm_2, self.mlp = nn.LayerNorm(width), Mixer(width), nn.LayerNorm(width), _mlp(width)

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        x = x + self.attention(self.norm_1(x))
        out: Tensor = x + self.mlp(self.norm_2(x))
        return out


class GPTParts(nn.Module):
    """The parts of a GPT, by the names that `kqa_core.model.gpt` gives them, without the function that joins them."""

    def __init__(self, vocab_size: int, block_size: int, n_layer: int, d_model: int) -> None:
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, d_model)
        self.position_embedding = nn.Parameter(torch.empty(block_size, d_model))
        self.dropout = nn.Dropout(0.5)
        self.blocks = nn.ModuleList([Block(d_model) for _ in range(n_layer)])
        self.norm = nn.LayerNorm(d_model)
        self.head = nn.Linear(d_model, vocab_size, bias=False)


def small_gpt(vocab_size: int, block_size: int, n_layer: int, d_model: int, seed: int, name: str | None = None) -> GPTParts:
    """Parts in float64, in evaluation mode; followed, if they have a name."""
    with torch.device("meta"):
        parts = GPTParts(vocab_size, block_size, n_layer, d_model)
    _filled(parts, seed, name)
    return parts


def _filled(module: nn.Module, seed: int, name: str | None) -> nn.Module:
    """Fill every parameter from N(0, 0.5²), plus 1 for a norm's gain, and follow it if there is a name."""
    generator = torch.Generator().manual_seed(seed)
    for place, owner in list(module.named_modules()):
        for key, parameter in list(owner.named_parameters(recurse=False)):
            values = 0.5 * torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            if isinstance(owner, nn.LayerNorm) and key == "weight":
                values += 1.0
            new = nn.Parameter(values)
            if name is not None:
                path = ".".join(each for each in (name, place, key) if each)
                new = nn.Parameter(followed(values, path))
                new.kqa_name = path  # type: ignore[attr-defined]
            setattr(owner, key, new)
    return module.eval()
