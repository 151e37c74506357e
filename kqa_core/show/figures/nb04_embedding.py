"""Notebook 04: a Transformer's input (token vector plus position vector), and its loss."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from kqa_core.errors import UserError
from kqa_core.show.figures.nb07_curves import smooth
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, new_figure, open_axes
from kqa_core.show.kit.sketch import draw_table, matrix, signed
from kqa_core.show.kit.still import Still

READABLE = 6  # up to this many components the numbers are written into the cells


def show_embedding_sum(token_table: Any, position_table: Any, ids: Any) -> Still:
    """The rows `ids` (T,) of `token_table` (n_vocab, d), plus T rows of `position_table`: their sum (T, d).

    Raises UserError for tables of different widths, an id that has no row, or more ids than positions.
    """
    tokens, positions = matrix("token_table", token_table), matrix("position_table", position_table)
    try:
        chosen = [int(number) for number in ids]
    except (TypeError, ValueError):
        raise UserError(f"ids {ids!r}: a list of whole numbers was expected") from None
    if tokens.shape[1] != positions.shape[1]:
        raise UserError(
            f"token_table {tokens.shape} and position_table {positions.shape} must have the same number of"
            " columns"
        )
    if not chosen or not all(0 <= token < len(tokens) for token in chosen) or len(chosen) > len(positions):
        raise UserError(
            f"ids {chosen}: 1 to {len(positions)} numbers from 0 to {len(tokens) - 1} were expected"
        )
    length, width = len(chosen), tokens.shape[1]
    first, second = tokens[chosen], positions[:length]  # (T, d) each
    parts = {"token vectors": first, "+  position vectors": second, "=  input of block 0": first + second}
    scale = signed(*parts.values())
    few = width <= READABLE
    figure = new_figure(10.0, max(2.4, (0.42 if few else 0.3) * length + 1.3))
    panels = figure.subplots(1, 3)
    names = [
        [f"token {token}" for token in chosen],
        [f"position {t}" for t in range(length)],
        [f"$x_{{{t}}}$" for t in range(length)],
    ]
    for axes, (title, table), rows in zip(panels, parts.items(), names, strict=True):
        image = draw_table(axes, table, scale, digits=2 if few else None)
        axes.set(aspect="auto", xlabel="component")
        axes.set_title(title, fontsize=12)
        axes.set_yticks(range(length), rows)
        axes.set_xticks(range(0, width, max(1, width // 8)))
    figure.colorbar(image, ax=panels, label="value")
    return Still(
        figure,
        f"{length} rows of {width} components."
        " Row t is the vector of the token at t plus the vector of position t: "
        + ", ".join(f"token {token} at position {t}" for t, token in enumerate(chosen)) + ".",
    )  # fmt: skip


def show_loss_curve(losses: Sequence[float], baseline: float | Mapping[str, float] | None = None) -> Still:
    """The loss (nats) of each step, faint, its mean over a fiftieth of the run, and dashed baselines.

    `baseline`: a loss to compare with, or several with their names. Raises UserError if there are no losses.
    """
    values = [float(loss) for loss in losses]
    if not values:
        raise UserError("losses: at least one number was expected")
    # training that fails gives nan
    highest = max([loss for loss in values if math.isfinite(loss)], default=1.0)
    if not isinstance(baseline, Mapping):
        baseline = {} if baseline is None else {"baseline": float(baseline)}
    smoothed = smooth(values, max(1, len(values) // 50))
    figure = new_figure(8.0, 3.2)
    axes = open_axes(figure)
    steps = np.arange(1, len(values) + 1)
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.plot(steps, values, color=BLUE, linewidth=0.8, alpha=0.3, label="each step")
    axes.plot(steps, smoothed, color=BLUE, linewidth=2, label="smoothed")
    for name, floor in baseline.items():
        axes.axhline(floor, color=ORANGE, linewidth=1.5, linestyle="--")
        right = {"ha": "right", "va": "bottom", "transform": axes.get_yaxis_transform()}
        axes.text(1, floor, f"{name}: {floor:.2f} ", color=GREY, **right)
    axes.set(xlabel="step", ylabel="loss, nats per token")
    axes.set(xlim=(1, max(2, len(values))), ylim=(0, 1.08 * max(highest, *baseline.values(), 1e-9)))
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
    compared = "".join(f" The dashed line is {name}, {floor:.2f}." for name, floor in baseline.items())
    return Still(
        figure,
        f"The loss over {len(values)} steps: {smoothed[0]:.2f} at first, {smoothed[-1]:.2f} at the"
        f" end.{compared}",
    )
