"""Exercise one_tile: what one program of the attention kernel does, in torch."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._kernel_parts import Heads, at_the_end, attention_of, heads, parts_of
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import apart

OUTSIDE = (
    "for length {length}, width {width} and tile {tile}, your program loads from outside the memory,"
    " which can"
    " end with a head's last row."
    f" {POSSIBLE}these addresses are not masked; `load` gives 0 in the place of masked ones"
)


NEAR = 300.0  # of the tolerance in float64, 6e-9: a scale in float32 is no mistake


def attention(q: Tensor, k: Tensor, v: Tensor, causal: bool, scale: float | None = None) -> Tensor:
    """Attention of one head by torch: q, k, v (T, d)."""
    return F.scaled_dot_product_attention(
        q[None, None], k[None, None], v[None, None], is_causal=causal, scale=scale
    )[0, 0]


def backwards(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """The same for the positions in reverse order, so that a causal mask lets position t attend to s ≥ t."""
    return attention(q.flip(0), k.flip(0), v.flip(0), causal).flip(0)


def over_queries(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """The output where each column of the weights sums to 1."""
    logits = torch.einsum("td,sd->ts", q, k) / q.shape[1] ** 0.5
    later = torch.ones_like(logits, dtype=torch.bool).triu(1) & causal
    return torch.einsum("ts,sd->td", logits.masked_fill(later, -torch.inf).softmax(dim=0), v)


def cut(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The output where later positions lose their weight after the softmax."""
    weights = (torch.einsum("td,sd->ts", q, k) / q.shape[1] ** 0.5).softmax(dim=1)
    return torch.einsum("ts,sd->td", weights.tril(), v)


def strict(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The output where position t attends to s < t only, and position 0 to nothing."""
    rows = [attention(q[t:][:1], k[:t], v[:t], False)[0] for t in range(1, len(q))]
    return torch.stack([torch.zeros_like(v[0]), *rows])


def finite(q: Tensor, k: Tensor, v: Tensor, causal: bool, tile: int, mask: float) -> Tensor:
    """The output where masked logits are this finite number, in a tile with rows of zeros."""
    rows = [F.pad(each, (0, 0, 0, tile - len(q))) for each in (q, k, v)]
    hidden = (torch.arange(tile) >= len(q)) | (torch.ones(tile, tile, dtype=torch.bool).triu(1) & causal)
    logits = torch.einsum("td,sd->ts", rows[0], rows[1]) / q.shape[1] ** 0.5
    return torch.einsum("ts,sd->td", logits.masked_fill(hidden, mask).softmax(dim=1), rows[2])[: len(q)]


def blind(q: Tensor, k: Tensor, v: Tensor, causal: bool) -> Tensor:
    """The output where a logit of 0 is masked."""
    logits = torch.einsum("td,sd->ts", q, k) / q.shape[1] ** 0.5
    later = torch.ones_like(logits, dtype=torch.bool).triu(1) & causal
    return torch.einsum(
        "ts,sd->td", logits.masked_fill(later | (logits == 0), -torch.inf).softmax(dim=1).nan_to_num(), v
    )


def mistakes(case: Heads, tile: int, causal: bool) -> Mistakes:
    """The outputs (length, width) that common mistakes give, by the sentence about the mistake."""
    q, k, v = parts_of(case)
    found = {
        "the logits are not divided by √width": lambda: attention(q, k, v, causal, 1.0),
        "the logits are divided by the width; divide by its square root": lambda: attention(
            q, k, v, causal, 1 / case.width
        ),
        f"the logits are divided by √{tile}; divide by the root of the width, √{case.width}": lambda: (
            attention(q, k, v, causal, tile**-0.5)
        ),
        "the keys are averaged in place of the values": lambda: attention(q, k, k, causal),
        "queries and keys are exchanged": lambda: attention(k, q, v, causal),
        "queries and values are exchanged": lambda: attention(v, k, q, causal),
        "keys and values are exchanged": lambda: attention(q, v, k, causal),
        "powers of 2 are taken in place of powers of e": lambda: attention(
            q, k, v, causal, math.log(2) / case.width**0.5
        ),
        "the softmax runs over the queries; it must run over the keys": lambda: over_queries(q, k, v, causal),
        "a key is masked because its logit is 0; mask the keys from `length` on": lambda: blind(
            q, k, v, causal
        ),
        "the next row is read `width` numbers away; it is `stride` numbers away": lambda: attention(
            *parts_of(case, case.width), causal
        ),
    }
    for mask in (-100.0, -50.0, -20.0, -10.0, -1000.0):
        name = (
            f"a finite number such as {mask:g} does not mask a logit: its exponential is not 0, and"
            " other logits can be lower still; use −math.inf"
        )
        found[name] = lambda mask=mask: finite(q, k, v, causal, tile, mask)  # type: ignore[misc]
    if causal:
        found["position t does not attend to itself"] = lambda: strict(q, k, v)
        found["position t attends to later positions, too"] = lambda: attention(q, k, v, False)
        found["the weights are masked after the softmax, so they no longer sum to 1: mask the logits"] = (
            lambda: cut(q, k, v)
        )
        found["the mask is the wrong way round: position t should attend to i ≤ t"] = lambda: backwards(
            q, k, v, True
        )
    else:
        found["later positions are masked although causal is False"] = lambda: attention(q, k, v, True)
    if tile > case.length:
        keys, values = (F.pad(each, (0, 0, 0, tile - case.length)) for each in (k, v))
        name = "keys that do not exist get a weight: the logits of their columns are not −inf in every row"
        found[name] = lambda: attention(q, keys, values, False)
    return found


def tile_of(answer: Answer, case: Heads, tile: int, causal: bool) -> Tensor:
    """The rows of the answer's tile that are stored, (length, width). Raises NotYet unless it is a tile."""
    try:
        result = answer(*case, tile, causal)
    except AnswerRaised as raised:
        if raised.kind == "IndexError" and "outside the memory" in raised.message:
            raise NotYet(OUTSIDE.format(tile=tile, **case._asdict())) from None
        raise
    if not isinstance(result, Tensor) or not result.is_floating_point():
        raise NotYet(
            f"return the tile as a torch tensor of floating-point numbers; yours is {kind_of(result)}"
        )
    expect(
        tuple(result.shape) == (tile, case.width),
        f"the tile must have shape (tile, width), here ({tile}, {case.width}); yours has shape"
        f" {tuple(result.shape)}",
    )
    expect(
        result.dtype is case.memory.dtype,
        f"the tile must have the dtype of the memory, {case.memory.dtype}; yours has {result.dtype}",
    )
    return result[: case.length]


def same_tile(
    answer: Answer, case: Heads, tile: int, causal: bool, layout: str = "", nan: str | None = None
) -> None:
    """Raise NotYet unless the stored rows are attention's. `layout` says what is special in the memory,
    and `nan` is said of an output that holds nan.
    """
    found, wanted = tile_of(answer, case, tile, causal), attention_of(case, causal)
    mask = ("causal" if causal else "no causal mask") + layout
    query, keys, _ = parts_of(case)
    logits = query @ keys.T / case.width**0.5
    if float(logits.abs().max()) > 20:
        mask += f", logits from {float(logits.min()):.0f} to {float(logits.max()):.0f}"
    if found.dtype is torch.float32:
        mask += ", in float32"
    where = f"for length {case.length}, width {case.width}, stride {case.stride}, tile {tile}, {mask}:"
    if bool(found.isnan().any()):
        clean = case._replace(memory=case.memory.nan_to_num())
        if nan:
            cause = f". {POSSIBLE}{nan}"
        elif not bool(tile_of(answer, clean, tile, causal).isnan().any()):
            cause = (
                "; with 0 in the place of the nan behind the head it holds none, so what lies there is used"
                " (0 · nan is nan)"
            )
        elif float(logits.abs().max()) > 88:
            cause = (
                f". {POSSIBLE}exp gives inf, or 0 for a whole row, because the largest allowed logit of each"
                " row is not subtracted first"
            )
        else:
            cause = ""
        raise NotYet(f"{where} the output holds nan{cause}")
    if found.dtype is torch.float32 or apart(found, wanted) > NEAR:
        agree_or_name(found, wanted, f"{where} the output is not attention's", mistakes(case, tile, causal))


def query_last(case: Heads) -> Heads:
    """Queries for values and values for queries, in a memory that ends with the last query."""
    return at_the_end(case)._replace(query=case.value, value=case.query)


def key_last(case: Heads) -> Heads:
    """The same with keys."""
    return at_the_end(case)._replace(key=case.value, value=case.key)


def nothing_behind(answer: Answer, case: Heads, tile: int) -> None:
    """Raise NotYet if the answer fails where the memory ends with the last value, query or key.
    The same order of the three is tried before in a longer memory.
    """
    for name, end, order in (
        ("value", at_the_end(case), ""),
        ("query", query_last(case), ", in memory the values before the keys, and these before the queries"),
        ("key", key_last(case), ", in memory the queries before the values, and these before the keys"),
    ):
        outside = OUTSIDE.format(tile=tile, **end._asdict())
        address = "one of the three is not loaded from its own address" if order else None
        same_tile(answer, end._replace(memory=case.memory), tile, False, order, address)
        try:
            same_tile(answer, end, tile, False, f", and a memory that ends with the last {name}")
        except AnswerRaised as raised:
            if raised.stub:
                raise
            expect(raised.kind != "IndexError" and "out of" not in raised.message, outside)
            raise NotYet(
                f"where the memory ends with a head's last {name}, your code stops ({raised.kind}), although"
                " it is right in a longer memory"
            ) from None


def narrow(case: Heads) -> Heads:
    """The same head in a memory of float32."""
    return case._replace(memory=case.memory.float())


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A head that fills its tile, one that does not, with and without the mask;
    large logits and logits far below 0; float32; a larger tile; the end of the memory; effects.
    """
    for length, width in ((8, 4), (8, 3), (5, 3)):
        same_tile(answer, heads(rng, length, width), 8, False)
        same_tile(answer, heads(rng, length, width), 8, True)
    same_tile(answer, heads(rng, 8, 4, scale=30.0), 8, False)
    same_tile(answer, narrow(heads(rng, 5, 4)), 8, False)
    for causal in (True, False):
        same_tile(answer, heads(rng, 5, 4, below=200.0), 8, causal)
        for length in (1, 2):
            same_tile(answer, heads(rng, length, 3), 4, causal)
    same_tile(answer, heads(rng, 20, 9, others=3), 32, True)
    case = heads(rng, 5, 3)
    nothing_behind(answer, case, 8)
    leaves_alone(answer, ("memory",), *case, 8, False)
    return right("that is what each program on the GPU does, for one head of one row")


EXERCISE = Exercise(
    id="one_tile",
    title="Attention in one tile",
    order=3,
    points=4,
    difficulty=4,
    importance=5,
    minutes=25,
    source="this course",
    hints=(
        (
            "The worked example has all the parts: the addresses `where`, the mask `inside`, three calls of"
            " load, and the logits. What is left is the softmax with its mask, and the product with v."
        ),
        (
            "Write at = torch.arange(tile) and channel = torch.arange(width). Then where = start + at[:,"
            " None] * stride + channel, and inside = at[:, None] < length. Load q, k and v with them. A key"
            " that does not exist is a row of zeros: its logit is 0, so the softmax would give it a weight."
        ),
        (
            "allowed = at[None, :] < length, and where causal also at[None, :] <= at[:, None]. Fill the other"
            " logits with −inf, take the softmax over the last axis, and multiply with v. The logits are q @"
            " k.T / √width."
        ),
    ),
    check=check,
    optional=True,
)
