"""The figure of notebook 03: the outputs that three tokens can have without matrices, and with them.

- Left, plain attention, projected on two directions: w = u_b − u_c − u_d − u_a/2 to the right and u_d − u_c upwards. All averages
  of tokens lie on one side of the dashed line and u_b on the other; the trails are c₁ for β from 0 to 3.
- Right, the values of a V with V x₁ = 0, over u_b and −u_c; the trails are c₀ and c₁ with the student's K and Q, in the standard
  basis. Lengths are in units of β = ‖u‖.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, new_figure
from kqa_core.show.kit.still import Still
from kqa_core.symbolic.limits import value_at

Table = NDArray[np.float64]
U_A, U_B, U_C, U_D = np.eye(4)
BETAS = np.linspace(0.0, 3.0, 61)
PLANE = np.array([U_B - U_C - U_D - U_A / 2, U_D - U_C])  # (2, 4): to the right, upwards
VALUES = np.array([U_B, 0 * U_B, U_B - U_C])  # (3, 4): V x₀, V x₁, V x₂


def plain_output(second: Table, beta: float) -> Table:
    """c₁/β for plain attention, (4,), where x₁/β is `second`."""
    tokens = np.array([U_D + U_B, second, U_C + U_B])
    return np.asarray(_weights(beta**2 * tokens @ second) @ tokens)


def _weights(logits: Table) -> Table:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def outputs_with(pair: Any, beta: sympy.Symbol) -> Table | None:
    """c₀/β and c₁/β along the trail, (steps, 2, 4), for matrices K and Q over the standard basis; None if one has no value."""
    try:
        key_matrix, query_matrix = pair[0], pair[1]
        x0, x1, x2 = (beta * sympy.Matrix([int(n) for n in x]) for x in (U_D + U_B, U_A, U_C + U_B))
        keys, queries = [key_matrix * x for x in (x0, x1, x2)], [query_matrix * x for x in (x0, x1)]
        logits = [[sympy.expand(key.dot(query)) for key in keys] for query in queries]
    except (TypeError, ValueError, AttributeError, IndexError):
        return None
    trail = []
    for at in BETAS[1:]:
        numbers = [[value_at(logit, beta, float(at)) for logit in row] for row in logits]
        if any(number is None for row in numbers for number in row):
            return None
        trail.append([_weights(np.array(row, dtype=np.float64)) @ VALUES for row in numbers])
    return np.array(trail)


def reach_figure(pair: Any, beta: sympy.Symbol) -> Still:
    """Both pictures; `pair` is what key_query returns for the standard basis of four dimensions, or None."""
    figure = new_figure(9.5, 4.0)
    left, right = figure.subplots(1, 2, width_ratios=(1.15, 1))
    _draw_plain(left)
    said = "Without matrices, c₁ ends at x₁, at x₁ + u_d or at x₁ + u_c; u_b lies beyond the line that no average crosses."
    trail = outputs_with(pair, beta) if pair is not None else None
    _draw_values(right, trail)
    if trail is None:
        return Still(figure, f"{said} With matrices, the triangle of the values has u_b and u_b − u_c as corners.")
    ends = [float(np.linalg.norm(trail[-1, 0] - VALUES[2])), float(np.linalg.norm(trail[-1, 1] - VALUES[0]))]
    said += f" With your K and Q, at β = 3, c₀ is {ends[0]:.2f}·‖u‖ away from u_b − u_c and c₁ {ends[1]:.2f}·‖u‖ from u_b."
    return Still(figure, said)


def _draw_plain(axes: Any) -> None:
    x0, x2, target = (PLANE @ v for v in (U_D + U_B, U_C + U_B, U_B))
    looks = (
        ("c₁ as it is", U_A, BLUE, "-", "o"),
        ("x₁ + u_d", U_A + U_D, ORANGE, "--", "s"),
        ("x₁ + u_c", U_A + U_C, GREEN, ":", "^"),
    )
    for name, second, colour, line, marker in looks:
        hull = np.array([x0, PLANE @ second, x2, x0])
        axes.fill(hull[:, 0], hull[:, 1], color=colour, alpha=0.08)
        trail = np.array([PLANE @ plain_output(second, b) for b in BETAS])  # (steps, 2)
        axes.plot(trail[:, 0], trail[:, 1], line, color=colour, linewidth=2)
        axes.plot(*trail[-1], marker, color=colour, label=name)
    axes.axvline(0.5, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    axes.plot(*target, "*", color=PINK, markersize=14)
    axes.text(target[0], target[1] - 0.2, "u_b", ha="center")
    for name, place, dy in (("x₀", x0, 0.1), ("x₂", x2, -0.22)):
        axes.plot(*place, "o", color=LIGHT_GREY, markersize=7, fillstyle="none")
        axes.text(place[0], place[1] + dy, name, ha="center")
    axes.set(
        title="without matrices: c₁",
        xlim=(-1.75, 1.3),
        ylim=(-1.4, 1.4),
        xlabel="along w = u_b − u_c − u_d − u_a/2",
        ylabel="along u_d − u_c",
    )
    axes.legend(frameon=False, loc="lower right", fontsize=9)


def _draw_values(axes: Any, trail: Table | None) -> None:
    corners = np.array([[1.0, 0.0], [0.0, 0.0], [1.0, 1.0]])  # over u_b and −u_c
    axes.fill(corners[:, 0], corners[:, 1], color=GREY, alpha=0.12)
    for name, (x, y), dx, dy in zip(
        ("V x₀ = u_b", "V x₁ = 0", "V x₂ = u_b − u_c"), corners, (0, 0, -0.05), (-0.12, -0.12, 0.07), strict=True
    ):
        axes.plot(x, y, "o", color=LIGHT_GREY, markersize=9, fillstyle="none")
        axes.text(x + dx, y + dy, name, ha="center")
    for number, (name, colour, line, marker) in enumerate((("c₀", BLUE, "-", "o"), ("c₁", ORANGE, "--", "s"))):
        if trail is not None:
            path = np.stack([trail[:, number, 1], -trail[:, number, 2]], axis=1)  # (steps, 2)
            axes.plot(path[:, 0], path[:, 1], line, color=colour, linewidth=2)
            axes.plot(*path[-1], marker, color=colour, label=name)
    if trail is not None:
        axes.legend(frameon=False, loc="upper left")
    axes.set(title="with K, Q and V", xlim=(-0.35, 1.4), ylim=(-0.3, 1.3), xlabel="along u_b", ylabel="along −u_c")
