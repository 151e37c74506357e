"""Real pretrained models, from the files that `kqa data fetch` gets.

`load_smollm2()` is a language model made of the course's own parts, `load_minilm()` is an encoder of
`transformers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.pretrained.birthplaces import among, place_in, read_famous, read_invented, sound_alike
    from kqa_core.pretrained.birthplaces import plain as plain_letters
    from kqa_core.pretrained.compare import compare_states, first_difference, states_of
    from kqa_core.pretrained.continuations import continuations as continue_texts
    from kqa_core.pretrained.gguf import read_gguf
    from kqa_core.pretrained.heads import attention_weights, without_heads
    from kqa_core.pretrained.llama import GroupedQueryAttention, Llama, LlamaConfig, SwiGLU
    from kqa_core.pretrained.minilm import load_minilm
    from kqa_core.pretrained.notebook_model import RealModel, real_model
    from kqa_core.pretrained.own_parts import OwnModel
    from kqa_core.pretrained.rounding import rounded_model
    from kqa_core.pretrained.smollm2 import Pretrained, load_smollm2, to_halves

__all__ = [
    "GroupedQueryAttention", "Llama", "LlamaConfig", "OwnModel", "Pretrained", "RealModel", "SwiGLU",
    "among", "attention_weights",
    "compare_states", "continue_texts", "first_difference", "load_minilm", "load_smollm2", "place_in",
    "plain_letters", "read_famous", "read_gguf", "read_invented", "real_model", "rounded_model",
    "sound_alike", "states_of", "to_halves", "without_heads",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
