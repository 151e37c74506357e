"""Capture one forward pass: attention weights, their inputs, and what goes through every module.

- The arguments of every call of torch's `scaled_dot_product_attention` are recorded. So the explorer can show
  any variant that uses this function, also the Synthesizer (with its own kind of queries and keys). Queries
  and keys are those that the model used, so with RoPE they are rotated.
- The walk through a model (`kqa_core.show.walk`) shows inputs and outputs of modules too: forward hooks
  record them.
- Capturing does not change the model: no parameter, no gradient, no random number, no mode of a module.
- The weights are computed again from the recorded arguments, in float32, because the fused kernel does not
  return them.
- Weights from elsewhere, as an array, are validated: numbers in [0, 1], and rows that sum to 1.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

from kqa_core.errors import UserError
from kqa_core.model.attention import softmax
from kqa_core.model.gpt import GPT

TOLERANCE = 0.02  # of a row's sum: weights computed in bfloat16 have errors of up to 0.01
MOST_NUMBERS = 40_000_000  # one byte each; more would make the page too large

Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Seen:
    """The attention of one model on one text: L layers, H heads, T tokens, d channels."""

    weights: Floats  # (L, H, T, T), rows sum to 1
    allowed: NDArray[np.bool_]  # (L, T, T): True where a query may attend to a key
    query: Floats | None = None  # (L, H, T, d), as used in the dot product
    key: Floats | None = None  # (L, H, T, d)
    scale: tuple[float, ...] = ()  # one per layer: what q·k is multiplied by
    bias: Floats | None = None  # (L, H, T, T), added after the scale; None where nothing is added


class Call(NamedTuple):
    """One call of scaled_dot_product_attention, for one text."""

    query: Tensor  # (1, H, T, d)
    key: Tensor  # (1, H, T, d)
    value: Tensor  # (1, H, T, d)
    scale: float
    mask: Tensor | None
    is_causal: bool
    heads: Tensor  # (1, H, T, d): the result


@dataclass
class Recorded:
    """One forward pass: the calls of attention, and each module's first input and output by its name."""

    calls: list[Call] = field(default_factory=list)
    inputs: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Any] = field(default_factory=dict)


class _Watch(TorchFunctionMode):
    """Records the arguments and the result of every scaled_dot_product_attention."""

    def __init__(self) -> None:
        super().__init__()
        self.calls: list[Call] = []

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        if func is F.scaled_dot_product_attention:
            self._note(result, *args, **(kwargs or {}))
        return result

    def _note(
        self,
        heads: Tensor,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None = None,
        dropout_p: float = 0.0,
        is_causal: bool = False,
        scale: float | None = None,
        enable_gqa: bool = False,
    ) -> None:
        if enable_gqa:  # fewer keys than queries: each serves a group of heads
            group = query.shape[-3] // key.shape[-3]
            key, value = key.repeat_interleave(group, dim=-3), value.repeat_interleave(group, dim=-3)
        scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
        self.calls.append(
            Call(query.float(), key.float(), value.float(), scale, attn_mask, is_causal, heads.float())
        )


def record(model: nn.Module, tokens: Sequence[int]) -> Recorded:
    """One forward pass on `tokens` (T,), in evaluation mode. Raises UserError for a wrong length."""
    config: Any = model.config
    longest = next(
        (
            getattr(config, name)
            for name in ("block_size", "max_position_embeddings")
            if hasattr(config, name)
        ),
        math.inf,
    )
    if not 0 < len(tokens) <= longest:
        raise UserError(
            f"a text of {len(tokens)} tokens: this model reads 1 to {longest}: shorten or lengthen it"
        )
    modes = {module: module.training for module in model.modules()}
    recorded = Recorded()

    def note(name: str, inputs: Any, output: Any) -> None:
        recorded.inputs[name], recorded.outputs[name] = (inputs[0] if inputs else None), output

    hooks = [
        module.register_forward_hook(lambda _, inputs, output, name=name: note(name, inputs, output))
        for name, module in model.named_modules()
    ]
    model.eval()
    try:
        with torch.no_grad(), _Watch() as noted:
            model(torch.tensor([list(tokens)], device=next(model.parameters()).device))
    finally:
        for hook in hooks:
            hook.remove()
        for module, training in modes.items():
            module.training = training
    recorded.calls = noted.calls
    return recorded


def watch(model: GPT, tokens: Sequence[int]) -> Seen:
    """The attention of every layer and head of `model` on `tokens` (T,), in evaluation mode.

    Raises UserError for a text that is empty or too long, and for a model whose attention has no square table
    of weights.
    """
    return seen_in(record(model, tokens), model, len(tokens))


def seen_in(recorded: Recorded, model: GPT, T: int) -> Seen:
    """The attention of a recorded pass over T tokens. Raises UserError without square weights."""
    if not is_square(recorded.calls, T) or len(recorded.calls) != model.config.n_layer:
        raise UserError(
            f"variant {model.config.variant!r} keeps no table of {T} × {T} weights per layer: use one that"
            " does, such as vanilla"
        )
    return seen_of(recorded.calls)


def is_square(calls: Sequence[Call], T: int) -> bool:
    """Whether there are calls, and each has T queries and T keys."""
    return bool(calls) and all((call.query.shape[-2], call.key.shape[-2]) == (T, T) for call in calls)


def seen_of(calls: Sequence[Call]) -> Seen:
    """The attention of the calls of one pass, a layer each."""
    weights, allowed, query, key, bias = (np.stack(part) for part in zip(*map(_layer, calls), strict=True))
    scale = tuple(call.scale for call in calls)
    return Seen(
        weights, np.logical_or.reduce(allowed, axis=1), query, key, scale, bias if bias.any() else None
    )


def _layer(call: Call) -> tuple[NDArray[Any], ...]:
    """One layer's weights and what is allowed (H, T, T), queries, keys (H, T, d), and the bias (H, T, T)."""
    logits = call.query[0] @ call.key[0].transpose(-2, -1) * call.scale  # (H, T, T)
    added = torch.zeros_like(logits)
    allowed = torch.ones_like(logits, dtype=torch.bool)
    if call.is_causal:
        allowed = allowed.tril()
    if call.mask is not None:
        mask = call.mask.expand(1, *logits.shape)[0]  # (H, T, T)
        if mask.dtype == torch.bool:
            allowed = allowed & mask
        else:
            allowed = allowed & (mask > -math.inf)
            added = mask.float().masked_fill(~allowed, 0.0)
    weights = softmax((logits + added).masked_fill(~allowed, -math.inf))
    return tuple(part.cpu().numpy() for part in (weights, allowed, call.query[0], call.key[0], added))


def given(table: Any) -> Seen:
    """Weights from elsewhere: anything (L, H, T, T), or a sequence of L tables (H, T, T) or (1, H, T, T).

    The last is what Hugging Face's models return as `attentions`. Where no head of any layer reads ahead, the
    upper triangle counts as masked. Raises UserError for a wrong shape, nan, numbers outside [0, 1] and rows
    that do not sum to 1.
    """
    weights = _numbers(table)
    if weights.ndim == 5 and weights.shape[1] == 1:  # a batch of one text
        weights = weights[:, 0]
    if weights.ndim != 4 or weights.shape[-1] != weights.shape[-2] or 0 in weights.shape:
        raise UserError(
            f"weights of shape {weights.shape}: (layers, heads, tokens, tokens) was expected: add or drop a"
            " dimension"
        )
    if weights.size > MOST_NUMBERS:
        raise UserError(
            f"{weights.size:,} weights are too many for a page (at most {MOST_NUMBERS:,}): give fewer layers"
            " or tokens"
        )
    for is_wrong, what in (
        (~np.isfinite(weights), "a number was expected: look where it is divided by zero"),
        (
            (weights < 0) | (weights > 1 + TOLERANCE),
            "a weight from 0 to 1 was expected: give the weights after the softmax",
        ),
    ):
        if is_wrong.any():
            at = tuple(int(place) for place in np.argwhere(is_wrong)[0])
            raise UserError(f"weights[{', '.join(map(str, at))}] is {weights[at]:.4g}: {what}")
    sums = weights.sum(axis=-1)  # (L, H, T)
    if (np.abs(sums - 1) > TOLERANCE).any():
        layer, head, row = (int(place) for place in np.argwhere(np.abs(sums - 1) > TOLERANCE)[0])
        raise UserError(
            f"row {row} of layer {layer}, head {head} sums to {sums[layer, head, row]:.4g}, 1 was expected: "
            "give the weights after the softmax, a query's in a row"
        )
    T = weights.shape[-1]
    causal = T > 1 and not np.triu(weights, 1).any()
    allowed = np.tril(np.ones((T, T), dtype=bool)) if causal else np.ones((T, T), dtype=bool)
    return Seen(np.minimum(weights, 1.0), np.broadcast_to(allowed, (weights.shape[0], T, T)))


def _numbers(table: Any) -> Floats:
    if isinstance(table, list | tuple) and table and all(isinstance(part, Tensor) for part in table):
        table = [_numbers(part) for part in table]
    if isinstance(table, Tensor):
        table = table.detach().cpu().float()
    try:
        return np.asarray(table if table is not None else "", dtype=np.float32)
    except (TypeError, ValueError):  # None, which numpy would take for nan, included
        raise UserError(
            f"{type(table).__name__}: a model or an array (layers, heads, tokens, tokens) was expected"
        ) from None
