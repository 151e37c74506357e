"""Notebook 03: two sets of matrices on one colour scale, such as built and trained ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import new_figure
from kqa_core.show.kit.sketch import draw_table, matrix, signed
from kqa_core.show.kit.still import Still

MATRIX = re.compile(r"W_[A-Z](\^T)?")  # set as a formula
READABLE = 6  # up to this many columns the numbers are written into the cells


def compare_matrices(
    left: Mapping[str, Any],
    right: Mapping[str, Any],
    titles: tuple[str, str] = ("constructed", "learned"),
    labels: Mapping[str, tuple[Sequence[str], Sequence[str]]] | None = None,
) -> Still:
    """The matrices of both dicts, a column for each name, on one colour scale; masked ones hatched.

    `labels` may give the names of the rows and of the columns of a matrix; others are numbered from 0. Raises
    UserError unless both have the same names and, for each name, the same shape (rows, columns), which the
    labels fit.
    """
    if not left or list(left) != list(right):
        raise UserError(
            f"the names are {list(left)} and {list(right)}: the same names in the same order were expected"
        )
    pairs = {name: (matrix(name, left[name]), matrix(name, right[name])) for name in left}
    for name, (one, two) in pairs.items():
        if one.shape != two.shape:
            raise UserError(
                f"{name} has shape {one.shape} in {titles[0]!r} and {two.shape} in {titles[1]!r}: the same"
                " was expected"
            )
    for name, words in (labels or {}).items():
        shape, counts = pairs[name][0].shape if name in pairs else (), tuple(map(len, words))
        if counts != shape:
            raise UserError(
                f"labels of {name} are {counts} and its shape is {shape}: one for each row and column was"
                " expected"
            )
    scale = signed(*(table for pair in pairs.values() for table in pair))
    columns = max(one.shape[1] for one, _ in pairs.values())
    tall = max(one.shape[0] for one, _ in pairs.values())
    cell = 0.46 if columns <= READABLE else 0.16
    figure = new_figure(max(5.0, len(pairs) * (cell * columns + 0.6) + 1.2), 2 * (cell * tall + 0.55) + 0.2)
    panels = figure.subplots(2, len(pairs), squeeze=False)
    clauses, image = [], None
    for column, (name, pair) in enumerate(pairs.items()):
        for row, table in enumerate(pair):
            axes = panels[row][column]
            image = draw_table(
                axes, table, scale, digits=_digits(pair) if table.shape[1] <= READABLE else None
            )
            axes.tick_params(labelsize=8)
            if labels and name in labels:
                axes.set_yticks(range(table.shape[0]), labels=labels[name][0])
                axes.set_xticks(range(table.shape[1]), labels=labels[name][1])
            if row == 0:
                axes.set_title(MATRIX.sub(r"$\g<0>$", name), fontsize=12)
            if column == 0:
                axes.set_ylabel(titles[row], fontsize=11, fontweight="bold")
        both = np.isfinite(pair[0]) & np.isfinite(pair[1])
        most = float(np.abs(pair[0][both] - pair[1][both]).max(initial=0.0))
        clauses.append(f"{name}: the entries differ by at most {most:.2g}")
    bar = figure.colorbar(image, ax=panels, shrink=0.8, label="entry")
    if all((table[np.isfinite(table)] >= 0).all() for pair in pairs.values() for table in pair):
        bar.ax.set_ylim(0, scale["vmax"])  # such as weights: the bar shows no negative numbers
    return Still(
        figure, f"Matrices on one colour scale, above {titles[0]}, below {titles[1]}. {'; '.join(clauses)}."
    )


def _digits(pair: tuple[Any, Any]) -> int:
    finite = np.concatenate([table[np.isfinite(table)] for table in pair])
    return 0 if np.allclose(finite, np.round(finite)) else 1 if np.abs(finite).max() >= 9.995 else 2
