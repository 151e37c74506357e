"""Notebook 02: keys that vary, as a cloud of samples with its ellipse, and the level lines of a query.

- The ellipse is where 95 % of the keys fall. Along each principal axis it reaches r standard deviations: r² = −2 ln 0.05 for a
  cloud in two directions, and r = 1.96 for one along a line (quantiles of chi-squared with 2 degrees of freedom and with 1).
- On a level line of the query all keys have the same logit. A key N(μ, Σ) has the logit N(μ·q, qᵀΣq).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import CATEGORIES, GREY, LIGHT_GREY, new_figure
from kqa_core.show.kit.sketch import INK, listed, written
from kqa_core.show.kit.still import Still

Array = NDArray[np.float64]
INSIDE = 0.95
NUMBERS = "₀₁₂₃₄₅₆₇₈₉"


def principal_axes(covariance: Array) -> tuple[Array, Array]:
    """Standard deviations (2,) along the principal axes, the larger first, and these axes as columns (2, 2)."""
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
    return np.asarray(mean + reach(deviations) * (np.stack([np.cos(angle), np.sin(angle)], 1) * deviations) @ directions.T)


def show_key_cloud(
    mean: ArrayLike, covariance: ArrayLike, query: ArrayLike | None = None, samples: int = 200, seed: int = 0
) -> Still:
    """Samples of one varying key or of several in the plane, their ellipses, and the query's level lines.

    `mean` (2,) and `covariance` (2, 2), or lists of n means and n covariances; `query` (2,). Raises UserError for other
    shapes, for a covariance that is not one, and for fewer than 1 sample.
    """
    means, covariances = _clouds(mean, covariance)
    if samples < 1:
        raise UserError(f"samples = {samples}: at least 1 was expected")
    generator = np.random.default_rng(seed)
    figure = new_figure(6.4, 5.2)
    axes = figure.subplots()
    extent, said = [np.zeros((1, 2))], []
    for number, (centre, spread) in enumerate(zip(means, covariances, strict=True)):
        colour, name = CATEGORIES[number % len(CATEGORIES)], f"k{NUMBERS[number]}"
        deviations, directions = principal_axes(spread)
        drawn = centre + (generator.standard_normal((samples, 2)) * deviations) @ directions.T  # (samples, 2)
        outline = ellipse(centre, spread)
        axes.plot(*drawn.T, "o^sDvP"[number % 6], color=colour, markersize=3.5, alpha=0.45, markeredgewidth=0)
        axes.plot(*outline.T, color=colour, linewidth=2)
        axes.plot(*centre, "o", color=colour, markersize=9, markeredgecolor="white", markeredgewidth=1.5, zorder=5)
        halo = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
        axes.annotate(f"mean of {name}", centre, (8, 8), textcoords="offset points", color=INK, fontsize=10, zorder=6, bbox=halo)
        extent += [drawn, outline]
        said.append(f"{name} varies around {listed(centre)} with standard deviations " + " and ".join(map(written, deviations)))
        if query is not None:
            q = _vector("query", query)
            deviation = math.sqrt(max(0.0, q @ spread @ q))
            said[-1] += f", so its logit is {written(centre @ q)} on average, with standard deviation {written(deviation)}"
    low, high = (pick(np.concatenate(extent), axis=0) for pick in (np.min, np.max))
    margin = 0.08 * float((high - low).max()) + 0.05
    axes.set(
        xlim=(low[0] - margin, high[0] + margin),
        ylim=(low[1] - margin, high[1] + margin),
        aspect="equal",
        xlabel="k[0]",
        ylabel="k[1]",
    )
    axes.plot(0, 0, "+", color=INK, markersize=9)
    if query is not None:
        _level_lines(axes, _vector("query", query), means)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_title(
        f"{samples} samples of each key; the ellipse holds {INSIDE:.0%}".replace("%", " %")
        if len(means) > 1
        else f"{samples} samples of one key; the ellipse holds {INSIDE:.0%}".replace("%", " %"),
        fontsize=11,
    )
    return Still(figure, f"{samples} samples for each key, with the ellipse that holds 95 % of them. {'; '.join(said)}.")


def _level_lines(axes: Any, query: Array, means: Array) -> None:
    """Lines of equal logit, labelled, and the query as an arrow from the origin, scaled to be seen."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    x, y = np.meshgrid(np.linspace(left, right, 50), np.linspace(bottom, top, 50))
    if not query.any():
        return
    lines = axes.contour(x, y, query[0] * x + query[1] * y, levels=9, colors=[LIGHT_GREY], linewidths=0.8, linestyles="--")
    axes.clabel(lines, fmt=lambda level: written(level, 1).removesuffix(".0"), fontsize=8, colors=[GREY])
    size = max(float(np.linalg.norm(means, axis=1).max()), 0.3 * (right - left))
    shown = query * min(1.0, 0.8 * size / float(np.linalg.norm(query)))
    axes.annotate(
        "", shown, (0, 0), arrowprops={"arrowstyle": "-|>", "color": INK, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}, zorder=6
    )
    text = "q" if shown is query else "direction of q"
    halo = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1}
    axes.annotate(text, shown, (6, -4), textcoords="offset points", fontsize=10, fontweight="bold", va="top", zorder=6, bbox=halo)
    axes.set(xlim=(left, right), ylim=(bottom, top))
    axes.text(
        0.99,
        0.01,
        "dashed: all keys on a line have this logit",
        transform=axes.transAxes,
        ha="right",
        va="bottom",
        fontsize=8.5,
        color=GREY,
        bbox=halo,
    )


def _clouds(mean: ArrayLike, covariance: ArrayLike) -> tuple[Array, Array]:
    """Means (n, 2) and covariances (n, 2, 2)."""
    means, covariances = (np.asarray(each, dtype=np.float64) for each in (mean, covariance))
    if means.ndim == 1:
        means, covariances = means[None], covariances[None]
    n = len(means)
    if means.shape != (n, 2) or covariances.shape != (n, 2, 2) or not 1 <= n <= len(NUMBERS):
        raise UserError(
            f"mean {means.shape} and covariance {covariances.shape}: (2,) and (2, 2) were expected, or lists of up to 10 of them"
        )
    for number, each in enumerate(covariances):
        if not np.allclose(each, each.T) or np.linalg.eigvalsh(each).min() < -1e-9:
            raise UserError(
                f"covariance {number} is {each.tolist()}: a symmetric matrix without negative eigenvalues was expected"
            )
    return means, covariances


def _vector(name: str, given: ArrayLike) -> Array:
    found = np.asarray(given, dtype=np.float64)
    if found.shape != (2,):
        raise UserError(f"{name} has shape {found.shape}: two numbers were expected")
    return found
