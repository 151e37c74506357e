"""The configuration of a model: its sizes, its attention variant, its positions.

- A field that belongs to one variant is named after it and has no effect on the others. New fields come last
  and have defaults that change nothing, so a checkpoint from before a field existed loads as the model it
  was.
- Every field but `vocab_size` and `variant` is also a flag of `kqa pretrain`, `finetune` and `evaluate`:
  `kqa_core.commands.training` makes the flags from this class, and `help` is their help text. Importing this
  module does not import torch, so that `--help` is fast.
- Position encodings are named here; `kqa_core.model.positions` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from kqa_core.errors import UserError

LEARNED, SINUSOIDAL, ROTARY, NONE = "learned", "sinusoidal", "rotary", "none"
OF_VARIANT = "variant"
POSITIONS = (LEARNED, SINUSOIDAL, ROTARY, NONE)
PAD_INDEX = 0  # kqa_core.text.vocabulary.Vocabulary puts padding there


def _option(default: Any, help: str) -> Any:
    """A field of `GPTConfig` with the help text of its flag."""
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a model; its checkpoint keeps every field. Raises UserError for impossible values.

    >>> GPTConfig(vocab_size=30, n_layer=2).d_model
    256
    """

    vocab_size: int  # characters, padding and mask included
    block_size: int = _option(128, "longest row in characters; positions are 0 … block_size − 1")
    n_layer: int = _option(4, "number of layers")
    n_head: int = _option(8, "number of attention heads")
    d_model: int = _option(256, "C, channels of the residual stream; a multiple of n_head")
    variant: str = "vanilla"  # a name in the registry of kqa_core.model.variants
    embedding_dropout: float = _option(0.1, "dropout on the embeddings")
    attention_dropout: float = _option(0.1, "dropout on the attention weights")
    residual_dropout: float = _option(0.1, "dropout on the outputs of attention and MLP")
    positions: str = _option(
        OF_VARIANT, "learned, sinusoidal, rotary or none; variant: rotary for rope, learned for the others"
    )
    fusion: str = _option(
        "concat", "how heads are combined: concat, shuffle, shift, norm-reweight or norm-reweight-causal"
    )
    synthesizer_rank: int = _option(8, "factorised_random_synthesizer: rank k of R = R₁ R₂ᵀ")
    synthesizer_fixed: bool = _option(False, "random Synthesizers: R is not trained")
    linformer_rank: int = _option(32, "linformer: rows that keys and values are projected to")
    bigbird_window: int = _option(16, "bigbird: positions a query attends to up to its own, itself included")
    bigbird_global: int = _option(4, "bigbird: first positions of the row, which every query attends to")
    bigbird_random: int = _option(
        4, "bigbird: further earlier positions a query attends to, drawn once per layer"
    )
    bottleneck_dim: int = _option(
        32, "perceiver: rows between the down and the up projection (the handout's name)"
    )

    def __post_init__(self) -> None:
        from kqa_core.model.head_fusion import FUSIONS  # imports torch

        sizes = ("vocab_size", "block_size", "n_layer", "n_head", "d_model")
        for name in (*sizes, "synthesizer_rank", "linformer_rank", "bigbird_window", "bottleneck_dim"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("bigbird_global", "bigbird_random"):
            if getattr(self, name) < 0:
                raise UserError(f"{name} must be at least 0, not {getattr(self, name)}")
        for name in ("embedding_dropout", "attention_dropout", "residual_dropout"):
            if not 0 <= getattr(self, name) <= 1:
                raise UserError(f"{name} must lie between 0 and 1, not {getattr(self, name)}")
        for name, choices in (("positions", (*POSITIONS, OF_VARIANT)), ("fusion", tuple(FUSIONS))):
            if getattr(self, name) not in choices:
                raise UserError(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        if self.d_model % self.n_head:
            raise UserError(
                f"d_model must be a multiple of n_head, {self.d_model} is none of {self.n_head}: change"
                " either"
            )
