"""Exercise cached_attention: attention of new positions to the cached ones and to themselves."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import kept_nothing, leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.named_mistakes import Mistakes, agree_or_name
from kqa_core.exercise_helpers.transformer_parts import ROOT, again, agree, difference, draw, tensor_of

Past = tuple[Tensor, Tensor] | None
RETURN = "return a pair: the output, and the pair (keys, values) of all positions"
STOPS = "with {} cached positions and {} new your code stops"
IN_TURNS = (
    "two rows of equal shapes are continued in turns, and your output is not that of each alone: {entry}."
    " Possible cause: keys and values are kept from one call to the next, and not taken from `past`"
)
LARGE = ", and logits of many thousands, positive and negative"


def rows(rng: random.Random, B: int, heads: int, shared: int, T: int, d_k: int) -> tuple[Tensor, ...]:
    """q (B, heads, T, d_k), k and v (B, shared, T, d_k) of a whole row."""
    return draw(rng, B, heads, T, d_k), draw(rng, B, shared, T, d_k), draw(rng, B, shared, T, d_k)


def steep(row: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """The same with longer queries and keys: many logits are below −10,000, and exponentials overflow."""
    q, k, v = row
    return 300 * q, 300 * k, v


def whole(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Causal attention over the whole row at once."""
    size = q.shape[1] // k.shape[1]
    heads = [
        F.scaled_dot_product_attention(q[:, j], k[:, j // size], v[:, j // size], is_causal=True)
        for j in range(q.shape[1])
    ]
    return torch.stack(heads, dim=1)


def mistakes(q: Tensor, k: Tensor, v: Tensor, start: int, end: int) -> Mistakes:
    """The values that common mistakes give for the new positions start … end − 1."""
    size, new = q.shape[1] // k.shape[1], slice(start, end)
    keys, values = (each.repeat_interleave(size, 1) for each in (k[:, :, :end], v[:, :, :end]))
    asked = q[:, :, new]
    attend = F.scaled_dot_product_attention
    n = end - start
    square = torch.ones(n, end).tril().bool()
    return {
        "the new positions do not attend to the cached ones": lambda: whole(
            q[:, :, new], k[:, :, new], v[:, :, new]
        ),
        "the new positions attend to later new ones, too": lambda: attend(asked, keys, values),
        "new position j attends to positions 0 … j only; it is position L + j of the row": lambda: attend(
            asked, keys, values, attn_mask=square
        ),
        "the new positions do not attend to themselves": lambda: attend(
            asked, keys, values, attn_mask=torch.ones(n, end).tril(start - 1).bool()
        ),
        "the new keys and values stand before the cached ones": lambda: attend(
            asked,
            torch.cat((keys[:, :, new], keys[:, :, :start]), 2),
            torch.cat((values[:, :, new], values[:, :, :start]), 2),
            attn_mask=torch.ones(n, end).tril(start).bool(),
        ),
    }


def pair_of(answered: object, q: Tensor, k: Tensor, said: str = "") -> tuple[Tensor, tuple[Tensor, Tensor]]:
    """The output and the cache. Raises NotYet unless it is that; `said` begins its sentence about a tensor.
    The new queries are `q`, and all keys so far `k`.
    """
    if not isinstance(answered, list | tuple) or len(answered) != 2:
        count = f" with {len(answered)} entries" if isinstance(answered, list | tuple) else ""
        raise NotYet(f"{RETURN}; yours is {kind_of(answered)}{count}")
    output, cache = answered
    if not isinstance(cache, list | tuple) or len(cache) != 2:
        raise NotYet(f"{RETURN}; the second entry of yours is {kind_of(cache)}")
    out = tensor_of(output, tuple(q.shape), q.dtype, f"{said}the output")
    keys, values = (
        tensor_of(each, tuple(k.shape), k.dtype, f"{said}the cache of {name} (of all positions so far)")
        for each, name in zip(cache, ("keys", "values"), strict=True)
    )
    return out, (keys, values)


def judge(answer: Answer, row: tuple[Tensor, ...], steps: tuple[int, ...], what: str = "") -> None:
    """Raise NotYet unless the row, in `steps` of new positions, gives the output of the whole row. `what`
    says what is special in it.
    """
    q, k, v = row
    wanted, past, start = whole(q, k, v), None, 0
    for number, step in enumerate(steps):
        end = start + step
        new = q[:, :, start:end], k[:, :, start:end], v[:, :, start:end]
        try:
            answered = answer(*new, past)
        except AnswerRaised as raised:
            if raised.stub or not number:
                raise
            raise NotYet(STOPS.format(start, step)) from raised
        heads = f"{q.shape[1]} query and {k.shape[1]} key heads, d_k = {q.shape[3]}"
        said = f"with {start} cached positions and {step} new, {heads}{what},"
        with kept_nothing(answer, *new, past):
            out, cache = pair_of(answered, new[0], k[:, :, :end], f"{said} ")
            expect(
                not (torch.equal(cache[0], v[:, :, :end]) and torch.equal(cache[1], k[:, :, :end])),
                f"{said} your cache is (values, keys); return (keys, values)",
            )
            for each, all_of, name in zip(cache, (k, v), ("keys", "values"), strict=True):
                expect(
                    torch.equal(each, all_of[:, :, :end]),
                    f"{said} the cache should hold the cached {name}, and then the new ones, unchanged:"
                    f" {difference(each, all_of[:, :, :end])}",
                )
            named = mistakes(q, k, v, start, end)
            agree_or_name(out, wanted[:, :, start:end], f"{said} your output is wrong", named, ROOT)
        past, start = cache, end


def from_nothing(answer: Answer, q: Tensor, k: Tensor, v: Tensor) -> None:
    """Raise NotYet unless the row can be given with a `past` of no positions."""
    try:
        answered = answer(q, k, v, (k[:, :, :0].clone(), v[:, :, :0].clone()))
    except AnswerRaised as raised:
        raise NotYet(STOPS.format(0, q.shape[2])) from raised
    said = "with a `past` of 0 positions"
    out, _ = pair_of(answered, q, k, f"{said}, ")
    agree(out, whole(q, k, v), f"{said}, your output is not that of the whole row: {{entry}}", ROOT)


def in_turns(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless two rows of equal shapes can be continued in turns, each with its own `past`."""
    pair = [rows(rng, 1, 4, 2, 5, 4) for _ in range(2)]
    pasts: list[Past] = [None, None]
    for start, end in ((0, 3), (3, 4), (4, 5)):
        for number, (q, k, v) in enumerate(pair):
            new = q[:, :, start:end], k[:, :, start:end], v[:, :, start:end]
            said = f"two rows are continued in turns, and for positions {start} to {end - 1} of row {number} "
            with kept_nothing(answer, *new, pasts[number]):
                found = again(answer, *new, pasts[number])
                out, pasts[number] = pair_of(found, new[0], k[:, :, :end], said)
            agree(out, whole(q, k, v)[:, :, start:end], IN_TURNS, ROOT)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Token by token, in one piece, in pieces of several positions; two rows in turns; logits of many
    thousands; a long row; arguments unchanged.
    """
    judge(answer, rows(rng, 2, 6, 2, 5, 4), (5,))
    judge(answer, rows(rng, 1, 4, 2, 6, 4), (3, 1, 1, 1))
    judge(answer, rows(rng, 2, 3, 1, 7, 2), (2, 3, 2))
    row = rows(rng, 2, 6, 2, 7, 4)
    judge(answer, row, (3, 4))
    in_turns(answer, rng)
    judge(answer, steep(row), (3, 4), LARGE)
    judge(answer, rows(rng, 1, 2, 1, 300, 2), (297, 3))
    judge(answer, rows(rng, 2, 2, 1, 5, 3), (2, 2, 1))
    from_nothing(answer, *rows(rng, 1, 4, 2, 3, 4))
    q, k, v = rows(rng, 1, 4, 2, 5, 4)
    past = k[:, :, :3].clone(), v[:, :, :3].clone()
    leaves_alone(answer, ("q", "k", "v", "past"), q[:, :, 3:], k[:, :, 3:], v[:, :, 3:], past)
    return right("with the cache, each position has the output that it has in the whole row")


EXERCISE = Exercise(
    id="cached_attention",
    title="Attention with a cache",
    order=9,
    points=3,
    difficulty=3,
    importance=4,
    minutes=20,
    source="ours, after Shazeer 2019",
    hints=(
        "Which keys and values does the newest position need, and which of them were computed before?",
        (
            "Put the new keys and values behind those of `past` (torch.cat along the axis of positions). The"
            " result is what you attend to, and it is the new cache. The rest is grouped_attention, with"
            " another mask."
        ),
        (
            "With L cached and n new positions the logits have the shape (…, n, L + n). New position j is"
            " position L + j of the row, so it may attend to L + j + 1 positions: a mask of ones (n, L + n)"
            " with .tril(L) has a 1 where it may. Repeat the heads after the concatenation, so that the cache"
            " stays small."
        ),
    ),
    check=check,
)
