"""One block of the Transformer, pre-LN: x + attention(LN(x)), then x + MLP(LN(x))."""

from __future__ import annotations

import inspect

from torch import Tensor, nn

from kqa_core.kernels.dropout import Dropout
from kqa_core.model.config import GPTConfig
from kqa_core.model.kv_cache import LayerKVCache
from kqa_core.model.packing import Packing
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

    def forward(
        self,
        x: Tensor,
        cache: LayerKVCache | None = None,
        packing: Packing | None = None,
        wanted: Tensor | None = None,
    ) -> Tensor:
        """x (B, T, C) → (B, T, C). With `cache`, x holds only the newest positions.

        With `packing`, x is packed: (N, C) → (N, C). With `wanted` (K,), only these of the N go on: → (K, C).
        """
        y = self.norm_1(x)
        x = x + (self.attention(y, cache) if packing is None else self._packed_attention(y, packing))
        if wanted is not None:
            x = x[wanted]  # (K, C)
        out: Tensor = x + self.mlp(self.norm_2(x))
        return out

    def _packed_attention(self, x: Tensor, packing: Packing) -> Tensor:
        """The attention of packed rows: (N, C) → (N, C). A layer without `packing`, such as a student's, gets
        whole rows.
        """
        if "packing" in inspect.signature(self.attention.forward).parameters:
            out: Tensor = self.attention(x, None, packing)
            return out
        return packing.pack(self.attention(packing.unpack(x), None))
