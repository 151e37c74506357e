"""Notebook 02: outputs that mix three values, as points of the triangle between the values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.patches import Circle

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import CATEGORIES, GREY, PINK, new_figure
from kqa_core.show.kit.sketch import label
from kqa_core.show.kit.still import Still

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.75**0.5]])  # (3, 2): of the values a, b and of the third
TARGET, NEAR = np.array([0.5, 0.5, 0.0]), 0.1  # "near": the shares are closer than this to the target


def show_value_triangle(outputs: Mapping[str, Any], names: tuple[str, str, str], shown: int = 400) -> Still:
    """Outputs of several designs, by name: (N, 3) each, the shares of three values. The target is half and
    half of the first two, with a circle around the outputs that are near it.

    Raises UserError unless every row holds three shares that add up to 1.
    """
    figure = new_figure(4.2 * len(outputs), 3.9)
    figure.get_layout_engine().set(h_pad=0.12)  # inches; with less, the titles touch the edge
    clauses = []
    for axes, (title, outputs_of), colour in zip(
        figure.subplots(1, len(outputs), squeeze=False)[0], outputs.items(), CATEGORIES, strict=False
    ):
        shares = np.asarray(outputs_of, dtype=np.float64)
        if shares.ndim != 2 or shares.shape[1] != 3 or not np.allclose(shares.sum(axis=1), 1):
            raise UserError(
                f"{title!r} has shape {shares.shape}: rows of three shares that add up to 1 were expected"
            )
        axes.fill(*CORNERS.T, color=GREY, alpha=0.12)
        points = shares[:shown] @ CORNERS  # (shown, 2)
        axes.plot(*points.T, "o", color=colour, markersize=4, alpha=0.5, markeredgewidth=0)
        place = TARGET @ CORNERS
        # a side has √2 in shares
        axes.add_patch(Circle(place, NEAR / 2**0.5, fill=False, color=PINK, linewidth=2, zorder=5))
        for name, (x, y), dy in zip(names, CORNERS, (-16, -16, 8), strict=True):
            label(axes, name, (x, y), (0, dy), ha="center")
        near = float(np.mean(np.linalg.norm(shares - TARGET, axis=1) < NEAR))
        label(axes, f"in the circle: {100 * near:.0f} %", place, (0, -32), ha="center", color=GREY)
        axes.set(title=title, aspect="equal", xlim=(-0.15, 1.15), ylim=(-0.15, 1.02))
        axes.axis("off")
        a, b, rest = shares.mean(axis=0)
        clauses.append(
            f"{title}: on average {a:.2f} of {names[0]}, {b:.2f} of {names[1]} and {rest:.2f} of {names[2]}; "
            f"{100 * near:.0f} % of the outputs are in the circle around the target, closer than {NEAR:g}"
        )
    return Still(
        figure,
        f"Each point is an output, a mixture of three values. {'. '.join(clauses)}."
        " The target is half and half of the first two.",
    )
