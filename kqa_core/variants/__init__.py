"""The registry of attention variants. A file in this folder is all it takes to add one.

- Each module here defines one `VARIANT`; its name is the module's name, and what `kqa pretrain NAME …` takes.
- A variant's attention is a module `Attention(config)` with `forward(x (B, T, C), past=None) -> (B, T, C)`, causal.
- Modules are imported when first asked for, so that `kqa_core.gpt` and the variants need not import each other.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kqa_core.errors import UserError

if TYPE_CHECKING:
    from torch import nn

    from kqa_core.gpt import GPTConfig


@dataclass(frozen=True)
class Variant:
    """One way for positions to read each other."""

    attention: Callable[[GPTConfig], nn.Module]  # called once per layer
    summary: str  # one line: the equation
    learned_positions: bool = True  # False where the attention itself knows positions (RoPE)


def variant_names() -> list[str]:
    """Every variant there is, in alphabetical order."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find_variant(name: str) -> Variant:
    """The variant called `name`. Raises UserError with the nearest names where there is none."""
    names = variant_names()
    if name not in names:
        near = difflib.get_close_matches(name, names, n=2, cutoff=0.5)
        advice = f"did you mean {' or '.join(near)}?" if near else f"the variants are {', '.join(names)}"
        raise UserError(f"no variant is called {name!r}: {advice}")
    variant = importlib.import_module(f"{__name__}.{name}").VARIANT
    assert isinstance(variant, Variant)
    return variant
