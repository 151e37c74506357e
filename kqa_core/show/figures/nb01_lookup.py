"""The β slider of notebook 01: what a growing query does to weights, output, and distance from ½.

- Orthonormal keys k_0 … k_{n−1}; the query is β·(k_0 + k_1), or β·(k_0 + k_1 − the others). The logits are
  then β, β and 0 or −β.
- Left: the weights. Middle: the output for three keys, which moves inside the triangle of the values to the
  midpoint of an edge.
- Right: ½ − α_0 against β on a log scale, for both queries, where a straight line is an exponential and its
  slope the rate.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kqa_core.show.kit.live_figure import LiveFigure, Move, live_figure
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, 0.9]])  # (3, 2): the values v_0, v_1, v_2
# what the query gives to each other key, in units of β
QUERIES = {"β(k₀ + k₁)": 0.0, "β(k₀ + k₁ − others)": -1.0}
LOOK = {"β(k₀ + k₁)": (BLUE, "-", "o"), "β(k₀ + k₁ − others)": (ORANGE, "--", "s")}
HIGHEST = 12.0


def weights(beta: float, others: float, n: int) -> NDArray[np.float64]:
    """softmax(β, β, β·others, …): the weights of n keys, shape (n,)."""
    logits = beta * np.array([1.0, 1.0] + [others] * (n - 2))
    exponentials = np.exp(logits - logits.max())
    result: NDArray[np.float64] = exponentials / exponentials.sum()
    return result


def draw_lookup(figure: Any, beta: float, n: int) -> Move:
    """Draw the three pictures for n keys; returns the function that updates and describes them."""
    bars, triangle, rates = figure.subplots(1, 3, width_ratios=(1.1, 1, 1.2))
    path = np.linspace(0, HIGHEST, 200)
    outline = CORNERS[[0, 1, 2, 0]]
    triangle.plot(outline[:, 0], outline[:, 1], color=GREY, linewidth=1)
    moving = []
    for side, (name, others) in zip((-0.2, 0.2), QUERIES.items(), strict=True):
        colour, line, marker = LOOK[name]
        hatch = "//" if line == "--" else None  # never by colour alone
        look = {"width": 0.38, "color": colour, "hatch": hatch, "edgecolor": "white", "label": name}
        heights = bars.bar(np.arange(n) + side, np.zeros(n), **look)
        trail = np.array([weights(b, others, 3) @ CORNERS for b in path])  # (steps, 2)
        (trace,) = triangle.plot([], [], line, color=colour, linewidth=1)
        hollow = (
            {"markersize": 12, "fillstyle": "none", "markeredgewidth": 2}
            if marker == "o"
            else {"markersize": 6}
        )
        (end,) = triangle.plot([], [], marker, color=colour, **hollow)  # a ring, seen behind the square
        rates.semilogy(path, [0.5 - weights(b, others, n)[0] for b in path], line, color=colour, label=name)
        (dot,) = rates.plot([], [], marker, color=colour)
        moving.append((others, heights, trail, trace, end, dot))

    bars.set(ylim=(0, 0.62), xticks=range(n), xlabel="key")
    bars.axhline(0.5, color=GREY, linewidth=0.8, linestyle=":")
    bars.legend(loc="upper right", fontsize=8, frameon=False)
    for label, (x, y), dy in zip(("v₀", "v₁", "v₂"), CORNERS, (-0.12, -0.12, 0.04), strict=True):
        triangle.text(x, y + dy, label, ha="center")
    triangle.set(xlim=(-0.15, 1.15), ylim=(-0.2, 1.08), aspect="equal")
    triangle.axis("off")
    rates.set(xlabel="β", xlim=(0, HIGHEST), ylim=(1e-11, 1))
    decades = ["1", "10⁻²", "10⁻⁴", "10⁻⁶", "10⁻⁸", "10⁻¹⁰"]  # as text: formulas take long to set
    rates.set_yticks([10.0**-power for power in (0, 2, 4, 6, 8, 10)], decades)
    rates.grid(alpha=0.3)
    for axes, title in ((bars, "weights"), (triangle, "output, three keys"), (rates, "½ − α₀")):
        axes.set_title(title, y=1.0)  # given, because otherwise its height is computed at each drawing

    def move(beta: float, n: int) -> str | None:
        if n != len(moving[0][1]):
            return None
        firsts = []
        for others, heights, trail, trace, end, dot in moving:
            weight = weights(beta, others, n)
            for bar, height in zip(heights, weight, strict=True):
                bar.set_height(height)
            trace.set_data(*trail[path <= beta].T)
            end.set_data(*(weights(beta, others, 3) @ CORNERS)[:, None])
            dot.set_data([beta], [0.5 - weight[0]])
            firsts.append(weight[0])
        return (
            f"At β = {beta:.1f}, with {n} keys, the first two values get a weight of {firsts[0]:.4f} each"
            f" from β(k₀ + k₁) and {firsts[1]:.4f} from β(k₀ + k₁ − others)."
        )

    return move


def lookup_slider(beta: float = 1.0) -> LiveFigure:
    """The slider, for β from 0 to 12 and 3 to 10 keys."""
    return live_figure(draw_lookup, width=9.5, height=3.3, beta=(0.0, HIGHEST, 0.1, beta), n=(3, 10, 1, 4))
