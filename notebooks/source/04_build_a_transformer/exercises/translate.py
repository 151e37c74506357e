"""Exercise translate: encode once, then decode token by token."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from kqa_core.check.answer import Answer, AnswerRaised, Build
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.effects import leaves_alone
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.errors import with_article

HERE = "course_exercises.translate"
WIDTH = 6
BATCH = (
    "decode does not get what it takes. That is the memory that encode returned, and the tokens so far, a"
    " batch of one row, dtype int64 and shape (1, m). Its logits have shape (1, m, n_vocab)."
)


# Encoder and decoder are made in the answer's process, from a seed, and hold nothing that shows the verdict.


_calls: list[int] = []  # of the encoder that was made last


class Count:
    """Tells how often the encoder has been called that was made last."""

    def calls(self) -> int:
        """The number of calls."""
        return len(_calls)


def _told(value: object) -> str:
    """The kind of a value, and shape and dtype of a tensor."""
    if isinstance(value, torch.Tensor):
        return f"a tensor of shape {tuple(value.shape)} and dtype {value.dtype}"
    return with_article(type(value).__name__)


class Encoder:
    """source (1, n) → memory (1, n, width). Each call after the first gives another memory,
    because a source is encoded once.
    """

    def __init__(self, seed: int, vocab_size: int, width: int) -> None:
        self.table = torch.randn(
            vocab_size, width, generator=torch.Generator().manual_seed(seed), dtype=torch.float64
        )
        self.calls = 0
        _calls.clear()

    def __call__(self, source: torch.Tensor) -> torch.Tensor:
        """The memory of these tokens. Raises IndexError unless they are a tensor (1, n), int64."""
        if not isinstance(source, torch.Tensor) or source.dtype is not torch.int64 or source.ndim != 2:
            raise IndexError(f"encode takes source, a tensor (1, n) of int64; it got {_told(source)}")
        self.calls += 1
        _calls.append(self.calls)
        memory = self.table[source]  # (1, n, width)
        return (memory + memory.cumsum(dim=1)) * (1 if self.calls == 1 else -1)


class Decoder:
    """memory (1, n, width), tokens (1, m) → logits (1, m, vocab_size).
    Each position depends on all tokens up to it. At every other position all logits are below 0.
    """

    def __init__(self, seed: int, vocab_size: int, width: int, longest: int | None = None) -> None:
        self.longest = longest
        generator = torch.Generator().manual_seed(seed)
        self.table = torch.randn(vocab_size, width, generator=generator, dtype=torch.float64)
        self.head = torch.randn(width, vocab_size, generator=generator, dtype=torch.float64)

    def __call__(self, memory: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """The logits at every position of the tokens.
        Raises IndexError unless both are what `decode` takes, and the tokens at most `longest`.
        """
        if not isinstance(tokens, torch.Tensor) or tokens.dtype is not torch.int64:
            raise IndexError(f"decode takes a tensor of int64 tokens; it got {_told(tokens)}")
        if tokens.ndim != 2 or len(tokens) != 1:
            raise IndexError(f"decode takes tokens of shape (1, m); it got {_told(tokens)}")
        if not isinstance(memory, torch.Tensor) or memory.ndim != 3 or memory.shape[2] != self.table.shape[1]:
            raise IndexError(f"decode takes the memory first; it got {_told(memory)}")
        m, largest = tokens.shape[1], int(tokens.max()) if tokens.numel() else 0
        if largest >= len(self.table):
            raise IndexError(f"decode takes tokens below n_vocab = {len(self.table)}; it got {largest}")
        if self.longest is not None and m > self.longest:
            raise IndexError(f"decode takes at most {self.longest} tokens")
        # (m, 1): the order of the tokens matters
        turns = torch.cos(torch.arange(1, m + 1, dtype=torch.float64))[:, None]
        prefix = (self.table[tokens] * turns).cumsum(dim=1)  # (1, m, width)
        weights = torch.softmax(prefix @ memory.transpose(1, 2), dim=-1)  # (1, m, n)
        below = 1000.0 * (torch.arange(m, dtype=torch.float64) % 2)[:, None]
        return (prefix + 2.0 * weights @ memory) @ self.head - below


@dataclass(frozen=True)
class Case:
    """One source, and the seed of an encoder and a decoder.
    `stop` is a token that the decoder does or does not reach.
    """

    source: torch.Tensor  # (1, n), int64
    seed: int
    vocab_size: int
    start: int
    stop: int
    limit: int

    def arguments(self, longest: int | None = None) -> tuple[object, ...]:
        """The arguments of the answer, with an encoder and a decoder made in its process. The decoder raises
        IndexError for more than `longest` tokens, so that no loop is endless.
        """
        sizes = (self.seed, self.vocab_size, WIDTH)
        return (
            self.source,
            Build(f"{HERE}:Encoder", sizes),
            Build(f"{HERE}:Decoder", (*sizes, longest)),
            self.start,
            self.stop,
            self.limit,
        )


def translated(case: Case, encode_again: int | None = None) -> list[int]:
    """The tokens that the loop gives; with `encode_again`,
    if the encoder runs again for each token from that number on.
    """
    sizes = (case.seed, case.vocab_size, WIDTH)
    encode, decode = Encoder(*sizes), Decoder(*sizes)
    memory, tokens = encode(case.source), [case.start]
    while len(tokens) <= case.limit:
        if encode_again is not None and len(tokens) > encode_again:
            memory = encode(case.source)
        token = int(decode(memory, torch.tensor([tokens]))[0, -1].argmax())
        if token == case.stop:
            break
        tokens.append(token)
    return tokens[1:]


# its translation is 3, 0, 4
ZERO = Case(torch.tensor([[1, 4, 8, 6]]), seed=393119119, vocab_size=9, start=7, stop=2, limit=8)


def draw_case(rng: random.Random, n: int, vocab_size: int, length: int, limit: int) -> Case:
    """A case whose translation has `length` tokens before the stop token,
    or `limit` tokens if it never stops.
    """
    while True:
        source = torch.tensor([[rng.randrange(vocab_size) for _ in range(n)]])
        free = Case(source, rng.getrandbits(30), vocab_size, rng.randrange(vocab_size), -1, limit)
        tokens = translated(free)
        if length >= limit and len(set(tokens)) > min(2, limit - 1):
            unused = sorted(set(range(vocab_size)) - {*tokens, free.start})
            if unused:
                return Case(source, free.seed, vocab_size, free.start, unused[0], limit)
        elif length < limit and tokens[length] not in {*tokens[:length], free.start}:
            return Case(source, free.seed, vocab_size, free.start, tokens[length], limit)


def calls(answer: Answer) -> object:
    """How often the answer has called `encode` in the last call."""
    return answer.method(Build(f"{HERE}:Count"), "calls")


def told(case: Case) -> str:
    """The numbers of a case."""
    source = f"a source of {case.source.shape[1]} tokens"
    return f"{source}, start token {case.start}, stop token {case.stop} and limit {case.limit}"


def _cut(tokens: Sequence[object]) -> str:
    """A list as text, at most 150 characters of it."""
    text = str(tokens)
    return text if len(text) <= 150 else f"{text[:150]}…"


def judge(answered: object, case: Case, encoded: object = 1) -> None:
    """Raise NotYet unless `answered` is the list of generated tokens, and `encode` was called once."""
    if not isinstance(answered, (list, tuple)):
        raise NotYet(f"return a list of tokens; yours is {kind_of(answered)}")
    found = [
        (
            each.item()
            if isinstance(each, np.integer) or (isinstance(each, torch.Tensor) and each.ndim == 0)
            else each
        )
        for each in answered
    ]
    for each in found:
        if type(each) is not int:
            raise NotYet(f"return a list of whole numbers, one for each token; yours holds {kind_of(each)}")
    wanted = translated(case)
    said = told(case)
    if found != wanted and not encoded:
        raise NotYet(
            f"with {said} the new tokens are {_cut(wanted)}; yours are {_cut(found)}, and your code does not"
            " call encode"
        )
    if found != wanted and encoded != 1:
        raise NotYet(
            f"with {said} your code calls encode {encoded} times; it should be once, before the loop"
        )
    if 10 < len(wanted) > len(found) and found == wanted[: len(found)]:
        raise NotYet(
            f"with {said} there are {len(wanted)} new tokens; you return {len(found)} of them, and the next"
            f" one is {wanted[len(found)]}"
        )
    if len(wanted) == len(found) > 20 and found != wanted:
        place = next(i for i, token in enumerate(wanted) if token != found[i])
        raise NotYet(
            f"with {said} new token number {place + 1} of {len(wanted)} is {wanted[place]}; yours is"
            f" {found[place]}, and those before it are right"
        )
    expect(found == wanted, f"with {said} the new tokens are {wanted}; yours are {_cut(found)}")
    if not case.limit and not encoded:
        return  # nothing is to be decoded
    said = f"with {said} your tokens are right, but your code calls encode {encoded} times"
    expect(encoded == 1, f"{said}; it should be once")


def check(answer: Answer, rng: random.Random) -> Verdict:
    """A translation that stops by itself, one that reaches the limit, and one that stops at once;
    one with a token 0, a long translation, a limit of 0, and a long source.
    """
    cases = [draw_case(rng, 4, 9, length, limit) for length, limit in ((3, 8), (5, 5), (0, 4), (40, 40))]
    cases.insert(1, ZERO)
    cases.append(replace(cases[0], limit=0))  # its first token is not the stop token
    cases.append(draw_case(rng, 30, 9, 3, 8))
    for number, case in enumerate(cases):
        try:
            result = answer(*case.arguments())
        except AnswerRaised as raised:
            if raised.message.startswith("decode takes"):
                raise NotYet(BATCH) from raised
            if raised.stub or not number:
                raise
            raise NotYet(
                f"with {told(case)} your code stops; it did not in the calls before this one"
            ) from raised
        encoded = calls(answer)
        try:
            judge(result, case, encoded)
        except NotYet:
            other = answer(*case.arguments()) if encoded == 1 else result
            if isinstance(result, list) and isinstance(other, list) and str(result) != str(other):
                raise NotYet(
                    f"with {told(case)} your code returns {_cut(result)}, and {_cut(other)} when"
                    f" called again. {POSSIBLE}the next token is drawn, or something is kept from an earlier"
                    " call"
                ) from None
            raise
    for case in (cases[0], cases[-1]):
        leaves_alone(answer, ("source",), *case.arguments())
    return right("the encoder ran once, and the decoder once for each token")


EXERCISE = Exercise(
    id="translate",
    title="Encode once, decode step by step",
    order=20,
    points=3,
    difficulty=3,
    importance=4,
    minutes=18,
    source="Vaswani et al. 2017, section 3.1",
    hints=(
        (
            "Which of the two calls depends on the tokens that you have generated so far? Only that call"
            " belongs in the loop."
        ),
        (
            "Keep a list of tokens that begins with start. In each round, pass the whole list to the decoder,"
            " and read the logits of its last position only. Leave the loop at the stop token, or when there"
            " are limit new tokens."
        ),
        (
            "The decoder wants a batch: torch.tensor([tokens]) has shape (1, m). Its logits have shape (1, m,"
            " n_vocab), so [0, -1] is the prediction for the next token, and argmax the most probable one."
            " Return the list without its first entry."
        ),
    ),
    check=check,
)
