"""The widget on rotary positions: the dot product of a query and a key against their distance.

Left: each pair of components is a hand of a clock, rotated by distance · frequency. Right: the logit of a
query and a key that are equal, 1 in every pair, against their distance: the mean of the cosines of all hands.
If the exponent has the wrong sign, the fast pairs rotate by more than one radian per step, and the curve is
noise after the first step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE

PAIRS = 16  # of d = 32 components
FURTHEST = 128
EXPONENTS = {"−2m/d": -1.0, "+2m/d": 1.0}


def frequencies(theta: float, sign: float) -> Any:
    """Radians a step of each pair: theta^(sign · 2m/d), shape (PAIRS,)."""
    return theta ** (sign * np.arange(PAIRS) / PAIRS)


def likeness(distance: Any, theta: float, sign: float) -> Any:
    """The mean over the pairs of cos(distance · frequency): 1 at distance 0. distance (…,) → (…,)."""
    return np.cos(np.asarray(distance, dtype=float)[..., None] * frequencies(theta, sign)).mean(axis=-1)


def draw_phases(figure: Any, distance: int, theta_power: float, exponent: str) -> str:
    """Draw the rotation of each pair at this distance, and the logit against all distances."""
    theta, sign = 10.0**theta_power, EXPONENTS[exponent]
    clocks, curve = figure.subplots(1, 2, gridspec_kw={"width_ratios": (1, 1.5)})
    angles = distance * frequencies(theta, sign)
    for i, angle in enumerate(angles):
        row, column = divmod(i, 4)
        circle = np.linspace(0, 2 * np.pi, 60)
        clocks.plot(column + 0.4 * np.cos(circle), -row + 0.4 * np.sin(circle), color=GREY, linewidth=0.8)
        tip = column + 0.4 * np.cos(angle), -row + 0.4 * np.sin(angle)
        clocks.plot([column, tip[0]], [-row, tip[1]], color=BLUE, linewidth=2)
        clocks.text(column, -row - 0.43, f"pair {i}", ha="center", va="top", fontsize=7)
    clocks.set(aspect="equal", xticks=(), yticks=(), title=f"each pair turned by the distance {distance}")
    clocks.spines[:].set_visible(False)
    steps = np.arange(FURTHEST + 1)
    curve.plot(steps, likeness(steps, theta, sign), color=BLUE)
    here = float(likeness(distance, theta, sign))
    curve.plot([distance], [here], "o", color=ORANGE, markersize=8)
    curve.axhline(0, color=GREY, linewidth=0.8)
    curve.set(xlabel="distance t − i", ylabel="logit, 1 at distance 0")
    curve.set(ylim=(-1.05, 1.05), xlim=(0, FURTHEST))
    curve.set_title("a query and a key that are equal")
    curve.grid(alpha=0.3)
    many = int((np.abs(angles) >= 2 * np.pi).sum())
    return (
        f"With theta = {theta:.3g} and the exponent {exponent}, at distance {distance} the logit of two"
        f" vectors that are equal is {here:.2f} of what it is at distance 0; {many} of {PAIRS} pairs have"
        " turned all the way round."
    )


def rotary_slider(distance: int = 8) -> LiveFigure:
    """The sliders: distance up to 128, theta from 10 to a million, and the sign of the exponent."""
    return live_figure(
        draw_phases,
        width=9.5,
        height=3.9,
        distance=(0, FURTHEST, 1, distance),
        theta_power=(1.0, 6.0, 0.5, 4.0),
        exponent=list(EXPONENTS),
    )
