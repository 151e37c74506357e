"""The registry of attention variants. A file in `variants/` is all it takes to add one.

- Each module there defines one `VARIANT`; its name is the module's name, and what `kqa pretrain NAME …` takes. A module whose
  name begins with _ is no variant: it holds what several share.
- A variant's attention is a module `Attention(config)` with `forward(x (B, T, C), cache=None) -> (B, T, C)`. One that is not
  causal says so (`causal=False`), and so does one that cannot use a KV cache (`supports_kv_cache=False`): decoding then computes
  the whole row at every step.
- A variant that changes more than the attention of a block (the Perceiver) gives a `stack` in the place of all the blocks.
- Modules are imported when first asked for, so that `kqa_core.model.gpt` and the variants need not import each other.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from kqa_core.errors import UserError, suggest

if TYPE_CHECKING:
    from torch import nn

    from kqa_core.model.config import GPTConfig


FOLDER = Path(__file__).with_name("variants")


@dataclass(frozen=True)
class Variant:
    """One way for positions to read each other."""

    attention: Callable[[GPTConfig], nn.Module]  # called once per layer
    summary: str  # one line: the equation, for `kqa variants`
    learned_positions: bool = True  # False where the attention itself knows positions (RoPE)
    takes_rotary: bool = False  # whether its queries and keys can be turned by `positions="rotary"`
    causal: bool = True  # position t reads positions ≤ t only
    supports_kv_cache: bool = True  # decoding can go on from a KVCache
    stack: Callable[[GPTConfig], nn.Module] | None = None  # one module in the place of all blocks, called as a block is


def variant_names() -> list[str]:
    """Every variant there is, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.name.startswith("_"))


def find_variant(name: str) -> Variant:
    """The variant called `name`. Raises UserError with the nearest names where there is none."""
    names = variant_names()
    if name not in names:
        raise UserError(f"no variant is called {name!r}: {suggest(name, names)}")
    variant = importlib.import_module(f"kqa_core.model.variants.{name}").VARIANT
    assert isinstance(variant, Variant)
    return variant
