"""The solid of notebook 01: four keys in three dimensions, which turn with the query.

- The query points toward you. So the logit of a key is β times its nearness to you: the nearest corner gets
  the largest weight. An edge that faces you shares it between two keys, and a face among three.
- The picture has no perspective, because with perspective "nearest" would not be the largest dot product.
- The page computes everything (`nb01_tetrahedron.js`). `turn` and `beta` can be read and set from Python.
"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import traitlets
from numpy.typing import ArrayLike, NDArray

from kqa_core.errors import UserError
from kqa_core.show.figures.nb01_plane import BARS, NUMBERS, attend, draw_bars, largest
from kqa_core.show.kit.palette import CATEGORIES, GREY, new_figure
from kqa_core.show.kit.sketch import INK, label, listed, matrix, written
from kqa_core.show.kit.widget import Widget, module

Array = NDArray[np.float64]


def view(azimuth: float, elevation: float) -> Array:
    """Where one looks from, and what is to the right and up from there: three unit vectors as rows (3, 3)."""
    a, e = math.radians(azimuth), math.radians(elevation)
    return np.array([
        [math.cos(e) * math.cos(a), math.cos(e) * math.sin(a), math.sin(e)],
        [-math.sin(a), math.cos(a), 0.0],
        [-math.sin(e) * math.cos(a), -math.sin(e) * math.sin(a), math.cos(e)],
    ])  # fmt: skip


class KeyTetrahedron(Widget):
    """The widget of `key_tetrahedron`: where it is seen from, in degrees, and the length β of the query."""

    _esm = module(BARS, Path(__file__).with_suffix(".js"))
    title = "Four keys in space"
    turn: Any = traitlets.List().tag(sync=True)  # azimuth, elevation
    beta = traitlets.Float().tag(sync=True)
    given: Any = traitlets.Dict().tag(sync=True)  # what stays

    @property
    def keys_(self) -> Array:
        """The keys (4, 3)."""
        return np.array(self.given["keys"], dtype=float)

    @property
    def weights(self) -> Array:
        """The weights (4,) of the query that points toward you."""
        return attend(self.keys_, self.beta * view(*self.turn)[0])[1]

    @property
    def sentence(self) -> str:
        """The query, and its weights."""
        return (
            f"You look from the tip of the query q = {written(self.beta, 1)}·{listed(view(*self.turn)[0])}."
            f" Its weights are {listed(self.weights)}: {largest(self.weights)}."
        )

    def _draw(self) -> Any:
        """The solid as it is seen, and the weights as bars."""
        figure = new_figure(8.0, 3.8)
        solid, bars = figure.subplots(1, 2, width_ratios=(1.1, 1))
        depth, right, up = view(*self.turn) @ self.keys_.T  # (4,) each
        for one, two in combinations(range(4), 2):
            near = (depth[one] + depth[two]) / 2
            share = (near - depth.min()) / (float(np.ptp(depth)) or 1.0)
            nearer = {"linewidth": 1 + 2 * share, "alpha": 0.35 + 0.6 * share, "zorder": 1 + share}
            solid.plot(right[[one, two]], up[[one, two]], color=GREY, **nearer)
        for n in np.argsort(depth):
            share = (depth[n] - depth.min()) / (float(np.ptp(depth)) or 1.0)
            nearer = {"markersize": 9 + 9 * share, "zorder": 3 + share}
            solid.plot(right[n], up[n], "o", color=CATEGORIES[n], markeredgecolor=INK, **nearer)
            name = f"k{NUMBERS[n]}"
            label(solid, name, (right[n], up[n]), (0, 11), ha="center", fontweight="bold", zorder=6)
        solid.plot(0, 0, "+", color=GREY)
        solid.set(title="seen from the tip of the query:\nthe nearest corner wins")
        solid.set(aspect="equal", xticks=[], yticks=[])
        solid.margins(0.18)
        draw_bars(bars, self.weights)
        bars.set_title("weights of this query")
        return figure


def key_tetrahedron(keys: ArrayLike) -> KeyTetrahedron:
    """The widget for four keys (4, 3), with β = 4 at first. Raises UserError for another shape."""
    table = matrix("keys", keys)
    if table.shape != (4, 3) or not np.isfinite(table).all() or not table.any():
        raise UserError(
            f"keys have shape {table.shape}: four keys of three finite numbers, not all zero, were expected"
        )
    return KeyTetrahedron(
        turn=[40, 20], beta=4.0, given={"keys": table.tolist(), "colours": list(CATEGORIES[:4])}
    )
