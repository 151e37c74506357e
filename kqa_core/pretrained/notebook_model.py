"""SmolLM2 for the cells of a notebook: model and tokenizer together, or None without the files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.pretrained.llama import Llama, LlamaConfig
from kqa_core.pretrained.smollm2 import Pretrained, load_smollm2


@dataclass(frozen=True)
class RealModel:
    """A language model with its tokenizer."""

    pretrained: Pretrained = field(repr=False)
    model: Llama = field(repr=False)
    tokenizer: Any = field(repr=False)  # a tokenizers.Tokenizer

    @property
    def config(self) -> LlamaConfig:
        """The form of the model."""
        return self.pretrained.config

    @property
    def weights(self) -> dict[str, Tensor]:
        """All weights, by their names in `Llama`."""
        return self.pretrained.weights

    def encode(self, text: str) -> Tensor:
        """text → tokens (1, T)."""
        return torch.tensor([self.tokenizer.encode(text).ids])

    def decode(self, tokens: Sequence[int]) -> str:
        """The text of some tokens."""
        text: str = self.tokenizer.decode(list(tokens), skip_special_tokens=False)
        return text

    def pieces(self, text: str) -> list[str]:
        """The tokens of a text, as texts."""
        return [self.decode([token]) for token in self.tokenizer.encode(text).ids]

    @torch.no_grad()
    def losses(self, tokens: Tensor, model: Llama | None = None) -> Tensor:
        """tokens (B, T) → the loss in nats of each token but the first (B, T − 1); of another `model`, such
        as one with other weights, if one is named.
        """
        logits = (model or self.model)(tokens)[:, :-1]  # (B, T − 1, vocab_size)
        return F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], reduction="none")


def real_model() -> RealModel | None:
    """SmolLM2, or None with one line that says how to get it."""
    try:
        pretrained = load_smollm2()
        return RealModel(pretrained, pretrained.model(), pretrained.tokenizer())
    except UserError as error:
        print(f"The real model is not here. {error}")
        print("Cells that need it print nothing; the folded answers have the numbers of our run.")
        return None
