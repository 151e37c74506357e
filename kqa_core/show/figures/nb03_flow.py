"""Notebook 03: how data flows through a head of self-attention, with real numbers in the boxes and shapes on the arrows."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREEN, GREY, ORANGE, PINK
from kqa_core.show.kit.sketch import INK, arrow, ink_on, new_diagram, tint, written
from kqa_core.show.kit.still import Still

CELL = 0.4
LARGEST = 6


def attention_flow(tokens: int, width: int, head_width: int) -> dict[str, Tensor]:
    """Every tensor of one head on random numbers: X (T, d); W_Q, W_K, W_V (d, d_k); Q, K, V and C (T, d_k); S and A (T, T)."""
    generator = torch.Generator().manual_seed(3)
    x, *maps = (
        torch.randn(rows, columns, generator=generator, dtype=torch.float64)
        for rows, columns in [(tokens, width)] + 3 * [(width, head_width)]
    )
    q, k, v = (x @ each / width**0.5 for each in maps)
    logits = q @ k.T
    weights = torch.softmax(logits, dim=-1)
    return {
        "X": x,
        "W_Q": maps[0],
        "W_K": maps[1],
        "W_V": maps[2],
        "Q": q,
        "K": k,
        "V": v,
        "S": logits,
        "A": weights,
        "C": weights @ v,
    }


def show_attention_flow(tokens: int = 3, width: int = 4, head_width: int = 2) -> Still:
    """The diagram for T = tokens, d = width and d_k = head_width, each from 1 to 6. Raises UserError for other sizes."""
    sizes = {"tokens": tokens, "width": width, "head_width": head_width}
    for name, size in sizes.items():
        if size not in range(1, LARGEST + 1):
            raise UserError(f"{name} = {size}: 1 to {LARGEST} were expected")
    flow = attention_flow(tokens, width, head_width)
    wide = {name: CELL * table.shape[1] for name, table in flow.items()}
    tall, gap = CELL * tokens, 1.35
    lane = tall + 0.75  # from one row of the diagram to the next
    xs = {"X": 0.55}
    xs["Q"] = xs["K"] = xs["V"] = xs["X"] + wide["X"] + gap
    xs["S"] = xs["Q"] + wide["Q"] + gap
    xs["A"] = xs["S"] + wide["S"] + gap
    xs["C"] = xs["A"] + wide["A"] + gap
    height = 2 * lane + tall + 0.95
    figure, axes = new_diagram(xs["C"] + wide["C"] + 0.4, height)
    rows = {"Q": height - 0.5 - tall / 2, "K": height - 0.5 - tall / 2 - lane, "V": height - 0.5 - tall / 2 - 2 * lane}
    ys = {**rows, "X": rows["K"], "S": (rows["Q"] + rows["K"]) / 2, "A": (rows["Q"] + rows["K"]) / 2}
    ys["C"] = (ys["A"] + rows["V"]) / 2
    looks = {"X": (GREY, "tokens $X$"), "Q": (BLUE, "queries $Q$"), "K": (ORANGE, "keys $K$"), "V": (GREEN, "values $V$"),
             "S": (GREY, "logits $S$"), "A": (PINK, "weights $A$"), "C": (GREEN, "output $C$")}  # fmt: skip
    for name, (colour, title) in looks.items():
        _numbers(axes, xs[name], ys[name], flow[name], colour, name == "A")
        axes.text(
            xs[name] + wide[name] / 2, ys[name] + tall / 2 + 0.1, title, ha="center", va="bottom", fontsize=11, fontweight="bold"
        )
        axes.text(
            xs[name] + wide[name] / 2,
            ys[name] - tall / 2 - 0.07,
            _shape(flow[name]),
            ha="center",
            va="top",
            fontsize=9,
            color=GREY,
        )
    for name in "QKV":
        _joined(
            axes,
            (xs["X"] + wide["X"], ys["X"]),
            (xs[name], ys[name]),
            f"$\\times\\,W_{name}$\n{_shape(flow['W_' + name])}",
            looks[name][0],
        )
    _joined(axes, (xs["Q"] + wide["Q"], ys["Q"]), (xs["S"], ys["S"]), "", BLUE)
    _joined(axes, (xs["K"] + wide["K"], ys["K"]), (xs["S"], ys["S"]), "", ORANGE)
    axes.text(xs["S"] - gap / 2, ys["S"], "$Q K^T$", ha="center", va="center", fontsize=11)
    _joined(axes, (xs["S"] + wide["S"], ys["S"]), (xs["A"], ys["A"]), "softmax\nof each row", INK)
    _joined(axes, (xs["A"] + wide["A"], ys["A"]), (xs["C"], ys["C"]), "", PINK)
    _joined(axes, (xs["V"] + wide["V"], ys["V"]), (xs["C"], ys["C"]), "", GREEN)
    axes.text(xs["C"] - gap / 2 - 0.1, ys["C"], "$A\\,V$", ha="center", va="center", fontsize=11)
    return Still(
        figure,
        f"From {tokens} tokens of width {width}, the matrix X {_shape(flow['X'])}, three products make queries, keys and "
        f"values, {_shape(flow['Q'])} each. Queries times keys are the logits {_shape(flow['S'])}; a softmax of each row "
        f"makes weights {_shape(flow['A'])}; and weights times values are the output {_shape(flow['C'])}.",
    )


def _shape(table: Tensor) -> str:
    return f"({', '.join(map(str, table.shape))})"


def _numbers(axes: Any, x: float, middle: float, table: Tensor, colour: str, weights: bool) -> None:
    """The matrix as boxes with its numbers; weights in cividis from 0 to 1, as everywhere."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    top = middle + len(table) * CELL / 2
    for i, row in enumerate(table.tolist()):
        for j, number in enumerate(row):
            fill = colormaps["cividis"](number) if weights else tint(colour, 0.22)
            corner = (x + j * CELL, top - (i + 1) * CELL)
            axes.add_patch(Rectangle(corner, CELL, CELL, facecolor=fill, edgecolor="white", linewidth=1.5))
            text = written(number, 2 if weights else 1)
            axes.text(
                corner[0] + CELL / 2,
                corner[1] + CELL / 2,
                text,
                ha="center",
                va="center_baseline",
                fontsize=8.5,
                color=ink_on(fill),
            )


def _joined(axes: Any, start: tuple[float, float], end: tuple[float, float], text: str, colour: str) -> None:
    (x0, y0), (x1, y1) = (start[0] + 0.08, start[1]), (end[0] - 0.08, end[1])
    arrow(axes, (x0, y0), (x1, y1), color=colour, linewidth=1.6)
    if text:
        halo = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        axes.text((x0 + x1) / 2, (y0 + y1) / 2, text, ha="center", va="center", fontsize=9, bbox=halo, zorder=3)
