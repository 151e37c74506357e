"""The growth of time and memory with the length, in notebook 09."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from kqa_core.show.kit.palette import CATEGORIES, new_figure
from kqa_core.show.kit.still import Still


def exponent(lengths: Sequence[int], measured: Sequence[float]) -> float:
    """The p of measured ≈ c·length^p: the slope of the least-squares line through the logarithms."""
    x, y = [math.log(length) for length in lengths], [math.log(value) for value in measured]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - mean_x) ** 2 for a in x)


def cost_figure(
    lengths: Sequence[int], seconds: Mapping[str, Sequence[float]], numbers: Mapping[str, Sequence[float]]
) -> Still:
    """Time and memory against length, both on log scales, where T^p is a line of slope p."""
    figure = new_figure(9.5, 3.8)
    clauses = []
    for axes, table, label in zip(
        figure.subplots(1, 2),
        (seconds, numbers),
        ("seconds, forward and backward", "numbers kept for the backward pass"),
        strict=True,
    ):
        for (name, values), colour, mark in zip(table.items(), CATEGORIES, "os^vDP", strict=False):
            slope = exponent(lengths, values)
            look = {"color": colour, "markersize": 4, "label": f"{name}, T^{slope:.2f}"}
            axes.loglog(lengths, values, f"{mark}-", base=2, **look)
            clauses.append(f"{name}: {label.split(',')[0].split(' ')[0]} like T^{slope:.2f}")
        axes.set(xlabel="T, positions", ylabel=label)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    return Still(figure, f"Measured growth with the length T: {'; '.join(clauses)}.")
