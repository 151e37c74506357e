"""The picture of a paired t-test: the differences with their interval, and t on Student's curve."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREY, LIGHT_GREY, ORANGE, VERMILION, new_figure
from kqa_core.show.kit.sketch import label
from kqa_core.show.kit.still import Still
from kqa_core.stats import mean_sd, t_quantile

EDGE = 8.0  # of the axis of t; a larger value is drawn at the edge


def show_paired_test(
    first: Sequence[float], second: Sequence[float], names: tuple[str, str] = ("first", "second")
) -> Still:
    """Left: each seed's difference first − second, their mean and 95 % interval. Right: t by chance.

    Raises UserError unless both have the same number of runs, at least two, with differences that vary.
    """
    if len(first) != len(second) or len(first) < 2:
        raise UserError(
            f"a paired test needs two lists of one length, at least 2; these have {len(first)} and"
            f" {len(second)}"
        )
    gaps = [a - b for a, b in zip(first, second, strict=True)]
    n, (mean, sd) = len(gaps), mean_sd(gaps)
    if sd == 0:
        raise UserError("all differences are equal: their standard deviation is 0, and t cannot be computed")
    error, limit = sd / math.sqrt(n), t_quantile(0.975, n - 1)
    t, half = mean / error, limit * error
    figure = new_figure(10.0, 2.9)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.15))

    left.axvline(0, color=GREY, linewidth=1)
    left.text(0, 2.62, "no difference", color=GREY, fontsize=8, ha="center", va="bottom")
    left.plot(gaps, [2] * n, "o", color=BLUE, markersize=7)
    left.errorbar([mean], [1], xerr=[[half], [half]], fmt="D", color=VERMILION, capsize=5)
    left.set_yticks([2, 1], ["one dot\nper seed", "mean, 95 %\ninterval"])
    left.set(ylim=(0.4, 2.6), xlabel=f"{names[0]} − {names[1]}")

    values = np.linspace(-EDGE, EDGE, 801)
    scale = math.exp(math.lgamma(n / 2) - math.lgamma((n - 1) / 2)) / math.sqrt((n - 1) * math.pi)
    heights = scale * (1 + values**2 / (n - 1)) ** (-n / 2)
    right.plot(values, heights, color=LIGHT_GREY)
    for side, tail in ((-1, values <= -limit), (1, values >= limit)):
        right.fill_between(
            values[tail], heights[tail], color=ORANGE, hatch="//", edgecolor="white", linewidth=0
        )
        where = f"{'below −' if side < 0 else 'above '}{limit:.2f}:\n2.5 % by chance"
        align = "right" if side < 0 else "left"
        right.text(side * min(limit + 0.2, EDGE), 0.075, where, fontsize=8, va="bottom", ha=align)
    shown = max(-EDGE, min(EDGE, t))
    mark = "<" if shown < t or t < -EDGE else "D"
    right.plot([shown], [0], mark, color=VERMILION, markersize=9, clip_on=False)
    label(right, f"t = {t:.1f}".replace("-", "−"), (shown, 0), (0, 14), ha="center", color=VERMILION)
    right.set(xlabel=f"t, if only chance made the differences (n = {n})")
    right.set(xlim=(-EDGE, EDGE), ylim=(0, None), yticks=())
    for axes in (left, right):
        axes.spines[["top", "right", "left"]].set_visible(False)
    verdict = "a difference" if abs(t) > limit else "not shown to differ"
    listed = ", ".join(f"{gap:.3g}" for gap in gaps)
    return Still(
        figure,
        f"{names[0]} minus {names[1]}: {listed}. Mean {mean:.3g}, 95 % interval {mean - half:.3g} to"
        f" {mean + half:.3g}. t = {t:.1f} against a limit of {limit:.2f}: {verdict}.",
    )
