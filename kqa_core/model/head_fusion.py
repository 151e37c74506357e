"""How heads become one row again: what happens to them between being read and being projected.

- concat: side by side, head h in channels h·hs … (h + 1)·hs − 1. The Transformer's own.
- shuffle: in an order drawn anew at every forward pass in training, one for the whole batch. In evaluation there is no chance:
  as dropout does, it rests, and the heads stand in their order. A projection that has seen every order treats them all alike.
- shift: every head takes the place of the next one, the last the first. The projection that follows can undo this exactly, by
  having its columns shifted too, so what can be learnt is the same as with concat: only the start differs.
- norm-reweight: head h times its matrix norm over the mean of the heads' norms,

      O_h ← O_h · ‖O_h‖_F / mean_g ‖O_g‖_F        (Frobenius: over all positions *and* channels of one row of the batch)

  The norm takes in positions after t, so what position t hands on depends on what comes later: **it leaks the future**, in a
  model whose mask is right. It is kept as it is; `reads_the_future` of `kqa_core.evaluation.probes` finds it. Padding counts too.
- norm-reweight-causal: the repair. At position t the norms take in positions ≤ t, and nothing else changes; at the last position
  of a row the two are equal.

A leak has no past worth remembering: decoding with norm-reweight reads everything anew at each step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor

if TYPE_CHECKING:
    from kqa_core.model.kv_cache import LayerKVCache


@dataclass(frozen=True)
class Fusion:
    """One way to put heads together."""

    apply: Callable[[Tensor, bool, LayerKVCache | None], Tensor]  # (B, nh, T, hs), training, cache → (B, nh, T, hs)
    causal: bool = True  # position t depends on positions ≤ t only
    supports_kv_cache: bool = True  # decoding can go on from a KVCache


def fuse(heads: Tensor, fusion: str, training: bool = False, cache: LayerKVCache | None = None) -> Tensor:
    """Arrange heads (B, nh, T, hs) as `fusion` says, a name in `FUSIONS`; `merge_heads` then lays them side by side."""
    return FUSIONS[fusion].apply(heads, training, cache)


def _concat(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    return heads


def _shuffle(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    if not training:
        return heads
    order = torch.randperm(heads.shape[1])  # from the CPU's generator wherever the heads lie: a seed is a seed
    return heads[:, order.to(heads.device)]


def _shift(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    return heads.roll(1, dims=1)


def _norm_reweight(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    if cache is not None:
        raise ValueError("norm-reweight reads the whole row at every step: it cannot decode from a KVCache")
    return _reweigh(heads, _squares(heads).sum(dim=2, keepdim=True))  # over T: the future too


def _norm_reweight_causal(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    squares = _squares(heads)  # (B, nh, T, 1)
    if cache is None:
        return _reweigh(heads, squares.cumsum(dim=2))
    kept = cache.append("square", squares)  # (B, nh, L, 1)
    readable = torch.where(cache.allowed, kept.transpose(-2, -1), 0.0)  # (B, nh, T, L)
    return _reweigh(heads, readable.sum(dim=-1, keepdim=True))


def _squares(heads: Tensor) -> Tensor:
    """The squared length of each position's part of each head: (B, nh, T, 1), at least in float32."""
    return heads.to(torch.promote_types(heads.dtype, torch.float32)).square().sum(dim=-1, keepdim=True)


def _reweigh(heads: Tensor, squares: Tensor) -> Tensor:
    """Each head times norm / mean norm over the heads, where squares (B, nh, 1 or T, 1) are its squared norms."""
    norms = squares.clamp_min(torch.finfo(squares.dtype).tiny).sqrt()  # heads of zeros: no division by 0, no gradient of √0
    return heads * (norms / norms.mean(dim=1, keepdim=True)).to(heads.dtype)


FUSIONS: dict[str, Fusion] = {
    "concat": Fusion(_concat),
    "shuffle": Fusion(_shuffle),
    "shift": Fusion(_shift),
    "norm-reweight": Fusion(_norm_reweight, causal=False, supports_kv_cache=False),
    "norm-reweight-causal": Fusion(_norm_reweight_causal),
}
