"""Real pretrained models, from the files that `kqa data fetch` gets.

`load_smollm2()` is a language model made of the course's own parts, `load_minilm()` is an encoder of
`transformers`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.pretrained.gguf import read_gguf
    from kqa_core.pretrained.llama import Llama, LlamaConfig
    from kqa_core.pretrained.minilm import load_minilm
    from kqa_core.pretrained.notebook_model import RealModel, real_model
    from kqa_core.pretrained.smollm2 import Pretrained, load_smollm2

__all__ = [
    "Llama",
    "LlamaConfig",
    "Pretrained",
    "RealModel",
    "load_minilm",
    "load_smollm2",
    "read_gguf",
    "real_model",
]

__getattr__ = lazy_names(__name__, __file__)
