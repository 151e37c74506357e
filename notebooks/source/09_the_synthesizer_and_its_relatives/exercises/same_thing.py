"""Exercise same_thing: the dense Synthesizer as attention whose keys do not depend on the input."""

from __future__ import annotations

import random

import torch
from course_exercises.synthesizer_attention import case
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import again, apart, differing, draw, in_float32

CONSTANT = (
    "Your keys are not the same for another x with equal A, b1, B and b2{off}. The keys of a Synthesizer are"
    f" the same for every text. {POSSIBLE}The keys are made from x, and not from B and b2 alone."
)


def query_and_key(result: object, given: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    """`result` as query (N, T, w) and key (T, w). Raises NotYet unless it is one."""
    x = given[0]
    N, T, _ = x.shape
    if not isinstance(result, (tuple, list)) or len(result) != 2:
        raise NotYet(f"return two tensors, (query, key); yours is {kind_of(result)}")
    query, key = result
    for name, each in (("query", query), ("key", key)):
        if not isinstance(each, Tensor) or not each.is_floating_point():
            raise NotYet(f"{name} must be a torch tensor of floating-point numbers; yours is {kind_of(each)}")
        expect(bool(torch.isfinite(each).all()), f"{name} holds nan or an infinite number")
        expect(each.dtype is x.dtype, f"{name} must have the dtype of x, {x.dtype}; yours is {each.dtype}")
    expect(
        query.ndim == 3 and tuple(query.shape[:2]) == (N, T),
        f"query must have shape (N, T, width), here ({N}, {T}, …); yours has shape {tuple(query.shape)}",
    )
    width = query.shape[2]
    expect(
        tuple(key.shape) == (T, width),
        f"key must have a row for each of the T positions, as wide as the query, here ({T}, {width}); yours"
        f" has shape {tuple(key.shape)}",
    )
    return query, key


def weights_of(logits: Tensor) -> Tensor:
    """Causal weights (N, T, T) of logits (N, T, T): a constant added to a whole row cancels."""
    T = logits.shape[-1]
    later = torch.arange(T)[:, None] < torch.arange(T)
    return torch.exp(logits.masked_fill(later, -torch.inf).log_softmax(dim=-1))


def written_logits(x: Tensor, A: Tensor, b1: Tensor, B: Tensor, b2: Tensor) -> Tensor:
    """The Synthesizer's logits (N, T, T), by the formula."""
    hidden = (torch.einsum("ntd,dh->nth", x, A) + b1).clamp_min(0.0)
    return (torch.einsum("nth,hs->nts", hidden, B) + b2)[:, :, : x.shape[1]]


def missing(given: tuple[Tensor, ...], logits: Tensor) -> str:
    """The common mistake that gives the weights of these logits (N, T, T); "" if none does."""
    x, A, b1, B, b2 = given
    T, found, linear = x.shape[1], weights_of(logits), x @ A + b1
    right, hidden = written_logits(x, A, b1, B, b2), linear.clamp_min(0)
    no_b2 = (
        "b2 is left out, or added to a whole row of logits, which changes no weight; b2[i] belongs to key i"
    )
    scaled = "the logits are scaled, and here they must not be"
    many = "b2[i] is added to every component of key i, so the hidden vector multiplies it"
    for name, other in (
        (many, (hidden @ (B + b2))[..., :T]),
        (no_b2, (hidden @ B)[..., :T]),
        ("the ReLU is missing from the query", (linear @ B + b2)[..., :T]),
        ("b1 is missing from the query", written_logits(x, A, 0 * b1, B, b2)),
        (scaled, right / (B.shape[0] + 1) ** 0.5),
        (scaled, right / B.shape[0] ** 0.5),
        (
            "the last T columns of B are used; column i belongs to position i",
            (hidden @ B + b2)[..., -T:],
        ),
    ):
        if apart(found, weights_of(other)) <= 1.0:
            return f". {POSSIBLE}{name}"
    return ""


def same_keys(key: Tensor, moved: Tensor) -> None:
    """Raise NotYet unless the keys of two texts are equal."""
    off = differing(moved, key).replace(" should be ", " is ").replace("; yours is ", " and then ")
    expect(bool(torch.equal(key, moved)), CONSTANT.format(off=off))


def same_weights(result: object, given: tuple[Tensor, ...], what: str) -> Tensor:
    """Raise NotYet unless query keyᵀ gives the Synthesizer's weights. Returns the keys."""
    query, key = query_and_key(result, given)
    logits = query @ key.T
    found, wanted = weights_of(logits), weights_of(written_logits(*given))
    if apart(found, wanted) > 1.0:
        sentence = f"{what}, the causal softmax of query @ key.T does not give the Synthesizer's weights"
        raise NotYet(sentence + differing(found, wanted) + missing(given, logits))
    return key


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The weights of two texts with one set of parameters, for T < L; and the keys of both.
    Other parameters, and some with more columns in A than in B.
    """
    given = case(rng, 2, 4, 6, 3, 5)[:5]
    maps = given[1:]
    result = answer(*given)
    key = same_weights(result, given, "for x (2, 4, 3) and L = 6")
    other = draw(rng, 2, 4, 3)
    moved = same_weights(
        again(answer, other, *maps), (other, *maps), "for another x with the same A, b1, B and b2"
    )
    same_keys(key, moved)
    changed = case(rng, 2, 4, 6, 3, 5)[:5]
    same_weights(again(answer, *changed), changed, "for other A, b1, B and b2 of the same shapes as before")
    wide = case(rng, 2, 4, 5, 3, 7)[:5]
    same_weights(again(answer, *wide), wide, "for x (2, 4, 3), L = 5 and A (3, 7)")
    single = tuple(in_float32(given))
    same_weights(again(answer, *single), single, "for arguments in float32")
    leaves_alone(answer, ("x", "A", "b1", "B", "b2"), *given)
    return right("the same weights from queries and keys, and no text can change the keys")


EXERCISE = Exercise(
    id="same_thing",
    title="Write the Synthesizer as attention",
    order=2,
    points=3,
    difficulty=3,
    importance=4,
    minutes=12,
    source="this course",
    hints=(
        (
            "In the example without b2, the logit is already a dot product: of the hidden vector at t, and of"
            " column i of B. Now b2[i] must be added. How does a dot product change if both vectors get one"
            " more component?"
        ),
        (
            "Call the new components a (of the query at t) and b (of key i). The dot product grows by a·b,"
            " and this must be b2[i], whatever t is. So what are a and b?"
        ),
        (
            "query = torch.cat((torch.relu(x @ A + b1), ones), dim=-1) with ones of shape (N, T, 1). The"
            " matrix torch.cat((B, b2[None])) has a key in each column: transpose it and keep its first T"
            " rows."
        ),
    ),
    check=check,
)
