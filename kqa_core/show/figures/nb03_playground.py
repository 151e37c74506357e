"""The playground of notebook 03: change W_Q and W_K (here Q, K), and see logits, weights and outputs.

- Q and K are 4 × 4 over the unit directions a, b, c, d: an entry in row r and column s takes direction s to
  direction r. The tokens are x₀ = β(d + b), x₁ = β·a, x₂ = β(c + b), so a logit is β² times a whole number
  for whole entries.
- The values are those of a W_V that maps x₀ to u_b, x₁ to 0 and x₂ to u_b − u_c. Outputs are shown in units
  of β.
- The page computes everything (`playground.js`), so an exported page is interactive too. `Q`, `K` and `beta`
  can be read and set from Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import NDArray

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import write
from kqa_core.show.kit.widget import Widget, module

Table = NDArray[np.float64]
LETTERS = "abcd"
# (3, 4): x₀, x₁, x₂ over a, b, c, d, in units of β
TOKENS: Table = np.array([[0.0, 1, 0, 1], [1, 0, 0, 0], [0, 1, 1, 0]])
VALUES: Table = np.array([[0.0, 1, 0, 0], [0, 0, 0, 0], [0, 1, -1, 0]])  # (3, 4): W_V x₀, W_V x₁, W_V x₂
WANTED: Table = VALUES[[2, 0]]  # (2, 4): what c₀ and c₁ should become
PRESETS = {"W_Q = W_K = 0": np.zeros((4, 4)), "W_Q = W_K = I": np.eye(4)}
LARGEST = 9


def logits_and_weights(query_matrix: Table, key_matrix: Table, beta: float) -> tuple[Table, Table]:
    """Logits and weights (3, 3): a row for each query."""
    queries, keys = TOKENS @ query_matrix.T, TOKENS @ key_matrix.T  # (3, 4)
    logits = beta**2 * queries @ keys.T
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return logits, powers / powers.sum(axis=1, keepdims=True)


def draw_playground(figure: Any, query_matrix: Table, key_matrix: Table, beta: float) -> str:
    """Draw logits, weights, and both outputs beside their targets. Returns a description."""
    logits, weights = logits_and_weights(query_matrix, key_matrix, beta)
    outputs = (weights @ VALUES)[:2]  # (2, 4), in units of β
    tables, bars = figure.subfigures(1, 2, width_ratios=(1.25, 1))
    for axes, name, table in zip(
        tables.subplots(1, 2), ("logits", "weights"), (logits, weights), strict=True
    ):
        if name == "weights":
            axes.imshow(table, **WEIGHTS)
        else:
            axes.imshow(np.zeros_like(table), cmap="Greys", vmin=0, vmax=1)
        for (i, j), number in np.ndenumerate(table):
            dark = name == "weights" and number <= 0.45
            text = f"{number:.2f}" if name == "weights" else f"{number:.4g}"
            write(axes, (j, i), text, 10, "white" if dark else "black")
        axes.set(xticks=range(3), yticks=range(3), xlabel="key", title=name)
        axes.set_xticklabels([f"$W_K x_{i}$" for i in range(3)])
        axes.set_yticklabels([f"$W_Q x_{i}$" for i in range(3)] if name == "logits" else [])
    for axes, name, output, wanted, colour in zip(
        bars.subplots(1, 2, sharey=True), ("$c_0$", "$c_1$"), outputs, WANTED, (BLUE, ORANGE), strict=True
    ):
        axes.bar(range(4), wanted, width=0.8, fill=False, edgecolor=GREY, linestyle="--", linewidth=1.2)
        axes.bar(range(4), output, width=0.5, color=colour)
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.set(ylim=(-1.25, 1.25), xticks=range(4), title=name)
        axes.set_xticklabels([f"$u_{letter}$" for letter in LETTERS])
    bars.supylabel("dashed: target", fontsize=9)
    return said(weights, outputs, beta)


def said(weights: Table, outputs: Table, beta: float) -> str:
    """Weights (3, 3) and outputs (2 or more, 4), in units of β, in words."""
    away = np.linalg.norm(outputs[:2] - WANTED, axis=1)
    return (
        f"At β = {beta:.1f} query 0 gives its weights ({_row(weights[0])}) and query 1 ({_row(weights[1])}). "
        f"c₀ is {away[0]:.2f}·‖u‖ away from u_b − u_c, and c₁ {away[1]:.2f}·‖u‖ from u_b."
    )


def _row(weights: Sequence[float] | Table) -> str:
    return ", ".join(f"{weight:.2f}" for weight in weights)


class Playground(Widget):
    """The widget of `playground`: Q and K as lists of four rows, and beta."""

    _esm = module(Path(__file__).with_suffix(".js"))
    title = "Queries and keys, written by hand"
    Q: Any = traitlets.List().tag(sync=True)
    K: Any = traitlets.List().tag(sync=True)
    beta = traitlets.Float().tag(sync=True)
    given: Any = traitlets.Dict().tag(sync=True)  # what stays

    def __init__(self, beta: float = 1.5) -> None:
        presets = {name: table.tolist() for name, table in PRESETS.items()}
        tables = {"tokens": TOKENS.tolist(), "values": VALUES.tolist(), "wanted": WANTED.tolist()}
        fixed = {**tables, "letters": list(LETTERS), "presets": presets, "largest": LARGEST}
        start = PRESETS["W_Q = W_K = I"].tolist()
        super().__init__(Q=start, K=start, beta=beta, given=fixed)

    def fill(self, table: Any) -> None:
        """Give Q and K the entries of one table (4, 4)."""
        self.Q = self.K = np.asarray(table, dtype=float).tolist()

    def put(self, name: str, row: int, column: int, entry: float) -> None:
        """Set one entry of "Q" or "K". Raises UserError for an index or a value outside the range."""
        if (
            name not in ("Q", "K")
            or row not in range(4)
            or column not in range(4)
            or not abs(entry) <= LARGEST
        ):
            raise UserError(
                f"{name}[{row}][{column}] = {entry}: Q or K, rows and columns 0 to 3 and entries from"
                f" −{LARGEST} to {LARGEST} were expected"
            )
        table = self.matrix(name)
        table[row, column] = entry
        setattr(self, name, table.tolist())

    def matrix(self, name: str) -> Table:
        """The current Q or K, (4, 4)."""
        return np.array(getattr(self, name), dtype=float)

    @property
    def sentence(self) -> str:
        """Both rows of weights, and the distances of both outputs from their targets."""
        _, weights = logits_and_weights(self.matrix("Q"), self.matrix("K"), self.beta)
        return said(weights, weights @ VALUES, self.beta)

    def _draw(self) -> Any:
        """Q and K, with logits, weights and outputs."""
        figure = new_figure(11.5, 2.9)
        left, right = figure.subfigures(1, 2, width_ratios=(1, 1.6))
        for axes, name in zip(left.subplots(1, 2), "QK", strict=True):
            table = self.matrix(name)
            axes.imshow(np.zeros((4, 4)), cmap="Greys", vmin=0, vmax=1)
            for (r, c), entry in np.ndenumerate(table):
                write(axes, (c, r), f"{entry:g}", 10, "black", fontweight="bold" if entry else "normal")
            axes.set(xticks=range(4), yticks=range(4), title=f"$W_{name}$", xlabel="from", ylabel="to")
            axes.set_xticklabels(LETTERS)
            axes.set_yticklabels(LETTERS)
        draw_playground(right, self.matrix("Q"), self.matrix("K"), self.beta)
        return figure


def playground(beta: float = 1.5) -> Playground:
    """The playground, beginning with W_Q = W_K = I: plain self-attention."""
    return Playground(beta)
