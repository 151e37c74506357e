"""The student's own model, in the notebooks after 04: `MyAttention, MyBlock, MyGPT = kept_classes()`.

- The three classes come from the saved notebook 04. Where one is not written or not right, a line says so,
  and the library's takes its place, with the same arguments and the same names of weights.
- `MyBlock(config, attention)` makes its layer with `attention(config)`, and `MyGPT(config, block)` its blocks
  with `block(config)`. Whatever maps (B, T, C) to (B, T, C) fits.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from kqa_core.check.saved_answers import kept
from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.block import Block
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.kv_cache import LayerKVCache

Maker = Callable[[GPTConfig], nn.Module]


class PastMean(nn.Module):
    """A mixing layer that is not attention: the mean of all positions up to here, times a gain."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(config.d_model))

    def forward(self, x: Tensor) -> Tensor:
        """x (B, T, C) → (B, T, C)."""
        count = torch.arange(1, x.shape[1] + 1, device=x.device, dtype=x.dtype)[:, None]  # (T, 1)
        return x.cumsum(dim=1) / count * self.gain


class LibraryBlock(Block):
    """The library's block with a layer of any kind."""

    def __init__(self, config: GPTConfig, attention: Maker) -> None:
        super().__init__(config)
        self.attention = attention(config)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). There is no cache."""
        middle = x + self.attention(self.norm_1(x))
        out: Tensor = middle + self.mlp(self.norm_2(middle))
        return out


class LibraryGPT(GPT):
    """The library's GPT with blocks of any kind, and the logits alone as its output."""

    def __init__(self, config: GPTConfig, block: Maker) -> None:
        super().__init__(config)
        self.blocks = nn.ModuleList(block(config) for _ in range(config.n_layer))
        self.blocks.apply(self._initialise)

    def forward(self, tokens: Tensor) -> Tensor:  # type: ignore[override]  # no targets, and no loss
        """tokens (B, T) → logits (B, T, vocab_size)."""
        x = self.embed(tokens, torch.arange(tokens.shape[1], device=tokens.device))
        for block in self.blocks:
            x = block(x)
        out: Tensor = self.head(self.norm(x))
        return out


def kept_classes() -> tuple[type[nn.Module], ...]:
    """MyAttention, MyBlock and MyGPT of your notebook 04, or the library's with a line that says why."""
    classes = {"MyAttention": CausalSelfAttention, "MyBlock": LibraryBlock, "MyGPT": LibraryGPT}
    return tuple(kept(name, instead) for name, instead in classes.items())
