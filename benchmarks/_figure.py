"""How one figure is written from what its results file holds:
rows of the tables, shares with intervals, accuracies of the ladder.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from kqa_core.stats import mean_sd, wilson

LADDER_SCRIPT = "python benchmarks/ladder.py"


@dataclass(frozen=True)
class Row:
    """One figure: its name, the results that it is computed from,
    how it is written, its bar, the command that repeats it.
    """

    table: str
    what: str
    files: tuple[str, ...]
    measured: Callable[..., str]  # called with each file's figures, in order
    bar: str
    command: str


def share(hits_total: Sequence[int], interval: bool = True) -> str:
    """`96.0 % (90.2–98.4)`: hits of a total in per cent, with Wilson's 95 % interval."""
    hits, total = hits_total
    low, high = wilson(hits, total)
    return f"{100 * hits / total:.1f} %" + (f" ({100 * low:.1f}–{100 * high:.1f})" if interval else "")


def shares(*pairs: Sequence[int]) -> str:
    """`92/92, 411/411`."""
    return ", ".join(f"{hits}/{total}" for hits, total in pairs)


def ladder_rows(runs: list[dict[str, Any]], world: str, name: str) -> list[dict[str, Any]]:
    """The recorded runs of one row of the ladder, by seed."""
    return [row for row in runs if (row["world"], row["name"]) == (world, name)]


def accuracy(runs: list[dict[str, Any]], world: str, name: str) -> str:
    """A row's accuracy: with its interval for one seed; mean ± standard deviation and seeds for several."""
    rows = ladder_rows(runs, world, name)
    if not rows:
        raise LookupError(name)
    if len(rows) == 1:
        return share((rows[0]["correct"], rows[0]["total"]))
    each = [100 * row["correct"] / row["total"] for row in rows]
    mean, deviation = mean_sd(each)
    return f"{mean:.1f} ± {deviation:.1f} % ({', '.join(f'{one:.1f}' for one in each)})"


def minutes(runs: list[dict[str, Any]], world: str, name: str) -> str:
    """The mean training time of a row's seeds."""
    each = [row["seconds"] for row in ladder_rows(runs, world, name) if row["seconds"] is not None]
    return f"{sum(each) / len(each) / 60:.0f} minutes" if each else "time not measured"


def whole(name: str) -> Callable[..., str]:
    """Accuracy and training time of a row of the original data that was trained to the end of its recipe."""
    return lambda runs: f"{accuracy(runs, 'original', name)}; {minutes(runs, 'original', name)}"


def ladder_command(world: str, *names: str) -> str:
    """The command that trains these rows again, with seeds 0, 1 and 2."""
    return f'{LADDER_SCRIPT} --world {world} --rows "{";".join(names)}"'


def perplexity_change(figures: dict[str, Any], what: str) -> str:
    """By how many per cent re-weighting the heads changes the mean perplexity, over seeds."""
    after, before = (sum(figures["rows"][name]["losses"][what]) for name in ("norm-reweight", "learned"))
    # no minus before zero
    percent = round(100 * (math.exp((after - before) / len(figures["seeds"])) - 1), 1) + 0.0
    return f"{percent:.1f} %".replace("-", "−")


def mean_hits(figures: dict[str, Any], variant: str) -> float:
    """The mean number of right answers of a variant of `few_people`, over seeds."""
    return mean_sd([answers.count("1") for answers in figures["answers"][variant]])[0]


def mean_perplexity(figures: dict[str, Any], name: str, what: str) -> float:
    """The exponential of the mean loss of a row, over seeds."""
    return math.exp(sum(figures["rows"][name]["losses"][what]) / len(figures["seeds"]))


def few_labels(figures: dict[str, Any]) -> str:
    """The pretrained encoder against one that was not pretrained, by number of labels; and the prompt."""
    few, plain = figures["few_labels"], "encoder_that_has_read_nothing"
    pairs = [(few["encoder"][n], few[plain][n]) for n in ("100", "400")]
    pairs.append(tuple((figures[name]["right"], figures[name]["of"]) for name in ("encoder", plain)))
    told = [f"{share(one, False)} against {share(other, False)}" for one, other in pairs]
    prompt = figures["prompt_without_a_label"]
    return f"{', '.join(told)}; {share((prompt['right'], prompt['of']), False)}"


def by_verdicts(figures: dict[str, Any]) -> str:
    """The mean accuracy after fine-tuning with 100 labels, of each encoder of `kqa bench verdicts`."""
    means = {name: fmean(found["100"]) / figures["of"] for name, found in figures["few_labels"].items()}
    return ", ".join(f"{name} {100 * mean:.1f} %" for name, mean in means.items())


def pronoun_heads(figures: dict[str, Any]) -> str:
    """The share of right nouns on the other half, and that of the best head on all sentences."""
    return f"{100 * figures['held_out']:.1f} % (the best of 72 on all: {100 * figures['best_of_all']:.1f} %)"


def on_reviews(figures: dict[str, Any]) -> str:
    """The share of test sentences that each classifier has right, and of single ratings that agree."""
    names = {"pretrained": "real encoder", "bag_of_words": "counting words", "rules": "rules"}
    shares = [
        f"{name} {100 * fmean(figures['right'][key]) / figures['of']:.1f} %" for key, name in names.items()
    ]
    hits, total = figures["raters"]
    return ", ".join([*shares, f"one person {100 * hits / total:.1f} %"])


def viewer(figures: dict[str, Any], name: str) -> str:
    """First paint and DOM nodes of one viewer."""
    found = figures["viewers"][name]
    return f"{found['seconds']:.2f} s, {found['nodes']:,}"


def relations(figures: dict[str, Any]) -> str:
    """For each relation the mean accuracy in the small world of two rows of (a), of (b) and of (c)."""
    rows = [
        row
        for row in figures["rows"]
        if (row["world"], row["finetuning"], row["steps"], row["documents"], row["test"])
        == ("small", "assignment", None, 1, False)
    ]
    told = []
    for relation in ("place", "year", "job"):
        means = []
        for name in ("a: salient spans", "a: cloze questions", "b: the cue", "c: generated questions"):
            found = [one["answers"] for one in rows if (one["row"], one["relation"]) == (name, relation)]
            mean = 100 * fmean(one.count("1") / len(one) for one in found) if found else None
            means.append("–" if mean is None else f"{mean:.1f} % ({len(found)})")
        told.append(f"{relation} {', '.join(means)}")
    return "; ".join(told)


def headline(figures: dict[str, Any]) -> str:
    """The benchmark's own last line."""
    return str(figures["headline"])


def largest_class(figures: dict[str, Any]) -> str:
    """The largest class that was measured: its index,
    how long that takes to open, and how steeply any stage grows.
    """
    most = figures["largest"]
    opened = f"{most['open_s']:.1f} s" if most["open_s"] is not None else "no browser"
    growth = f"; exponent ≤ {most['exponent']:.2f}" if most["exponent"] is not None else ""
    return (
        f"{most['size']} students × {figures['notebooks']} notebooks: {most['index_mb']:.2f} MB,"
        f" {opened}{growth}"
    )


def own_training(figures: dict[str, Any]) -> str:
    """Accuracy in notebook 07 over seeds: pretrained and finetuned, only pretrained, only finetuned."""
    right, questions = figures["right"], figures["questions"]
    names = {
        "text, then questions": "pretrained and finetuned",
        "text only": "before finetuning",
        "questions only": "without pretraining",
    }
    told = []
    for stage, name in names.items():
        mean, deviation = mean_sd([100 * count / questions for count in right[stage]])
        told.append(f"{mean:.1f} ± {deviation:.1f} % {name}")
    return ", ".join(told)


def small_world(here: dict[str, Any]) -> str:
    """Accuracy with and without pretraining."""
    return f"{share(here['pretrained'])}, {share(here['not_pretrained'])}"
