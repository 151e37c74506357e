"""The Transformer's own attention, with learned positions: the model of the assignment's parts (c) to (f)."""

from __future__ import annotations

from kqa_core.model.attention import CausalSelfAttention
from kqa_core.model.config import ROTARY, GPTConfig
from kqa_core.model.variant_registry import Variant
from kqa_core.model.variants.rope import RotaryAttention


def attention(config: GPTConfig) -> CausalSelfAttention:
    """Attention with rotary positions if the config says so (the same model as `rope`), else without."""
    return RotaryAttention(config) if config.positions == ROTARY else CausalSelfAttention(config)


VARIANT = Variant(attention, summary="softmax(Q Kᵀ / √d_head) V, learned positions", takes_rotary=True)
