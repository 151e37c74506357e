"""The small encoder, fine-tuned, against counting words, and the time of the grid. Run: kqa bench encoder

- All classifiers learn from the same 6,920 sentences and are scored on the same 1,821: a bag of words, one with pairs of
  words, the shipped encoder fine-tuned with the default configuration, and an encoder of the same shape that has read nothing.
- The grid is that of `kqa encoder grid --small`, 18 runs in as many processes as there are cores, from an empty folder.
- Nothing here was chosen on the test sentences; the grid's own look at the test is its best run's at the small setting.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.encoder import bag_of_words
from kqa_core.encoder.finetuning import FineTune, fine_tune, forget
from kqa_core.encoder.grid import grid, score
from kqa_core.encoder.sentiment import KINDS, read_sentiment
from kqa_core.shipped import shipped

LEAST, AHEAD, MINUTES = 0.90, 0.10, 15.0


def main() -> None:
    """Print the table, and write the figures."""
    data, source = read_sentiment(shipped("sentiment")), shipped("encoder")
    tuned = fine_tune(FineTune(), data, source)
    classifiers = {
        "bag_of_words": bag_of_words.fit(data.train),
        "words_and_pairs": bag_of_words.fit(data.train, pairs=True),
        "encoder": tuned,
        "encoder_that_has_read_nothing": fine_tune(FineTune(), data, source, prepare=forget),
    }
    rows = {name: score(classifier, data.test) for name, classifier in classifiers.items()}
    for name, (share, kinds) in rows.items():
        said = ", ".join(f"{kind} {100 * kinds[kind].value:.1f} %" for kind in KINDS)
        print(f"{name:<30} {100 * share.value:5.1f} %   {said}")
    with tempfile.TemporaryDirectory() as folder:
        found = grid(Path(folder) / "grid.json", small=True)
    print(f"grid of {len(found.runs)} runs at the small setting: {found.seconds:.0f} s; its best on the test: {found.test}")
    figures = {
        name: {"right": share.hits, "of": share.total, "kinds": {kind: round(each.value, 4) for kind, each in kinds.items()}}
        for name, (share, kinds) in rows.items()
    } | {
        "fine_tuning_seconds": round(tuned.curves.seconds, 1),
        "grid": {"runs": len(found.runs), "seconds": found.seconds, "right": found.test.hits, "of": found.test.total},
    }
    best, words, pairs = (rows[name][0].value for name in ("encoder", "bag_of_words", "words_and_pairs"))
    headline = (
        f"encoder {100 * best:.1f} %, bag of words {100 * words:.1f} %"
        f" ({100 * pairs:.1f} % with pairs); {len(found.runs)} runs in {found.seconds / 60:.1f} minutes"
    )
    met = best >= LEAST and best - max(words, pairs) >= AHEAD and found.seconds <= 60 * MINUTES
    report("encoder", figures, headline, "≥ 90 %, ≥ 10 points ahead; ≤ 15 minutes", met)


if __name__ == "__main__":
    main()
