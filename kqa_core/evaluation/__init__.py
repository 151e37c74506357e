"""The evaluation of a trained model: answers, scores, confidences, baselines, and probes of behaviour.

A score is a `Proportion`: right answers, questions, and the 95 % interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kqa_core.lazy import lazy_names

if TYPE_CHECKING:
    from kqa_core.evaluation.confidence import answer_logits, guesses
    from kqa_core.evaluation.evaluate import score
    from kqa_core.evaluation.generate import answer_questions
    from kqa_core.evaluation.probes import influence, reads_the_future
    from kqa_core.stats import Proportion, mcnemar, paired

__all__ = [
    "Proportion", "answer_logits", "answer_questions", "guesses", "influence", "mcnemar", "paired",
    "reads_the_future", "score",
]  # fmt: skip

__getattr__ = lazy_names(__name__, __file__)
