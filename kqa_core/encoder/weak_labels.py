"""Weak supervision: the labels that the pretraining text holds in words, and what was measured about them.

The label of a review can be read from its verdict ("two thumbs up"), as Go et al. (2009) read the label of a
tweet from its emoticon. Ratner et al. (2016) call such a rule a labelling function.
"""

from __future__ import annotations

import json

from kqa_core.encoder.sentiment import NEGATIVE_VERDICTS, POSITIVE_VERDICTS, Example
from kqa_core.errors import UserError
from kqa_core.text.packaged import recorded_file

# How pretraining treated the verdicts; `kqa bench verdicts` measures each.
ENCODERS = ("verdicts always masked", "masked as any other word", "verdicts cut out", "not pretrained")
VERDICTS = {
    verdict: label
    for label, words in enumerate((NEGATIVE_VERDICTS, POSITIVE_VERDICTS))
    for verdict in words.words
}


def weak_label(review: str) -> Example:
    """A review without its verdict, with the label that the verdict gives. Raises UserError for none.

    >>> weak_label("the film is slow . i regret it .")
    Example(sentence='the film is slow .', label=0, kind='')
    """
    sentences = review.removesuffix(" .").split(" . ")
    for verdict, label in VERDICTS.items():
        if verdict in sentences:
            return Example(
                " . ".join(sentence for sentence in sentences if sentence != verdict) + " .", label
            )
    raise UserError(f"{review[:60]!r}: has no verdict: one of {', '.join(VERDICTS)} was expected")


def recorded_verdicts() -> tuple[dict[str, float], dict[str, dict[int, list[float]]]]:
    """Accuracies that `kqa bench verdicts` recorded: each encoder's prompt, and its runs by labels.

    Raises UserError where they are missing.
    """
    path = recorded_file("verdicts.json")
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))["figures"]
        prompts = {name: hits / figures["of"] for name, hits in figures["prompt"].items()}
        few = {
            name: {int(labels): [count / figures["of"] for count in hits] for labels, hits in runs.items()}
            for name, runs in figures["few_labels"].items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise UserError(
            f"{path}: the results of a benchmark were expected there: run `kqa bench verdicts`"
        ) from None
    return prompts, few
