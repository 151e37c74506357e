"""Answer key of induction_mask."""

from __future__ import annotations

import random

import numpy as np
import torch
import torch.nn.functional as F
from course_exercises.induction_mask import judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows of many lengths, with few and with many kinds of tokens; one call many times."""
    for length, kinds in ((1, 1), (2, 1), (3, 2), (10, 2), (25, 5), (40, 30), (7, 1), (120, 60), (300, 200)):
        tokens = [rng.randrange(kinds) for _ in range(length)]
        judge(again(answer, torch.tensor(tokens)), tokens)
    half = [rng.randrange(40_000) for _ in range(15)]
    judge(answer(torch.tensor(half * 2)), half * 2)
    steady(answer, torch.tensor([5, 1, 5, 1, 1]))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Repetition, equal neighbours, random rows."""
    calls = [(torch.tensor(tokens),) for tokens in ([7, 3, 5, 7, 3], [4, 4, 4, 4], [2, 9, 2, 8, 2])]
    return [*calls, *((torch.tensor([rng.randrange(4) for _ in range(9)]),) for _ in range(3))]


def induction_mask(tokens):
    """The reference."""
    T = len(tokens)
    earlier = (tokens[:, None] == tokens[None, :]).tril(-1)  # [t, j]: token j equals token t, and j < t
    mask = torch.zeros(T, T, dtype=torch.bool)
    mask[:, 1:] = earlier[:, :-1]
    return mask


def two_loops(tokens):
    """Entry by entry."""
    T = tokens.shape[0]
    mask = torch.zeros((T, T), dtype=torch.bool)
    for t in range(T):
        for i in range(1, t + 1):
            mask[t, i] = tokens[i - 1] == tokens[t]
    return mask


def by_padding(tokens):
    """The comparison is moved by padding."""
    same = torch.eq(tokens.unsqueeze(1), tokens)
    return F.pad(same.tril(diagonal=-1), (1, 0))[:, :-1]


def from_a_dict(tokens):
    """Remembers the places of each token."""
    mask = torch.zeros(len(tokens), len(tokens)).bool()
    places: dict[int, list[int]] = {}
    for t, token in enumerate(tokens.tolist()):
        for place in places.get(token, ()):
            mask[t, place + 1] = True
        places[token] = [*places.get(token, ()), t]
    return mask


def previous_tokens(tokens):
    """The token before each position; position 0 has none."""
    before = torch.cat((torch.tensor([-1], dtype=tokens.dtype), tokens[:-1]))
    t = torch.arange(len(tokens))
    return (before[None] == tokens[:, None]) & (t[None] <= t[:, None]) & (t[None] > 0)


def with_numpy(tokens):
    """numpy's roll."""
    ids = tokens.numpy()
    same = np.tril(ids[:, None] == ids[None, :], -1)
    rolled = np.roll(same, 1, axis=1)
    rolled[:, 0] = False
    return torch.from_numpy(rolled)


def by_a_shift_matrix(tokens):
    """A shift by one place, as a matrix."""
    T = len(tokens)
    same = (tokens[:, None] == tokens[None, :]).tril(-1).float()
    shift = torch.diag(torch.ones(T - 1), 1) if T > 1 else torch.zeros(1, 1)
    return (same @ shift) > 0.5


def the_earlier_place(tokens):
    """The earlier place of the same token is marked. An induction head looks at the token after it."""
    return (tokens[:, None] == tokens[None, :]).tril(-1)


def the_place_before(tokens):
    """The token before the earlier place is marked. An induction head looks at the token after it."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    mask[:, :-1] = (tokens[:, None] == tokens[None, :]).tril(-1)[:, 1:]
    return mask


def looks_ahead(tokens):
    """Later positions are marked, too. The model cannot look ahead."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    mask[:, 1:] = (tokens[:, None] == tokens[None, :])[:, :-1]
    return mask


def itself_counts(tokens):
    """A position counts as an earlier place of its own token, so it looks at the token that comes next."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    mask[:, 1:] = (tokens[:, None] == tokens[None, :]).tril(0)[:, :-1]
    return mask


def latest_only(tokens):
    """Only the latest earlier place counts. All earlier places count."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    ids = tokens.tolist()
    for t in range(len(ids)):
        for j in range(t - 1, -1, -1):
            if ids[j] == ids[t]:
                mask[t, j + 1] = True
                break
    return mask


def first_only(tokens):
    """Only the first place counts. All earlier places count."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    ids = tokens.tolist()
    for t in range(len(ids)):
        if ids.index(ids[t]) < t:
            mask[t, ids.index(ids[t]) + 1] = True
    return mask


def not_the_neighbour(tokens):
    """The position itself is left out. If the token before is the same one, the token after its earlier
    place is the position itself, and it counts.
    """
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    mask[:, 1:] = (tokens[:, None] == tokens[None, :]).tril(-1)[:, :-1]
    return mask & ~torch.eye(len(tokens), dtype=torch.bool)


def transposed(tokens):
    """Queries and keys are exchanged: the first axis should be the position that looks."""
    mask = torch.zeros(len(tokens), len(tokens), dtype=torch.bool)
    mask[:, 1:] = (tokens[:, None] == tokens[None, :]).tril(-1)[:, :-1]
    return mask.T.clone()


def half_of_the_row(tokens):
    """The mask is that of a row of two equal halves. The function should work for any row."""
    T = len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T // 2, T):
        mask[t, t - T // 2 + 1] = True
    return mask


def wrapped(tokens):
    """What is last comes to the front, as with roll. Column 0 should be False everywhere: nothing comes
    before it.
    """
    return torch.roll((tokens[:, None] == tokens[None, :]), 1, dims=1).tril(0)


def same_next_token(tokens):
    """The tokens at i and t + 1 are compared. Compare the token before i with the token at t."""
    T = len(tokens)
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T - 1):
        mask[t] = (tokens == tokens[t + 1]) & (torch.arange(T) <= t)
    return mask


def as_numbers(tokens):
    """You return numbers. Return bools: dtype=torch.bool."""
    mask = torch.zeros(len(tokens), len(tokens))
    mask[:, 1:] = (tokens[:, None] == tokens[None, :]).tril(-1)[:, :-1].float()
    return mask


def previous_token_mask(tokens):
    """The token before is marked. That is a previous-token head; an induction head compares tokens."""
    T = len(tokens)
    return torch.ones(T, T, dtype=torch.bool).tril(-1).triu(-1)


KEY = AnswerKey(
    id="induction_mask",
    hidden=hidden,
    reference=induction_mask,
    accepted=(two_loops, by_padding, from_a_dict, previous_tokens, with_numpy, by_a_shift_matrix),
    rejected=(
        the_earlier_place,
        the_place_before,
        looks_ahead,
        itself_counts,
        latest_only,
        first_only,
        not_the_neighbour,
        transposed,
        half_of_the_row,
        wrapped,
        same_next_token,
        as_numbers,
        previous_token_mask,
    ),
    fingerprint=fingerprint,
    commentary="""
A comparison of all tokens with all tokens finds the same token; `tril(-1)` keeps the earlier places; moving
the result by one column gives the token *after* each of them. These are the two steps of the circuit:
compare, and shift by one.

The commonest mistake is to stop at the earlier place itself. A head that copies from there would repeat the
current token.
""",
)
