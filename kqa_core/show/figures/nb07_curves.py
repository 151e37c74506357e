"""The figures of notebook 07: accuracy of each model and at each stage, loss curves, learning-rate schedules.

- Every accuracy has its 95 % interval; a value that was not measured says so in place of its bar.
- A figure is a `Still`: a picture with a sentence that describes it, which is also its alt text.
- Colours are Okabe and Ito's, and never the only difference: bars have their names beside them, lines their
  own dashes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from kqa_core.show.kit.palette import (
    BLUE,
    GREEN,
    GREY,
    LIGHT_GREY,
    ORANGE,
    PINK,
    VERMILION,
    new_figure,
    open_axes,
)
from kqa_core.show.kit.sketch import INK, outline
from kqa_core.show.kit.still import Still
from kqa_core.stats import Proportion, mean_sd

DASHES = ("-", "--", "-.", ":")


@dataclass(frozen=True)
class Published:
    """A published result: shown in grey, without an interval."""

    value: float  # in [0, 1]
    note: str = "published"


Bar = Proportion | Published | None  # None: not measured


def gap(bars: Mapping[str, Bar], title: str = "") -> Still:
    """One horizontal bar per row of a table of accuracies, the first on top, each with its 95 % interval."""
    figure = new_figure(8.0, 0.8 + 0.45 * len(bars))
    axes = open_axes(figure)
    clauses = []
    for row, (name, bar) in enumerate(bars.items()):
        if bar is None or (isinstance(bar, Proportion) and not bar.total):
            axes.text(1, row, "not measured", va="center", color=GREY, style="italic")
            clauses.append(f"{name}: not measured")
        elif isinstance(bar, Published):
            axes.barh(row, 100 * bar.value, color="white", edgecolor=LIGHT_GREY, hatch="//")
            axes.text(100 * bar.value + 1, row, f"{100 * bar.value:.1f} % ({bar.note})", va="center")
            clauses.append(f"{name}: {100 * bar.value:.1f} % ({bar.note})")
        else:
            low, high = (100 * end for end in bar.interval)
            value = 100 * bar.value
            whiskers = [[max(0.0, value - low)], [max(0.0, high - value)]]  # (2, 1)
            drawn = axes.barh(row, value, color=BLUE, xerr=whiskers, error_kw={"capsize": 4, "ecolor": INK})
            _, caps, lines = drawn.errorbar
            outline([*caps, *lines])
            axes.text(high + 1, row, f"{value:.1f} %", va="center")
            clauses.append(f"{name}: {value:.1f} % ({low:.1f} to {high:.1f})")
    axes.set_yticks(range(len(bars)), list(bars))
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set(xlim=(0, 112), xlabel="right answers, % (bars with whiskers: 95 % interval)", title=title)
    axes.set_xticks(range(0, 101, 20))
    return Still(figure, f"{title + '. ' if title else ''}{'; '.join(clauses)}.")


def smooth(values: Sequence[float], width: int) -> list[float]:
    """Means over the last `width` values (fewer at the beginning): [4, 2, 0], width 2 → [4, 3, 1]."""
    means, total = [], 0.0
    for i, value in enumerate(values):
        total += value - (values[i - width] if i >= width else 0.0)
        means.append(total / min(i + 1, width))
    return means


def losses(curves: Mapping[str, Sequence[float]]) -> Still:
    """Each run's loss against its steps, smoothed over a fiftieth of the run, on a logarithmic axis."""
    figure = new_figure(8.0, 3.4)
    axes = open_axes(figure)
    clauses = []
    for (name, values), colour, dash in zip(
        curves.items(), (BLUE, ORANGE, GREEN, PINK) * len(curves), DASHES * len(curves), strict=False
    ):
        if not values:
            continue
        smoothed = smooth(values, max(1, len(values) // 50))
        steps = range(1, len(smoothed) + 1)
        axes.plot(steps, smoothed, dash, color=colour, linewidth=1.8, label=f"{name} ({len(values)} steps)")
        axes.plot(steps[-1], smoothed[-1], "o", color=colour, markersize=5)
        clauses.append(f"{name}: from {smoothed[0]:.2f} to {smoothed[-1]:.2f} in {len(values)} steps")
    axes.set(xlabel="step, on a logarithmic axis", ylabel="loss, nats per character")
    axes.set(xscale="log", ylim=(0, None))
    ticks = [1, 3, 10, 30, 100, 300, 1000, 3000]
    axes.set_xticks(ticks, [f"{tick:,}" for tick in ticks])
    axes.minorticks_off()
    axes.set_xlim(1, 1.15 * max((len(values) for values in curves.values()), default=1) + 1)
    if clauses:
        axes.legend(frameon=False)
    return Still(figure, f"Loss of each run. {'; '.join(clauses)}.")


def schedule(
    multipliers: Mapping[str, Callable[[float], float]],
    run: float,
    horizon: float,
    unit: str = "epoch",
    points: int = 651,
) -> Still:
    """Learning-rate multipliers over a run of length `run`, with a line at their `horizon`.

    Each multiplier is a function of the position in the run; where one rises again after the horizon, the
    sentence says so.
    """
    figure = new_figure(8.0, 3.0)
    axes = open_axes(figure)
    positions = [run * i / (points - 1) for i in range(points)]
    clauses = []
    for (name, rate), colour, dash in zip(
        multipliers.items(),
        (ORANGE, BLUE, GREEN, PINK) * len(multipliers),
        DASHES * len(multipliers),
        strict=False,
    ):
        values = [float(rate(position)) for position in positions]
        axes.plot(positions, values, dash, color=colour, label=name)
        after = [
            (value, position)
            for value, position in zip(values, positions, strict=True)
            if position >= horizon
        ]
        peak, where = max(after) if after else (math.nan, math.nan)
        clauses.append(
            f"{name}: at most {peak:.2f} of the full rate after {unit} {horizon:g} (at {where:.0f}),"
            f" {values[-1]:.2f} at the end"
        )
    axes.axvline(horizon, color=LIGHT_GREY, linewidth=1)
    axes.text(horizon, 1.08, f" laid out for {horizon:g}", color=GREY)
    axes.set(xlabel=unit, ylabel="multiple of the full rate", ylim=(0, 1.2), xlim=(0, run))
    axes.legend(frameon=False, loc="upper right")
    return Still(figure, f"Learning rate over {run:g} {unit}s. {'; '.join(clauses)}.")


def accuracy_stages(
    recorded: Mapping[str, Sequence[int]],
    mine: Mapping[str, int],
    questions: int,
    levels: Mapping[str, float],
) -> Still:
    """Right answers of `questions` at each stage. `recorded`: a number for each seed, joined.

    `mine`: those of one more run, for the stages that it has reached. `levels`: accuracies to compare with,
    in [0, 1].
    """
    stages = list(recorded)
    figure = new_figure(8.0, 3.8)
    axes = open_axes(figure)
    clauses = []
    for seed, path in enumerate(zip(*recorded.values(), strict=True)):
        beside = 0.06 * (seed - 1)
        places = [place + beside for place in range(len(stages))]
        shares = [100 * right / questions for right in path]
        label = None if seed else "recorded, one per seed"
        axes.plot(places, shares, "o-", color=BLUE, linewidth=0.8, markersize=7, label=label)
    reached = [(place, 100 * mine[stage] / questions) for place, stage in enumerate(stages) if stage in mine]
    if reached:
        look = {"color": VERMILION, "linewidth": 1.2, "markersize": 9}
        axes.plot(*zip(*reached, strict=True), "D--", label="yours", **look)
    for name, level in levels.items():
        axes.axhline(100 * level, color=LIGHT_GREY, linewidth=1)
        clauses.append(f"{name}: {100 * level:.0f} %")
        axes.text(len(stages) - 0.52, 100 * level + 1, clauses[-1], color=GREY, fontsize=9, ha="right")
    for stage, counts in recorded.items():
        own = f", yours {mine[stage]}" if stage in mine else ""
        clauses.append(f"{stage}: {', '.join(map(str, counts))}, mean {mean_sd(counts)[0]:.1f}{own}")
    axes.set_xticks(range(len(stages)), stages)
    axes.set(xlim=(-0.4, len(stages) - 0.5), ylim=(-2, 102), ylabel="right answers, %")
    axes.legend(frameon=False, loc="center left")
    return Still(figure, f"Right answers of {questions} at each stage. {'; '.join(clauses)}.")
