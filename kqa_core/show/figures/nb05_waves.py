"""Notebook 05: a table of position vectors as a heat map, and a few of its columns as curves."""

from __future__ import annotations

from typing import Any

import numpy as np

from kqa_core.show.kit.palette import CATEGORIES, new_figure
from kqa_core.show.kit.sketch import matrix, signed
from kqa_core.show.kit.still import Still

LINES = ("-", "--", "-.", ":")


def show_position_waves(table: Any) -> Still:
    """A position table (T, d), a row for each position; a few columns as curves.

    Raises UserError unless `table` has rows and columns.
    """
    numbers = matrix("table", table)
    length, width = numbers.shape
    chosen = [0, *sorted({width // part for part in (8, 4, 2)} - {0})]  # fast waves and slow ones
    figure = new_figure(9.5, 4.0)
    heat, curves = figure.subplots(1, 2, width_ratios=(1, 1.15))
    image = heat.imshow(numbers, aspect="auto", interpolation="nearest", **signed(numbers))
    heat.set(xlabel="component of the position vector", ylabel="position t")
    heat.set_title("one row for each position")
    figure.colorbar(image, ax=heat, label="value")
    for column, colour, line in zip(chosen, CATEGORIES, LINES, strict=False):
        below = {"transform": heat.get_xaxis_transform(), "clip_on": False}
        heat.plot(column, -0.02, "v", color=colour, markersize=9, **below)
        curves.plot(numbers[:, column], line, color=colour, linewidth=1.8, label=f"component {column}")
    curves.set(xlabel="position t", ylabel="value", xlim=(0, max(1, length - 1)), title="some of its columns")
    curves.legend(
        frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.17), ncols=2, fontsize=9, handlelength=2.6
    )
    curves.axhline(0, color="#bbbbbb", linewidth=0.8, zorder=0)
    curves.spines[["top", "right"]].set_visible(False)
    clauses = "; ".join(
        f"component {column} changes its sign {_crossings(numbers[:, column])} times" for column in chosen
    )
    return Still(
        figure, f"{length} position vectors of {width} components. Over the {length} positions, {clauses}."
    )


def _crossings(wave: Any) -> int:
    """How often a sequence changes its sign; zeros do not count."""
    signs = np.sign(wave[np.abs(wave) > 1e-9])
    return int(np.sum(signs[1:] != signs[:-1]))
