"""Two figures of the ladder of recipes: accuracy against seconds, and accuracy of each row.

- Horizontal lines, with their names, are for comparison: published results, the knowledge ceiling.
- Every bar is the mean over seeds, with a dot for each seed; one seed alone has the 95 % interval of its
  accuracy instead.
- Rows that have not been measured have no bar; the sentence counts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kqa_core.experiments.results import LadderRow, of_row, rows_in
from kqa_core.show.kit.palette import BLUE, GREEN, LIGHT_GREY, ORANGE, PINK, new_figure, open_axes
from kqa_core.show.kit.sketch import label
from kqa_core.show.kit.still import Still
from kqa_core.stats import mean_sd

MARKS = ("o-", "s--", "^-.", "D:")
COLOURS = (BLUE, ORANGE, GREEN, PINK)
# accuracies on the original data's dev questions
LEVELS = {"published mean": 0.228, "best published": 0.404, "ceiling": 0.958}


def accuracy_by_seconds(runs: Mapping[str, LadderRow], levels: Mapping[str, float], title: str = "") -> Still:
    """Accuracy of some runs during training, against minutes; `levels` are accuracies in [0, 1]."""
    figure = new_figure(8.0, 4.0)
    axes = open_axes(figure)
    clauses = []
    for (name, run), mark, colour in zip(runs.items(), MARKS * len(runs), COLOURS * len(runs), strict=False):
        if run.seconds is None or not run.curve:
            continue
        points = [(point["seconds"], point["correct"]) for point in run.curve]
        seconds, right = zip(*points, (run.seconds, run.accuracy.hits), strict=True)
        minutes, shares = [s / 60 for s in seconds], [100 * hits / run.accuracy.total for hits in right]
        axes.plot(minutes, shares, mark, color=colour, label=name)
        clauses.append(f"{name}: {100 * run.accuracy.value:.1f} % after {run.seconds / 60:.0f} minutes")
    for name, level in levels.items():
        axes.axhline(100 * level, color=LIGHT_GREY, linewidth=1)
        text = f"{name}: {100 * level:.1f} %"
        # x in parts of the width: at the right, away from curves that rise
        across = axes.get_yaxis_transform()
        axes.text(
            0.99, 100 * level + 1, text, color="#555555", fontsize="small", ha="right", transform=across
        )
        clauses.append(f"{name}: {100 * level:.1f} %")
    axes.set(xlabel="minutes of training on two cores", ylabel="right answers, %", title=title)
    axes.set(xlim=(0, None), ylim=(0, 105))
    if axes.get_legend_handles_labels()[0]:
        figure.legend(frameon=False, loc="outside lower center", ncols=2)
    return Still(figure, f"{title + '. ' if title else ''}Accuracy against time. {'; '.join(clauses)}.")


def accuracy_by_lever(rows: Sequence[LadderRow], world: str, names: Sequence[str], title: str = "") -> Still:
    """One bar for each of the rows `names` of `world` that has been measured, the first on top."""
    names = rows_in(world, names)
    measured = {name: runs for name in names if (runs := of_row(rows, world, name))}
    figure = new_figure(8.0, 0.9 + 0.42 * max(len(measured), 1))
    axes = open_axes(figure)
    clauses = []
    for place, (name, mine) in enumerate(measured.items()):
        values = [100 * row.accuracy.value for row in mine]
        mean, sd = mean_sd(values)
        axes.barh(place, mean, color=BLUE)
        if len(values) == 1:
            low, high = (100 * end for end in mine[0].accuracy.interval)
            axes.errorbar(mean, place, xerr=[[mean - low], [high - mean]], color="black", capsize=4)
            text = f"{mean:.1f} % ({low:.1f} to {high:.1f}, one seed)"
        else:
            high = max(values)
            axes.plot(
                values, [place] * len(values), "o", color="black", markersize=4, markerfacecolor="white"
            )
            text = f"{mean:.1f} ± {sd:.1f} %"
        label(axes, text, (high, place), (6, 0), va="center", fontsize="small")
        clauses.append(f"{name}: {text}")
    if len(measured) < len(names):
        clauses.append(f"not measured yet: {len(names) - len(measured)} of {len(names)} rows")
    axes.set_yticks(range(len(measured)), list(measured))
    axes.set_ylim(max(len(measured), 1) - 0.5, -0.5)
    axes.set(xlim=(0, 170), xlabel="right answers, %", title=title)
    axes.set_xticks(range(0, 101, 20))
    return Still(figure, f"{title + '. ' if title else ''}Accuracy against lever. {'; '.join(clauses)}.")
