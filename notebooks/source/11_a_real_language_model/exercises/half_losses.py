"""Exercise half_losses: the loss in the first and in the second half of a row that is repeated."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, NotYet, Verdict, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.exercise_helpers.transformer_parts import again, apart, difference, draw, tensors_of

NAMES = ("first", "second")
SPECIAL = (
    ([[3, 0, 2, 0], [0, 4, 1, 2]], " (one token is 0)"),
    ([[3, 3, 2, 2], [4, 1, 1, 4]], " (with neighbours that are equal)"),
)


def case(rng: random.Random, B: int, n: int, vocab_size: int) -> tuple[Tensor, Tensor]:
    """Logits (B, 2n, V), and tokens (B, 2n) whose halves are equal; no token is 0 or equals the last."""
    rows = [[rng.randrange(1, vocab_size)] for _ in range(B)]
    for row in rows:
        while len(row) < n:
            row.append(rng.choice([token for token in range(1, vocab_size) if token != row[-1]]))
    return of_half(rng, rows, vocab_size)


def of_half(rng: random.Random, rows: list[list[int]], vocab_size: int) -> tuple[Tensor, Tensor]:
    """Logits, and tokens whose first halves are these rows."""
    half = torch.tensor(rows)
    B, n = half.shape
    return draw(rng, B, 2 * n, vocab_size, scale=2.0), torch.cat((half, half), dim=1)


def losses(logits: Tensor, tokens: Tensor) -> Tensor:
    """The loss of each token, at the token's place (B, 2n); nan for the first one, which nothing predicts."""
    found = torch.full(tokens.shape, torch.nan, dtype=logits.dtype)
    for t in range(1, tokens.shape[1]):
        found[:, t] = F.nll_loss(F.log_softmax(logits[:, t - 1], 1), tokens[:, t], reduction="none")
    return found


def expected(logits: Tensor, tokens: Tensor) -> list[Tensor]:
    """The mean over tokens 1 … n − 1, and over n + 1 … 2n − 1."""
    n, found = tokens.shape[1] // 2, losses(logits, tokens)
    return [found[:, 1:n].sum(1) / (n - 1), found[:, n + 1 :].sum(1) / (n - 1)]


def mistakes(logits: Tensor, tokens: Tensor) -> dict[str, list[Tensor]]:
    """The results of common mistakes."""
    n, found = tokens.shape[1] // 2, losses(logits, tokens)
    first, second = expected(logits, tokens)
    same = -logits.log_softmax(-1).gather(2, tokens[..., None])[..., 0]  # (B, 2n)
    return {
        "logits t are compared with token t; they predict token t + 1": [
            same[:, :n].mean(1),
            same[:, n:].mean(1),
        ],
        "logits t are compared with token t; they predict token t + 1 (token n is left out)": [
            same[:, 1:n].mean(1),
            same[:, n + 1 :].mean(1),
        ],
        "token n is counted in the second half; nothing announces that the row begins again": [
            first,
            found[:, n:].mean(1),
        ],
        "token n is counted in the first half": [found[:, 1 : n + 1].mean(1), second],
        "token n is left out, and token n + 1 too": [first, found[:, n + 2 :].mean(1)],
        "the two halves are exchanged": [second, first],
        "the losses are added up; their mean is asked for": [(n - 1) * first, (n - 1) * second],
        "all rows have the mean of all rows; each row has its own": [
            each.mean().expand(len(tokens)) for each in (first, second)
        ],
    }


def judge(answered: object, given: tuple[Tensor, Tensor], how: str = "") -> None:
    """Raise NotYet unless `answered` is the pair of losses of each row."""
    _, tokens = given
    wanted = expected(*given)
    found = tensors_of(answered, tuple(f"the result for the {name} half{how}" for name in NAMES), wanted[0])
    if all(apart(one, other, 1e-6) <= 1.0 for one, other in zip(found, wanted, strict=True)):
        return
    named = [
        name
        for name, pair in mistakes(*given).items()
        if all(apart(one, other, 1e-6) <= 1.0 for one, other in zip(found, pair, strict=True))
    ]
    half = 0 if apart(found[0], wanted[0], 1e-6) > 1.0 else 1
    said = f"for tokens {tuple(tokens.shape)}{how} your losses of the {NAMES[half]} half are wrong"
    cause = f". Possible cause: {named[0]}" if len(named) == 1 else ""
    raise NotYet(f"{said}: {difference(found[half], wanted[half])}{cause}")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Rows of several lengths, one row, halves of two tokens; arguments unchanged."""
    cases = [
        case(rng, *sizes) for sizes in ((3, 4, 9), (1, 6, 5), (4, 2, 7), (2, 9, 4), (2, 45, 3), (2, 4, 5))
    ]
    judge(answer(*cases[0]), cases[0])
    for given in cases[1:]:
        judge(again(answer, *given), given)
    for rows, what in SPECIAL:
        given = of_half(rng, rows, 5)
        judge(again(answer, *given), given, what)
    logits, tokens = case(rng, 2, 5, 6)
    judge(again(answer, logits, tokens), (logits, tokens))
    large = f" (for logits up to {400 * float(logits.abs().max()):,.0f} in size)"
    judge(again(answer, 400 * logits, tokens), (400 * logits, tokens), large)
    leaves_alone(answer, ("logits", "tokens"), *cases[0])
    return right()


EXERCISE = Exercise(
    id="half_losses",
    title="The loss in each half",
    order=11,
    points=2,
    difficulty=3,
    importance=4,
    minutes=15,
    source="ours, after Olsson et al. 2022",
    hints=(
        "Write down a row of six tokens, twice three. Which logits predict which token? Which is token n?",
        (
            "Compare logits[:, :-1] with tokens[:, 1:]: entry t of the result is the loss of token t + 1."
            " Keep"
            " one loss for each row and token (no mean yet), and then cut the two pieces out."
        ),
        (
            "F.cross_entropy with reduction='none' gives one loss for each prediction; it wants the classes"
            " on"
            " axis 1, so transpose the logits. With 2n − 1 losses in a row, tokens 1 … n − 1 are the first"
            " n − 1 of them, and tokens n + 1 … 2n − 1 are the last n − 1."
        ),
    ),
    check=check,
)
