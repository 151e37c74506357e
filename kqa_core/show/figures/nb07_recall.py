"""Notebook 07: recall before and after finetuning, a dot for each seed, with baseline and ceiling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kqa_core.show.kit.palette import BLUE, LIGHT_GREY, VERMILION, new_figure, open_axes
from kqa_core.show.kit.still import Still
from kqa_core.stats import mean_sd


def recall_stages(
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
        axes.text(len(stages) - 0.52, 100 * level + 1, clauses[-1], color="#555555", fontsize=9, ha="right")
    for stage, counts in recorded.items():
        own = f", yours {mine[stage]}" if stage in mine else ""
        clauses.append(f"{stage}: {', '.join(map(str, counts))}, mean {mean_sd(counts)[0]:.1f}{own}")
    axes.set_xticks(range(len(stages)), stages)
    axes.set(xlim=(-0.4, len(stages) - 0.5), ylim=(-2, 102), ylabel="right answers, %")
    axes.legend(frameon=False, loc="center left")
    return Still(figure, f"Right answers of {questions} at each stage. {'; '.join(clauses)}.")
