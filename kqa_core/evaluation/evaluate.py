"""Accuracy of a model's answers, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kqa_core.evaluation.generate import answer_questions
from kqa_core.model.gpt import GPT
from kqa_core.progress import Probe
from kqa_core.stats import Proportion
from kqa_core.text.birthplaces import Pair
from kqa_core.text.vocabulary import Vocabulary


@dataclass(frozen=True)
class Evaluation:
    """The results of a model on a file of questions."""

    accuracy: Proportion  # of the questions whose answer is known; of none for a test set
    predictions: tuple[str, ...]  # one per question

    def __str__(self) -> str:
        """Such as `Correct: 25 out of 500: 5.0%`, as the original prints it, followed by the interval."""
        low, high = self.accuracy.interval
        return (
            f"Correct: {self.accuracy.hits} out of {self.accuracy.total}: {100 * self.accuracy.value:.1f}% "
            f"(95% interval {100 * low:.1f} to {100 * high:.1f})"
        )


def score(predictions: Sequence[str], pairs: Sequence[Pair]) -> Evaluation:
    """Compare predictions with the answers of `pairs`. Correct means the same string, as in the original.

    >>> pairs = [Pair("Where was Ada born?", "Bern"), Pair("Where was Eva born?", "Oslo")]
    >>> print(score(["Bern", "Rome"], pairs))
    Correct: 1 out of 2: 50.0% (95% interval 9.5 to 90.5)
    """
    known = [
        (prediction, pair.answer)
        for prediction, pair in zip(predictions, pairs, strict=True)
        if pair.answer is not None
    ]
    hits = sum(prediction == answer for prediction, answer in known)
    return Evaluation(Proportion(hits, len(known)), tuple(predictions))


def evaluate(model: GPT, vocabulary: Vocabulary, pairs: Sequence[Pair]) -> Evaluation:
    """Answer all questions and score the answers. Raises UserError for a character outside the vocabulary."""
    return score(answer_questions(model, vocabulary, [pair.question for pair in pairs]), pairs)


def probe(model: GPT, vocabulary: Vocabulary, pairs: Sequence[Pair]) -> Probe:
    """The answers to some questions during training, which draw no random number and change no mode."""
    result = evaluate(model, vocabulary, pairs)
    samples = zip(pairs, result.predictions, strict=True)
    return Probe(
        result.accuracy, tuple((pair.question, answer, str(pair.answer)) for pair, answer in samples)
    )
