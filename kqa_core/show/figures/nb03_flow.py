"""Notebook 03: data flowing through a head of self-attention, with real numbers and shapes."""

from __future__ import annotations

import torch
from torch import Tensor

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREEN, GREY, ORANGE, PINK
from kqa_core.show.kit.sketch import HALO, INK, arrow, cells, new_diagram, tint, write, written
from kqa_core.show.kit.still import Still

CELL, GAP, MOST = 0.42, 1.15, 6
LOOKS = {  # colour and title of each matrix
    "X": (GREY, "tokens $X$"),
    "Q": (BLUE, "queries $Q$"),
    "K": (ORANGE, "keys $K$"),
    "V": (GREEN, "values $V$"),
    "S": (GREY, "logits $S$"),
    "A": (PINK, "weights $A$"),
    "C": (GREEN, "output $C$"),
}


def attention_flow(X: Tensor, W_Q: Tensor, W_K: Tensor, W_V: Tensor) -> dict[str, Tensor]:
    """Every array of the diagram by name, for tokens X (T, d) or sentences (N, T, d); logits unscaled.

    W_Q and W_K have shape (d, d_k) and W_V (d, d_v). Queries Q and keys K are (…, T, d_k), values V and
    outputs C (…, T, d_v), logits S and weights A (…, T, T).
    """
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    S = Q @ K.transpose(-2, -1)
    A = torch.softmax(S, dim=-1)
    return {"X": X, "W_Q": W_Q, "W_K": W_K, "W_V": W_V, "Q": Q, "K": K, "V": V, "S": S, "A": A, "C": A @ V}


def random_flow(tokens: int, width: int, head_width: int) -> dict[str, Tensor]:
    """The arrays of the picture, for random tokens X (T, d) and matrices (d, d_k)."""
    generator = torch.Generator().manual_seed(158)  # the rounded weights of the default sizes sum to 1.00
    x = torch.randn(tokens, width, generator=generator, dtype=torch.float64)
    maps = torch.randn(3, width, head_width, generator=generator, dtype=torch.float64) / width**0.5
    return attention_flow(x, *maps)


def show_attention_flow(tokens: int = 3, width: int = 4, head_width: int = 2) -> Still:
    """The diagram for T = tokens, d = width, d_k = head_width, each 1 to 6. Raises UserError for others."""
    from matplotlib import colormaps
    from matplotlib.patches import Rectangle

    for name, size in (("tokens", tokens), ("width", width), ("head_width", head_width)):
        if size not in range(1, MOST + 1):
            raise UserError(f"{name} = {size}: 1 to {MOST} were expected")
    flow = random_flow(tokens, width, head_width)
    shape = {name: f"({', '.join(map(str, table.shape))})" for name, table in flow.items()}
    # of a matrix; from one row of the diagram to the next
    tall, middle = CELL * tokens, max(CELL * tokens, 0.8) + 0.75
    x: dict[str, float] = {}
    left = 0.65
    for names in ("X", "QKV", "S", "A", "C"):  # from left to right
        x |= dict.fromkeys(names, left)
        left += CELL * flow[names[0]].shape[1] + GAP
    right = {name: x[name] + CELL * flow[name].shape[1] for name in x}
    low = max(tall / 2 + 0.35, 0.95)
    y = {"V": low, "K": low + middle, "X": low + middle, "Q": low + 2 * middle}
    y |= dict.fromkeys("SA", low + 1.5 * middle) | {"C": low + 0.75 * middle}
    figure, axes = new_diagram(right["C"] + 0.4, y["Q"] + tall / 2 + 0.5)
    for name, (colour, title) in LOOKS.items():
        numbers, centre = flow[name].tolist(), (x[name] + right[name]) / 2
        fills = [
            [colormaps["cividis"](number) if name == "A" else tint(colour, 0.22) for number in row]
            for row in numbers
        ]
        texts = [[written(number, 2 if name == "A" else 1) for number in row] for row in numbers]
        cells(axes, x[name], y[name], texts, fills, CELL)
        write(axes, (centre, y[name] + tall / 2 + 0.2), title, 12, fontweight="bold")
        write(axes, (centre, y[name] - tall / 2 - 0.15), shape[name], 10, GREY)
    for row in range(tokens):
        write(axes, (x["X"] - 0.2, y["X"] + tall / 2 - (row + 0.5) * CELL), f"$x_{row}$", 11)
    followed = min(1, tokens - 1)
    for name in "XQSAC":
        place = (x[name], y[name] + tall / 2 - (followed + 1) * CELL)
        axes.add_patch(
            Rectangle(place, right[name] - x[name], CELL, fill=False, edgecolor=INK, linewidth=2, zorder=4)
        )
    story = (
        "its query is compared with every key,\n"
        "its weights sum to 1, and its output\n"
        "is the weighted average of all values"
    )
    write(axes, (right["V"] + 0.35, 0.33), f"framed: token {followed}; {story}", 10, ha="left")
    arrows = (
        ("X", "Q", f"$\\times W_Q$\n{shape['W_Q']}", BLUE),
        ("X", "K", f"$\\times W_K$\n{shape['W_K']}", "#a87400"),
        ("X", "V", f"$\\times W_V$\n{shape['W_V']}", GREEN),
        ("Q", "S", "", BLUE),
        ("K", "S", "", "#a87400"),
        ("S", "A", "softmax of\neach row", GREY),
        ("A", "C", "", PINK),
        ("V", "C", "", GREEN),
    )
    for start, end, text, colour in arrows:
        (x0, y0), (x1, y1) = (right[start] + 0.08, y[start]), (x[end] - 0.08, y[end])
        arrow(axes, (x0, y0), (x1, y1), color=colour, linewidth=1.8)
        if text:
            write(axes, ((x0 + x1) / 2, (y0 + y1) / 2), text, 10, INK, bbox=HALO | {"alpha": 1}, zorder=3)
    product = f"$Q\\,K^T$\n({tokens}, {head_width})\n({head_width}, {tokens})"
    write(axes, (x["S"] - 0.55 * GAP, y["S"]), product, 10)
    write(axes, (x["C"] - 0.8 * GAP, y["C"] + 0.25), f"$A\\,V$\n{shape['A']}\n{shape['V']}", 10)
    return Still(
        figure,
        f"From {tokens} tokens of width {width}, the matrix X {shape['X']}, three products make queries, keys"
        f" and values, {shape['Q']} each. Queries times keys are the logits {shape['S']}; a softmax of each"
        f" row makes the weights {shape['A']}; weights times values are the output {shape['C']}. Row"
        f" {followed} of each is framed.",
        density=2,
    )
