"""The Transformer: `GPT` and its configuration `GPTConfig`, its parts, and checkpoints.

A checkpoint holds a model and its vocabulary: `checkpoint.load(path)` and `checkpoint.save(…)`. The relatives
of attention (Synthesizer, Linformer, BigBird, Perceiver) are in `kqa_core.model.variants`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.model.attention import attention as scaled_dot_product_attention
    from kqa_core.model.config import GPTConfig
    from kqa_core.model.gpt import GPT
    from kqa_core.model.variant_registry import register_variant
    from kqa_core.model.variants.bigbird import BigBirdAttention
    from kqa_core.model.variants.rope import angles, rotate

__all__ = [
    "GPT", "BigBirdAttention", "GPTConfig", "angles", "register_variant", "rotate",
    "scaled_dot_product_attention",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
