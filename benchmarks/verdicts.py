"""The value of the verdicts in the small encoder's pretraining text. Run: kqa bench verdicts

- Each review ends or begins with a verdict ("two thumbs up ."), which is a label in words. Four encoders of
  one shape differ in how pretraining treated it: always masked and alone at first (the shipped encoder),
  masked as often as any other word, cut out of the reviews, and no pretraining at all. Reviews, steps and
  seed are the same.
- Each is fine-tuned on 100 and on 400 labels in about 100 steps, three times: run i has its own labels and
  seed i, the same for all encoders, so the runs are paired. Results are correct answers on the 872 validation
  sentences; test is not used.
- `python benchmarks/verdicts.py FOLDER` keeps the two other encoders in FOLDER, or uses them if they are
  there already.
"""

from __future__ import annotations

import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import torch

from benchmarks._common import report
from kqa_core.encoder.finetune import FineTune, fine_tune, reinitialise
from kqa_core.encoder.grid_search import score
from kqa_core.encoder.pretrain import RECORD, SHARE, PretrainConfig, pretrain
from kqa_core.encoder.prompting import PromptClassifier
from kqa_core.encoder.sentiment import Sentiment, read_sentiment
from kqa_core.encoder.weak_labels import ENCODERS
from kqa_core.hardware import cores
from kqa_core.text.packaged import shipped

SEEDS = range(3)
CONFIGS = {100: FineTune(batch_size=16, epochs=15), 400: FineTune(batch_size=32, epochs=8)}


def pretrained(out: Path, config: PretrainConfig) -> Path:
    """The encoder of this configuration, from `out` if it is there."""
    return out if (out / RECORD).is_file() else pretrain(out, config)


def hits(name: str, place: Path, labels: int, seed: int) -> int:
    """The correct answers on validation after one fine-tuning run, on one thread."""
    torch.set_num_threads(1)
    data = read_sentiment(shipped("sentiment"))
    part = Sentiment(data.train[seed * labels : (seed + 1) * labels], data.validation[:100], ())
    prepare = reinitialise if name == ENCODERS[-1] else None
    found = (
        fine_tune(replace(CONFIGS[labels], seed=seed), part, place, False, prepare)
        .score(data.validation)
        .hits
    )
    print(f"{name}, {labels} labels, seed {seed}: {found} of {len(data.validation)}", flush=True)
    return found


def main(kept: Path | None = None) -> None:
    """Pretrain two more encoders, fine-tune all four, and write the figures.
    `kept`: a folder for the two encoders.
    """
    data = read_sentiment(shipped("sentiment"))
    with (
        tempfile.TemporaryDirectory() as temporary,
        ProcessPoolExecutor(cores(), get_context("spawn")) as pool,
    ):
        folder = kept or Path(temporary)
        plain = PretrainConfig(ratings_alone=0.0, ratings_share=SHARE)
        as_any_word = pretrained(folder / "as_any_word", plain)
        cut_out = pretrained(folder / "cut_out", replace(plain, verdicts=False))
        places = dict(
            zip(ENCODERS, (shipped("encoder"), as_any_word, cut_out, shipped("encoder")), strict=True)
        )
        runs = {
            each: pool.submit(hits, each[0], places[each[0]], *each[1:])
            for each in product(ENCODERS, CONFIGS, SEEDS)
        }
        prompts = {
            name: score(PromptClassifier(places[name]), data.validation)[0].hits for name in ENCODERS[:-1]
        }
        few = {
            name: {str(labels): [runs[name, labels, seed].result() for seed in SEEDS] for labels in CONFIGS}
            for name in ENCODERS
        }
    of = len(data.validation)
    means = ", ".join(f"{name} {100 * fmean(few[name]['100']) / of:.1f} %" for name in ENCODERS)
    report("verdicts", {"of": of, "prompt": prompts, "few_labels": few}, f"100 labels: {means}", "none")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
