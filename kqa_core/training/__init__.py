"""Training: pretraining and finetuning by a recipe, their batches, and a loop that can be resumed.

The model and its checkpoints are offered here too, so that one import is enough to train a model and to load
it again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.model import GPT, GPTConfig, checkpoint
    from kqa_core.model.variants.rope import RotaryAttention
    from kqa_core.training.batches import QuestionBatches, SalientBatches
    from kqa_core.training.optimizer import MuonAdamW
    from kqa_core.training.recipes import SMALL
    from kqa_core.training.runs import load_for

__all__ = [
    "GPT", "SMALL", "GPTConfig", "MuonAdamW", "QuestionBatches", "RotaryAttention", "SalientBatches",
    "checkpoint", "load_for",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
