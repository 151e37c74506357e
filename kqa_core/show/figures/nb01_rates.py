"""The still figure of notebook 01 on rates: how fast two queries reach the average.

Rates are drawn on a log scale, where an exponential is a straight line: exact values as lines, a prediction
as dots on them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy

from kqa_core.show.figures.nb01_lookup import weights
from kqa_core.show.kit.palette import BLUE, ORANGE, new_figure
from kqa_core.show.kit.still import Still
from kqa_core.symbolic.limits import value_at

HIGHEST = 12.0


def rates_figure(rates: Any, n: int, beta: sympy.Symbol) -> Still:
    """½ − α against β for n keys, logits (β, β, 0, …) and (β, β, −β, …), and predictions in `beta`.

    `rates` may be anything: what cannot be evaluated is left out.
    """
    figure = new_figure(7.5, 3.6)
    axes = figure.subplots()
    grid = np.linspace(0, HIGHEST, 121)
    looks = (("others at 0", 0.0, BLUE, "-", "o"), ("others at −β", -1.0, ORANGE, "--", "s"))
    agree: list[float | None] = []
    for number, (name, others, colour, line, marker) in enumerate(looks):
        axes.semilogy(
            grid, [_shortfall(x, others, n) for x in grid], line, color=colour, label=f"{name}, exact"
        )
        dots = _dots(rates, number, beta)
        if dots:
            axes.semilogy(
                *zip(*dots, strict=True),
                marker,
                color=colour,
                fillstyle="none",
                label=f"{name}, your leading order",
            )
            near = [x for x, y in dots if abs(y / _shortfall(x, others, n) - 1) < 0.1]
            agree.append(near[0] if near and near[-1] == HIGHEST else None)
    axes.set(xlabel="β", ylabel="½ − α", title=f"Distance from the average, {n} keys")
    axes.set(xlim=(0, HIGHEST), ylim=(1e-11, 3))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, fontsize=9, loc="lower left")
    slow, fast = (_shortfall(6.0, others, n) for others in (0.0, -1.0))
    sentence = (
        f"With {n} keys, at β = 6 the weight falls short of ½ by {slow:.1e} where the others' logits stay"
        " at 0, "
    )
    sentence += (
        f"and by {fast:.1e} where they are lowered to −β. On the log scale both become straight lines, the"
        " second twice as steep."
    )
    if len(agree) == 2:
        places = [f"from β = {x:.0f} on" if x is not None else "nowhere to the end" for x in agree]
        sentence += (
            f" Your first leading order is within 10 % of its line {places[0]}, your second {places[1]}."
        )
    return Still(figure, sentence)


def _shortfall(x: float, others: float, n: int) -> float:
    return float(0.5 - weights(x, others, n)[0])


def _dots(rates: Any, number: int, beta: sympy.Symbol) -> list[tuple[float, float]]:
    """The predicted distances at β = 1, 2, …, as far as they are positive numbers."""
    try:
        expression = sympy.sympify(rates[number], strict=True)
    except (TypeError, IndexError, KeyError, sympy.SympifyError):
        return []
    dots = [(float(x), value_at(expression, beta, float(x))) for x in range(1, int(HIGHEST) + 1)]
    return [(x, y) for x, y in dots if y is not None and y > 0]
