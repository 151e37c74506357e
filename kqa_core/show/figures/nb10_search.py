"""Notebook 10: what a grid and a random search try, and what they found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING

import numpy as np

from kqa_core.show.kit.palette import BLUE, GREY, LIGHT_GREY, ORANGE, VERMILION, new_figure, open_axes
from kqa_core.show.kit.still import Still

if TYPE_CHECKING:  # the grid's module needs torch, the figures do not
    from kqa_core.encoder.grid_search import GridRun


def grid_and_random(quality: Callable[[float], float], best: float, trials: int = 3, seed: int = 0) -> Still:
    """`trials`² settings of two numbers in [0, 1], on a grid and at random, and the one that matters.

    `quality` gives the result for that number, and `best` is its largest value. The ticks under the curve are
    the values tried.
    """
    rng = Random(seed)
    middle = [(i + 0.5) / trials for i in range(trials)]
    settings = {
        "grid": [(x, y) for x in middle for y in middle],
        "random": [(rng.random(), rng.random()) for _ in range(trials**2)],
    }
    figure = new_figure(9.0, 4.0)
    rows = figure.subplots(2, 2, sharex=True, height_ratios=(1, 1.5))
    x = np.linspace(0, 1, 301)
    clauses = []
    for column, (name, points) in enumerate(settings.items()):
        above, below = rows[0][column], rows[1][column]
        values = [quality(point[0]) for point in points]
        colour = (BLUE, ORANGE)[column]
        above.plot(x, [quality(setting) for setting in x], color=GREY)
        above.plot(
            [point[0] for point in points], values, "|", color=colour, markersize=14, markeredgewidth=2
        )
        above.axhline(best, color=LIGHT_GREY, linewidth=1, linestyle=":")
        above.set(title=name, ylim=(0, 1.15 * best), yticks=())
        below.plot(*zip(*points, strict=True), "os"[column], color=colour)
        below.set(xlim=(0, 1), ylim=(0, 1), xticks=(), yticks=(), xlabel="the number that matters")
        distinct = len({round(point[0], 9) for point in points})
        clauses.append(f"{name}: {distinct} different values, best result {max(values):.2f} of {best:.2f}")
    rows[0][0].set_ylabel("result")
    rows[1][0].set_ylabel("the other number")
    return Still(figure, f"{trials**2} trials each. {'; '.join(clauses)}.")


def search_figure(grid: Sequence[GridRun], random: Sequence[GridRun], chosen: GridRun) -> Still:
    """Validation accuracy by learning rate: the grid's runs, the random search's, and the chosen."""
    figure = new_figure(8.0, 3.4)
    axes = open_axes(figure)
    clauses = []
    for name, runs, marker, colour in (("grid", grid, "s", BLUE), ("random search", random, "o", ORANGE)):
        rates = [run.learning_rate for run in runs]
        accuracies = [100 * run.validation_accuracy[-1] for run in runs]
        look = {"color": colour, "markeredgecolor": "white", "markersize": 7}
        axes.plot(rates, accuracies, marker, label=f"{name}, {len(runs)} runs", **look)
        clauses.append(
            f"{name}: {len(runs)} runs with rates from {min(rates):g} to {max(rates):g},"
            f" {min(accuracies):.1f} to {max(accuracies):.1f} %"
        )
    at = chosen.learning_rate, 100 * chosen.validation_accuracy[-1]
    ring = {"markerfacecolor": "none", "markeredgecolor": VERMILION, "markeredgewidth": 2}
    axes.plot(*at, "o", markersize=15, label="chosen", **ring)
    axes.set(xscale="log", xlabel="learning rate", ylabel="validation accuracy, %")
    axes.legend(frameon=False, loc="lower right")
    setting = f"batch {chosen.batch_size}, rate {chosen.learning_rate:g}, {chosen.epochs} epochs"
    return Still(
        figure,
        f"Validation accuracy by learning rate. {'; '.join(clauses)}. Chosen: {setting}, {at[1]:.1f} %.",
    )
