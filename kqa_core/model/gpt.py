"""GPT: a small decoder-only Transformer over characters.

- The architecture of CS224n Assignment 5 (a minGPT): learned positions, pre-LN blocks, GELU MLP of width 4 C,
  head without bias and not tied to the embedding. 3,323,392 parameters at 256 characters; the test counts
  them.
- The config's `variant` chooses the attention of a block (`kqa_core.model.variants`), `positions` the
  position encoding (`kqa_core.model.positions`), `fusion` how heads are combined
  (`kqa_core.model.head_fusion`). The defaults are the assignment's.
- Character 0 is padding: a target of 0 carries no loss.
- `forward(tokens, targets)` returns (logits, loss), as minGPT does. With a `KVCache` it takes only the newest
  tokens.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.kernels.dropout import Dropout
from kqa_core.model.block import Block
from kqa_core.model.config import LEARNED, PAD_INDEX, SINUSOIDAL, GPTConfig
from kqa_core.model.head_fusion import FUSIONS
from kqa_core.model.kv_cache import KVCache
from kqa_core.model.positions import positions_of, sinusoidal_positions
from kqa_core.model.variant_registry import find_variant
from kqa_core.text.vocabulary import Vocabulary


class GPT(nn.Module):
    """The language model: tokens (B, T) → logits (B, T, vocab_size).

    >>> model = GPT(GPTConfig(vocab_size=30, n_layer=2, n_head=2, d_model=16))
    >>> logits, loss = model(torch.ones(3, 5, dtype=torch.int64))
    >>> logits.shape
    torch.Size([3, 5, 30])
    """

    sinusoidal_embedding: Tensor | None  # (block_size, d_model); None unless positions are sinusoidal

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.config = config
        self.vocabulary: Vocabulary | None = None  # the characters of the tokens; a Checkpoint sets it
        self.token_embedding = nn.Embedding(config.vocab_size, config.d_model)
        variant, positions = find_variant(config.variant), positions_of(config)
        self.position_embedding = (
            nn.Parameter(torch.zeros(config.block_size, config.d_model)) if positions == LEARNED else None
        )
        sinusoidal = (
            sinusoidal_positions(config.block_size, config.d_model) if positions == SINUSOIDAL else None
        )
        # not in the checkpoint: the config gives it
        self.register_buffer("sinusoidal_embedding", sinusoidal, persistent=False)
        self.dropout = Dropout(config.embedding_dropout)
        if variant.stack is None:
            self.blocks = nn.ModuleList([Block(config) for _ in range(config.n_layer)])
        else:
            self.blocks = nn.ModuleList([variant.stack(config)])
        self.norm = nn.LayerNorm(config.d_model)
        self.head = nn.Linear(config.d_model, config.vocab_size, bias=False)
        self.apply(self._initialise)

    @staticmethod
    def _initialise(module: nn.Module) -> None:
        """Weights of linear layers and embeddings from N(0, 0.02²), biases 0; LayerNorms keep 1 and 0."""
        if isinstance(module, nn.Linear | nn.Embedding):
            nn.init.normal_(module.weight, mean=0.0, std=0.02)
        if isinstance(module, nn.Linear) and module.bias is not None:
            nn.init.zeros_(module.bias)

    @property
    def causal(self) -> bool:
        """Whether position t depends on positions ≤ t only. False for Linformer and norm-reweight."""
        return find_variant(self.config.variant).causal and FUSIONS[self.config.fusion].causal

    @property
    def supports_kv_cache(self) -> bool:
        """Whether it can decode with a `KVCache`."""
        return (
            find_variant(self.config.variant).supports_kv_cache
            and FUSIONS[self.config.fusion].supports_kv_cache
        )

    def count_parameters(self) -> int:
        """The number of trainable parameters."""
        return sum(parameter.numel() for parameter in self.parameters())

    def embed(self, tokens: Tensor, positions: Tensor) -> Tensor:
        """tokens (…, T), and their positions (T,) or one for each token → (…, T, C)."""
        x = self.token_embedding(tokens)  # (…, T, C)
        # not an index: its gradient is added up in no fixed order
        if self.position_embedding is not None:
            x = x + F.embedding(positions, self.position_embedding)
        elif self.sinusoidal_embedding is not None:
            x = math.sqrt(self.config.d_model) * x + F.embedding(positions, self.sinusoidal_embedding)
        out: Tensor = self.dropout(x)
        return out

    def forward(
        self, tokens: Tensor, targets: Tensor | None = None, cache: KVCache | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """tokens (B, T) LongTensor → logits (B, T, vocab_size),
        and the mean loss in nats where targets (B, T) are given.

        Targets of 0 (padding) carry no loss. With `cache`, `tokens` are only the newest ones, at
        `cache.positions`. Raises ValueError for a row longer than the block.
        """
        length = tokens.shape[1]
        if length > self.config.block_size:
            raise ValueError(
                f"a row of {length} characters is longer than the model's block of {self.config.block_size}"
            )
        positions = torch.arange(length, device=tokens.device) if cache is None else cache.positions
        x = self.embed(tokens, positions)  # (B, T, C)
        for i, block in enumerate(self.blocks):
            x = block(x, None if cache is None else cache.layers[i])  # (B, T, C)
        logits: Tensor = self.head(self.norm(x))  # (B, T, vocab_size)
        if targets is None:
            return logits, None
        loss = F.cross_entropy(logits.flatten(0, 1).float(), targets.flatten(), ignore_index=PAD_INDEX)
        return logits, loss
