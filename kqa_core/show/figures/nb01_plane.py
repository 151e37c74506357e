"""The plane of notebook 01: drag a query, and see which key wins where, the weights and the output.

- Each point of the plane is a query. Its colour is that of the key with the largest logit there, and deeper
  where that weight is larger. The regions of the keys are sectors, because a longer query has the same
  winner.
- The page computes everything (`nb01_plane.js`), so an exported page is interactive too. `query` can be read
  and set from Python.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike, NDArray

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import CATEGORIES, GREY, new_figure
from kqa_core.show.kit.sketch import ARROW, INK, label, listed, matrix, tint, written
from kqa_core.show.kit.widget import Widget, module

Array = NDArray[np.float64]
NUMBERS = "₀₁₂₃₄₅₆₇₈₉"
BARS = Path(__file__).parent / "nb01_bars.js"


def attend(keys: Array, queries: Array) -> tuple[Array, Array]:
    """Logits and weights (…, n) of queries (…, d) among keys (n, d)."""
    logits = queries @ keys.T
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return logits, powers / powers.sum(axis=-1, keepdims=True)


def largest(weights: Array) -> str:
    """The keys that share the largest weight, in words."""
    names = [f"k{NUMBERS[n]}" for n in np.flatnonzero(weights > weights.max() - 0.005)]
    return (
        f"{names[0]} gets the largest weight"
        if len(names) == 1
        else f"{', '.join(names[:-1])} and {names[-1]} share the largest weight"
    )


def draw_bars(axes: Any, weights: Array, colours: Any = CATEGORIES) -> None:
    """The weights as horizontal bars with their numbers, key 0 on top."""
    names = [f"k{NUMBERS[n]}" for n in range(len(weights))]
    axes.barh(range(len(weights)), weights, color=colours[: len(weights)])
    for n, weight in enumerate(weights):
        axes.text(min(weight + 0.02, 1.0), n, written(weight), va="center")
    axes.set_yticks(range(len(weights)), names)
    axes.set(xlim=(0, 1.15), ylim=(len(weights) - 0.5, -0.5), xlabel="weight", xticks=(0, 0.5, 1))
    axes.spines[["top", "right"]].set_visible(False)


class QueryPlane(Widget):
    """The widget of `query_plane`: the query as a list of two numbers."""

    _esm = module(BARS, Path(__file__).with_suffix(".js"))
    title = "Queries in the plane"
    query: Any = traitlets.List().tag(sync=True)
    given: Any = traitlets.Dict().tag(sync=True)  # what stays

    @property
    def keys_(self) -> Array:
        """The keys (n, 2)."""
        return np.array(self.given["keys"], dtype=float)

    @property
    def weights(self) -> Array:
        """The weights (n,) of the current query."""
        return attend(self.keys_, np.array(self.query, dtype=float))[1]

    @property
    def sentence(self) -> str:
        """The query, its logits and weights, and the output if there are values."""
        logits, weights = attend(self.keys_, np.array(self.query, dtype=float))
        sentence = (
            f"The query {listed(self.query)} has the logits {listed(logits)} and the weights"
            f" {listed(weights)}: "
        )
        return f"{sentence}{largest(weights)}." + (
            f" The output is {listed(weights @ np.array(self.given['values']))}."
            if self.given["values"]
            else ""
        )

    def _draw(self) -> Any:
        """The coloured plane with keys and query, and the weights as bars."""
        figure = new_figure(8.0, 4.0)
        plane, bars = figure.subplots(1, 2, width_ratios=(1.1, 1))
        reach, keys, query = self.given["reach"], self.keys_, np.array(self.query)
        line = np.linspace(-reach, reach, 161)
        _, weights = attend(keys, np.stack(np.meshgrid(line, line), axis=-1))  # (161, 161, n)
        top, paints = weights.max(axis=-1), np.array([tint(colour, 1) for colour in CATEGORIES])
        deep = (0.12 + 0.5 * (top - 1 / len(keys)) / (1 - 1 / len(keys)))[..., None]
        sectors = 1 - deep * (1 - paints[weights.argmax(axis=-1)])
        plane.imshow(sectors, origin="lower", extent=(-reach, reach, -reach, reach))
        for n, key in enumerate(keys):
            plane.plot(*key, "o", color=CATEGORIES[n], markeredgecolor=INK, markersize=7)
            label(plane, f"k{NUMBERS[n]}", key, (5, 5), fontweight="bold", color=INK)
        plane.annotate("", query, (0, 0), arrowprops=ARROW | {"color": INK, "linewidth": 2.2})
        beyond = tuple(11 * query / (float(np.linalg.norm(query)) or 1.0))
        label(plane, "q", query, beyond, fontweight="bold", ha="center", va="center", color=INK)
        plane.axhline(0, color=GREY, linewidth=0.5)
        plane.axvline(0, color=GREY, linewidth=0.5)
        plane.set(title="the key that wins, for every query", xlabel="q[0]", ylabel="q[1]")
        draw_bars(bars, self.weights)
        bars.set_title("weights of this query")
        return figure


def query_plane(
    keys: ArrayLike, values: ArrayLike | None = None, query: tuple[float, float] = (1.0, 0.5)
) -> QueryPlane:
    """The widget for keys (n, 2), with 2 to 6 keys, values (n, m) or none, and a first query (2,).

    Values in the plane (m = 2) are drawn with the output. Raises UserError for other shapes.
    """
    table = matrix("keys", keys)
    if table.shape[1] != 2 or not 2 <= len(table) <= len(CATEGORIES) or not np.isfinite(table).all():
        raise UserError(
            f"keys have shape {table.shape}: 2 to {len(CATEGORIES)} keys of two finite numbers were expected"
        )
    outputs = None if values is None else np.asarray(values, dtype=np.float64)
    outputs = outputs[:, None] if outputs is not None and outputs.ndim == 1 else outputs
    if outputs is not None and (outputs.ndim != 2 or len(outputs) != len(table)):
        raise UserError(
            f"values have shape {outputs.shape}: a row for each of the {len(table)} keys was expected"
        )
    start = np.asarray(query, dtype=np.float64)
    if start.shape != (2,) or not np.isfinite(start).all():
        raise UserError(f"query {query!r}: two finite numbers were expected")
    reach = float(np.ceil(max(2.0, 1.6 * np.linalg.norm(table, axis=1).max(), 1.2 * np.abs(start).max())))
    fixed = {
        "keys": table.tolist(),
        "values": [] if outputs is None else outputs.tolist(),
        "reach": reach,
        "colours": list(CATEGORIES[: len(table)]),
    }
    return QueryPlane(query=start.tolist(), given=fixed)
