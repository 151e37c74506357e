"""The configuration of a model: its sizes, its attention variant, its positions.

- A field that belongs to one variant is named after it and has no effect on the others. New fields come last and have defaults
  that change nothing, so a checkpoint from before a field existed loads as the model it was.
- Position encodings are named here; `kqa_core.model.positions` computes them.
"""

from __future__ import annotations

from dataclasses import dataclass

from kqa_core.errors import UserError
from kqa_core.model.head_fusion import FUSIONS

LEARNED, SINUSOIDAL, ROTARY, NONE = "learned", "sinusoidal", "rotary", "none"
OF_VARIANT = "variant"
POSITIONS = (LEARNED, SINUSOIDAL, ROTARY, NONE)
PAD_INDEX = 0  # kqa_core.text.vocabulary.Vocabulary puts padding there


@dataclass(frozen=True)
class GPTConfig:
    """The shape of a model. Every field is kept in its checkpoint."""

    vocab_size: int  # characters, padding and mask included
    block_size: int = 128  # longest row; positions 0 … block_size − 1
    n_layer: int = 4
    n_head: int = 8
    d_model: int = 256  # C, channels of the residual stream; a multiple of n_head
    variant: str = "vanilla"  # a name in the registry of kqa_core.model.variants
    embedding_dropout: float = 0.1
    attention_dropout: float = 0.1  # on the attention weights
    residual_dropout: float = 0.1  # on the outputs of attention and MLP
    positions: str = OF_VARIANT  # learned, sinusoidal, rotary or none; "variant": rotary for rope, learned for every other
    fusion: str = "concat"  # how heads are put together: a name in kqa_core.model.head_fusion.FUSIONS
    synthesizer_rank: int = 8  # factorised_random_synthesizer: k of R = R₁ R₂ᵀ
    synthesizer_fixed: bool = False  # the random Synthesizers: R stays as it was drawn
    linformer_rank: int = 32  # linformer: rows that keys and values are mixed down to
    bigbird_window: int = 16  # bigbird: positions a query reads up to its own, itself included
    bigbird_global: int = 4  # bigbird: first positions of the row, which every query reads
    bigbird_random: int = 4  # bigbird: further positions of the past a query reads, drawn once per layer
    bottleneck_dim: int = 32  # perceiver: rows (not channels) between the down and the up projection; the handout's name

    def __post_init__(self) -> None:
        sizes = ("vocab_size", "block_size", "n_layer", "n_head", "d_model")
        for name in (*sizes, "synthesizer_rank", "linformer_rank", "bigbird_window", "bottleneck_dim"):
            if getattr(self, name) < 1:
                raise UserError(f"{name} must be at least 1, not {getattr(self, name)}")
        for name in ("bigbird_global", "bigbird_random"):
            if getattr(self, name) < 0:
                raise UserError(f"{name} must be at least 0, not {getattr(self, name)}")
        for name, choices in (("positions", (*POSITIONS, OF_VARIANT)), ("fusion", tuple(FUSIONS))):
            if getattr(self, name) not in choices:
                raise UserError(f"{name} must be one of {', '.join(choices)}, not {getattr(self, name)!r}")
        if self.d_model % self.n_head:
            raise UserError(f"d_model must be a multiple of n_head, {self.d_model} is none of {self.n_head}: change either")
