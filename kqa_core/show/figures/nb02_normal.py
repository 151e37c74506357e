"""Notebook 02: the probability of a normal variable below a bound, as an area and on a curve."""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, new_figure
from kqa_core.show.kit.still import Still


def show_normal_area(mean: float, variance: float, below: float) -> Still:
    """N(mean, variance): its density, shaded below a bound, and the probability ½(1 + erf) of each bound.

    Raises UserError unless the variance is positive.
    """
    if not variance > 0:
        raise UserError(f"variance = {variance}: a positive number was expected")
    normal = NormalDist(mean, math.sqrt(variance))
    probability = normal.cdf(below)
    x = np.linspace(mean - 3.5 * normal.stdev, mean + 3.5 * normal.stdev, 400)
    density, total = (
        np.array([function(float(value)) for value in x]) for function in (normal.pdf, normal.cdf)
    )
    figure = new_figure(9.0, 3.0)
    left, right = figure.subplots(1, 2)
    left.plot(x, density, color=BLUE, linewidth=2)
    left.fill_between(x, density, where=x <= below, color=BLUE, alpha=0.25, linewidth=0)
    left.set(title=f"density: the shaded area is {probability:.3f}", ylim=(0, None), ylabel="density")
    right.plot(x, total, color=ORANGE, linewidth=2)
    right.plot([x[0], below, below], [probability, probability, 0], color=GREY, linestyle="--", linewidth=1)
    right.plot(below, probability, "o", color=ORANGE, markersize=8)
    right.set(title="probability of being below a bound", ylim=(0, 1.02), ylabel="probability")
    for axes in (left, right):
        axes.axvline(below, color=GREY, linestyle="--", linewidth=1) if axes is left else None
        axes.set(xlim=(x[0], x[-1]), xlabel=r"$\varepsilon$")
        axes.spines[["top", "right"]].set_visible(False)
    return Still(
        figure,
        f"A normal variable with mean {mean:g} and variance {variance:g} is below {below:.3f} with"
        f" probability {probability:.3f}: the shaded area under its density, and the height of the curve"
        " beside it.",
    )
