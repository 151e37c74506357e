"""Notebook 02: keys that vary, as a cloud of samples with its ellipse, and the level lines of a query.

- The ellipse is where 95 % of the keys fall. Along each principal axis it reaches r standard deviations: r² =
  −2 ln 0.05 for a cloud in two directions, and r = 1.96 for one along a line (quantiles of chi-squared with 2
  degrees of freedom and with 1).
- On a level line of the query all keys have the same logit. A key N(μ, Σ) has the logit N(μ·q, qᵀΣq).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import CATEGORIES, GREY, LIGHT_GREY, new_figure, open_axes
from kqa_core.show.kit.sketch import ARROW, HALO, INK, label, listed, write, written
from kqa_core.show.kit.still import Still

Array = NDArray[np.float64]
INSIDE = 0.95
NUMBERS = "₀₁₂₃₄₅₆₇₈₉"


def principal_axes(covariance: Array) -> tuple[Array, Array]:
    """Standard deviations (2,) along the principal axes, the larger first, and the axes as columns."""
    variances, directions = np.linalg.eigh(covariance)
    return np.sqrt(np.clip(variances[::-1], 0, None)), directions[:, ::-1]


def reach(deviations: Array) -> float:
    """How many standard deviations the ellipse of 95 % reaches."""
    flat = deviations[1] <= 1e-6 * deviations[0]
    return NormalDist().inv_cdf((1 + INSIDE) / 2) if flat else math.sqrt(-2 * math.log(1 - INSIDE))


def ellipse(mean: Array, covariance: Array, points: int = 181) -> Array:
    """The outline (points, 2) within which 95 % of the keys fall."""
    deviations, directions = principal_axes(covariance)
    angle = np.linspace(0, 2 * math.pi, points)
    return np.asarray(
        mean + reach(deviations) * (np.stack([np.cos(angle), np.sin(angle)], 1) * deviations) @ directions.T
    )


def show_key_cloud(
    mean: ArrayLike, covariance: ArrayLike, query: ArrayLike | None = None, samples: int = 200, seed: int = 0
) -> Still:
    """Samples of one varying key or of several in the plane, their ellipses, and the query's level lines.

    `mean` (2,) and `covariance` (2, 2), or lists of n means and n covariances; `query` (2,). Raises UserError
    for other shapes, for a covariance that is not one, and for fewer than 1 sample.
    """
    means, covariances = _clouds(mean, covariance)
    q = None if query is None else np.asarray(query, dtype=np.float64)
    if q is not None and q.shape != (2,):
        raise UserError(f"query has shape {q.shape}: two numbers were expected")
    if samples < 1:
        raise UserError(f"samples = {samples}: at least 1 was expected")
    generator = np.random.default_rng(seed)
    drawn, outlines, clauses = [], [], []
    for number, (centre, spread) in enumerate(zip(means, covariances, strict=True)):
        deviations, directions = principal_axes(spread)
        # (samples, 2)
        drawn.append(centre + (generator.standard_normal((samples, 2)) * deviations) @ directions.T)
        outlines.append(ellipse(centre, spread))
        line = f"k{NUMBERS[number]} varies around {listed(centre)} with standard deviations " + " and ".join(
            map(written, deviations)
        )
        if q is not None:
            deviation = math.sqrt(max(0.0, q @ spread @ q))
            line += (
                f", so its logit is {written(centre @ q)} on average, with standard deviation"
                f" {written(deviation)}"
            )
        clauses.append(line)
    everything = np.concatenate([np.zeros((1, 2)), *drawn, *outlines])
    margin = 0.07 * float(np.ptp(everything, axis=0).max()) + 0.05
    low, high = everything.min(axis=0) - margin, everything.max(axis=0) + margin
    width, height = high - low
    tall = float(np.clip(6.4 * height / width, 2.0, 4.8))
    figure = new_figure(float(np.clip(tall * width / height + 1.0, 5.0, 7.4)), tall + 0.8)
    axes = open_axes(figure)
    axes.set(xlabel="first component", ylabel="second component")
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
    if q is not None and q.any():
        occupied = np.concatenate([*drawn, *outlines, *means[None]])
        _level_lines(axes, q, means[0] @ q, 0.3 * float(np.hypot(width, height)), occupied)
    for number, (centre, samples_of, outline) in enumerate(zip(means, drawn, outlines, strict=True)):
        colour = CATEGORIES[number % len(CATEGORIES)]
        axes.plot(
            *samples_of.T, "o^sDvP"[number % 6], color=colour, markersize=3.5, alpha=0.45, markeredgewidth=0
        )
        axes.plot(*outline.T, color=colour, linewidth=2)
        axes.plot(
            *centre, "o", color=colour, markersize=9, markeredgecolor="white", markeredgewidth=1.5, zorder=5
        )
        look = {"fontsize": 10, "zorder": 6, "color": INK, "bbox": HALO}
        label(axes, f"mean of k{NUMBERS[number]}", centre, (8, 8), **look)
    axes.plot(0, 0, "+", color=GREY, markersize=9)
    axes.set_title(f"{samples} samples of each key; 95 % of all fall inside its ellipse", fontsize=11)
    return Still(
        figure,
        f"{samples} samples of each key, with the ellipse that holds 95 % of all. {'; '.join(clauses)}.",
    )


def _level_lines(axes: Any, query: Array, logit: float, length: float, occupied: Array) -> None:
    """Lines of equal logit, one at `logit`, and the query as an arrow no longer than `length`.

    The labels keep away from the points `occupied` (N, 2), from the arrow and from the words.
    """
    low, high = np.array([axes.get_xlim(), axes.get_ylim()]).T
    x, y = np.meshgrid(*np.linspace(low, high, 50).T)
    field = query[0] * x + query[1] * y
    step = float(np.diff(MaxNLocator(8).tick_values(field.min(), field.max()))[0])
    levels = logit + step * np.arange(
        math.ceil((field.min() - logit) / step), math.floor((field.max() - logit) / step) + 1
    )
    lines = axes.contour(x, y, field, levels=levels, colors=[LIGHT_GREY], linewidths=0.8, linestyles="--")
    norm, size = float(np.linalg.norm(query)), float(np.hypot(*(high - low)))
    shorter = min(1.0, length / norm)
    along = np.linspace(0, 1, 40)[:, None]
    words = (
        along * (high - low) * (0.25, 0) + shorter * query,
        low + (high - low) * ((0.5, 0.05) + along * (0.5, 0)),
    )
    occupied = np.concatenate([occupied, along * shorter * query, *words])
    labels, middle = [], (low + high) / 2
    for level in levels:
        foot = middle + (level - middle @ query) * query / norm**2
        points = foot + np.linspace(-size, size, 400)[:, None] * (-query[1], query[0]) / norm  # (400, 2)
        inside = points[
            ((points > low + 0.05 * (high - low)) & (points < high - 0.05 * (high - low))).all(axis=1)
        ]
        if len(inside):
            labels.append(inside[np.linalg.norm(inside[:, None] - occupied, axis=2).min(axis=1).argmax()])
    axes.clabel(
        lines,
        fmt=lambda level: written(level, 1).removesuffix(".0"),
        fontsize=8.5,
        colors=[GREY],
        manual=labels,
    )
    axes.annotate("", shorter * query, (0, 0), arrowprops=ARROW, zorder=6)
    name = "q, drawn shorter" if shorter < 1 else "q"
    label(axes, name, shorter * query, (6, -4), fontweight="bold", va="top", zorder=6, color=INK, bbox=HALO)
    corner = {"transform": axes.transAxes, "ha": "right", "va": "bottom"}
    write(axes, (0.99, 0.02), "dashed: keys with this logit", 9, INK, bbox=HALO, **corner)


def _clouds(mean: ArrayLike, covariance: ArrayLike) -> tuple[Array, Array]:
    """Means (n, 2) and covariances (n, 2, 2)."""
    means, covariances = (np.asarray(numbers, dtype=np.float64) for numbers in (mean, covariance))
    if means.ndim == 1:
        means, covariances = means[None], covariances[None]
    n = len(means)
    if means.shape != (n, 2) or covariances.shape != (n, 2, 2) or not 1 <= n <= len(NUMBERS):
        shapes = f"mean {means.shape} and covariance {covariances.shape}"
        raise UserError(f"{shapes}: (2,) and (2, 2) were expected, or lists of up to 10 of them")
    for number, matrix in enumerate(covariances):
        if not np.allclose(matrix, matrix.T) or np.linalg.eigvalsh(matrix).min() < -1e-9:
            wrong = f"covariance {number} is {matrix.tolist()}"
            raise UserError(f"{wrong}: a symmetric matrix without negative eigenvalues was expected")
    return means, covariances
