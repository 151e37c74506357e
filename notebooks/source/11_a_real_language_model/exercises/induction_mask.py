"""Exercise induction_mask: where an ideal induction head would look."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.transformer_parts import again

EXAMPLES = ([7, 3, 5, 7, 3], [4, 4, 4], [1, 2, 3], [6], [2, 9, 2, 8, 2], [300, 44, 301, 300, 44])


def targets(tokens: list[int]) -> dict[int, set[int]]:
    """For each position with an earlier place of its token: the positions behind those places."""
    places: dict[int, list[int]] = {}
    found: dict[int, set[int]] = {}
    for position, token in enumerate(tokens):
        if token in places:
            found[position] = {place + 1 for place in places[token]}
        places.setdefault(token, []).append(position)
    return found


def judge(answered: object, tokens: list[int]) -> None:
    """Raise NotYet unless `answered` is the mask of these tokens."""
    T = len(tokens)
    if not isinstance(answered, Tensor):
        raise NotYet(f"return a tensor of bools (T, T); yours is {kind_of(answered)}")
    expect(
        tuple(answered.shape) == (T, T),
        f"for {T} tokens the mask has the shape {(T, T)}; yours is {tuple(answered.shape)}",
    )
    expect(answered.dtype == torch.bool, f"the mask should have dtype torch.bool; yours is {answered.dtype}")
    wanted = targets(tokens)
    for t in range(T):
        mine = set(answered[t].nonzero().flatten().tolist())
        right_ones = wanted.get(t, set())
        if mine == right_ones:
            continue
        shown_tokens, before = str(tokens), ""
        if T > 30:
            shown_tokens = f"{str(tokens[:9])[:-1]}, …] of {T} tokens"
            before = f", before at {[i - 1 for i in sorted(right_ones)]}" if right_ones else ", not before"
        said = (
            f"in {shown_tokens} an ideal induction head at position {t} (token {tokens[t]}{before}) looks at"
        )
        shown = f"{said} {sorted(right_ones) or 'nothing'}; yours looks at {sorted(mine) or 'nothing'}"
        if mine == {i - 1 for i in right_ones} and right_ones:
            shown += f", where token {tokens[t]} itself is"
        elif any(i > t for i in mine):
            shown += "; it cannot look ahead"
        raise NotYet(shown)


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The worked example, equal neighbours, no repetition, one token, random rows; tokens unchanged."""
    first, *others = EXAMPLES
    judge(answer(torch.tensor(first)), first)
    for tokens in others:
        judge(again(answer, torch.tensor(tokens)), tokens)
    large = [2049, 2048, 40001, 40000, 2049, 40000]  # neighbours that float16 holds as one number
    judge(again(answer, torch.tensor(large)), large)
    for length, kinds in ((9, 4), (14, 3), (60, 30), (300, 200)):
        tokens = [rng.randrange(kinds) for _ in range(length)]
        judge(again(answer, torch.tensor(tokens)), tokens)
    leaves_alone(answer, ("tokens",), torch.tensor(first))
    return right()


EXERCISE = Exercise(
    id="induction_mask",
    title="Where an induction head looks",
    order=12,
    points=3,
    difficulty=3,
    importance=5,
    minutes=18,
    source="ours, after Olsson et al. 2022",
    hints=(
        (
            "Take the row 7 3 5 7 3 of the example. Which entries [3, i] and [4, i] are True? Write down what"
            " tokens[i − 1] is for each of them."
        ),
        (
            "Entry [t, i] is True exactly if tokens[i − 1] equals tokens[t], where i − 1 is an earlier"
            " position"
            " than t. So compare all tokens with all tokens, keep the earlier places, and move the result one"
            " column to the right."
        ),
        (
            "same = tokens[:, None] == tokens[None, :] has [t, j] True if tokens t and j are equal; .tril(-1)"
            " keeps j < t. Column i of the mask is column i − 1 of this; column 0 is False everywhere."
        ),
    ),
    check=check,
)
