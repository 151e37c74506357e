"""The figures of notebook 03: the outputs that three tokens can have without matrices, and with them.

- `hull_figure`: plain attention has four dimensions, so the figure is a projection. To the right is u_b − u_c
  − u_d − u_a/2, upwards u_d − u_c. All averages of tokens are on one side of the dashed line and u_b is on
  the other. The paths are c₁ for β from 0 to 3.
- `reach_figure`: the values over u_b and −u_c, at β = 3 if they depend on β. They are those of the student's
  own W_V, or of one with W_V x₁ = 0. The paths are c₀ and c₁ with the student's W_Q and W_K, in the standard
  basis. Lengths are in units of β = ‖u‖.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy
from numpy.typing import NDArray

from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, new_figure
from kqa_core.show.kit.sketch import label, listed
from kqa_core.show.kit.still import Still
from kqa_core.symbolic.limits import value_at

Table = NDArray[np.float64]
U_A, U_B, U_C, U_D = np.eye(4)
BETAS = np.linspace(0.0, 3.0, 61)
PLANE = np.array([U_B - U_C - U_D - U_A / 2, U_D - U_C])  # (2, 4): to the right, upwards
VALUES = np.array([U_B, 0 * U_B, U_B - U_C])  # (3, 4): W_V x₀, W_V x₁, W_V x₂
NAMES = ("u_b", "0", "u_b - u_c")  # of these values


def plain_output(second: Table, beta: float) -> Table:
    """c₁/β for plain attention, (4,), where x₁/β is `second`."""
    tokens = np.array([U_D + U_B, second, U_C + U_B])
    return np.asarray(_weights(beta**2 * tokens @ second) @ tokens)


def _weights(logits: Table) -> Table:
    powers = np.exp(logits - logits.max())
    return np.asarray(powers / powers.sum())


def outputs_with(given: Any, beta: sympy.Symbol) -> tuple[Table, Table] | None:
    """c₀/β and c₁/β along the trail (steps, 2, 4), and the values/β at its end (3, 4); or None.

    `given` holds W_Q and W_K over the standard basis, and W_V if the values are not `VALUES`.
    """
    try:
        query_matrix, key_matrix, *own = given
        x0, x1, x2 = (beta * sympy.Matrix([int(n) for n in x]) for x in (U_D + U_B, U_A, U_C + U_B))
        keys, queries = [key_matrix * x for x in (x0, x1, x2)], [query_matrix * x for x in (x0, x1)]
        logits = [sympy.expand(key.dot(query)) for query in queries for key in keys]
        values = [list(own[0] * x / beta) for x in (x0, x1, x2)] if own else VALUES.tolist()
        entries = [*logits, *(sympy.sympify(entry) for value in values for entry in value)]
        table = [[value_at(entry, beta, float(at)) for entry in entries] for at in BETAS[1:]]
        numbers = np.array(table, dtype=np.float64)  # (steps, 6 + 12); a None becomes nan
        rows, seen = numbers[:, :6].reshape(-1, 2, 3), numbers[:, 6:].reshape(-1, 3, 4)
    except (TypeError, ValueError, AttributeError, IndexError):
        return None
    if not np.isfinite(numbers).all():
        return None
    return (
        np.array([[_weights(row) @ now for row in both] for both, now in zip(rows, seen, strict=True)]),
        seen[-1],
    )


def hull_figure() -> Still:
    """Three choices of x₁: the averages that each allows, the path of c₁, and u_b, out of reach."""
    figure = new_figure(7.5, 4.4)
    axes = figure.subplots()
    x0, x2, target = (PLANE @ v for v in (U_D + U_B, U_C + U_B, U_B))
    looks = (
        ("$x_1 = u_a$", U_A, BLUE, "-", "o"),
        ("$x_1 = u_a + u_d$", U_A + U_D, ORANGE, "--", "s"),
        ("$x_1 = u_a + u_c$", U_A + U_C, GREEN, ":", "^"),
    )
    for name, second, colour, line, marker in looks:
        hull = np.array([x0, PLANE @ second, x2, x0])
        axes.fill(hull[:, 0], hull[:, 1], color=colour, alpha=0.1)
        path = np.array([PLANE @ plain_output(second, b) for b in BETAS])  # (steps, 2)
        axes.plot(path[:, 0], path[:, 1], line, color=colour, linewidth=2)
        axes.plot(*path[-1], marker, color=colour, markersize=9, label=name)
    axes.axvline(0.5, color=GREY, linestyle=(0, (4, 3)), linewidth=1)
    axes.plot(*target, "*", color=PINK, markersize=16)
    label(axes, "$u_b$", target, (0, -18), ha="center", fontsize=12)
    for name, place, dy in (("$x_0$", x0, 8), ("$x_2$", x2, -16)):
        axes.plot(*place, "o", color=LIGHT_GREY, markersize=8, fillstyle="none")
        label(axes, name, place, (0, dy), ha="center", fontsize=12)
    axes.set(
        title="All averages of the tokens, projected from four dimensions to two",
        xlim=(-1.75, 1.3),
        ylim=(-1.4, 1.4),
        xlabel=r"dot product with $u_b - u_c - u_d - \frac{1}{2}u_a$",
        ylabel=r"dot product with $u_d - u_c$",
    )
    axes.legend(frameon=False, loc="lower right", title=r"path of $c_1$ from $\beta = 0$ to 3, for")
    return Still(
        figure,
        "Three shaded triangles hold all averages of the tokens, for x₁ = u_a, u_a + u_d and u_a + u_c. In"
        " each, c₁ moves from the middle to the corner x₁ as β grows. u_b lies to the right of a dashed line"
        " that no triangle crosses.",
    )


def reach_figure(given: Any, beta: sympy.Symbol) -> Still:
    """The values and both outputs; `given` is what key_query returns for four dimensions, or None."""
    figure = new_figure(6.0, 4.0)
    outputs = outputs_with(given, beta)
    trail, values = outputs or (None, VALUES)
    corners = np.stack([values[:, 1], -values[:, 2]], axis=1)  # (3, 2): over u_b and −u_c
    _draw_values(figure.subplots(), corners, values, trail)
    sentence = (
        f"The triangle of the values has the corners {', '.join(listed(corner) for corner in corners)} over"
        " u_b and −u_c."
    )
    if trail is None:
        return Still(figure, sentence)
    ends = [float(np.linalg.norm(trail[-1, 0] - VALUES[2])), float(np.linalg.norm(trail[-1, 1] - VALUES[0]))]
    sentence += (
        f" With your W_Q and W_K, at β = 3, c₀ is {ends[0]:.2f}·‖u‖ away from u_b − u_c and c₁"
        f" {ends[1]:.2f}·‖u‖ from u_b."
    )
    return Still(figure, sentence)


def _draw_values(axes: Any, corners: Table, values: Table, trail: Table | None) -> None:
    axes.fill(corners[:, 0], corners[:, 1], color=GREY, alpha=0.12)
    usual = [bool(np.allclose(*both)) for both in zip(values, VALUES, strict=True)]
    # of the names, from their corners
    places = ((0, -0.14), (0, -0.14) if usual[1] else (0.06, 0.06), (-0.05, 0.09))
    for number, ((x, y), (dx, dy)) in enumerate(zip(corners, places, strict=True)):
        axes.plot(x, y, "o", color=LIGHT_GREY, markersize=9, fillstyle="none")
        name = f"$W_V x_{number}{f' = {NAMES[number]}' if usual[number] else ''}$"
        axes.text(x + dx, y + dy, name, ha="center" if usual[number] else "left")
    for number, (name, colour, line, marker) in enumerate(
        (("$c_0$", BLUE, "-", "o"), ("$c_1$", ORANGE, "--", "s"))
    ):
        if trail is not None:
            path = np.stack([trail[:, number, 1], -trail[:, number, 2]], axis=1)  # (steps, 2)
            axes.plot(path[:, 0], path[:, 1], line, color=colour, linewidth=2)
            axes.plot(*path[-1], marker, color=colour, label=name)
    if trail is not None:
        axes.legend(frameon=False, loc="upper left", title=r"path from $\beta = 0$ to 3")
    axes.set(
        title="All averages of the values",
        xlim=(min(-0.35, corners[:, 0].min() - 0.2), max(1.4, corners[:, 0].max() + 0.4)),
        ylim=(min(-0.3, corners[:, 1].min() - 0.2), max(1.3, corners[:, 1].max() + 0.2)),
        xlabel="how much of $u_b$",
        ylabel="how much of $-u_c$",
    )
