"""Naming the mistake of a wrong result: it is compared with what common mistakes give.

The mistakes are computed with torch's own layers, from other weights or sizes, so nothing here is a line of
an answer: `multi_head` is torch's fused kernel, `torch_module` is `nn.MultiheadAttention`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kqa_core.check.answer import Answer, AnswerFailed
from kqa_core.check.exercise import POSSIBLE, NotYet, fits, observed_and_cause
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import (
    ROOT,
    agree,
    apart,
    differing,
    tensor_of,
)

Mistakes = Mapping[str, Callable[[], Tensor]]  # what the student did, and the result that it gives
LOW_LEAK = (
    "where all allowed scores are near {low:g}, the output before the last position changes when only the"
    f" last token does: {{entry}}. {POSSIBLE}a forbidden score is only a number that others may fall below"
)
LOW_OUTPUT = "where all allowed scores are near {low:g}, the output"
LOW_WRONG = "where all allowed scores are near {low:g}, your output is wrong"
SUMS = (
    ". With values that are all 1, query {t} of row {b} gives {total} and not 1."
    f" {POSSIBLE}the weights of its allowed keys do not add up to 1. The softmax should"
    " run over the keys, dim=-1"
)


def agree_or_name(
    found: Tensor,
    expected: Tensor,
    sentence: str,
    mistakes: Mistakes,
    within: float = 0.0,
    entry: bool = True,
) -> None:
    """Raise NotYet unless the two are equal up to rounding; it names the mistake that gives `found`,
    or an entry that is wrong. With `entry` False, `sentence` names one itself.

    `within` is as in `apart`.
    """
    if apart(found, expected, within) <= 1.0:
        return
    for name, result in mistakes.items():
        other = result()
        if (
            other.shape == found.shape
            and bool(torch.isfinite(other).all())
            and apart(found, other, within) <= 1.0
        ):
            raise NotYet(f"{sentence}{differing(found, expected) if entry else ''}. {fits(1)}{name}")
    raise NotYet(sentence + (differing(found, expected) if entry else ""))


def multi_head(x: Tensor, memory: Tensor, *weights: Tensor, n_head: int, causal: bool) -> Tensor:
    """Attention from x (B, T, C) to memory (B, S, D) by torch's kernel;
    weights w_q, w_k, w_v, w_o, applied from the right.
    """
    w_q, w_k, w_v, w_o = weights
    query, key, value = (
        torch.stack((source @ weight).chunk(n_head, dim=-1), dim=1)  # (B, nh, T or S, hs)
        for source, weight in ((x, w_q), (memory, w_k), (memory, w_v))
    )
    read = F.scaled_dot_product_attention(query, key, value, is_causal=causal)  # (B, nh, T, d_v)
    return torch.cat(read.unbind(dim=1), dim=-1) @ w_o


def torch_module(x: Tensor, memory: Tensor, *weights: Tensor, n_head: int, causal: bool) -> Tensor:
    """The same by nn.MultiheadAttention, with one width a head: w_q, w_o (C, C), w_k, w_v (D, C)."""
    C, D = x.shape[-1], memory.shape[-1]
    module = nn.MultiheadAttention(
        C, n_head, bias=False, kdim=D, vdim=D, batch_first=True, dtype=x.dtype
    ).eval()
    w_q, w_k, w_v, w_o = (weight.detach().T for weight in weights)
    with torch.no_grad():
        if D == C:
            module.in_proj_weight.copy_(torch.cat((w_q, w_k, w_v)))
        else:
            for place, weight in (
                (module.q_proj_weight, w_q),
                (module.k_proj_weight, w_k),
                (module.v_proj_weight, w_v),
            ):
                place.copy_(weight)
        module.out_proj.weight.copy_(w_o)
        hidden = torch.ones(x.shape[1], memory.shape[1], dtype=torch.bool).triu(1) if causal else None
        read: Tensor = module(
            x.detach(), memory.detach(), memory.detach(), attn_mask=hidden, need_weights=False
        )[0]
    return read


def attention_mistakes(x: Tensor, memory: Tensor, *weights: Tensor, n_head: int, causal: bool) -> Mistakes:
    """Mistakes of multi-head attention from x (B, T, C) to memory (B, S, C); weights (C, C) as x @ w."""
    w_q, w_k, w_v, w_o = weights
    eye = torch.eye(len(w_o), dtype=w_o.dtype)
    d_head = x.shape[-1] // n_head
    # columns of head 0 first, if heads take turns
    beside = torch.arange(len(w_o)).reshape(d_head, n_head).T.flatten()

    def attention(*maps: Tensor, heads: int = n_head) -> Tensor:
        return torch_module(x, memory, *maps, n_head=heads, causal=causal)

    def reshaped(split: bool) -> Tensor:
        """Heads that are made by a reshape alone, or merged by one."""
        parts = [x @ w_q, memory @ w_k, memory @ w_v]
        # (B, n_head, T or S, d_head)
        rows = [torch.stack(part.chunk(n_head, dim=-1), dim=1) for part in parts]
        query, key, value = (
            [part.reshape(row.shape) for part, row in zip(parts, rows, strict=True)] if split else rows
        )
        read = F.scaled_dot_product_attention(query, key, value, is_causal=causal)
        return (torch.cat(read.unbind(dim=1), dim=-1) if split else read.reshape(x.shape)) @ w_o

    return {
        "the split into heads is missing: a single head of full width gives this": lambda: attention(
            *weights, heads=1
        ),
        (
            "the split into heads is missing: a single head of full width gives this, with the root of d_k"
        ): lambda: attention(w_q * n_head**0.5, w_k, w_v, w_o, heads=1),
        "the output projection is missing: multiply the merged heads by w_o": lambda: attention(
            w_q, w_k, w_v, eye
        ),
        "the scores are not divided by the root of d_k": lambda: attention(w_q * d_head**0.5, w_k, w_v, w_o),
        "the scores are divided by the root of d = h · d_k: a head sums only d_k products": lambda: attention(
            w_q / n_head**0.5, w_k, w_v, w_o
        ),
        "the matrices are transposed: here the product is x @ w": lambda: attention(
            *(weight.T for weight in weights)
        ),
        "x is added at the end: the block does that, not the layer": lambda: x + attention(*weights),
        "queries and keys are exchanged": lambda: attention(w_k, w_q, w_v, w_o),
        "keys are averaged in place of values": lambda: attention(w_q, w_k, w_k, w_o),
        "the heads are split by a reshape alone, which mixes tokens: split the last axis": lambda: reshaped(
            True
        ),
        (
            "the heads are merged by a reshape alone, which mixes tokens:"
            " exchange the axes of heads and tokens first"
        ): lambda: reshaped(False),
        "the heads take turns among the columns: each head has d_k columns side by side": lambda: attention(
            w_q[:, beside], w_k[:, beside], w_v[:, beside], w_o
        ),
    }


def sum_of_weights(answer: Answer, sources: Sequence[Tensor], w_q: Tensor, w_k: Tensor, n_head: int) -> str:
    """`SUMS` if with values of 1 the output of some query is another number, else "".

    With values that are all 1, a query's output is the sum of its weights. `sources` is (x,), where attention
    is causal, or (x, memory), where it has no mask; all of one width C. If the output does not double where
    values are 2 and the scores are the same, the values are computed in another way, and it is "".
    """
    outputs = []
    for value in (1.0, 2.0):
        last = torch.full_like(sources[0][..., :1], value)
        ending = [
            torch.cat((each[..., :-1], last[:, :1].expand(*each.shape[:2], 1)), dim=-1) for each in sources
        ]
        w_v, *maps = torch.zeros_like(w_k), w_q.clone(), w_k.clone()
        w_v[-1] = 1.0  # so the values are `value`, whichever source they are computed from
        for each in maps:
            each[-1] /= value
        try:
            output = answer(*ending, *maps, w_v, torch.eye(len(w_q)).to(w_q), n_head)
        except AnswerFailed:
            return ""
        if not isinstance(output, Tensor) or output.shape != sources[0].shape:
            return ""
        outputs.append(output)
    output, double = outputs
    if apart(double, 2 * output, ROOT) > 1.0:
        return ""
    return told_sum(torch.stack(output.chunk(n_head, dim=-1), dim=1), masked=len(sources) == 1)


def told_sum(found: object, masked: bool = True) -> str:
    """`SUMS` for the first query in `found` (B, h, T, d_k) whose entries are all one number,
    but not 1 or 0 (no key); else "".
    """
    if not isinstance(found, Tensor) or found.ndim != 4 or not bool(torch.isfinite(found).all()):
        return ""
    low, high = found.amin(dim=-1), found.amax(dim=-1)  # (B, h, T)
    wrong = (high - low < 1e-9) & ((high - 1).abs() > 1e-6) & (high.abs() > 5e-3)
    for b, j, t in wrong.nonzero().tolist():
        total = float(high[b, j, t])
        digits = 2 if abs(total - 1) > 5e-3 else 6
        return SUMS.format(b=b, t=t, total=f"{total:.{digits}f}") + (
            ", and the mask comes before it" if masked else ""
        )
    return ""


def with_sums(said: str, sums: str) -> str:
    """A sentence with `SUMS` in place of the cause that it gives; as it is, if there are none."""
    return f"{observed_and_cause(said)[0].rstrip('.')}{sums}" if sums else said


def agree_if_low(
    answer: Answer, given: tuple[Any, ...], later: tuple[Any, ...], wanted: Tensor, low: float
) -> None:
    """Raise NotYet unless the output for `given`, whose scores are near `low`, is `wanted`.

    `later` differs in the last position only: the sentence names the mask if that changes earlier outputs.
    """
    found = tensor_of(answer(*given), tuple(wanted.shape), wanted.dtype, LOW_OUTPUT.format(low=low))
    if apart(found, wanted, ROOT) <= 1.0:
        return
    moved = answer(*later)
    if isinstance(moved, Tensor) and moved.shape == found.shape:
        agree(moved[:, :-1], found[:, :-1], LOW_LEAK.format(low=low, entry="{entry}"), ROOT)
    raise NotYet(LOW_WRONG.format(low=low) + differing(found, wanted))


def where_missing(module: nn.Module, name: str) -> str | None:
    """Why a module has no weight of this name, if an attribute with the first part of it has no weights: the
    end of a sentence. None if there is no such attribute.
    """
    first = name.partition(".")[0]
    value = getattr(module, first, None)
    if value is None or isinstance(value, (nn.Module, nn.Parameter)):
        return None
    if isinstance(value, Tensor):
        return f"self.{first} is a tensor, and no nn.Parameter or layer"
    if isinstance(value, type):
        return f"self.{first} is no layer, but the class of one. {POSSIBLE}it is not called with config"
    if callable(value):
        return f"self.{first} is {kind_of(value)} and no layer, so torch finds no weights in it"
    return (
        f"self.{first} is {kind_of(value)}, where torch finds no layers (it does in nn.Sequential and"
        " nn.ModuleList)"
    )


def names_missing(missing: str, state: Mapping[str, object], weights: Mapping[str, Tensor]) -> str:
    """What to say of a state_dict() that lacks a weight: the end of a sentence that begins with "it has
    no …: ".
    """
    if not state:
        return (
            f"it is empty. {POSSIBLE}no layer is made in __init__ as an attribute of the module (torch finds"
            " none in an ordinary list or dict)"
        )
    made, wanted = (
        {int(name.split(".")[1]) for name in names if re.match(r"blocks\.\d+\.", name)}
        for names in (state, weights)
    )
    if missing.startswith("blocks.") and made and made == set(range(len(made))) and made < wanted:
        return f"your model has {len(made)} of the blocks, and config.n_layer is {len(wanted)}"
    here = [name for name in state if name not in weights] or list(state)
    return f"{len(state)} names are there, such as {', '.join(here[:2])}"


def left_over(name: str, weights: Mapping[str, Tensor]) -> str:
    """What to say of a name that is in a state_dict() but not among `weights`: the end of a sentence."""
    blocks = {int(wanted.split(".")[1]) for wanted in weights if wanted.startswith("blocks.")}
    if blocks and name.startswith("blocks.") and not name.startswith(tuple(f"blocks.{k}." for k in blocks)):
        return f"but config.n_layer is {len(blocks)} here: the last block should be blocks.{max(blocks)}"
    said = f"which a checkpoint does not have. {POSSIBLE}"
    if name.endswith((".weight", ".bias")):
        return f"{said}a layer that does not belong here"
    return f"{said}a mask that is kept without register_buffer(…, persistent=False), or another layer"
