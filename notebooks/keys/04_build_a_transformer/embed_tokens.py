"""Answer key of embed_tokens."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.embed_tokens import case, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, gradients_agree


def looked_up(tokens: torch.Tensor, token_table: torch.Tensor, position_table: torch.Tensor) -> torch.Tensor:
    """torch's own embedding, twice."""
    places = torch.arange(tokens.shape[1])
    return F.embedding(tokens, token_table) + F.embedding(places, position_table)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes and ones, rows that fill the position table, a long row, float32;
    gradients at both tables; and one call many times.
    """
    for sizes in (
        (3, 4, 11, 7, 5),
        (1, 6, 5, 6, 3),
        (2, 1, 3, 9, 4),
        (4, 3, 2, 5, 1),
        (5, 5, 700, 5, 2),
        (2, 2, 3, 4, 5),
        (1, 530, 3, 600, 2),
    ):
        given = case(rng, *sizes)
        given[0][0, 0] = 0
        judge(again(answer, *given), given)
    T = rng.randint(65, 150)
    long = case(rng, 1, T, 5, T + 3, 2)
    judge(again(answer, *long), long)
    tokens, token_table, position_table = case(rng, 2, 4, 7, 6, 8)
    given = (tokens, token_table.float(), position_table.float())
    judge(answer(*given), given)
    tokens[1, :3] = torch.tensor([0, 6, 0])
    gradients_agree(
        answer, looked_up, {"tokens": tokens, "token_table": token_table, "position_table": position_table}
    )
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Three sizes, one of them with as many tokens as positions."""
    return [case(rng, 2, 5, 9, 8, 6), case(rng, 1, 6, 6, 6, 4), case(rng, 3, 4, 7, 9, 4)]


def embed_tokens(tokens, token_table, position_table):
    """The reference."""
    return token_table[tokens] + position_table[: tokens.shape[1]]  # (B, T, d) + (T, d)


def by_torch(tokens, token_table, position_table):
    """torch's function."""
    positions = torch.arange(tokens.shape[1], device=tokens.device)
    return F.embedding(tokens, token_table) + F.embedding(positions, position_table)[None]


def by_one_hot(tokens, token_table, position_table):
    """A product with one-hot vectors is a lookup."""
    one_hot = F.one_hot(tokens, len(token_table)).to(token_table.dtype)
    return one_hot @ token_table + position_table.narrow(0, 0, tokens.shape[1])


def row_by_row(tokens, token_table, position_table):
    """Each row by itself."""
    return torch.stack([token_table[row] + position_table[: len(row)] for row in tokens])


def flat_and_back(tokens, token_table, position_table):
    """Selects from a flat list of tokens."""
    B, T = tokens.shape
    chosen = token_table.index_select(0, tokens.reshape(-1)).view(B, T, -1)
    return chosen + position_table[torch.arange(T).expand(B, T)]


def no_positions(tokens, token_table, position_table):
    """You do not add the positions. Add row t of the position table to the token in column t."""
    return token_table[tokens]


def no_tokens(tokens, token_table, position_table):
    """Your output does not depend on the tokens: use them as indices into token_table."""
    B, T = tokens.shape
    return position_table[:T].expand(B, T, -1).clone()


def positions_by_token(tokens, token_table, position_table):
    """You use the token's number to look up its position. The position of the token in column t is t."""
    return token_table[tokens] + position_table[tokens % len(position_table)]


def positions_backwards(tokens, token_table, position_table):
    """Your positions run backwards. The first token of a row should have position 0."""
    return token_table[tokens] + position_table[: tokens.shape[1]].flip(0)


def last_positions(tokens, token_table, position_table):
    """You use the last T rows of the position table:
    the first token of a row has position 0, so take the first T rows.
    """
    return token_table[tokens] + position_table[-tokens.shape[1] :]


def from_one(tokens, token_table, position_table):
    """You count positions from 1. The first token of a row should have position 0."""
    T = tokens.shape[1]
    return token_table[tokens] + position_table[torch.arange(1, T + 1) % len(position_table)]


def same_position(tokens, token_table, position_table):
    """You add the same position vector to every token: column t needs row t of the position table."""
    return token_table[tokens] + position_table[0]


def multiplied(tokens, token_table, position_table):
    """You multiply the two embeddings. They should be added."""
    return token_table[tokens] * position_table[: tokens.shape[1]]


def averaged(tokens, token_table, position_table):
    """You take the mean of the two embeddings. They should be added, without a factor."""
    return (token_table[tokens] + position_table[: tokens.shape[1]]) / 2


def scaled(tokens, token_table, position_table):
    """You multiply the token embedding by the root of its width.
    The Transformer of 2017 does so, but this model does not.
    """
    return math.sqrt(token_table.shape[1]) * token_table[tokens] + position_table[: tokens.shape[1]]


def joined(tokens, token_table, position_table):
    """You put the two embeddings side by side, which doubles the width. They should be added."""
    B, T = tokens.shape
    return torch.cat((token_table[tokens], position_table[:T].expand(B, T, -1)), dim=-1)


def position_of_the_row(tokens, token_table, position_table):
    """You use the row's number in the batch as the position.
    The position runs along the row: column t has position t.
    """
    B = tokens.shape[0]
    return token_table[tokens] + position_table[torch.arange(B) % len(position_table)][:, None]


def whole_table(tokens, token_table, position_table):
    """the whole position table is used. A text of T tokens uses only its first T rows."""
    return token_table[tokens] + position_table


def detached(tokens, token_table, position_table):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    return (token_table[tokens] + position_table[: tokens.shape[1]]).detach()


KEY = AnswerKey(
    id="embed_tokens",
    hidden=hidden,
    reference=embed_tokens,
    accepted=(by_torch, by_one_hot, row_by_row, flat_and_back),
    rejected=(
        *(
            no_positions,
            no_tokens,
            positions_by_token,
            positions_backwards,
            last_positions,
            from_one,
            same_position,
        ),
        *(multiplied, averaged, scaled, joined, position_of_the_row, whole_table, detached),
    ),
    fingerprint=fingerprint,
    commentary="""
    An index of shape (B, T) into a table (n_vocab, d) gives (B, T, d), so one line looks up the whole batch.
    The first T rows of the position table have shape (T, d) and are added to every row of the batch by
    broadcasting. The usual mistakes are to look up positions by the token's number, and to forget that a row
    may be shorter than the position table.
    """,
)
