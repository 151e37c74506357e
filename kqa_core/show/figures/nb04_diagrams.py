"""Notebook 04: the decoder as a diagram with its residual stream, and how heads are split and merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, CATEGORIES, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, VERMILION
from kqa_core.show.kit.sketch import INK, arrow, box, new_diagram, tint
from kqa_core.show.kit.still import Still

STREAM, BRANCH = 0.95, 1.62  # heights of the residual stream, and of the boxes above it
PART = 1.62  # width of a branch: LayerNorm, then attention or MLP, then +


def show_transformer(layers: int = 2) -> Still:
    """The decoder of `layers` blocks (1 to 4), left to right: what each part reads from the residual stream and adds to it.

    Pre-LN, as in `kqa_core.model.gpt`. Raises UserError for another number of layers.
    """
    if layers not in range(1, 5):
        raise UserError(f"layers = {layers}: 1 to 4 were expected")
    start, block = 2.0, 2 * PART + 0.3
    end = start + layers * block
    figure, axes = new_diagram(end + 3.0, 3.0)
    axes.plot([1.4, end + 0.25], [STREAM, STREAM], color=tint(BLUE, 0.35), linewidth=12, solid_capstyle="butt", zorder=1)
    arrow(axes, (0.95, STREAM), (end + 0.42, STREAM), color=BLUE, linewidth=1.6)
    axes.text(
        start + 0.1,
        STREAM - 0.24,
        "residual stream: one vector of width $d$ for each token, shape (T, d)",
        fontsize=9,
        color=BLUE,
        va="center",
    )
    box(axes, (0.55, STREAM), (0.9, 0.5), "token\nembedding", GREEN)
    box(axes, (0.55, BRANCH + 0.2), (0.9, 0.5), "position\nembedding", GREEN)
    plus(axes, 1.3)
    arrow(axes, (0.55, BRANCH - 0.05), (1.3, STREAM + 0.13), bend=0.3)
    arrow(axes, (0.55, 0.35), (0.55, STREAM - 0.25))
    axes.text(0.55, 0.22, "token ids (T,)", ha="center", va="center", fontsize=9)
    for number in range(layers):
        left = start + number * block
        _frame(axes, left - 0.14, 0.52, block - 0.14, 2.06, f"block {number}")
        for branch, (name, colour) in enumerate((("masked\nself-attention", ORANGE), ("MLP", PINK))):
            _branch(axes, left + branch * PART, name, colour)
    box(axes, (end + 0.72, STREAM), (0.6, 0.46), "Layer\nNorm", LIGHT_GREY, fontsize=8.5)
    box(axes, (end + 1.62, STREAM), (0.82, 0.46), "linear\n$d$ → $V$", GREEN)
    box(axes, (end + 2.57, STREAM), (0.72, 0.46), "softmax", VERMILION)
    arrow(axes, (end + 1.02, STREAM), (end + 1.21, STREAM))
    arrow(axes, (end + 2.03, STREAM), (end + 2.21, STREAM))
    axes.text(end + 2.1, STREAM - 0.36, "logits (T, V)", ha="center", va="center", fontsize=9)
    arrow(axes, (end + 2.57, STREAM + 0.23), (end + 2.57, BRANCH + 0.05))
    axes.text(end + 2.57, BRANCH + 0.12, "probabilities of\nthe next token", ha="center", va="bottom", fontsize=9)
    return Still(
        figure,
        f"A decoder of {layers} blocks, from left to right. Token and position embeddings are added and start the "
        "residual stream, one vector of width d for each token. In each block, masked self-attention and then an MLP "
        "read the stream through a LayerNorm and add what they compute to it. After the last block come a LayerNorm, a "
        "linear layer from d to V logits, and a softmax.",
    )


def plus(axes: Any, x: float, y: float = STREAM) -> None:
    """The sign of an addition, on the stream."""
    axes.plot(x, y, "o", markersize=15, markerfacecolor="white", markeredgecolor=INK, markeredgewidth=1.2, zorder=4)
    axes.text(x, y, "+", ha="center", va="center", fontsize=12, zorder=5)


def _branch(axes: Any, left: float, name: str, colour: str) -> None:
    """A branch: up from the stream, through LayerNorm and the part called `name`, and back by an addition."""
    leave, back = left + 0.02, left + PART - 0.2
    arrow(axes, (leave, STREAM), (leave, BRANCH - 0.23))
    box(axes, (left + 0.2, BRANCH), (0.52, 0.46), "Layer\nNorm", LIGHT_GREY, fontsize=8.5)
    box(axes, (left + 0.97, BRANCH), (0.84, 0.46), name, colour)
    arrow(axes, (left + 0.46, BRANCH), (left + 0.55, BRANCH), mutation_scale=8)
    arrow(axes, (back, BRANCH), (back, STREAM + 0.12))
    axes.plot([left + 1.39, back], [BRANCH, BRANCH], color=INK, linewidth=1.2, zorder=2)
    plus(axes, back)


def _frame(axes: Any, x: float, y: float, width: float, height: float, name: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    look: dict[str, Any] = {"facecolor": "none", "edgecolor": LIGHT_GREY, "linestyle": "--", "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.1", **look))
    axes.text(x + 0.1, y + height - 0.16, name, fontsize=10, fontweight="bold", va="center")


def head_views(tokens: int, width: int, heads: int) -> dict[str, Any]:
    """What splitting does to the numbers 0, 1, 2, …: "joined" (T, d), "viewed" (T, h, d_k) and "split" (h, T, d_k)."""
    joined = np.arange(tokens * width).reshape(tokens, width)
    viewed = joined.reshape(tokens, heads, width // heads)
    return {"joined": joined, "viewed": viewed, "split": viewed.transpose(1, 0, 2)}


def show_head_split(tokens: int = 4, width: int = 6, heads: int = 2) -> Still:
    """How (T, d) becomes (h, T, d_k) and back, with the numbers 0, 1, 2, … in the boxes and a colour for each head.

    Raises UserError unless `heads` divides `width`, and for more than 6 tokens, 12 components or 4 heads.
    """
    if not (1 <= tokens <= 6 and 1 <= heads <= 4 and heads <= width <= 12 and width % heads == 0):
        raise UserError(
            f"tokens = {tokens}, width = {width}, heads = {heads}: 1 to 6 tokens, 1 to 4 heads, and up to 12 components "
            "that the heads divide were expected"
        )
    views, d_head, cell = head_views(tokens, width, heads), width // heads, 0.36
    joined, each, gap = width * cell, d_head * cell, 1.15
    height = max(tokens * cell, heads * tokens * cell + (heads - 1) * 0.42) + 1.25
    figure, axes = new_diagram(2 * joined + 2 * each + 3 * gap + 0.5, height)
    middle, x = (height - 0.35) / 2, 0.25
    colours = [CATEGORIES[head % len(CATEGORIES)] for head in range(heads)]
    columns = [colours[column // d_head] for column in range(width)]
    _cells(axes, x, middle, views["joined"], columns, cell)
    axes.text(x + joined / 2, middle + tokens * cell / 2 + 0.14, f"Q: ({tokens}, {width})", ha="center", va="bottom", fontsize=10)
    for head in range(heads):
        y = middle + ((heads - 1) / 2 - head) * (tokens * cell + 0.42)
        for left, name in (
            (x + joined + gap, f"head {head}: ({tokens}, {d_head})"),
            (x + joined + 2 * gap + each, f"output of head {head}"),
        ):
            _cells(axes, left, y, views["split"][head], [colours[head]] * d_head, cell, numbers=name.startswith("head"))
            axes.text(left + each / 2, y + tokens * cell / 2 + 0.08, name, ha="center", va="bottom", fontsize=9)
        arrow(axes, (x + joined + 0.08, middle), (x + joined + gap - 0.08, y), color=colours[head])
        arrow(axes, (x + joined + gap + each + 0.08, y), (x + joined + 2 * gap + each - 0.08, y), color=colours[head])
        axes.text(x + joined + 1.5 * gap + each, y + 0.07, "attention", ha="center", va="bottom", fontsize=9)
        arrow(
            axes,
            (x + joined + 2 * gap + 2 * each + 0.08, y),
            (x + joined + 3 * gap + 2 * each - 0.08, middle),
            color=colours[head],
        )
    _cells(axes, x + joined + 3 * gap + 2 * each, middle, views["joined"], columns, cell, numbers=False)
    axes.text(
        x + 1.5 * joined + 3 * gap + 2 * each,
        middle + tokens * cell / 2 + 0.14,
        f"merged: ({tokens}, {width})",
        ha="center",
        va="bottom",
        fontsize=10,
    )
    for at, text in ((x + joined + gap / 2, "split"), (x + joined + 2.5 * gap + 2 * each, "merge")):
        axes.text(at, height - 0.2, text, ha="center", va="center", fontsize=11, fontweight="bold")
    axes.text(
        x,
        0.16,
        f"rows: tokens; every head gets {d_head} of the {width} columns of every token",
        fontsize=9,
        color=GREY,
        va="center",
    )
    return Still(
        figure,
        f"Splitting {tokens} rows of width {width} into {heads} heads of width {d_head}: head i takes columns {d_head}·i "
        f"to {d_head}·i + {d_head - 1} of every row, so each head sees all {tokens} tokens. Attention runs in each head, "
        "and merging puts the outputs side by side in the same order.",
    )


def _cells(axes: Any, x: float, middle: float, table: Any, colours: list[str], cell: float, numbers: bool = True) -> None:
    """A matrix as boxes, its columns in these colours, with its numbers."""
    from matplotlib.patches import Rectangle

    top = middle + len(table) * cell / 2
    for (i, j), number in np.ndenumerate(table):
        corner = (x + j * cell, top - (i + 1) * cell)
        axes.add_patch(Rectangle(corner, cell, cell, facecolor=tint(colours[j], 0.3), edgecolor="white", linewidth=1.5))
        if numbers:
            axes.text(
                corner[0] + cell / 2, corner[1] + cell / 2, str(number), ha="center", va="center_baseline", fontsize=9, color=INK
            )
