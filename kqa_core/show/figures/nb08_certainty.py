"""The figures of notebook 08: the confidences of answers, and their calibration.

- Every function draws into a given figure and returns a sentence that describes it. So it can be a still
  (`kqa_core.show.figures.nb06_spans.still`) or follow a slider (`kqa_core.show.kit.live_figure.live_figure`).
- Proportions have Wilson's 95 % interval. Kinds of answers differ by markers, dashes and names, not only by
  colour.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, VERMILION, open_axes
from kqa_core.show.kit.sketch import ink_on, label, signed_colours, write
from kqa_core.stats import Proportion

LOOK = ((BLUE, "-"), (VERMILION, "--"), (PINK, ":"), (GREEN, "-."))


def draw_sureness(figure: Any, kinds: Mapping[str, Sequence[float]]) -> str:
    """For each kind of answers, the share with at least a given confidence, against that confidence."""
    axes = open_axes(figure)
    clauses = []
    for (name, confidences), (colour, dash) in zip(kinds.items(), LOOK, strict=False):
        ordered = sorted(confidences)
        total = len(ordered)
        heights = [1 - i / total for i in range(total)]  # at its own confidence an answer still counts
        x, y = [0.0, *ordered, 1.0], [1.0, *heights, 0.0]
        axes.step(x, y, dash, where="pre", color=colour, label=f"{name} ({total:,})")
        sure = Proportion(sum(confidence >= 0.9 for confidence in ordered), total)
        clauses.append(f"{name}: {100 * sure.value:.0f} % are at least 0.9 sure")
    axes.set(xlabel="confidence", ylabel="share at least so sure", xlim=(0, 1.005), ylim=(0, 1.02))
    axes.legend(frameon=False, loc="lower left")
    return "; ".join(clauses) + "."


def draw_reliability(
    figure: Any, models: Mapping[str, tuple[Sequence[float], Sequence[bool]]], bins: int = 10
) -> str:
    """Reliability diagram: accuracy by confidence, a panel per model, a point per bin with answers."""
    clauses = []
    panels = figure.subplots(1, len(models), squeeze=False, sharey=True)[0]
    for axes, (name, (confidences, right)) in zip(panels, models.items(), strict=True):
        axes.plot([0, 1], [0, 1], color=LIGHT_GREY, linewidth=1, label="claimed = true")
        for inside in _bins(confidences, right, bins):
            claimed = sum(confidence for confidence, _ in inside) / len(inside)
            share = Proportion(sum(hit for _, hit in inside), len(inside))
            low, high = share.interval
            whiskers = [[max(0.0, share.value - low)], [max(0.0, high - share.value)]]  # (2, 1)
            axes.errorbar(claimed, share.value, yerr=whiskers, fmt="o", color=BLUE, capsize=3)
            label(axes, str(len(inside)), (claimed, share.value), (6, -4), fontsize=8)
        axes.set(title=name, xlabel="claimed: mean confidence", xlim=(-0.02, 1.08), ylim=(-0.03, 1.05))
        axes.spines[["top", "right"]].set_visible(False)
        mean = sum(confidences) / len(confidences)
        clauses.append(
            f"{name}: claims {100 * mean:.0f} % on average, {100 * sum(right) / len(right):.0f} % are right"
        )
    panels[0].set_ylabel("true: share that is right")
    panels[-1].legend(frameon=False, loc="upper left")
    return "; ".join(clauses) + "."


def _bins(confidences: Sequence[float], right: Sequence[bool], bins: int) -> list[list[tuple[float, bool]]]:
    inside: list[list[tuple[float, bool]]] = [[] for _ in range(bins)]
    for confidence, hit in zip(confidences, right, strict=True):
        inside[min(int(confidence * bins), bins - 1)].append((confidence, hit))
    return [answers for answers in inside if answers]


def draw_curves(figure: Any, curves: Mapping[str, Sequence[tuple[float, float]]]) -> str:
    """Risk against coverage, a line for each curve."""
    axes = open_axes(figure)
    clauses = []
    for (name, points), (colour, dash) in zip(curves.items(), LOOK, strict=False):
        axes.step(
            [x for x, _ in points], [y for _, y in points], dash, where="post", color=colour, label=name
        )
        half = min(points, key=lambda point: abs(point[0] - 0.5))
        clauses.append(
            f"{name}: {100 * points[-1][1]:.0f} % wrong if all is answered, {100 * half[1]:.0f} % if"
            f" {100 * half[0]:.0f} % is"
        )
    axes.set(xlabel="coverage: share of the questions answered", ylabel="risk: share of answers wrong")
    axes.set(xlim=(0, 1.01), ylim=(-0.02, 1.02))
    axes.legend(frameon=False, ncols=len(curves), loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return "; ".join(clauses) + "."


def draw_threshold(
    figure: Any, threshold: float, kinds: Mapping[str, tuple[Sequence[float], Sequence[bool]]]
) -> str:
    """Every answer at its confidence, and whether it is given: dots and a bar for each kind."""
    dots, bars = figure.subplots(1, 2, width_ratios=(1.3, 1), sharey=True)
    clauses = []
    for row, (name, (confidences, right)) in enumerate(kinds.items()):
        for hit, mark, colour in ((True, "o", BLUE), (False, "x", VERMILION)):
            chosen = [
                (c, i) for i, (c, other) in enumerate(zip(confidences, right, strict=True)) if other == hit
            ]
            # spread evenly, the same at every draw
            heights = [row + 0.6 * (i * 0.618034 % 1.0 - 0.5) for _, i in chosen]
            fill = {"c": "none", "edgecolors": colour} if hit else {"c": colour}
            dots.scatter([c for c, _ in chosen], heights, s=16, marker=mark, linewidths=0.8, **fill)
        counts = {
            "right": sum(c >= threshold and hit for c, hit in zip(confidences, right, strict=True)),
            "wrong": sum(c >= threshold and not hit for c, hit in zip(confidences, right, strict=True)),
            "withheld": sum(c < threshold for c in confidences),
        }
        left = 0.0
        for (what, count), (colour, hatch) in zip(
            counts.items(), ((BLUE, ""), (VERMILION, "//"), ("#E6E6E6", "")), strict=True
        ):
            share = 100 * count / len(right)
            look = {"color": colour, "hatch": hatch, "edgecolor": "white"}
            bars.barh(row, share, left=left, label=what if row == 0 else None, **look)
            if share >= 7:
                ink = "black" if what == "withheld" else "white"
                ground = {"facecolor": colour, "edgecolor": "none", "pad": 1.5}
                write(bars, (left + share / 2, row), str(count), 10, ink, fontweight="bold", bbox=ground)
            left += share
        clauses.append(
            f"{name}: {counts['right']} right, {counts['wrong']} wrong, {counts['withheld']} withheld"
        )
    dots.axvline(threshold, color=GREY, linewidth=1)
    dots.set(xlabel="confidence (o right, x wrong)", xlim=(-0.02, 1.02), ylim=(len(kinds) - 0.4, -0.6))
    dots.set_yticks(range(len(kinds)), list(kinds))
    bars.set(xlabel="% of the people", xlim=(0, 100))
    bars.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, 1.16), fontsize=9)
    for axes in (dots, bars):
        axes.spines[["top", "right"]].set_visible(False)
    return f"At a threshold of {threshold:.2f}: {'; '.join(clauses)}."


def draw_regions(figure: Any, panels: Mapping[str, tuple[Sequence[str], Sequence[str]]]) -> str:
    """For each panel, of the people of one region (row) the share whose guess is of another (column).

    White is the share 1/k of guesses that are spread evenly over k regions; orange is more, blue is less.
    """
    clauses, tables = [], {}
    for name, (rows, columns) in panels.items():
        regions, pairs = sorted({*rows, *columns}), Counter(zip(rows, columns, strict=True))
        of_row = Counter(rows)
        tables[name] = regions, [[pairs[a, b] / max(1, of_row[a]) for b in regions] for a in regions]
        agree = sum(pairs[region, region] for region in regions) / len(rows)
        clauses.append(f"{name}: {100 * agree:.0f} % on the diagonal")
    gaps = [
        abs(share - 1 / len(regions)) for regions, table in tables.values() for row in table for share in row
    ]
    most = max(0.1, *gaps)  # one scale for all panels, on which small differences look small
    drawn = figure.subplots(1, len(panels), squeeze=False)[0]
    for axes, (name, (regions, table)) in zip(drawn, tables.items(), strict=True):
        even = 1 / len(regions)
        image = axes.imshow(table, cmap=signed_colours(), vmin=even - most, vmax=even + most)
        for y, row in enumerate(table):
            for x, share in enumerate(row):
                write(axes, (x, y), f"{100 * share:.0f}", 10, ink_on(image.to_rgba(share)))
        axes.set_xticks(range(len(regions)), regions, rotation=30, ha="right")
        axes.set_yticks(range(len(regions)), regions)
        axes.set(title=name, xlabel="region of the guess")
    drawn[0].set_ylabel("region of the name")
    return "; ".join(clauses) + "."


def draw_luck(figure: Any, simulated: Sequence[float], measured: float) -> str:
    """Calibration errors of imagined models whose confidences are all true, and the one that was measured."""
    axes = open_axes(figure)
    axes.hist(simulated, bins=30, color=ORANGE, edgecolor="white")
    axes.axvline(measured, color=BLUE)
    mean = sum(simulated) / len(simulated)
    top = axes.get_ylim()[1]
    axes.text(measured, top, f"this model: {measured:.3f} ", color=BLUE, va="top", ha="right")
    axes.set(xlabel="calibration error", ylabel=f"of {len(simulated):,} perfect models", xlim=(0, None))
    above = sum(error >= measured for error in simulated)
    return (
        f"A model whose confidences are all true would show an error of {mean:.3f} on average by chance"
        f" alone; this one shows {measured:.3f}, and {above:,} of {len(simulated):,} perfect models show as"
        " much."
    )
