"""Notebook 04: the decoder as a diagram with its residual stream, and how heads are split and merged."""

from __future__ import annotations

from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, CATEGORIES, GREEN, GREY, LIGHT_GREY, ORANGE, PINK, VERMILION
from kqa_core.show.kit.sketch import INK, arrow, box, cells, new_diagram, tint, write
from kqa_core.show.kit.still import Still

STREAM, UP = 1.02, 1.86  # heights of the residual stream, and of the boxes above it
PART = 1.84  # the width of a branch: LayerNorm, then attention or MLP, then the addition
LINE: dict[str, Any] = {"color": GREY, "linewidth": 1.2, "solid_capstyle": "projecting", "zorder": 2}
CELL, STACK, GAP = 0.38, 0.5, 1.25  # of heads: a cell, between two heads, between two stages


def show_transformer(layers: int = 2) -> Still:
    """The decoder of 1 to 4 blocks: what each part reads from the residual stream and adds to it.

    Pre-LN, as in `kqa_core.model.gpt`. Raises UserError for another number of layers.
    """
    if layers not in range(1, 5):
        raise UserError(f"layers = {layers}: 1 to 4 were expected")
    start, block = 1.85, 2 * PART + 0.28
    end = start + layers * block
    figure, axes = new_diagram(end + 2.75, 2.95)
    wide: dict[str, Any] = {"linewidth": 13, "solid_capstyle": "butt", "zorder": 1}
    axes.plot([1.42, end + 0.12], [STREAM, STREAM], color=tint(BLUE, 0.35), **wide)
    arrow(axes, (1.0, STREAM), (end + 0.3, STREAM), color=BLUE, linewidth=1.8)
    name = "residual stream: one vector of width d for each token, (T, d)"
    write(axes, (start, 0.3), name, 10.5, BLUE, ha="left")
    write(axes, (0.58, 0.3), "token ids (T,)", 10)
    arrow(axes, (0.58, 0.42), (0.58, STREAM - 0.26))
    box(axes, (0.58, STREAM), (0.98, 0.52), "token\nembedding", GREEN, size=10.5)
    box(axes, (0.58, UP), (0.98, 0.52), "position\nembedding", GREEN, size=10.5)
    _turned(axes, (1.07, UP), (1.36, STREAM + 0.13))
    _plus(axes, 1.36)
    for number in range(layers):
        left = start + number * block
        _frame(axes, left - 0.12, 0.55, block - 0.06, 2.3, f"block {number}")
        _branch(axes, left, "masked self-\nattention", ORANGE, first=not number)
        _branch(axes, left + PART, "MLP", PINK)
    box(axes, (end + 0.62, STREAM), (0.62, 0.5), "Layer\nNorm", size=10.5)
    box(axes, (end + 1.45, STREAM), (0.72, 0.5), "output\nhead", GREEN, size=10.5)
    box(axes, (end + 2.33, STREAM), (0.72, 0.5), "softmax", VERMILION, size=10.5)
    arrow(axes, (end + 0.93, STREAM), (end + 1.09, STREAM), mutation_scale=8)
    arrow(axes, (end + 1.81, STREAM), (end + 1.97, STREAM), mutation_scale=8)
    write(axes, (end + 1.89, STREAM - 0.42), "logits (T, n_vocab)", 10)
    arrow(axes, (end + 2.33, STREAM + 0.25), (end + 2.33, UP - 0.05))
    write(axes, (end + 2.15, UP + 0.2), "probabilities of\nthe next token", 10)
    return Still(
        figure,
        f"A decoder of {layers} blocks, from left to right. Token and position embeddings are added and start"
        " the residual stream, one vector of width d for each token. In each block, masked self-attention"
        " and then an MLP read the stream through a LayerNorm and add what they compute to it. After the"
        " last block come a LayerNorm, the output head, which is a linear layer to logits (T, n_vocab), and"
        " a softmax.",
        density=2,
    )


def _plus(axes: Any, x: float) -> None:
    """The sign of an addition, on the stream."""
    ring = {"markerfacecolor": "white", "markeredgecolor": INK, "markeredgewidth": 1.2}
    axes.plot(x, STREAM, "o", markersize=15, zorder=4, **ring)
    write(axes, (x, STREAM), "+", 13, INK, zorder=5, va="center_baseline")


def _turned(axes: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
    """An arrow to the right, and then down."""
    axes.plot([start[0], end[0]], [start[1], start[1]], **LINE)
    arrow(axes, (end[0], start[1]), end)


def _branch(axes: Any, left: float, name: str, colour: str, first: bool = False) -> None:
    """A branch: up from the stream, through LayerNorm and the part called `name`, and back by an addition."""
    leave, back = left + 0.3, left + PART - 0.1
    arrow(axes, (leave, STREAM), (leave, UP - 0.25))
    box(axes, (leave, UP), (0.58, 0.5), "Layer\nNorm", size=10.5)
    box(axes, (left + 1.16, UP), (0.96, 0.5), name, colour, size=10.5)
    arrow(axes, (leave + 0.29, UP), (left + 0.68, UP), mutation_scale=7)
    axes.plot([left + 1.64, back], [UP, UP], **LINE)
    arrow(axes, (back, UP), (back, STREAM + 0.13))
    _plus(axes, back)
    if first:
        write(axes, (leave + 0.08, 1.37), "read", 9.5, BLUE, ha="left", fontstyle="italic")
        write(axes, (back - 0.08, 1.37), "add", 9.5, BLUE, ha="right", fontstyle="italic")


def _frame(axes: Any, x: float, y: float, width: float, height: float, name: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    look: dict[str, Any] = {"facecolor": "none", "edgecolor": LIGHT_GREY, "linestyle": "--", "linewidth": 1.2}
    axes.add_patch(FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=0.1", **look))
    write(axes, (x + 0.12, y + height - 0.2), name, 11, ha="left", fontweight="bold")


def head_views(tokens: int, width: int, heads: int) -> dict[str, Any]:
    """The numbers 0, 1, 2, …: "joined" (T, d), and after the split into heads, "split" (h, T, d_k)."""
    joined = np.arange(tokens * width).reshape(tokens, width)
    return {"joined": joined, "split": joined.reshape(tokens, heads, width // heads).transpose(1, 0, 2)}


def show_head_split(tokens: int = 4, width: int = 6, heads: int = 2) -> Still:
    """How (T, d) becomes (h, T, d_k) and back, with the numbers 0, 1, 2, … and a colour for each head.

    Raises UserError unless `heads` divides `width`, and for more than 6 tokens, 12 components or 4 heads.
    """
    if not (1 <= tokens <= 6 and 1 <= heads <= 4 and heads <= width <= 12 and width % heads == 0):
        sizes = f"tokens = {tokens}, width = {width}, heads = {heads}"
        raise UserError(
            f"{sizes}: 1 to 6 tokens, 1 to 4 heads, and up to 12 components that the heads divide were"
            " expected"
        )
    views, d_head = head_views(tokens, width, heads), width // heads
    wide, narrow, tall = width * CELL, d_head * CELL, tokens * CELL
    head_fill = [tint(colour, 0.3) for colour in CATEGORIES]
    # left edges of the four stages
    x = (0.85, 0.85 + wide + GAP, 0.85 + wide + narrow + 2 * GAP, 0.85 + wide + 2 * narrow + 3 * GAP)
    stacked = heads * tall + (heads - 1) * STACK
    figure, axes = new_diagram(x[3] + max(wide, 1.0) + 0.3, stacked + 1.35)
    middle = 0.35 + stacked / 2
    fills = [[head_fill[column // d_head] for column in range(width)]] * tokens
    for left, title, named in ((x[0], "Q", True), (x[3], "merged", False)):
        cells(axes, left, middle, _texts(views["joined"], named), fills, CELL)
        above = (left + wide / 2, middle + tall / 2 + 0.17)
        write(axes, above, f"{title}: ({tokens}, {width})", 11, fontweight="bold")
    for row in range(tokens):
        y = middle + tall / 2 - (row + 0.5) * CELL
        write(axes, (x[0] - 0.08, y), f"token {row}", 9.5, GREY, ha="right")
    for head, part in enumerate(views["split"]):
        y, colour = middle + ((heads - 1) / 2 - head) * (tall + STACK), CATEGORIES[head]
        for left, title, named in ((x[1], f"head {head}", True), (x[2], "output", False)):
            cells(axes, left, y, _texts(part, named), [[head_fill[head]] * d_head] * tokens, CELL)
            write(axes, (left + narrow / 2, y + tall / 2 + 0.15), f"{title}: ({tokens}, {d_head})", 10)
        for start, end in (
            ((x[0] + wide, middle), (x[1], y)),
            ((x[1] + narrow, y), (x[2], y)),
            ((x[2] + narrow, y), (x[3], middle)),
        ):
            arrow(axes, (start[0] + 0.08, start[1]), (end[0] - 0.08, end[1]), color=colour, linewidth=1.8)
        write(axes, ((x[1] + narrow + x[2]) / 2, y + 0.14), "attention", 10)
    top = stacked + 0.95
    write(axes, (x[1] - GAP / 2, top), "split\nview(T, h, d/h)\n.transpose(0, 1)", 10, va="center")
    write(axes, (x[3] - GAP / 2, top), "merge\n.transpose(0, 1)\n.reshape(T, d)", 10, va="center")
    return Still(
        figure,
        f"Splitting {tokens} rows of width {width} into {heads} heads of width {d_head}: head i takes columns"
        f" {d_head}·i to {d_head}·i + {d_head - 1} of every row, so each head sees all {tokens} tokens."
        " Attention runs in each head, and merging puts the outputs side by side in the same order.",
        density=2,
    )


def _texts(table: Any, named: bool) -> list[list[str]]:
    return [[str(number) if named else "" for number in row] for row in table]
