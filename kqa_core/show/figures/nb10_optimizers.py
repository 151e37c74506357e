"""Notebook 10: the paths of SGD, Adagrad and AdamW over the contour lines of a valley."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.figures.nb07_curves import DASHES
from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import CATEGORIES, GREY, LIGHT_GREY, new_figure
from kqa_core.show.kit.still import Still

STEEPNESS = (1.0, 100.0)  # the curvatures of the valley along its two axes
RATES = {"SGD": 0.015, "Adagrad": 0.3, "AdamW": 0.05}
STEPS, REACH = 60, 1.5
Path = Sequence[tuple[float, float]]


def valley(degrees: float = 0.0) -> np.ndarray[Any, Any]:
    """The matrix H (2, 2) of f(θ) = ½ θᵀHθ with curvatures 1 and 100, its axes turned by that angle."""
    return np.asarray(turned(degrees) @ np.diag(STEEPNESS) @ turned(degrees).T)


def turned(degrees: float) -> np.ndarray[Any, Any]:
    """The rotation by that angle, (2, 2)."""
    turn = math.radians(degrees)
    return np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])


def show_paths(paths: Mapping[str, Path], degrees: float = 0.0) -> Still:
    """Each optimiser's path of points (θ_0, θ_1) over the contour lines of the valley (see `valley`).

    Raises UserError unless every path has at least two points of two numbers each.
    """
    figure = new_figure(9.0, 3.4)
    return Still(figure, draw_paths(figure, paths, degrees))


def draw_paths(figure: Any, paths: Mapping[str, Path], degrees: float) -> str:
    """Draw one panel for each path. Returns the sentence that describes the picture."""
    H = valley(degrees)
    x, y = np.meshgrid(*2 * [np.linspace(-REACH, REACH, 161)])
    height = 0.5 * (H[0, 0] * x**2 + 2 * H[0, 1] * x * y + H[1, 1] * y**2)
    panels = figure.subplots(1, len(paths), sharey=True, squeeze=False)[0]
    clauses = []
    for number, (axes, (name, path)) in enumerate(zip(panels, paths.items(), strict=True)):
        points = np.asarray(path, dtype=np.float64)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2:
            raise UserError(
                f"the path of {name}: at least two points of two numbers were expected, not shape"
                f" {points.shape}"
            )
        colour = CATEGORIES[number % len(CATEGORIES)]
        axes.contour(x, y, height, levels=[0.05, 0.3, 1, 3, 8, 18, 35, 60], colors=LIGHT_GREY, linewidths=0.7)
        shown = np.clip(np.nan_to_num(points, nan=1e3), -1e3, 1e3)
        axes.plot(
            *shown.T, DASHES[number % len(DASHES)], marker="o", markersize=3, color=colour, linewidth=1.2
        )
        axes.plot(*shown[0], "s", color=GREY, markersize=6)
        axes.plot(0, 0, "+", color=GREY, markersize=11)
        axes.plot(*shown[-1], "o", color=GREY, markerfacecolor="none", markersize=9)
        axes.set(xlim=(-REACH, REACH), ylim=(-REACH, REACH), title=name, xlabel="$θ_0$", aspect="equal")
        (first, second), left = points[-1], float(np.linalg.norm(points[-1]))
        where = f"ends at ({first:.3f}, {second:.3f})" if left < 100 else "leaves the picture"
        clauses.append(f"{name} {where}".replace("-", "−"))
    panels[0].set_ylabel("$θ_1$")
    ends = "; ".join(clauses)
    return f"Paths over the contour lines, from the square to the circle; + is the minimum. {ends}."


def descent(name: str, rate: float, degrees: float, steps: int = STEPS) -> list[tuple[float, float]]:
    """The steps + 1 points of torch's optimiser of this name, from (1, 1), turned with the valley."""
    import torch

    theta, H = torch.from_numpy(turned(degrees) @ np.ones(2)), torch.from_numpy(valley(degrees))
    kinds: dict[str, Any] = {
        "SGD": torch.optim.SGD,
        "Adagrad": torch.optim.Adagrad,
        "AdamW": torch.optim.AdamW,
    }
    optimizer, path = kinds[name]([theta], lr=rate), [(float(theta[0]), float(theta[1]))]
    for _ in range(steps):
        theta.grad = H @ theta
        optimizer.step()
        path.append((float(theta[0]), float(theta[1])))
    return path


def paths_slider() -> LiveFigure:
    """The three paths with sliders for the learning rates (times the notebook's) and the angle."""

    def draw(figure: Any, rate_times: float, angle: float) -> str:
        paths = {
            f"{name}, rate {rate_times * rate:.3g}": descent(name, rate_times * rate, angle)
            for name, rate in RATES.items()
        }
        return draw_paths(figure, paths, angle)

    return live_figure(draw, width=9.0, height=3.4, rate_times=(0.25, 2.0, 0.25, 1.0), angle=(0, 45, 15, 0))
