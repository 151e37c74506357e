"""Exercise embed_tokens: the sum of a token's vector and its position's vector."""

from __future__ import annotations

import random

import torch
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, observed_and_cause, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import (
    apart,
    differing,
    draw,
    gradients_agree,
    in_turn,
    tensor_of,
)

NAMES = ("tokens", "token_table", "position_table")
ROWS = (
    "your code stops for tokens (2, 5), a token table (9, 6) and a position table (8, 6)."
    f" {POSSIBLE}the whole position table is used. A text of T tokens uses only its first T rows."
)


def case(
    rng: random.Random, B: int, T: int, vocab_size: int, block_size: int, C: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Tokens (B, T), a token table (vocab_size, C) and a position table (block_size, C)."""
    tokens = torch.tensor([[rng.randrange(vocab_size) for _ in range(T)] for _ in range(B)])
    return tokens, draw(rng, vocab_size, C), draw(rng, block_size, C)


def expected(tokens: Tensor, token_table: Tensor, position_table: Tensor) -> Tensor:
    """One vector at a time, (B, T, C)."""
    rows = [
        [token_table[token] + position_table[t] for t, token in enumerate(row)] for row in tokens.tolist()
    ]
    return torch.stack([torch.stack(row) for row in rows])


def judge(answered: object, given: tuple[Tensor, Tensor, Tensor]) -> None:
    """Raise NotYet unless `answered` is the sum of both embeddings."""
    tokens, token_table, position_table = given
    tables = f"a token table {tuple(token_table.shape)} and a position table {tuple(position_table.shape)}"
    said = f"for tokens {tuple(tokens.shape)}, {tables},"
    shape, wanted = (*tokens.shape, token_table.shape[1]), expected(*given)
    found = tensor_of(answered, shape, token_table.dtype, f"{said} the embedding")
    if apart(found, wanted) > 1.0:
        b, t = divmod(int((found - wanted).abs().amax(dim=-1).argmax()), tokens.shape[1])
        raise NotYet(
            f"{said} vector [{b}, {t}] should be row {tokens[b, t]} of the token table plus row {t} of the"
            f" position table{differing(found, wanted)}"
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows shorter than the position table, with token 0 and with one token twice, then a single token,
    rows longer than the vocabulary, as many rows as positions, many tokens, float32; arguments, gradients.
    """
    several = case(rng, 2, 5, 9, 8, 6)
    tokens = several[0]
    tokens[0, 2], tokens[1, 4] = 0, tokens[1, 1]
    cases = [several, case(rng, 1, 1, 4, 3, 2), case(rng, 1, 70, 3, 75, 2), case(rng, 4, 4, 300, 4, 3)]
    cases.append((tokens, several[1].float(), several[2].float()))
    for given, result in in_turn(answer, cases, {"RuntimeError: a (8)": ROWS, "RuntimeError: b (8)": ROWS}):
        try:
            judge(result, given)
        except NotYet as wrong:
            seen = observed_and_cause(str(wrong))[0].rstrip(".")
            leaves_alone(answer, NAMES, *given, sentence=f"{seen}. Your code changes {{}} in place")
            raise
    leaves_alone(answer, NAMES, *several)
    trained = case(rng, 2, 3, 5, 4, 2)
    trained[0][0] = torch.tensor([0, 4, 0])
    gradients_agree(answer, expected, dict(zip(NAMES, trained, strict=True)))
    return right()


EXERCISE = Exercise(
    id="embed_tokens",
    title="Embed tokens and positions",
    order=10,
    points=1,
    difficulty=1,
    importance=5,
    minutes=8,
    source="Vaswani et al. 2017, section 3.4; Radford et al. 2018",
    hints=(
        "Look at the worked example: which row of each table does the second word use?",
        "A tensor of whole numbers can be used as an index. It replaces each number by a row of the table.",
        (
            "If table has shape (n_vocab, d) and numbers has shape (2, 3), then table[numbers] has shape (2,"
            " 3, d). The positions need no batch axis: a tensor of shape (T, d) is added to each row of the"
            " batch by broadcasting."
        ),
    ),
    check=check,
)
