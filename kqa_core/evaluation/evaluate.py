"""Accuracy of a model's answers, and how sure it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kqa_core.evaluation.generate import answer_questions
from kqa_core.model.gpt import GPT
from kqa_core.stats import Share
from kqa_core.text.birthplaces import Pair
from kqa_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Evaluation:
    """How a model did on a file of questions."""

    correct: int
    total: int  # questions whose answer is known; 0 for a test set
    predictions: tuple[str, ...]  # one per question

    @property
    def accuracy(self) -> float:
        """In [0, 1]; nan where no answer is known."""
        return self.correct / self.total if self.total else float("nan")

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the accuracy, in [0, 1]."""
        return Share(self.correct, self.total).interval

    def __str__(self) -> str:
        """Such as `Correct: 25 out of 500: 5.0%`, as the original prints it, with the interval behind it."""
        low, high = self.interval
        return (
            f"Correct: {self.correct} out of {self.total}: {100 * self.accuracy:.1f}% "
            f"(95% interval {100 * low:.1f} to {100 * high:.1f})"
        )


def score(predictions: Sequence[str], pairs: Sequence[Pair]) -> Evaluation:
    """Compare predictions with the answers of `pairs`: right means the same string, as in the original."""
    known = [(prediction, pair.answer) for prediction, pair in zip(predictions, pairs, strict=True) if pair.answer is not None]
    return Evaluation(sum(prediction == answer for prediction, answer in known), len(known), tuple(predictions))


def evaluate(model: GPT, vocabulary: Vocabulary, pairs: Sequence[Pair]) -> Evaluation:
    """Ask the model every question and score its answers. Raises UserError for a character the model does not know."""
    return score(answer_questions(model, vocabulary, [pair.question for pair in pairs]), pairs)
