"""The extractor of what is asked for, which learns from train questions, scored on others.
Run: kqa bench extractor

- Held out: cross-validation over the train questions, five parts. Dev: fitted on all train questions; the dev
  answers are compared with its picks here and nowhere else.
- The ceiling is the share of dev answers that occur in a document about the person.
- The original data is measured where it is (`kqa data import DIR`).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.errors import UserError
from kqa_core.evaluation.baselines import ceiling
from kqa_core.text.answer_extractor import answered, fit_extractor, generated_pairs
from kqa_core.text.birthplaces import Pair
from kqa_core.text.corpus import read_corpus
from kqa_core.text.packaged import shipped

WORLDS = {"small": "world/small", "full": "world/full", "original": "imported"}
LEAST = 0.9


def held_out_accuracy(documents: Sequence[str], pairs: Sequence[Pair], folds: int = 5) -> tuple[int, int]:
    """Cross-validation: how many answers of `pairs` are picked by an extractor that was fitted
    without them, and of how many.
    """
    right = 0
    for fold in range(folds):
        extractor = fit_extractor(
            documents, [pair for number, pair in enumerate(pairs) if number % folds != fold]
        )
        right += answered(documents, pairs[fold::folds], extractor)
    return right, len(pairs)


def main() -> None:
    """Print the table, and write the figures."""
    figures: dict[str, object] = {}
    shares = []
    for world, folder in WORLDS.items():
        try:
            corpus = read_corpus(shipped(folder))
        except UserError:
            print(f"{world}: not measured, {folder} is not there")
            continue
        held_out = held_out_accuracy(corpus.documents, corpus.train)
        dev = (answered(corpus.documents, corpus.dev, corpus.extractor), len(corpus.dev))
        highest = ceiling(corpus.dev, corpus.documents)
        made = len(generated_pairs(corpus.documents, corpus.train, corpus.extractor))
        figures[world] = {
            "held_out": held_out,
            "dev": dev,
            "ceiling": [highest.hits, highest.total],
            "generated_questions": made,
        }
        shares.append(dev[0] / dev[1])
        print(
            f"{world}: held out {held_out[0]} of {held_out[1]}, dev {dev[0]} of {dev[1]} (ceiling"
            f" {highest.hits}), {made} questions generated"
        )
    said = ", ".join(f"{100 * share:.1f} %" for share in shares)
    report("extractor", figures, said, f"≥ {LEAST:.0%}", min(shares) >= LEAST)


if __name__ == "__main__":
    main()
