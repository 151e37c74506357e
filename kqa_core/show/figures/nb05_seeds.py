"""Notebook 05: results of runs as one dot for each seed, with runs of the same seed joined by a line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import CATEGORIES, GREY, LIGHT_GREY, new_figure, open_axes
from kqa_core.show.kit.sketch import write, written
from kqa_core.show.kit.still import Still


def show_seed_dots(
    results: Mapping[str, Sequence[float]],
    pairs: Sequence[tuple[str, str]] | None = None,
    label: str = "result",
) -> Still:
    """A dot for each seed of each variant, and its mean as a bar; dots of one seed are joined.

    `results`: the values of each variant, in the same order of seeds. `pairs`: which variants to join
    (neighbours, by default); for each pair the picture says the mean of its differences. `label` names the
    values. Raises UserError for other names or unequal lengths.
    """
    counts = {len(values) for values in results.values()}
    if not results or len(counts) != 1 or 0 in counts:
        lengths = {name: len(values) for name, values in results.items()}
        raise UserError(
            f"results have {lengths} values: at least one variant, and one value for each seed in every"
            " variant, were expected"
        )
    names = list(results)
    joined = list(pairwise(names)) if pairs is None else [tuple(pair) for pair in pairs]
    for pair in joined:
        if len(pair) != 2 or not {*pair} <= {*names}:
            raise UserError(f"pair {pair!r}: two of {names} were expected")
    values = {name: np.asarray(result, dtype=np.float64) for name, result in results.items()}
    seeds = counts.pop()
    beside = np.linspace(-1, 1, seeds) * 0.05 * min(3, seeds - 1)  # so that equal dots are seen
    x = {name: place + beside for place, name in enumerate(names)}
    figure = new_figure(max(5.0, 1.5 * len(names) + 1.8), 3.8)
    axes = open_axes(figure)
    clauses = [
        f"{name}: {', '.join(f'{value:.4g}' for value in result)}, mean {result.mean():.4g}"
        for name, result in values.items()
    ]
    for one, two in joined:
        ends = np.stack([x[one], x[two]]), np.stack([values[one], values[two]])
        axes.plot(*ends, color=LIGHT_GREY, linewidth=1.2, zorder=1)
        gap, apart = float((values[two] - values[one]).mean()), abs(names.index(two) - names.index(one))
        at = ((names.index(one) + names.index(two)) / 2, 1.03 if apart == 1 else 1.17)
        text = f"mean difference\n{'+' if gap > 0 else ''}{written(gap)}"
        write(axes, at, text, transform=axes.get_xaxis_transform(), va="bottom")
        clauses.append(f"from {one} to {two}, runs of the same seed change by {written(gap)} on average")
    for seed in range(seeds):
        dots = [x[name][seed] for name in names], [values[name][seed] for name in names]
        look = {"color": CATEGORIES[seed % len(CATEGORIES)], "markersize": 9, "markeredgecolor": "white"}
        axes.plot(*dots, "osD^vP"[seed % 6], **look, label=f"seed {seed}")
    for place, name in enumerate(names):
        bar = [place - 0.2, place + 0.2], [values[name].mean()] * 2
        axes.plot(*bar, color=GREY, linewidth=2, label=None if place else "mean")
    axes.set_xticks(range(len(names)), names)
    axes.set(xlim=(-0.5, len(names) - 0.5), ylabel=label)
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize=9, loc="center left", bbox_to_anchor=(1, 0.5))
    return Still(figure, f"Results of {seeds} seeds. {'; '.join(clauses)}.")
