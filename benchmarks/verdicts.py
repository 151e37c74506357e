"""The value of the verdicts in the small encoder's pretraining text. Run: kqa bench verdicts

- Each review ends or begins with a verdict ("two thumbs up ."), which is a label in words. Four encoders of one shape differ in
  how pretraining treated it: always masked and alone at first (the shipped encoder), masked as often as any other word, cut out of
  the reviews, and no pretraining at all. Reviews, steps and seed are the same.
- Each is fine-tuned on 100 and on 400 labels in about 100 steps, three times: run i has its own labels and seed i, the same for
  all encoders, so the runs are paired. The figures are correct answers on the 872 validation sentences; the test split is not used.
- `python benchmarks/verdicts.py FOLDER` keeps the two other encoders in FOLDER, or uses them if they are there already.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import report
from kqa_core.encoder.finetune import FineTune, fine_tune, reinitialise
from kqa_core.encoder.grid_search import score
from kqa_core.encoder.pretrain import RECORD, SHARE, PretrainConfig, pretrain
from kqa_core.encoder.prompting import PromptClassifier
from kqa_core.encoder.sentiment import Sentiment, read_sentiment
from kqa_core.encoder.weak_labels import ENCODERS
from kqa_core.stats import mean_sd
from kqa_core.text.packaged import shipped

SEEDS = range(3)
CONFIGS = {100: FineTune(batch_size=16, epochs=15), 400: FineTune(batch_size=32, epochs=8)}


def pretrained(out: Path, config: PretrainConfig) -> Path:
    """The encoder of this configuration, from `out` if it is there."""
    return out if (out / RECORD).is_file() else pretrain(out, config)


def main(kept: Path | None = None) -> None:
    """Pretrain two more encoders, fine-tune all four, and write the figures. `kept`: a folder for the two encoders."""
    data = read_sentiment(shipped("sentiment"))
    always, as_any_word, cut_out, none = ENCODERS
    with tempfile.TemporaryDirectory() as temporary:
        folder = kept or Path(temporary)
        plain = PretrainConfig(ratings_alone=0.0, ratings_share=SHARE)
        places = {
            always: shipped("encoder"),
            as_any_word: pretrained(folder / "as_any_word", plain),
            cut_out: pretrained(folder / "cut_out", replace(plain, verdicts=False)),
            none: shipped("encoder"),
        }
        prompts = {
            name: score(PromptClassifier(place), data.validation)[0].hits for name, place in places.items() if name != none
        }
        few: dict[str, dict[str, list[int]]] = {name: {} for name in places}
        for name, place in places.items():
            for labels, config in CONFIGS.items():
                hits = []
                for seed in SEEDS:
                    part = Sentiment(data.train[seed * labels : (seed + 1) * labels], data.validation[:100], ())
                    tuned = fine_tune(replace(config, seed=seed), part, place, False, reinitialise if name == none else None)
                    hits.append(tuned.score(data.validation).hits)
                few[name][str(labels)] = hits
                mean, sd = mean_sd([100 * each / len(data.validation) for each in hits])
                print(f"{name:40} {labels} labels: {mean:.1f} % ± {sd:.1f}", flush=True)
    means = [mean_sd([100 * each / len(data.validation) for each in few[name]["100"]])[0] for name in ENCODERS]
    headline = "100 labels: " + ", ".join(f"{name} {mean:.1f} %" for name, mean in zip(ENCODERS, means, strict=True))
    report("verdicts", {"of": len(data.validation), "prompt": prompts, "few_labels": few}, headline, "none")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
