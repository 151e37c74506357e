"""The playground of notebook 03: type entries of K and Q, and watch logits, weights and outputs follow.

- K and Q are 4 × 4 over the unit directions a, b, c, d: an entry in row r and column s takes direction s to direction r. The
  tokens are x₁ = β(d + b), x₂ = β·a, x₃ = β(c + b), so a logit is β² times a whole number for whole entries.
- The values are those of a V that makes u_b of x₁, nothing of x₂ and u_b − u_c of x₃, and outputs are shown in units of β.
- Everything moves at once: a changed box draws anew. A preset fills the boxes.
"""

from __future__ import annotations

from typing import Any

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from kqa_core.show.live import LiveFigure
from kqa_core.show.style import BLUE, GREY, ORANGE, WEIGHTS

Table = NDArray[np.float64]
LETTERS = "abcd"
TOKENS: Table = np.array([[0.0, 1, 0, 1], [1, 0, 0, 0], [0, 1, 1, 0]])  # (3, 4): x₁, x₂, x₃ over a, b, c, d, in units of β
VALUES: Table = np.array([[0.0, 1, 0, 0], [0, 0, 0, 0], [0, 1, -1, 0]])  # (3, 4): V x₁, V x₂, V x₃
WANTED: Table = VALUES[[2, 0]]  # (2, 4): what c₁ and c₂ should become
PRESETS = {"K = Q = 0": np.zeros((4, 4)), "K = Q = I": np.eye(4)}
LARGEST = 9
NUMBERS = "₁₂₃"


def logits_and_weights(key_matrix: Table, query_matrix: Table, beta: float) -> tuple[Table, Table]:
    """Logits and weights (3, 3): a row for each query."""
    keys, queries = TOKENS @ key_matrix.T, TOKENS @ query_matrix.T  # (3, 4)
    logits = beta**2 * queries @ keys.T
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    return logits, powers / powers.sum(axis=1, keepdims=True)


def draw_playground(figure: Any, key_matrix: Table, query_matrix: Table, beta: float) -> str:
    """Draw logits, weights, and both outputs beside what they should become; the sentence that says the same."""
    logits, weights = logits_and_weights(key_matrix, query_matrix, beta)
    outputs = (weights @ VALUES)[:2]  # (2, 4), in units of β
    tables, bars = figure.subfigures(1, 2, width_ratios=(1.25, 1))
    for axes, name, table in zip(tables.subplots(1, 2), ("logits", "weights"), (logits, weights), strict=True):
        if name == "weights":
            axes.imshow(table, **WEIGHTS)
        else:
            axes.imshow(np.zeros_like(table), cmap="Greys", vmin=0, vmax=1)
        for (i, j), number in np.ndenumerate(table):
            dark = name == "weights" and number <= 0.45
            text = f"{number:.2f}" if name == "weights" else f"{number:.1f}"
            axes.text(j, i, text, ha="center", va="center", color="white" if dark else "black")
        axes.set(xticks=range(3), yticks=range(3), xlabel="key", title=name)
        axes.set_xticklabels([f"K x{n}" for n in NUMBERS])
        axes.set_yticklabels([f"Q x{n}" for n in NUMBERS] if name == "logits" else [])
    for axes, name, output, wanted, colour in zip(
        bars.subplots(1, 2, sharey=True), ("c₁", "c₂"), outputs, WANTED, (BLUE, ORANGE), strict=True
    ):
        axes.bar(range(4), wanted, width=0.8, fill=False, edgecolor=GREY, linestyle="--", linewidth=1.2)
        axes.bar(range(4), output, width=0.5, color=colour)
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.set(ylim=(-1.25, 1.25), xticks=range(4), title=f"{name}, dashed: wanted")
        axes.set_xticklabels([f"u_{letter}" for letter in LETTERS])
    away = np.linalg.norm(outputs - WANTED, axis=1)
    return (
        f"At β = {beta:.1f} query 1 gives its weights ({_row(weights[0])}) and query 2 ({_row(weights[1])}). "
        f"c₁ is {away[0]:.2f}·‖u‖ away from u_b − u_c, and c₂ {away[1]:.2f}·‖u‖ from u_b."
    )


def _row(weights: Table) -> str:
    return ", ".join(f"{weight:.2f}" for weight in weights)


class Playground(LiveFigure):
    """Two tables of number boxes, a β slider, presets, and the picture. `boxes["K"][r][s]` is the box of an entry."""

    children: Any  # the rows shown, from top to bottom

    def __init__(self, beta: float = 1.5) -> None:
        self.boxes = {name: [[_box(name, r, s) for s in range(4)] for r in range(4)] for name in "KQ"}
        self.presets = [widgets.Button(description=name) for name in PRESETS]
        super().__init__(self._draw_entries, 9.5, 2.9, {"beta": (0.0, 4.0, 0.1, beta)})
        self.fill(PRESETS["K = Q = I"])
        for button, table in zip(self.presets, PRESETS.values(), strict=True):
            button.on_click(lambda _, table=table: self.fill(table))
        tables = widgets.HBox([_grid(name, boxes) for name, boxes in self.boxes.items()])
        self.children = (widgets.HBox(self.presets), tables, *self.children)
        for box in self._all_boxes():
            box.observe(self._redraw, names="value")

    def fill(self, table: Table) -> None:
        """Give K and Q the entries of one table (4, 4), and draw once."""
        boxes = self._all_boxes()
        for box in boxes:
            box.unobserve_all("value")
        for box, entry in zip(boxes, [*table.flat, *table.flat], strict=True):
            box.value = float(entry)
        for box in boxes:
            box.observe(self._redraw, names="value")
        self._redraw(None)

    def matrix(self, name: str) -> Table:
        """K or Q as the boxes say, (4, 4)."""
        return np.array([[box.value for box in row] for row in self.boxes[name]])

    def _all_boxes(self) -> list[Any]:
        return [box for name in "KQ" for row in self.boxes[name] for box in row]

    def _draw_entries(self, figure: Any, beta: float) -> str:
        return draw_playground(figure, self.matrix("K"), self.matrix("Q"), beta)


def _box(name: str, row: int, column: int) -> Any:
    box = widgets.BoundedFloatText(value=0.0, min=-LARGEST, max=LARGEST, step=1, layout=widgets.Layout(width="4.2em"))
    box.tooltip = f"{name}: from {LETTERS[column]} to {LETTERS[row]}"
    return box


def _grid(name: str, boxes: list[list[Any]]) -> Any:
    """A table of boxes with the directions written around it."""

    def head(text: str) -> Any:
        return widgets.HTML(f'<span style="display:inline-block;width:4.2em;text-align:center">{text}</span>')

    rows = [[head(f"<b>{name}</b>"), *(head(f"from {letter}") for letter in LETTERS)]]
    rows += [[head(f"to {letter}"), *row] for letter, row in zip(LETTERS, boxes, strict=True)]
    return widgets.VBox([widgets.HBox(row) for row in rows], layout=widgets.Layout(margin="0 1.5em 0 0"))


def playground(beta: float = 1.5) -> Playground:
    """The playground, beginning with K = Q = I: plain self-attention."""
    return Playground(beta)
