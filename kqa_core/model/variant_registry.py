"""The registry of attention variants. To add one, add a file to `variants/`.

- Each module there defines one `VARIANT`. The module's name is the variant's name, as in
  `kqa pretrain NAME …`. A module whose name begins with _ is no variant: it holds code that several share.
- A variant's attention is a module `Attention(config)` with `forward(x (B, T, C), cache=None) -> (B, T, C)`.
  One that is not causal says so (`causal=False`), and so does one that cannot use a KV cache
  (`supports_kv_cache=False`): decoding then computes the whole row at every step.
- A variant that changes more than the attention of a block (the Perceiver) has a `stack`, which replaces all
  the blocks.
- A module is imported when its variant is first needed, so that `kqa_core.model.gpt` and the variants need
  not import each other.
- `register_variant` adds a variant for this process, such as a student's own layer in notebook 09. A
  checkpoint holds only its name, so another process can load it only after registering the same layer.
"""

from __future__ import annotations

import functools
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
_registered: dict[str, Variant] = {}  # by `register_variant`, in this process


@dataclass(frozen=True)
class Variant:
    """One kind of attention."""

    attention: Callable[[GPTConfig], nn.Module]  # called once per layer
    summary: str  # one line: the equation, for `kqa variants`
    learned_positions: bool = True  # False if the attention itself encodes positions (RoPE)
    takes_rotary: bool = False  # whether its queries and keys can be rotated by `positions="rotary"`
    causal: bool = True  # position t depends on positions ≤ t only
    supports_kv_cache: bool = True  # it can decode with a KVCache
    # one module that replaces all blocks, called as a block is
    stack: Callable[[GPTConfig], nn.Module] | None = None


def shipped_names() -> list[str]:
    """The names of the variants in `variants/`, in alphabetical order."""
    return sorted(
        module.name for module in pkgutil.iter_modules([str(FOLDER)]) if not module.name.startswith("_")
    )


def variant_names() -> list[str]:
    """The names of all variants, registered ones included, in alphabetical order."""
    return sorted({*shipped_names(), *_registered})


def register_variant(
    name: str, attention: Callable[[GPTConfig], nn.Module], summary: str = "a layer of your own"
) -> None:
    """Make `GPTConfig(variant=name)` build `attention(config)` in every block, in this process.

    The module's `forward(x (B, T, C), cache=None)` returns (B, T, C). It must be causal. It need not use a KV
    cache, so decoding computes the whole row at every step. Raises UserError for a name that is no
    identifier, and for that of a shipped variant.

    >>> from kqa_core.model.attention import CausalSelfAttention
    >>> register_variant("mine", CausalSelfAttention)
    >>> find_variant("mine").summary
    'a layer of your own'
    """
    if not name.isidentifier():
        raise UserError(
            f"a variant called {name!r}: a name of letters, digits and _ was expected, such as 'mine'"
        )
    if name in shipped_names():
        raise UserError(f"the variant {name!r} comes with the course: give yours another name")
    _registered[name] = Variant(attention, summary, supports_kv_cache=False)


def find_variant(name: str) -> Variant:
    """The variant called `name`. Raises UserError with similar names if there is none."""
    return _registered[name] if name in _registered else _shipped(name)


@functools.cache  # listing the folder takes longer than building a small layer
def _shipped(name: str) -> Variant:
    """The variant in `variants/` of this name."""
    names = variant_names()
    if name not in names:
        raise UserError(f"no variant is called {name!r}: {suggest(name, names)}")
    variant = importlib.import_module(f"kqa_core.model.variants.{name}").VARIANT
    assert isinstance(variant, Variant)
    return variant
