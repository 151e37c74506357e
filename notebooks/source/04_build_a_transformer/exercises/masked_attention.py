"""Exercise masked_attention: attention with a padding mask, and a causal mask if it is wanted."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerFailed, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, observed_and_cause, right
from kqa_core.check.helpers.effects import leaves_alone, names_changes, steady
from kqa_core.check.helpers.read_values import told
from kqa_core.exercise_helpers.named_mistakes import told_sum, with_sums
from kqa_core.exercise_helpers.transformer_parts import (
    HERE,
    again,
    apart,
    draw,
    gradients_agree,
    in_turn,
    rounding,
    tensor_of,
)

BELOW = "a forbidden score is only a number that other scores may fall below"
SUBTRACT = "the largest allowed score of a row is not subtracted before exponentials"
NAMES = ("q", "k", "v", "real", "causal")
Given = tuple[Tensor, Tensor, Tensor, Tensor, bool]  # q, k, v, real, causal


def case(rng: random.Random, real: list[str], n_head: int, d_head: int, causal: bool) -> Given:
    """q, k and v (B, n_head, T, d_head), and the padding mask (B, T) that is drawn in `real`:
    x is a token, . is padding.
    """
    mask = torch.tensor([[mark == "x" for mark in row] for row in real])
    q, k, v = (draw(rng, len(real), n_head, len(real[0]), d_head) for _ in range(3))
    return 1.5 * q, k, v, mask, causal


def steep(q: Tensor, k: Tensor, v: Tensor, real: Tensor, causal: bool) -> Given:
    """The same, but the keys of padding point along the queries:
    their scores are hundreds to thousands above the others.
    """
    return q, torch.where(real[:, None, :, None], k, 1000 * F.normalize(q, dim=-1)), v, real, causal


def low(q: Tensor, k: Tensor, v: Tensor, real: Tensor, causal: bool, score: float = -200.0) -> Given:
    """The same, but all queries point one way and all keys the other, so every score is near `score`.
    Values of padding are huge, so that a weight of nearly 0 shows.
    """
    q, k = q.clone(), k.clone()
    q[..., 0] = (-score * q.shape[-1] ** 0.5) ** 0.5
    k[..., 0] = -q[..., 0]
    return q, k, torch.where(real[:, None, :, None], v, 1e9), real, causal


def allowed(real: Tensor, causal: bool) -> Tensor:
    """True where a query may attend to a key: real (B, T) → (B, T, T)."""
    pairs = real[:, None, :].expand(-1, real.shape[1], -1)
    return pairs.tril() if causal else pairs


def expected(q: Tensor, k: Tensor, v: Tensor, real: Tensor, causal: bool) -> Tensor:
    """Torch's fused kernel; zeros for a query without any key."""
    may = allowed(real, causal)[:, None]  # (B, 1, T, T)
    some = may.any(dim=-1, keepdim=True)
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=may | ~some)
    return torch.where(some, out, torch.zeros_like(out))


def judge(answered: object, given: Given, about: str = "") -> None:
    """Raise NotYet unless `answered` is the masked attention of `given`, and name the query that is wrong.
    `about` says what is special.
    """
    _, _, v, real, causal = given
    wanted = expected(*given)
    padding = ", all True," if bool(real.all()) else ""
    said = f"with the mask real {tuple(real.shape)}{padding} and causal = {causal}{about}"
    if isinstance(answered, Tensor) and answered.shape == v.shape:
        for b, row in enumerate(allowed(real, causal)):
            for t, may in enumerate(row):
                kept = may.nonzero().flatten().tolist()
                judge_query(answered, wanted[b, :, t], kept, f"{said}: query {t} of row {b}", given, (b, t))
    tensor_of(answered, tuple(v.shape), v.dtype, "the output")


def judge_query(
    answered: Tensor, wanted: Tensor, kept: list[int], who: str, given: Given, at: tuple[int, int]
) -> None:
    """Raise NotYet unless the output (h, d_k) of one query is right.
    `kept`: the keys that it may attend to; `at`: row, query.
    """
    q, k, v, real, causal = given
    b, t = at
    found = answered[b, :, t]
    if not kept:
        none = f"{who} may attend to no key at all, so its output should be 0"
        expect(bool((found == 0).all()), none + instead(found, v[b], real[b], causal))
        return
    within = rounding(q.shape[-1])
    if bool(torch.isfinite(found).all()) and apart(found, wanted, within) <= 1.0:
        return
    keys = ", ".join(map(str, kept)) if len(kept) < 9 else f"{kept[0]} to {kept[-1]}"
    may = f"{who} may attend to {'key' if len(kept) == 1 else 'keys'} {keys}"
    large = "scores" in who  # in a case before, they were smaller
    expect(
        bool(torch.isfinite(found).all()) or not large,
        f"{may}, but its output is nan or infinite; in the calls before, with other scores, none was."
        f" {POSSIBLE}{SUBTRACT}",
    )
    expect(bool(torch.isfinite(found).all()), f"{may}, but its output is nan or infinite")
    query = "padding is forbidden as a query; it should be as a key only"
    zero = "" if real[b, t] or not answered[b].any() else f". {POSSIBLE}{query}"
    off = off_by(found, wanted)
    other = f"which it was not in the calls before, with other scores{off}. {POSSIBLE}{BELOW}"
    every = torch.ones_like(real)
    own = allowed(real, causal)[:, None] | torch.eye(real.shape[1], dtype=torch.bool)
    itself = F.scaled_dot_product_attention(q, k, v, attn_mask=own)
    named = f"that with itself (key {t}) too, which is padding{off}. {POSSIBLE}the mask lets"
    named += " every query attend to itself"
    for result, mistake in (
        (torch.zeros_like(v), f"0{off}{zero}"),
        (
            expected(q, k, v, every, causal),
            f"that with padding too, {other}"
            if large
            else f"that with padding too, which it is not with causal = False{off}. {POSSIBLE}the two masks"
            " are not combined with &"
            if causal
            else f"that with padding too{off}. {POSSIBLE}the padding mask is missing, or not on the keys,"
            " the last axis",
        ),
        (
            expected(q, k, v, real, not causal),
            f"that {'with later keys too' if causal else 'without the later ones'}"
            + (f", {other}" if large else off),
        ),
        *([(itself, named)] if apart(answered[b], itself[b], within) <= 1.0 else []),
    ):
        expect(apart(found, result[b, :, t], within) > 1.0, f"{may}, but its output is {mistake}")
    raise NotYet(f"{may}, but its output is wrong{off}")


def instead(found: Tensor, values: Tensor, real: Tensor, causal: bool) -> str:
    """The key whose value is the output of a query that may attend to none, or that the output is nan, as the
    end of a sentence; empty if it is neither.
    """
    if found.isnan().any():
        both = causal and bool(real.any())  # rows without a token have been right before
        cause = f". {POSSIBLE}queries without a key are not found from both masks together"
        return f"; yours is nan{cause if both else ''}"
    for j in range(len(real)):
        if apart(found, values[:, j]) <= 1.0:
            return f"; yours is the value of key {j}, which {'comes later' if real[j] else 'is padding'}"
    return ""


def off_by(found: Tensor, wanted: Tensor) -> str:
    """The component of one query that differs most."""
    gap = (found - wanted).abs()
    j, c = divmod(int(gap.argmax()), found.shape[-1])
    mine, yours = told(float(wanted[j, c]), float(found[j, c]))
    return f": component {c} of head {j} should be {mine}; yours is {yours}"


def kept(answer: Answer, given: Given) -> bool:
    """Whether the answer is right for the same rows in other sizes: three times, with one more padding."""
    parts = [torch.cat((each, each[..., -1:, :]), dim=-2) for each in given[:3]]
    real = torch.cat((given[3], torch.zeros_like(given[3][:, :1])), dim=1)
    q, k, v, real = (torch.cat(3 * (each,)) for each in (*parts, real))
    try:
        judge(answer(q, k, v, real, given[4]), (q, k, v, real, given[4]))
    except (NotYet, AnswerFailed):
        return False
    return True


def judge_plain(answer: Answer, answered: object, given: Given, about: str) -> None:
    """The same as `judge`, for scores of ordinary size. NotYet also says what else was seen: arguments that
    are changed, something that is kept, or the sums of the weights.
    """
    try:
        with names_changes(answer, NAMES, *given):
            judge(answered, given, about)
    except NotYet as wrong:
        if " in place, and" in str(wrong):
            raise
        q, k, v, real, causal = given
        steady(answer, *given)
        if kept(answer, given):
            raise NotYet(f"{observed_and_cause(str(wrong))[0].rstrip('.')}. {KEPT}") from None
        # with values that are all 1, the output of a query is the sum of its weights
        sums = told_sum(answer(q, k, torch.ones_like(v), real, causal))
        raise NotYet(with_sums(str(wrong), sums)) from None


STEEP = "forbidden scores are not minus infinity before exponentials are taken, or a softmax"
PATTERNS = (["xxxx", "xx.."], ["xxxxx", "..xxx"])
LOW = (-200.0, -1e6)  # scores; at the second one, −10⁴ is the largest of a row
LONG = "for a row of {} positions your code {}, which it did not for shorter rows"
KEPT = (
    "The same rows come out right if they are given three times, with one more padding."
    f" {POSSIBLE}something is kept from an earlier call, such as a mask, or these sizes are a special case"
)
STOPS = {kind: LONG.format(260, "stops") for kind in ("RuntimeError", "IndexError")}


def because(wrong: NotYet, cause: str) -> NotYet:
    """The same with this cause in place of the one that it gives."""
    return NotYet(f"{observed_and_cause(str(wrong))[0].rstrip('.')}. {POSSIBLE}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Padding at either end, with and without a causal mask; rows of one token, and of one of padding;
    scores of exactly 0; float32; large scores; another layout; padding with very large scores; scores far
    below 0; a long row; arguments unchanged, gradients.
    """
    patterns = ((PATTERNS[0], 3), (["xx", "x."], 1), (["x", "."], 3), (PATTERNS[1], 3))
    cases = [case(rng, real, h, 16, causal) for real, h in patterns for causal in (False, True)]
    cases.append(case(rng, PATTERNS[0], 2, 4, False))  # as those with other scores below
    q, k, v, real, causal = case(rng, ["xxxxxxx", ".xx.xxx"], 3, 3, False)
    zero = k.clone()
    zero[:, :, 2] = 0.0  # allowed scores of exactly 0
    cases += [(q, k, v, real, causal), (q, zero, v, real, causal)]
    cases.append((q.float(), k.float(), v.float(), real, causal))
    said = [*("" for _ in cases[:-2]), " and a key 2 of zeros", ", in float32"]
    for about, (given, result) in zip(said, in_turn(answer, cases), strict=True):
        judge_plain(answer, result, given, about)
    q, k, v, real, causal = case(rng, PATTERNS[0], 2, 4, False)
    given = (60 * q, k, v, real, causal)
    judge(answer(*given), given, " and scores of a hundred and more")
    moved = (Build(f"{HERE}:strided", (each,)) for each in (q, k, v))
    judge(answer(*moved, real, causal), (q, k, v, real, causal), ", not contiguous")
    for pattern in PATTERNS:
        given = steep(*case(rng, pattern, 2, 4, False))
        result = answer(*given)
        try:
            judge(result, given, " and scores of padding hundreds above those of the tokens")
        except NotYet as wrong:
            raise because(wrong, STEEP) from None
    q, k, v, real, causal = case(rng, PATTERNS[0], 2, 4, False)
    given = (3e4 * q, k, v, real, causal)
    judge(answer(*given), given, " and scores of many thousands")
    given = case(rng, [256 * "x" + "...."], 1, 2, True)
    judge(again(answer, *given, advice=STOPS), given)
    for causal in (False, True):
        for score in LOW:
            given = low(*case(rng, PATTERNS[1], 2, 4, causal), score)
            result = answer(*given)
            try:
                judge(result, given, f" and all allowed scores near {score:,.0f}")
            except NotYet as wrong:
                raise because(wrong, f"{BELOW}, or {SUBTRACT}") from None
    q, k, v, real, causal = low(*case(rng, PATTERNS[1], 2, 4, False), -9e5)
    given = (q, torch.where(real[:, None, :, None], k, -k), v, real, causal)
    result = answer(*given)
    try:
        judge(result, given, " and scores near −900,000, those of padding near 900,000")
    except NotYet as wrong:
        raise because(wrong, BELOW) from None
    leaves_alone(answer, NAMES, *case(rng, ["xx.", "..."], 2, 4, True))
    gradients_agree(answer, expected, dict(zip(NAMES, case(rng, [".xx", "xx."], 2, 4, True), strict=True)))
    return right("padding gets weight 0, and so does the future where causal is True")


EXERCISE = Exercise(
    id="masked_attention",
    title="Attention with padding and causal masks",
    order=5,
    points=3,
    difficulty=3,
    importance=4,
    minutes=25,
    source="this course; Vaswani et al. 2017, section 3.2.3",
    hints=(
        (
            "Make one mask of True and False that is True only where both masks allow the pair. Which shapes"
            " must the two have, so that they broadcast to (B, n_head, T, T)?"
        ),
        (
            "A padding mask says which *keys* may be used, so its T belongs on the last axis: (B, 1, 1, T)."
            " The causal mask (T, T) broadcasts by itself. Combine them with &, and use minus infinity before"
            " the softmax."
        ),
        (
            "A row with only minus infinity becomes nan in the softmax, because it is 0 / 0."
            " allowed.any(dim=-1, keepdim=True) says which queries have a key. For the others, replace the"
            " nan weights by 0, for example with masked_fill or torch.nan_to_num."
        ),
    ),
    check=check,
)
