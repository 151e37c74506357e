"""A heat map of attention weights: a row for each query, a column for each key.

Weights are drawn in cividis, fixed at 0 to 1, with the number in each cell: nothing is said by colour alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kqa_core.show.kit.palette import WEIGHTS, new_figure
from kqa_core.show.kit.sketch import write
from kqa_core.show.kit.still import Still


def weight_map(table: Any, rows: str | Sequence[str] = "query", columns: str = "key") -> Still:
    """Weights (m, n), a row for each query, as a picture. `rows`: the word for a row, or a name each."""
    numbers = np.asarray(table, dtype=np.float64)  # (m, n)
    m, n = numbers.shape
    names = [f"{rows} {i}" for i in range(m)] if isinstance(rows, str) else list(rows)
    figure = new_figure(0.9 * n + 1.6, 0.55 * m + 1.0)
    axes = figure.subplots()
    image = axes.imshow(numbers, aspect="auto", **WEIGHTS)
    for (i, j), number in np.ndenumerate(numbers):
        write(axes, (j, i), f"{number:.2f}", 10, "black" if number > 0.45 else "white")
    axes.set(xticks=range(n), xlabel=columns)
    axes.set_yticks(range(m), None if isinstance(rows, str) else names)
    axes.set_ylabel(rows if isinstance(rows, str) else "")
    figure.colorbar(image, ax=axes, label="weight")
    most = [
        f"{name} gives {row.max():.2f} to {_most(row, columns)}"
        for name, row in zip(names, numbers, strict=True)
    ]
    return Still(figure, f"{'; '.join(most)}.".capitalize())


def _most(row: Any, name: str) -> str:
    """The columns that share a row's largest weight."""
    places = [str(j) for j, number in enumerate(row) if number > row.max() - 0.005]
    return (
        f"{name} {places[0]}"
        if len(places) == 1
        else f"{name}s {', '.join(places[:-1])} and {places[-1]} each"
    )
