"""How the outputs of the heads are combined before the output projection.

- concat: concatenated, head h in channels h·hs … (h + 1)·hs − 1. This is the Transformer's own.
- shuffle: in a random order, drawn at every forward pass in training, one for the whole batch. In evaluation
  the heads are in their usual order, as dropout is off in evaluation. The projection sees every order, so it
  learns to treat all heads alike.
- shift: every head takes the place of the next one, the last the place of the first. The projection can undo
  this exactly if its columns are shifted too. So the same functions can be learned as with concat; only the
  initialisation differs.
- norm-reweight: head h times its matrix norm divided by the mean of the heads' norms,

      O_h ← O_h · ‖O_h‖_F / mean_g ‖O_g‖_F        (Frobenius: over all positions *and* channels of one row)

  The norm includes positions after t, so the output at position t depends on later inputs: **it leaks the
  future**, although the mask is right. We keep the leak on purpose; `reads_the_future` of
  `kqa_core.evaluation.probes` detects it. Padding counts too.
- norm-reweight-causal: the fix. At position t the norms include positions ≤ t only. At the last position of a
  row the two are equal.

A KV cache cannot serve norm-reweight, because earlier outputs change with each new token: decoding computes
the whole row again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.model.kv_cache import LayerKVCache


@dataclass(frozen=True)
class Fusion:
    """One way to combine heads."""

    # (B, nh, T, hs), training, cache → (B, nh, T, hs)
    apply: Callable[[Tensor, bool, LayerKVCache | None], Tensor]
    causal: bool = True  # position t depends on positions ≤ t only
    supports_kv_cache: bool = True  # it can decode with a KVCache


def fuse(heads: Tensor, fusion: str, training: bool = False, cache: LayerKVCache | None = None) -> Tensor:
    """Heads (B, nh, T, hs) → (B, nh, T, hs), as the fusion of that name in `FUSIONS` changes them."""
    return FUSIONS[fusion].apply(heads, training, cache)


def _shuffle(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    if not training:
        return heads
    # from the CPU's generator on every device: a seed gives the same order
    order = torch.randperm(heads.shape[1])
    return heads[:, order.to(heads.device)]


def _norm_reweight(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    if cache is not None:
        raise ValueError("norm-reweight needs the whole row at every step: it cannot decode with a KVCache")
    return _reweigh(heads, _squares(heads).sum(dim=2, keepdim=True))  # over T: the future too


def _norm_reweight_causal(heads: Tensor, training: bool, cache: LayerKVCache | None) -> Tensor:
    squares = _squares(heads)  # (B, nh, T, 1)
    if cache is None:
        return _reweigh(heads, squares.cumsum(dim=2))
    so_far = cache.append("square", squares)  # (B, nh, L, 1)
    readable = torch.where(cache.allowed, so_far.transpose(-2, -1), 0.0)  # (B, nh, T, L)
    return _reweigh(heads, readable.sum(dim=-1, keepdim=True))


def _squares(heads: Tensor) -> Tensor:
    """The squared norm of each head at each position: (B, nh, T, 1), at least in float32."""
    return heads.to(torch.promote_types(heads.dtype, torch.float32)).square().sum(dim=-1, keepdim=True)


def _reweigh(heads: Tensor, squares: Tensor) -> Tensor:
    """Each head times norm / mean norm over the heads; squares (B, nh, 1 or T, 1) are squared norms."""
    # heads of zeros: no division by 0, no gradient of √0
    norms = squares.clamp_min(torch.finfo(squares.dtype).tiny).sqrt()
    return heads * (norms / norms.mean(dim=1, keepdim=True)).to(heads.dtype)


FUSIONS: dict[str, Fusion] = {
    "concat": Fusion(lambda heads, training, cache: heads),
    "shuffle": Fusion(_shuffle),
    "shift": Fusion(lambda heads, training, cache: heads.roll(1, dims=1)),
    "norm-reweight": Fusion(_norm_reweight, causal=False, supports_kv_cache=False),
    "norm-reweight-causal": Fusion(_norm_reweight_causal),
}
