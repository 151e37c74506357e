"""GPT: a small decoder-only Transformer over characters.

- The architecture of CS224n Assignment 5 (a minGPT): learned positions, pre-LN blocks, GELU MLP of width 4 C, head without bias
  and not tied to the embedding. 3,323,392 parameters at 256 characters; the test counts them.
- What a block's attention is, the *variant* decides (`kqa_core.variants`); a variant may also do without learned positions.
- Character 0 is padding: a target of 0 carries no loss.
- `forward(tokens, targets)` returns (logits, loss), as minGPT does. With a `Past` it reads only the newest tokens.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.past import LayerPast, Past
from kqa_core.variants import find_variant

PAD_INDEX = 0  # kqa_core.text.vocabulary.Vocabulary puts padding there


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a model. Every field is kept in its checkpoint."""

    vocab_size: int  # characters, padding and mask included
    block_size: int = 128  # longest row; positions 0 … block_size − 1
    n_layer: int = 4
    n_head: int = 8
    d_model: int = 256  # C, channels of the residual stream; a multiple of n_head
    variant: str = "vanilla"  # a name in the registry of kqa_core.variants
    embedding_dropout: float = 0.1
    attention_dropout: float = 0.1  # on the attention weights
    residual_dropout: float = 0.1  # on the outputs of attention and MLP

    def __post_init__(self) -> None:
        for name in ("vocab_size", "block_size", "n_layer", "n_head", "d_model"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        if self.d_model % self.n_head:
            raise UserError(f"d_model must be a multiple of n_head, {self.d_model} is none of {self.n_head}: change either")


class Block(nn.Module):
    """x + attention(LN(x)), then x + MLP(LN(x)): (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(config.d_model)
        self.attention = find_variant(config.variant).attention(config)
        self.norm_2 = nn.LayerNorm(config.d_model)
        self.mlp = nn.Sequential(
            nn.Linear(config.d_model, 4 * config.d_model),
            nn.GELU(),
            nn.Linear(4 * config.d_model, config.d_model),
            nn.Dropout(config.residual_dropout),
        )

    def forward(self, x: Tensor, past: LayerPast | None = None) -> Tensor:
        """One block of the stack."""
        x = x + self.attention(self.norm_1(x), past)
        out: Tensor = x + self.mlp(self.norm_2(x))
        return out


class GPT(nn.Module):
    """The language model: tokens (B, T) → logits (B, T, vocab_size)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        learned = find_variant(config.variant).learned_positions
        self.position_embedding = nn.Parameter(torch.zeros(config.block_size, config.d_model)) if learned else None
        self.dropout = nn.Dropout(config.embedding_dropout)
        self.blocks = nn.ModuleList([Block(config) for _ in range(config.n_layer)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.apply(self._initialise)

    @staticmethod
    def _initialise(module: nn.Module) -> None:
        """Weights of linear maps and embeddings from N(0, 0.02²), biases 0; LayerNorms start as torch makes them (1 and 0)."""
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    def count_parameters(self) -> int:
        """How many numbers training may change."""
        return sum(parameter.numel() for parameter in self.parameters())

    def forward(self, tokens: Tensor, targets: Tensor | None = None, past: Past | None = None) -> tuple[Tensor, Tensor | None]:
        """tokens (B, T) LongTensor → logits (B, T, vocab_size), and the mean loss in nats where targets (B, T) are given.

        Targets of 0 (padding) carry no loss. With `past`, after `past.enter(positions)`, `tokens` are only the newest ones.
        """
        length = tokens.shape[1]
        if length > self.config.block_size:
            raise ValueError(f"a row of {length} characters is longer than the model's block of {self.config.block_size}")
        x = self.token_embedding(tokens)  # (B, T, C)
        if self.position_embedding is not None:
            positions = slice(length) if past is None else past.positions
            x = x + self.position_embedding[positions]  # (T, C), or (B, T, C) where each row has its own positions
        x = self.dropout(x)
        for i, block in enumerate(self.blocks):
            x = block(x, None if past is None else past.layers[i])  # (B, T, C)
        logits: Tensor = self.head(self.norm(x))  # (B, T, vocab_size)
        if targets is None:
            return logits, None
        loss = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=PAD_INDEX)
        return logits, loss
