"""A model's answers with the probability that it gives to each: what it says of its own certainty.

- The confidence of an answer is the product of the probabilities of its characters, the closing ⁇ among them: the probability
  that the model, drawing instead of choosing, would have written just this.
- An answer that does not end within `LONGEST_ANSWER` characters counts as far as it goes.
- Of a model that is not causal (`model.causal` is False) it is what the model says of the finished row, which is another thing.
- Probabilities are float64 of float32 logits. Between two processors the last digits of a logit may differ (about 1e-6), and a
  confidence with them; an answer changes only where two characters are that close.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kqa_core.evaluation.generate import BATCH, LONGEST_ANSWER, answer_questions
from kqa_core.model.gpt import GPT
from kqa_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Guess:
    """What a model answers, and the probability it gives to that answer."""

    answer: str
    confidence: float  # in [0, 1]


def guesses(model: GPT, vocabulary: Vocabulary, questions: Sequence[str]) -> list[Guess]:
    """The answer to each question with its confidence. Raises UserError for a character the model does not know."""
    answers = answer_questions(model, vocabulary, questions)
    found: list[Guess] = []
    for first in range(0, len(answers), BATCH):
        part = slice(first, first + BATCH)
        found += _scored(model, vocabulary, questions[part], answers[part])
    return found


def answer_logits(model: GPT, vocabulary: Vocabulary, question: str, answer: str) -> tuple[Tensor, Tensor]:
    """The logits (T, vocab_size) that the model gave before each character of `answer`, and those characters (T,).

    The closing ⁇ is the last of them, unless the answer is as long as answers get.
    """
    row, start = _row(vocabulary, question, answer)
    with torch.no_grad():
        logits, _ = model.eval()(torch.tensor([row[:-1]]))  # (1, len(row) - 1, vocab_size)
    return logits[0, start - 1 :], torch.tensor(row[start:])


def _row(vocabulary: Vocabulary, question: str, answer: str) -> tuple[list[int], int]:
    """question ⁇ answer ⁇ as indices, and where the answer begins."""
    closing = vocabulary.MASK if len(answer) < LONGEST_ANSWER else ""
    row = vocabulary.encode(question + vocabulary.MASK + answer + closing)
    return row, len(question) + 1


@torch.no_grad()
def _scored(model: GPT, vocabulary: Vocabulary, questions: Sequence[str], answers: Sequence[str]) -> list[Guess]:
    """The confidences of answers that are already known, all in one pass."""
    rows = [_row(vocabulary, question, answer) for question, answer in zip(questions, answers, strict=True)]
    longest = max((len(row) for row, _ in rows), default=1)
    tokens = torch.tensor([row + [vocabulary.pad_index] * (longest - len(row)) for row, _ in rows])  # (B, T)
    logits, _ = model.eval()(tokens[:, :-1])  # (B, T - 1, vocab_size)
    of_next = logits.double().log_softmax(dim=-1).gather(-1, tokens[:, 1:, None])[..., 0]  # (B, T - 1)
    return [
        Guess(answer, float(of_next[i, start - 1 : len(row) - 1].sum().exp()))
        for i, ((row, start), answer) in enumerate(zip(rows, answers, strict=True))
    ]
