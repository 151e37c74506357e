"""The figures of notebook 08 about heads: ablation, patching, and the results of experiments.

Heads differ by their names and markers, not only by colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, CATEGORIES, GREEN, GREY, ORANGE, VERMILION, new_figure, open_axes
from kqa_core.show.kit.sketch import arrow, box, label, new_diagram, write
from kqa_core.show.kit.still import Still

WIDTH, HEIGHT, STEP = 0.82, 0.44, 0.9  # of a head's box; from one head to the next


def show_ablation_and_patching(heads: int = 4) -> Still:
    """An attention layer with 2 to 6 heads: head 1 is replaced by zeros, or by its output for another row.

    Raises UserError for another number of heads.
    """
    if heads not in range(2, 7):
        raise UserError(f"heads = {heads}: 2 to 6 were expected")
    wide = heads * STEP + 1.9
    figure, axes = new_diagram(2 * wide + 0.3, 3.0)
    write(axes, (0.1, 2.75), "Ablation: without head 1", 12, ha="left", weight="bold")
    _layer(axes, 0.1, 1.0, heads, "A's row", {1: ("0", VERMILION)})
    write(axes, (0.1 + 1.5 * STEP, 1.72), "its output is replaced by\nzeros (or by its mean)", 10, VERMILION)
    arrow(axes, (0.1 + 1.5 * STEP, 1.48), (0.1 + 1.5 * STEP, 1.26), color=VERMILION)
    left = wide + 0.5
    write(axes, (left, 2.75), "Patching: head 1 from another row", 12, ha="left", weight="bold")
    _layer(axes, left, 2.1, heads, "B's row", {1: ("head 1", ORANGE)}, ends=False)
    _layer(axes, left, 1.0, heads, "A's row", {1: ("B's", ORANGE)})
    arrow(axes, (left + 1.5 * STEP, 1.86), (left + 1.5 * STEP, 1.26), color=ORANGE, linewidth=2)
    write(axes, (left + 1.62 * STEP, 1.57), "copy", 10, ORANGE, ha="left")
    return Still(
        figure,
        f"An attention layer: the outputs of its {heads} heads stand side by side, and the projection W_O"
        " mixes them and adds the result to the residual stream. Left, ablation: the output of head 1 is"
        " replaced by zeros or by its mean. Right, patching: the output of head 1 in the row about person B"
        " is copied into the row about person A. The other heads stay as they are.",
        density=2,
    )


def _layer(
    axes: Any,
    left: float,
    y: float,
    heads: int,
    name: str,
    changed: Mapping[int, tuple[str, str]],
    ends: bool = True,
) -> None:
    """The heads of one layer side by side; with `ends`, the projection behind them."""
    for head in range(heads):
        text, colour = changed.get(head, (f"head {head}", BLUE))
        box(axes, (left + (head + 0.5) * STEP, y), (WIDTH, HEIGHT), text, colour, size=10.5)
    below = -0.42 if ends else 0.38  # the copy's arrow leaves a layer without end downwards
    write(axes, (left + heads * STEP / 2, y + below), f"outputs of the heads, {name}: (B, T, d)", 10, GREY)
    if ends:
        end = left + heads * STEP
        arrow(axes, (end - 0.02, y), (end + 0.28, y), mutation_scale=8)
        box(axes, (end + 0.62, y), (0.62, HEIGHT), "$W_O$", GREEN, size=11)
        arrow(axes, (end + 0.95, y), (end + 1.3, y), mutation_scale=8)
        write(axes, (end + 1.08, y + 0.42), "to the residual\nstream", 9.5)


def show_weight_and_effect(heads: Sequence[tuple[str, float, int]], total: int) -> Still:
    """For each head, its weight on the name against the answers that are lost without it.

    `heads`: name, weight in [0, 1], and number of lost answers, of `total`. Heads of one layer have the same
    marker; the layer is the part of the name before the full stop.
    """
    if not heads or total < 1:
        raise UserError(f"{len(heads)} heads and {total} answers: at least one of each was expected")
    figure = new_figure(7.0, 3.6)
    axes = open_axes(figure)
    layers = list(dict.fromkeys(name.partition(".")[0] for name, _, _ in heads))
    for number, layer in enumerate(layers):
        inside = [head for head in heads if head[0].partition(".")[0] == layer]
        axes.plot(
            [weight for _, weight, _ in inside],
            [lost for _, _, lost in inside],
            "os^D"[number % 4],
            color=CATEGORIES[number % len(CATEGORIES)],
            markersize=9,
            label=f"layer {layer}",
        )
        for name, weight, lost in inside:
            beside = [w - weight for other, w, n in heads if other != name and abs(lost - n) < 0.06 * total]
            right, left = any(0 <= gap < 0.1 for gap in beside), any(-0.1 < gap < 0 for gap in beside)
            x, y, align = (
                (0, 11, "center") if right and left else (-8, 0, "right") if right else (8, 0, "left")
            )
            label(axes, name, (weight, lost), (x, y), ha=align, va="center", fontsize=9)
    axes.set(
        xlabel="share of its weight that the head gives to the name (query: the ⁇)",
        ylabel=f"answers lost without it (of {total})",
        xlim=(0, 1.05),
        ylim=(-0.03 * total, 1.05 * total),
    )
    axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    clauses = "; ".join(f"head {name}: weight {weight:.2f}, {lost} lost" for name, weight, lost in heads)
    return Still(figure, f"Weight on the name and effect of the ablation, of {total} answers. {clauses}.")


def show_patched_heads(shares: Mapping[str, Sequence[tuple[float, float]]]) -> Still:
    """How many answers follow B, and how many stay A's, as heads are patched: a panel a set of positions.

    `shares`: for each panel, pairs (share that gives B's place, share that gives A's place), both in [0, 1].
    """
    figure = new_figure(8.4, 3.2)
    panels = figure.subplots(1, len(shares), squeeze=False, sharey=True)[0]
    clauses = []
    for axes, (name, pairs) in zip(panels, shares.items(), strict=True):
        counts = range(len(pairs))
        axes.plot(counts, [100 * b for b, _ in pairs], "-o", color=ORANGE, label="answer: B's place")
        axes.plot(counts, [100 * a for _, a in pairs], "--s", color=BLUE, label="answer: A's place")
        axes.set(title=name, xlabel="heads patched", ylim=(-4, 104), xticks=list(counts))
        axes.spines[["top", "right"]].set_visible(False)
        followed = ", ".join(f"{100 * b:.0f}" for b, _ in pairs)
        clauses.append(f"{name}: with 0, 1, 2, … heads patched, {followed} % of the answers are B's place")
    panels[0].set_ylabel("% of the pairs")
    panels[-1].legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    return Still(figure, f"{'; '.join(clauses)}.")
