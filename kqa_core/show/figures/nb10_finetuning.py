"""Figures of notebook 10: learning curves, overfitting, labels, the grid, and kinds of sentences.

Each is a `Still`: a picture with a sentence that describes it. Lines have different dashes, and cells show
their numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from statistics import fmean
from typing import TYPE_CHECKING

from kqa_core.show.figures.nb07_curves import DASHES, smooth
from kqa_core.show.kit.palette import CATEGORIES, LIGHT_GREY, new_figure, open_axes
from kqa_core.show.kit.sketch import write
from kqa_core.show.kit.still import Still
from kqa_core.stats import Proportion

if TYPE_CHECKING:  # the encoder's modules need torch, the figures do not
    from kqa_core.encoder.finetune import Curves
    from kqa_core.encoder.grid_search import GridRun


def curves_figure(runs: Mapping[str, Curves]) -> Still:
    """Each run's loss, with the validation loss as dots, and beside it the validation accuracy."""
    figure = new_figure(9.0, 3.2)
    left, right = figure.subplots(1, 2)
    clauses = []
    for number, (name, run) in enumerate(runs.items()):
        colour, dash = CATEGORIES[number % len(CATEGORIES)], DASHES[number % len(DASHES)]
        steps = range(1, len(run.losses) + 1)
        evaluated = [
            len(run.losses) * i / max(1, len(run.validation_loss) - 1)
            for i in range(len(run.validation_loss))
        ]
        left.plot(steps, smooth(run.losses, max(1, len(run.losses) // 20)), dash, color=colour, label=name)
        left.plot(evaluated, run.validation_loss, "o", color=colour, markersize=4)
        accuracy = [100 * value for value in run.validation_accuracy]
        right.plot(evaluated, accuracy, f"o{dash}", color=colour, markersize=4)
        first, last = (100 * run.validation_accuracy[i] for i in (0, -1))
        clauses.append(
            f"{name}: loss {run.losses[-1]:.2f} after {len(run.losses)} steps, accuracy from {first:.1f} to"
            f" {last:.1f} %"
        )
    left.set(xlabel="steps", ylabel="loss (dots: validation)", ylim=(0, None))
    right.set(xlabel="steps", ylabel="validation accuracy, %", ylim=(40, 100))
    if runs:
        left.legend(frameon=False)
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    return Still(figure, f"Fine-tuning. {'; '.join(clauses)}.")


def overfitting_figure(
    train_loss: Sequence[float],
    validation_loss: Sequence[float],
    validation_accuracy: Sequence[float],
    kept: int | None = None,
) -> Still:
    """Learning curves by epoch, from before training: losses, accuracy, and the epoch `kept`."""
    figure = new_figure(9.0, 3.2)
    left, right = figure.subplots(1, 2)
    epochs = range(len(validation_loss))
    left.plot(range(len(train_loss)), train_loss, "--", color=CATEGORIES[0], label="training")
    left.plot(epochs, validation_loss, "o-", color=CATEGORIES[1], markersize=4, label="validation")
    right.plot(
        epochs, [100 * accuracy for accuracy in validation_accuracy], "o-", color=CATEGORIES[1], markersize=4
    )
    for axes in (left, right):
        if kept is not None:
            axes.axvline(kept, color=LIGHT_GREY, linestyle=":", label=f"kept: epoch {kept}")
        axes.set(xlabel="epoch", xticks=epochs)
        axes.spines[["top", "right"]].set_visible(False)
    left.set(ylabel="loss", ylim=(0, None))
    right.set(ylabel="validation accuracy, %")
    left.legend(frameon=False)
    sentence = (
        f"Training loss from {train_loss[0]:.2f} to {train_loss[-1]:.2f}, validation loss from"
        f" {validation_loss[0]:.2f} to "
    )
    sentence += (
        f"{validation_loss[-1]:.2f}, lowest after epoch {min(epochs, key=lambda i: validation_loss[i])};"
        " validation accuracy "
    )
    sentence += (
        f"at most {100 * max(validation_accuracy):.1f} %, at the end {100 * validation_accuracy[-1]:.1f} %."
    )
    return Still(figure, sentence if kept is None else f"{sentence} Kept: epoch {kept}.")


def labels_figure(runs: Mapping[str, Mapping[int, Sequence[float]]]) -> Still:
    """Accuracy by the number of labels: a dot for each run, a line through each encoder's means."""
    figure = new_figure(8.0, 3.4)
    axes = open_axes(figure)
    counts = sorted({count for by_count in runs.values() for count in by_count})
    clauses = []
    for number, (name, by_count) in enumerate(runs.items()):
        colour, dash = CATEGORIES[number % len(CATEGORIES)], DASHES[number % len(DASHES)]
        places = {count: counts.index(count) + 0.07 * (number - (len(runs) - 1) / 2) for count in by_count}
        for count, accuracies in by_count.items():
            dots = [places[count]] * len(accuracies), [100 * one for one in accuracies]
            axes.plot(*dots, "osD^"[number % 4], color=colour, alpha=0.6)
        means = {count: 100 * fmean(accuracies) for count, accuracies in by_count.items()}
        axes.plot(list(places.values()), list(means.values()), dash, color=colour, label=name)
        clauses.append(
            f"{name}: " + ", ".join(f"{mean:.1f} % after {count:,}" for count, mean in means.items())
        )
    axes.axhline(50, color=LIGHT_GREY, linewidth=1)
    axes.set_xticks(range(len(counts)), [f"{count:,} labels" for count in counts])
    axes.set(ylabel="correct answers, %", ylim=(40, 102), xlim=(-0.4, len(counts) - 0.6))
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return Still(figure, f"Correct answers by number of labels, mean of the runs. {'; '.join(clauses)}.")


def grid_figure(runs: Sequence[GridRun], chosen: GridRun) -> Still:
    """Validation accuracy by batch size and rate, a table for each number of epochs; the chosen framed."""
    from matplotlib.patches import Rectangle

    sizes = sorted({run.batch_size for run in runs})
    rates = sorted({run.learning_rate for run in runs})
    epochs = sorted({run.epochs for run in runs})
    values = {
        (run.epochs, run.batch_size, run.learning_rate): 100 * run.validation_accuracy[-1] for run in runs
    }
    low, high = min(values.values()), max(values.values())
    figure = new_figure(9.0, 1.2 + 0.55 * len(sizes))
    for axes, length in zip(figure.subplots(1, len(epochs), squeeze=False)[0], epochs, strict=True):
        table = [[values.get((length, size, rate), math.nan) for rate in rates] for size in sizes]
        axes.imshow(table, cmap="cividis", vmin=low, vmax=high, aspect="auto")
        for (row, size), (column, rate) in product(enumerate(sizes), enumerate(rates)):
            value = table[row][column]
            ink = "white" if value < (low + high) / 2 else "black"
            write(axes, (column, row), f"{value:.1f}", 10, ink)
            if (length, size, rate) == (chosen.epochs, chosen.batch_size, chosen.learning_rate):
                axes.add_patch(
                    Rectangle(
                        (column - 0.46, row - 0.46), 0.92, 0.92, fill=False, edgecolor="black", linewidth=3
                    )
                )
        axes.set_xticks(range(len(rates)), [f"{rate:g}" for rate in rates])
        axes.set_yticks(range(len(sizes)), [str(size) for size in sizes])
        axes.set(title=f"{length} epochs", xlabel="learning rate", ylabel="batch size")
    best = f"batch {chosen.batch_size}, rate {chosen.learning_rate:g}, {chosen.epochs} epochs"
    return Still(
        figure,
        f"Validation accuracy of {len(values)} runs, from {low:.1f} to {high:.1f} %. Chosen: {best}, "
        f"{100 * chosen.validation_accuracy[-1]:.1f} %.",
    )


def kinds_figure(classifiers: Mapping[str, Mapping[str, Proportion]]) -> Still:
    """For each kind of sentence a bar for every classifier, with its 95 % interval."""
    kinds = list(dict.fromkeys(kind for shares in classifiers.values() for kind in shares))
    figure = new_figure(8.0, 3.2)
    axes = open_axes(figure)
    width = 0.8 / max(1, len(classifiers))
    clauses = []
    for number, (name, shares) in enumerate(classifiers.items()):
        places = [place + (number - (len(classifiers) - 1) / 2) * width for place in range(len(kinds))]
        shares_of = [shares[kind] for kind in kinds]
        ends = [[100 * abs(share.interval[side] - share.value) for share in shares_of] for side in (0, 1)]
        colour, hatch = CATEGORIES[number % len(CATEGORIES)], ("", "//", "..")[number % 3]
        bars = {"color": colour, "hatch": hatch, "edgecolor": "white", "capsize": 3}
        axes.bar(places, [100 * share.value for share in shares_of], width, yerr=ends, label=name, **bars)
        clauses.append(
            f"{name}: "
            + ", ".join(
                f"{kind} {100 * share.value:.1f} %" for kind, share in zip(kinds, shares_of, strict=True)
            )
        )
    axes.axhline(50, color=LIGHT_GREY, linewidth=1)
    axes.set_xticks(range(len(kinds)), kinds)
    axes.set(ylabel="correct answers, %", ylim=(0, 105))
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, 1.18), ncols=max(1, len(classifiers)))
    return Still(figure, f"Correct answers by kind of sentence. {'; '.join(clauses)}.")
