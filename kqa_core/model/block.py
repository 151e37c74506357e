"""One block of the Transformer, pre-LN: x + attention(LN(x)), then x + MLP(LN(x))."""

from __future__ import annotations

from torch import Tensor, nn

from kqa_core.kernels.dropout import Dropout
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.variant_registry import find_variant


def mlp_of(config: GPTConfig) -> nn.Sequential:
    """The MLP of a block: (…, C) → (…, C)."""
    return nn.Sequential(
        nn.Linear(config.d_model, 4 * config.d_model),
        nn.GELU(),
        nn.Linear(4 * config.d_model, config.d_model),
        Dropout(config.residual_dropout),
    )


class Block(nn.Module):
    """x + attention(LN(x)), then x + MLP(LN(x)): (B, T, C) → (B, T, C)."""

    def __init__(self, config: GPTConfig) -> None:
        super().__init__()
        self.norm_1 = nn.LayerNorm(config.d_model)
        self.attention = find_variant(config.variant).attention(config)
        self.norm_2 = nn.LayerNorm(config.d_model)
        self.mlp = mlp_of(config)

    def forward(self, x: Tensor, cache: LayerKVCache | None = None) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds only the newest positions."""
        x = x + self.attention(self.norm_1(x), cache)
        x = x + self.mlp(self.norm_2(x))
        return x
