"""All numbers of one forward pass, as the walk shows them: one named array for each, in float32.

- They come from one recorded pass (`kqa_core.show.explorer.capture`), so they are the model's own. Only
  logits, weights and the logit lens are computed again, because the fused kernel and the model do not return
  them. Where a model does not compute what its form says (`forms.py`), it is refused.
- The residual stream has 2 L + 1 points: after the embedding, and after the attention and the MLP of each of
  L layers.
- A page gets of vectors with more than 256 channels the first 64, and their norms (`for_page`).
- The logit lens (nostalgebraist 2020) reads each point as if it were the last: final norm, then the head.
  Where there are many layers, only the points after each layer.

Shapes: L layers, H heads, G heads of keys and values, T tokens, C = d_model, hs the width of a head, F hidden
units, V tokens in the vocabulary, P points of the lens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

from kqa_core.errors import UserError
from kqa_core.model.attention import CausalSelfAttention, softmax, split_heads
from kqa_core.model.block import Block
from kqa_core.model.config import ROTARY
from kqa_core.model.gpt import GPT
from kqa_core.show.explorer.capture import Recorded, is_square, record, seen_in, seen_of
from kqa_core.show.walk.forms import Form

# all others begin with L layers
ONCE = (
    "embedding", "position", "sum_0", "norm_0_parameters", "norm_0_statistics", "stream", "norm",
    "norm_parameters", "norm_statistics", "prediction", "lens", "top_ids", "top_logits", "log_sums",
    "lens_ids", "lens_chances",
)  # fmt: skip
MOST_NUMBERS = 5_000_000  # four bytes each; more would make the page too large
MANY_NUMBERS = 2_500_000  # where there would be more, queries and keys before the rotation are left out
WIDEST, SHOWN = 256, 64  # a vector with more channels is cut to its first ones
WIDE = (  # one number for each channel or hidden unit
    "embedding", "position", "sum_0", "sum_1", "sum_2", "stream", "norm_1", "norm_2", "norm", "attention",
    "hidden_before", "hidden_up", "hidden", "mlp", "norm_0_parameters", "norm_1_parameters",
    "norm_2_parameters", "norm_parameters",
)  # fmt: skip
TOPS, LENS_TOPS = 12, 5  # the likeliest tokens that are shown
MANY_LAYERS = 8
TEMPERATURES = np.arange(1, 31) / 10  # of the slider
TOLERANCE = 0.02  # of the largest number: a model in bfloat16 has errors of up to 0.01

Floats = NDArray[np.float32]


def numbers_of(model: nn.Module, tokens: Sequence[int], form: Form) -> dict[str, Floats]:
    """The arrays of one pass of `model` over `tokens` (T,), by name; docs/widgets.md lists their shapes.

    Raises UserError for a text that is empty or too long for the model, and for a model that does not compute
    what its form says or whose blocks have no queries and keys.
    """
    if isinstance(model, GPT) and not all(
        isinstance(block, Block) and isinstance(block.attention, CausalSelfAttention)
        for block in model.blocks
    ):
        raise UserError(
            f"variant {model.config.variant!r} does not compute queries and keys in every block: "
            "walk through one that does, such as vanilla or rope"
        )
    passed = record(model, tokens)
    _refuse_large(2 * sum(call.query.shape[1] for call in passed.calls) * len(tokens) ** 2, len(tokens))
    if isinstance(model, GPT):
        seen = seen_in(passed, model, len(tokens))
    elif is_square(passed.calls, len(tokens)) and len(passed.calls) == form.layers(model):
        seen = seen_of(passed.calls)
    else:
        raise UserError(
            f"{type(model).__name__}: its queries and keys cannot be found: load it with"
            ' attn_implementation="sdpa"'
        )
    assert seen.query is not None and seen.key is not None
    logits = (
        seen.query @ seen.key.swapaxes(-1, -2) * np.array(seen.scale, dtype=np.float32)[:, None, None, None]
    )
    parts = _Parts(model, form, passed)
    group = 1 if form.key is None else seen.query.shape[1] // _key_heads(parts, seen.query.shape[-1])
    arrays: dict[str, Any] = {
        "query": seen.query,
        "key": seen.key[:, ::group],
        "value": torch.cat([call.value for call in passed.calls])[:, ::group],
        "logits": logits if seen.bias is None else logits + seen.bias,
        "allowed": seen.allowed,
        "weights": seen.weights,
        "heads": torch.cat([call.heads for call in passed.calls]),
        "merged": parts.stacked(form.projection, of_input=True),
        "attention": parts.stacked(form.attention),
        "hidden_before": parts.stacked(form.hidden),
        "hidden": parts.stacked(form.down, of_input=True),
        "mlp": parts.stacked(form.mlp),
        **(_post_norm(parts) if form.norm_0 else _pre_norm(parts)),
    }
    if form.up is not None:
        arrays["hidden_up"] = parts.stacked(form.up)
    if form.positions == ROTARY and form.query and form.key:
        arrays["query_before"] = split_heads(parts.stacked(form.query), seen.query.shape[1])
        arrays["key_before"] = split_heads(parts.stacked(form.key), seen.query.shape[1] // group)
    floats = {name: _floats(array) for name, array in arrays.items() if array is not None}
    if not isinstance(model, GPT):
        _check(model, form, floats)
    if form.head is not None:
        for_page(floats)  # where it would be too large, the predictions are not computed
        floats |= _predictions(model, form, parts, floats["stream"], tokens)
    return floats


class _Parts:
    """The parts of a recorded pass, each with its input and its output."""

    def __init__(self, model: nn.Module, form: Form, passed: Recorded) -> None:
        self.model, self.form, self.passed = model, form, passed
        self.layers = range(form.layers(model))

    def input(self, name: str, layer: int | None = None) -> Tensor:
        """A module's input: (1, T, …)."""
        return _first(self.passed.inputs[self.form.name(name, layer)])

    def output(self, name: str, layer: int | None = None) -> Tensor:
        """A module's output: (1, T, …)."""
        return _first(self.passed.outputs[self.form.name(name, layer)])

    def stacked(self, name: str, of_input: bool = False) -> Tensor:
        """The output or the input of a module of all layers: (L, T, …)."""
        take = self.input if of_input else self.output
        return torch.cat([take(name, layer) for layer in self.layers])

    def norm(self, name: str, kept: str, x: Tensor, layers: bool = True) -> dict[str, Tensor]:
        """A norm's trained numbers, (L, 2, C) or (L, 1, C) where none is added, and its mean and size of x:
        (L, T, 2). Without `layers`, of the one norm of this name.
        """
        norms = [self.form.find(self.model, name, layer) for layer in self.layers] if layers else None
        of = norms or [self.form.find(self.model, name)]
        parameters = torch.stack([torch.stack(list(norm.parameters())) for norm in of])
        statistics = _statistics(x, of[0], self.form.norm_name)
        return {
            f"{kept}_parameters": parameters if layers else parameters[0],
            f"{kept}_statistics": statistics,
        }


def _first(part: Any) -> Tensor:
    """The tensor, of a module that gives a tuple the first."""
    tensor: Tensor = part[0] if isinstance(part, tuple) else part
    return tensor


def _key_heads(parts: _Parts, width: int) -> int:
    assert parts.form.key is not None
    return parts.output(parts.form.key, 0).shape[-1] // width


def _statistics(x: Tensor, norm: Any, kind: str) -> Tensor:
    """(…, 2): the mean that is subtracted, and the size by which x (…, C) is divided."""
    x = x.float()
    epsilon: float = getattr(norm, "eps", None) or getattr(norm, "variance_epsilon", None) or 0.0
    mean = x.mean(-1) if kind == "LayerNorm" else torch.zeros(x.shape[:-1])
    size = ((x - mean[..., None]).square().mean(-1) + epsilon).sqrt()
    return torch.stack([mean, size], dim=-1)


def _pre_norm(parts: _Parts) -> dict[str, Any]:
    """The stream and the norms beside it."""
    form, layers = parts.form, parts.layers
    assert form.norm is not None
    points = []
    for layer in layers:
        points += [parts.input(form.norm_1, layer), parts.input(form.norm_2, layer)]
    stream = torch.cat([*points, parts.input(form.norm)])  # (2 L + 1, T, C)
    embedding, position = _embedded(parts, stream[0])
    return {
        "embedding": embedding,
        "position": position,
        "stream": stream,
        "norm_1": parts.stacked(form.norm_1),
        **parts.norm(form.norm_1, "norm_1", stream[:-1:2]),
        "norm_2": parts.stacked(form.norm_2),
        **parts.norm(form.norm_2, "norm_2", stream[1::2]),
        "norm": parts.output(form.norm)[0],
        **parts.norm(form.norm, "norm", stream[-1], layers=False),
    }


def _post_norm(parts: _Parts) -> dict[str, Any]:
    """The stream with the norms in it, and the sums before them."""
    form = parts.form
    assert form.norm_0 is not None
    points = [parts.output(form.norm_0)]
    for layer in parts.layers:
        points += [parts.output(form.norm_1, layer), parts.output(form.norm_2, layer)]
    embedding, added = parts.output(form.embedding)[0], parts.input(form.norm_0)[0]
    sums = {
        f"sum_{n}": parts.stacked(name, of_input=True) for n, name in ((1, form.norm_1), (2, form.norm_2))
    }
    return {
        "embedding": embedding,
        "position": added - embedding,
        "sum_0": added,
        **parts.norm(form.norm_0, "norm_0", added, layers=False),
        "stream": torch.cat(points),
        **sums,
        **parts.norm(form.norm_1, "norm_1", sums["sum_1"]),
        **parts.norm(form.norm_2, "norm_2", sums["sum_2"]),
    }


def _embedded(parts: _Parts, start: Tensor) -> tuple[Tensor, Tensor | None]:
    """The tokens' vectors (T, C), and the positions' (T, C), or None where nothing is added."""
    model, embedding = parts.model, parts.output(parts.form.embedding)[0]
    if isinstance(model, GPT):
        T = len(embedding)
        if model.position_embedding is not None:
            return embedding, model.position_embedding[:T]
        if model.sinusoidal_embedding is not None:
            return math.sqrt(model.config.d_model) * embedding, model.sinusoidal_embedding[:T]
        return embedding, None
    return embedding, None if parts.form.positions == ROTARY else start - embedding


def _predictions(
    model: nn.Module, form: Form, parts: _Parts, stream: Floats, tokens: Sequence[int]
) -> dict[str, Floats]:
    """The next token after each: all logits, and the likeliest; those of the logit lens likewise.

    The last column of `top_ids` and `top_logits` is the token that follows in the text (−1: none does);
    `log_sums` (T, 30) are log Σ exp((logit − largest) / temperature) for the temperatures of the slider.
    """
    assert form.head is not None
    prediction = _first(parts.passed.outputs[form.head])[0].float()  # (T, V)
    tops = prediction.topk(min(TOPS, prediction.shape[-1]))
    after = torch.tensor([*tokens[1:], -1])
    after_logits = prediction.gather(1, after.clamp(min=0)[:, None].to(prediction.device))
    relative = (prediction - tops.values[:, :1]).double()
    sums = [(relative / temperature).exp().sum(-1).log() for temperature in TEMPERATURES.tolist()]
    points = torch.from_numpy(stream[:: 2 if len(stream) > 2 * MANY_LAYERS + 1 else 1])  # (P, T, C)
    ids, chances, all_logits = [], [], []
    keep = len(points) * prediction.numel() <= MOST_NUMBERS
    with torch.no_grad():
        for point in points:
            logits = form.logits(model, point.to(prediction.device)).float()  # (T, V)
            likeliest = logits.topk(min(LENS_TOPS, logits.shape[-1]))
            ids.append(likeliest.indices)
            chances.append((likeliest.values - logits.logsumexp(-1, keepdim=True)).exp())
            all_logits += [logits] if keep else []
    found = {
        "prediction": prediction,
        "top_ids": torch.cat([tops.indices.cpu(), after[:, None]], 1),
        "top_logits": torch.cat([tops.values, after_logits], 1),
        "log_sums": torch.stack(sums, dim=1),
        "lens_ids": torch.stack(ids),
        "lens_chances": torch.stack(chances),
        **({"lens": torch.stack(all_logits)} if keep else {}),
    }
    return {name: _floats(array) for name, array in found.items()}


def _check(model: nn.Module, form: Form, arrays: dict[str, Floats]) -> None:
    """Raises UserError for a model that does not compute what its form says."""
    stream = arrays["stream"]
    sum_1, sum_2 = (arrays[f"sum_{n}"] if form.norm_0 else stream[n::2] for n in (1, 2))
    x = sum_1 if form.norm_0 else stream[:-1:2]
    pairs = [
        (stream[:-1:2] + arrays["attention"], sum_1),
        (stream[1::2] + arrays["mlp"], sum_2),
        (_normed(x, arrays, "norm_1"), stream[1::2] if form.norm_0 else arrays["norm_1"]),
    ]
    pairs += [  # a rotation keeps norms
        tuple(np.linalg.norm(arrays[f"{name}{when}"], axis=-1) for when in ("_before", ""))
        for name in ("query", "key")
        if form.positions == ROTARY
    ]
    before = torch.from_numpy(arrays["hidden_before"])
    if form.up is not None:
        pairs.append(((F.silu(before).numpy() * arrays["hidden_up"]), arrays["hidden"]))
    else:
        pairs.append((F.gelu(before).numpy(), arrays["hidden"]))
    for computed, expected in pairs:
        if not np.allclose(computed, expected, rtol=0, atol=TOLERANCE * max(1e-9, np.abs(expected).max())):
            raise UserError(
                f"{type(model).__name__}: its layers compute something else than those of the form of"
                f" {form.kind.capitalize()}: `explore` shows its attention"
            )


def _normed(x: Floats, arrays: dict[str, Floats], name: str) -> Any:
    """x (L, T, C) after the norm of this name, as the page explains it."""
    mean, size = np.moveaxis(arrays[f"{name}_statistics"], -1, 0)[..., None]
    parameters = arrays[f"{name}_parameters"]
    normed = (x - mean) / size * parameters[:, None, 0]
    return normed + parameters[:, None, 1] if parameters.shape[1] > 1 else normed


def for_page(arrays: dict[str, Floats]) -> dict[str, Floats]:
    """The arrays that a page gets: of wide vectors the first channels, with their norms as `NAME_norm`; of
    predictions the likeliest tokens; for a long text, no queries and keys before their rotation.

    Raises UserError if they are too many.
    """
    cut_all, sent = arrays["stream"].shape[-1] > WIDEST, {}
    for name, array in arrays.items():
        if name in ("prediction", "lens") or (cut_all and name == "merged"):
            continue  # the page puts `merged` together from the heads
        is_cut = cut_all and name in WIDE
        if is_cut and not name.endswith("_parameters"):
            sent[f"{name}_norm"] = np.sqrt(np.square(array.astype(np.float64)).sum(-1)).astype(np.float32)
        sent[name] = array[..., :SHOWN] if is_cut else array
    if sum(array.size for array in sent.values()) > MANY_NUMBERS:
        sent = {name: array for name, array in sent.items() if name not in ("query_before", "key_before")}
    sent["above"] = (arrays["hidden_before"] > 0).sum(-1).astype(np.float32)  # hidden units above 0
    _refuse_large(sum(array.size for array in sent.values()), len(arrays["embedding"]))
    return sent


def _refuse_large(count: int, T: int) -> None:
    if count > MOST_NUMBERS:
        raise UserError(
            f"{count:,} numbers are too many for a page (at most {MOST_NUMBERS:,}): give a shorter text than"
            f" these {T} tokens"
        )


def _floats(array: Any) -> Floats:
    if isinstance(array, Tensor):
        array = array.detach().float().cpu().numpy()
    return np.ascontiguousarray(array, dtype=np.float32)


def probabilities(logits: Floats, temperature: float = 1.0) -> Floats:
    """The next tokens' probabilities: logits (…, V) → (…, V), sharper at a low temperature."""
    return softmax(torch.from_numpy(logits) / temperature).numpy()
