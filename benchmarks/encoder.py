"""The small encoder, fine-tuned, against counting words, and the time of the grid. Run: kqa bench encoder

- All classifiers learn from the same 6,920 sentences and are scored on the same 1,821: a bag of words, one
  with pairs of words, the shipped encoder fine-tuned with the default configuration, and an encoder of the
  same shape that was not pretrained. Then the two encoders with fewer labels, and the shipped one with none:
  asked by a prompt.
- The grid is that of `kqa encoder grid --small`, 18 runs in as many processes as there are cores, from an
  empty folder.
- Nothing here was chosen on the test sentences; the grid's own look at the test is its best run's at the
  small setting.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.encoder import bag_of_words
from kqa_core.encoder.finetune import FEW_LABELS, FineTune, fine_tune, reinitialise
from kqa_core.encoder.grid_search import Classifier, grid, score
from kqa_core.encoder.prompting import PromptClassifier
from kqa_core.encoder.sentiment import KINDS, read_sentiment
from kqa_core.text.packaged import shipped

LEAST, AHEAD, MINUTES = 0.90, 0.10, 15.0


def main() -> None:
    """Print the table, and write the figures."""
    data, source = read_sentiment(shipped("sentiment")), shipped("encoder")
    tuned = fine_tune(FineTune(), data, source)
    classifiers: dict[str, Classifier] = {
        "bag_of_words": bag_of_words.fit(data.train),
        "words_and_pairs": bag_of_words.fit(data.train, pairs=True),
        "encoder": tuned,
        "encoder_that_has_read_nothing": fine_tune(FineTune(), data, source, prepare=reinitialise),
        "prompt_without_a_label": PromptClassifier(source),
    }
    few: dict[str, dict[str, list[int]]] = {}
    for labels, config in FEW_LABELS.items():
        for name, prepare in (("encoder", None), ("encoder_that_has_read_nothing", reinitialise)):
            found = fine_tune(config, data.part(labels, 100), source, prepare=prepare).score(data.test)
            few.setdefault(name, {})[str(labels)] = [found.hits, found.total]
            print(f"{labels} labels, {name}: {found}")
    rows = {name: score(classifier, data.test) for name, classifier in classifiers.items()}
    for name, (share, kinds) in rows.items():
        said = ", ".join(f"{kind} {100 * kinds[kind].value:.1f} %" for kind in KINDS)
        print(f"{name:<30} {100 * share.value:5.1f} %   {said}")
    with tempfile.TemporaryDirectory() as folder:
        searched = grid(Path(folder) / "grid.json", small=True)
    runs = len(searched.runs)
    print(
        f"grid of {runs} runs at the small setting: {searched.seconds:.0f} s; its best on the test:"
        f" {searched.test}"
    )
    figures = {
        name: {
            "right": share.hits,
            "of": share.total,
            "kinds": {kind: round(each.value, 4) for kind, each in kinds.items()},
        }
        for name, (share, kinds) in rows.items()
    } | {
        "few_labels": few,
        "fine_tuning_seconds": round(tuned.curves.seconds, 1),
        "grid": {
            "runs": runs,
            "seconds": searched.seconds,
            "right": searched.test.hits,
            "of": searched.test.total,
        },
    }
    best, words, pairs = (rows[name][0].value for name in ("encoder", "bag_of_words", "words_and_pairs"))
    headline = (
        f"encoder {100 * best:.1f} %, bag of words {100 * words:.1f} %"
        f" ({100 * pairs:.1f} % with pairs); {runs} runs in {searched.seconds / 60:.1f} minutes"
    )
    met = best >= LEAST and best - max(words, pairs) >= AHEAD and searched.seconds <= 60 * MINUTES
    report("encoder", figures, headline, "≥ 90 %, ≥ 10 points ahead; ≤ 15 minutes", met)


if __name__ == "__main__":
    main()
