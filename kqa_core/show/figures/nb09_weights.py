"""The weights of notebook 09: pairs in another order, learning curves, and singular values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, CATEGORIES, GREY, ORANGE, VERMILION, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import MASKED, write
from kqa_core.show.kit.still import Still


def show_orders(labels: Sequence[Sequence[str]], weights: Mapping[str, Any], marked: Sequence[int]) -> Still:
    """The weights of the last position on the same items in several orders: a panel a model, a row an order.

    `labels`: for each order, what is at each place. `weights`: for each model a table (orders, places).
    `marked`: for each order, the place of the item that is looked for. Raises UserError for other shapes.
    """
    from matplotlib.patches import Rectangle

    tables = {name: np.asarray(table, dtype=np.float64) for name, table in weights.items()}
    shape = (len(labels), len(labels[0]))
    for name, table in tables.items():
        if table.shape != shape:
            raise UserError(
                f"weights of {name}: shape {shape} was expected, one row for each order, not {table.shape}"
            )
    figure = new_figure(9.0, 0.55 * shape[0] * len(tables) + 0.9 * len(tables))
    panels, clauses = figure.subplots(len(tables), 1, squeeze=False)[:, 0], []
    for axes, (name, table) in zip(panels, tables.items(), strict=True):
        image = axes.imshow(table, **WEIGHTS, aspect="auto")
        for row, texts in enumerate(labels):
            for place, text in enumerate(texts):
                weight = table[row, place]
                colour = "black" if weight > 0.5 else "white"
                write(axes, (place, row), f"{text}\n{weight:.2f}", 9, colour)
            axes.add_patch(
                Rectangle(
                    (marked[row] - 0.47, row - 0.46), 0.94, 0.92, fill=False, color=VERMILION, linewidth=3
                )
            )
        axes.set(title=name, xticks=range(shape[1]), yticks=range(shape[0]), ylabel="order")
        most = ", ".join(f"place {int(row.argmax())} ({row.max():.2f})" for row in table)
        clauses.append(f"{name}: the largest weight is at {most}")
    panels[-1].set_xlabel("place")
    figure.colorbar(image, ax=list(panels), label="weight")
    wanted = ", ".join(map(str, marked))
    return Still(
        figure,
        f"The same pairs in {shape[0]} orders; the pair that is looked for is at place {wanted}."
        f" {'; '.join(clauses)}.",
    )


def learning_figure(curves: Mapping[str, Sequence[float]], every: int, chance: float) -> Still:
    """Accuracy against training steps, one line for each model, measured at every `every`-th step."""
    figure = new_figure(7.5, 3.2)
    axes = figure.subplots()
    for (name, curve), colour, mark in zip(curves.items(), CATEGORIES, "os^v", strict=False):
        axes.plot(
            [every * i for i in range(len(curve))], curve, f"{mark}-", color=colour, markersize=4, label=name
        )
    axes.axhline(chance, color=GREY, linestyle=":", label=f"guessing, {chance:.3f}")
    axes.set(xlabel="training steps", ylabel="accuracy on new rows", title="Looking up a value, in one layer")
    axes.set(ylim=(0, 1.05))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="center right")
    ends = "; ".join(f"{name} ends at {100 * curve[-1]:.0f} %" for name, curve in curves.items() if curve)
    return Still(
        figure, f"Accuracy on rows never seen in training, where guessing gives {100 * chance:.1f} %: {ends}."
    )


def singular_shares(weights: Any) -> np.ndarray[Any, Any]:
    """For matrices (…, T, T): the share of Σσ² in the first 1, 2, …, T singular values, (…, T)."""
    squares = np.linalg.svd(np.asarray(weights, dtype=np.float64), compute_uv=False) ** 2
    return np.asarray(squares.cumsum(axis=-1) / squares.sum(axis=-1, keepdims=True))


def show_low_rank(weights: Any, r: int) -> Still:
    """One matrix of `weights` (heads, T, T), the same with `r` singular values, and what heads need.

    Raises UserError for another shape, or for an `r` outside 1 … T.
    """
    table = np.asarray(weights, dtype=np.float64)
    if table.ndim != 3 or table.shape[1] != table.shape[2]:
        raise UserError(f"weights of shape (heads, T, T) were expected, not {table.shape}")
    heads, T = table.shape[:2]
    if not 1 <= r <= T:
        raise UserError(f"r must lie between 1 and T = {T}, not {r}")
    from matplotlib.patches import Rectangle

    U, sizes, V = np.linalg.svd(table[0])
    shares = singular_shares(table)  # (heads, T)
    figure = new_figure(10.5, 3.5)
    first, second, curves = figure.subplots(1, 3, gridspec_kw={"width_ratios": (1, 1, 1.25)})
    first.add_patch(Rectangle((-0.5, -0.5), T, T, zorder=-1, **MASKED))
    shown = (
        np.where(np.triu(np.ones((T, T)), 1) > 0, np.nan, table[0])
        if not np.triu(table[0], 1).any()
        else table[0]
    )
    first.imshow(shown, **WEIGHTS)
    first.set(title=f"weights, T × T\n{T} × {T} = {T * T:,} numbers", xlabel="key", ylabel="query")
    image = second.imshow((U[:, :r] * sizes[:r]) @ V[:r], **WEIGHTS)
    second.set(title=f"{r} singular values\n2 · {T} × {r} = {2 * T * r:,} numbers", xlabel="key")
    figure.colorbar(image, ax=second, label="weight")
    kept = range(1, T + 1)
    for i, row in enumerate(shares):
        curves.plot(kept, row, color=BLUE, linewidth=1, label=None if i else f"the {heads} heads")
    curves.plot(kept, [k / T for k in kept], "--", color=GREY, label="identity matrix")
    curves.axvline(r, color=ORANGE, linewidth=1.5, label=f"r = {r}")
    curves.set(xlabel="singular values kept", ylabel="share of Σσ²", ylim=(0, 1.03), xlim=(0, T))
    curves.legend(frameon=False, loc="lower right")
    curves.grid(alpha=0.3)
    curves.spines[["top", "right"]].set_visible(False)
    low, high = 100 * shares[:, r - 1].min(), 100 * shares[:, r - 1].max()
    return Still(
        figure,
        f"An attention matrix of {T} × {T} weights and its best approximation with {r} singular values. In"
        f" {heads} heads, {r} of {T} singular values hold {low:.0f} to {high:.0f} % of the sum of squares,"
        f" and {100 * r / T:.0f} % in the identity.",
    )
