"""A model's answers with their confidences: the probability that the model gives to each answer.

- The confidence of an answer is the product of the probabilities of its characters, with the closing ⁇. It is
  the probability that the model writes this answer if it samples instead of taking the likeliest character.
- If an answer does not end within `LONGEST_ANSWER` characters, the product is over these characters.
- For a model that is not causal (`model.causal` is False), the probabilities are those for the finished row,
  which is not the same.
- Probabilities are float64, from float32 logits. On another processor the last digits of a logit may differ
  (about 1e-6), and so may the confidence; an answer changes only if two characters are equally likely up to
  that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.evaluation.generate import BATCH, LONGEST_ANSWER, answer_questions
from kqa_core.model.gpt import GPT
from kqa_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Guess:
    """An answer of a model, and the probability that the model gives to it."""

    answer: str
    confidence: float  # in [0, 1]


def guesses(model: GPT, vocabulary: Vocabulary, questions: Sequence[str]) -> list[Guess]:
    """The answer to each question with its confidence.

    Raises UserError for a character outside the vocabulary, and for a question that is too long for the
    model's block.

    >>> from kqa_core.model.config import GPTConfig
    >>> vocabulary = Vocabulary.from_text("Who?")
    >>> model = GPT(GPTConfig(len(vocabulary), d_model=16)).eval()
    >>> 0 < guesses(model, vocabulary, ["Who?"])[0].confidence < 1
    True
    """
    answers = answer_questions(model, vocabulary, questions)
    results: list[Guess] = []
    for first in range(0, len(answers), BATCH):
        part = slice(first, first + BATCH)
        results += _scored(model, vocabulary, questions[part], answers[part])
    return results


def answer_logits(model: GPT, vocabulary: Vocabulary, question: str, answer: str) -> tuple[Tensor, Tensor]:
    """The logits (T, vocab_size) before each character of `answer`, and the indices of these characters (T,).

    The closing ⁇ is the last of them, unless the answer has `LONGEST_ANSWER` characters.

    >>> from kqa_core.model.config import GPTConfig
    >>> vocabulary = Vocabulary.from_text("Who?me")
    >>> model = GPT(GPTConfig(len(vocabulary), d_model=16))
    >>> logits, characters = answer_logits(model, vocabulary, "Who?", "me")
    >>> logits.shape, vocabulary.decode(characters)
    (torch.Size([3, 8]), 'me⁇')
    """
    row, start = _row(vocabulary, question, answer)
    logits = _logits(model, torch.tensor([row[:-1]]))  # (1, len(row) - 1, vocab_size)
    return logits[0, start - 1 :], torch.tensor(row[start:])


@torch.no_grad()
def _logits(model: GPT, tokens: Tensor) -> Tensor:
    """The logits for tokens (B, T), in evaluation mode, on the CPU. Raises UserError for too long rows."""
    if tokens.shape[1] > model.config.block_size:
        raise UserError(
            f"a question and its answer have {tokens.shape[1]} characters, the model's block holds"
            f" {model.config.block_size}: ask a shorter question"
        )
    training = model.training
    logits: Tensor = model.eval()(tokens.to(next(model.parameters()).device))[0]
    model.train(training)
    return logits.cpu()


def _row(vocabulary: Vocabulary, question: str, answer: str) -> tuple[list[int], int]:
    """question ⁇ answer ⁇ as indices, and the index at which the answer begins."""
    closing = vocabulary.MASK if len(answer) < LONGEST_ANSWER else ""
    row = vocabulary.encode(question + vocabulary.MASK + answer + closing)
    return row, len(question) + 1


def _scored(
    model: GPT, vocabulary: Vocabulary, questions: Sequence[str], answers: Sequence[str]
) -> list[Guess]:
    """The confidences of given answers, all in one forward pass."""
    rows = [_row(vocabulary, question, answer) for question, answer in zip(questions, answers, strict=True)]
    longest = max((len(row) for row, _ in rows), default=1)
    tokens = torch.tensor([row + [vocabulary.pad_index] * (longest - len(row)) for row, _ in rows])  # (B, T)
    logits = _logits(model, tokens[:, :-1])  # (B, T - 1, vocab_size)
    of_next = logits.double().log_softmax(dim=-1).gather(-1, tokens[:, 1:, None])[..., 0]  # (B, T - 1)
    return [
        Guess(answer, float(of_next[i, start - 1 : len(row) - 1].sum().exp()))
        for i, ((row, start), answer) in enumerate(zip(rows, answers, strict=True))
    ]
