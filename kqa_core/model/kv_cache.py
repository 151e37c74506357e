"""The KV cache of decoding: keys and values of the positions already processed.

- A `KVCache` has one slot per row and *absolute* position, so rows of different lengths decode in one batch:
  prompts are padded on the right and processed at once, and each row then writes its next token at its own
  position, over the padding.
- A query may attend to the slots up to its own position. Later slots hold padding and are masked.
- A variant caches what it needs under names of its choice ("key", "value"); the Synthesizer caches values
  only.
- A layer made of several layers with a cache (the Perceiver's stack) gives each its own `part`.
"""

from __future__ import annotations

import torch
from torch import Tensor


class LayerKVCache:
    """The cache of one layer. `positions` (B, T) are the absolute positions of the tokens processed now."""

    def __init__(self, cache: KVCache) -> None:
        self._cache = cache
        self._slots: dict[str, Tensor] = {}  # name → (B, L, nh, hs)
        self._parts: dict[str, LayerKVCache] = {}

    def part(self, name: str) -> LayerKVCache:
        """The cache of one part of this layer: the same positions, separate names."""
        if name not in self._parts:
            self._parts[name] = LayerKVCache(self._cache)
        return self._parts[name]

    @property
    def positions(self) -> Tensor:
        """(B, T): the absolute positions of the tokens processed now."""
        return self._cache.positions

    @property
    def allowed(self) -> Tensor:
        """(B, 1, T, L) BoolTensor: True where slot ≤ position."""
        return self._cache.allowed

    def append(self, name: str, new: Tensor) -> Tensor:
        """Write `new` (B, nh, T, hs) at the current positions. Returns every slot in use, (B, nh, L, hs)."""
        B, nh, _, hs = new.shape
        if name not in self._slots:
            self._slots[name] = new.new_zeros(B, self._cache.capacity, nh, hs)
        slots = self._slots[name]
        slots[self._cache.rows, self._cache.positions] = new.transpose(1, 2)  # (B, T, nh, hs)
        return slots[:, : self._cache.length].transpose(1, 2)  # (B, nh, L, hs)

    def keep_rows(self, rows: Tensor) -> None:
        """Drop all rows but these."""
        self._slots = {name: slots[rows] for name, slots in self._slots.items()}
        for part in self._parts.values():
            part.keep_rows(rows)


class KVCache:
    """The cache of a whole model, for `capacity` positions. Call `set_positions` before each forward pass."""

    def __init__(self, n_layer: int, capacity: int) -> None:
        self.capacity = capacity
        self.length = 0  # slots in use: the largest position so far, plus 1
        self.layers = [LayerKVCache(self) for _ in range(n_layer)]

    def set_positions(self, positions: Tensor) -> None:
        """The absolute positions of the next tokens: (B, T), each below `capacity`."""
        self.positions = positions
        # (B, 1), pairs with (B, T)
        self.rows = torch.arange(len(positions), device=positions.device)[:, None]
        self.length = max(self.length, int(positions.max()) + 1)
        slots = torch.arange(self.length, device=positions.device)  # (L,)
        self.allowed = (slots <= positions[:, :, None])[:, None]  # (B, 1, T, L)

    def keep_rows(self, rows: Tensor) -> None:
        """Drop all rows but these (finished answers need no more work)."""
        for layer in self.layers:
            layer.keep_rows(rows)
