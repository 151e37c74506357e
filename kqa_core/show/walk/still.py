"""The walk's still: the stream as it grows, one head's weights, and the prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kqa_core.show.explorer.explorer import SPELLED
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import hatch
from kqa_core.show.walk.facts import Place, Shown, chance
from kqa_core.show.walk.numbers import Floats

WIDE, HIGH = 10.0, 3.9  # inches
BARS = 8


def draw(shown: Shown, place: Place) -> Any:
    """A matplotlib figure for the selected position, layer and head: the stream, the weights and, where the
    model makes one, the prediction.
    """
    arrays, tokens = shown.arrays, shown.tokens
    figure = new_figure(WIDE, HIGH)
    figure.set_layout_engine(None)  # the places are given, because computing them is slow

    def at(x: float, y: float, width: float, height: float) -> Any:
        return figure.add_axes((x / WIDE, y / HIGH, width / WIDE, height / HIGH))

    words = max(map(len, tokens)) > 1
    _stream(at(1.2, 0.55, 1.9, 2.75), shown, place)
    low = 0.85 if words else 0.55  # room for longer labels
    _weights(at(3.95 if words else 3.7, low, 2.75, 3.3 - low), arrays, tokens, place)
    if "top_ids" in arrays:
        _prediction(at(7.75 if words else 7.35, 0.55, 2.0 if words else 2.2, 2.75), shown, place)
    text = ("|" if words else "").join(SPELLED.get(token, token) for token in tokens)
    line = text if len(text) <= 70 else text[:69] + "…"
    token = SPELLED.get(tokens[place.position], tokens[place.position])
    title = f"{line}    after token {place.position}, {token}:"
    figure.text(0.012, 0.94, title, fontsize=9, family="DejaVu Sans Mono")
    return figure


def _stream(axes: Any, shown: Shown, place: Place) -> None:
    """Bars: the norm of the stream at each point, and of what was added to reach it."""
    i, layers = place.position, len(shown.arrays["mlp"])
    sizes = [shown.norm("stream", n, i) for n in range(2 * layers + 1)]
    added = [size for layer in range(layers) for size in shown.added(layer, i)]
    rows = np.arange(len(sizes))
    labels = ["embedding", *(f"{name} {layer}" for layer in range(layers) for name in ("attention", "MLP"))]
    axes.barh(rows - 0.2, sizes, height=0.38, color=BLUE, label="stream")
    hatched = {"color": ORANGE, "hatch": "///", "edgecolor": "white", "linewidth": 0}
    axes.barh(rows[1:] + 0.2, added, height=0.38, label="added", **hatched)
    some = rows[:: 1 + len(rows) // 18]  # labels that do not touch
    axes.set_yticks(some, [labels[row] for row in some], fontsize=8)
    axes.invert_yaxis()
    axes.legend(fontsize=7, frameon=False, loc="upper right")
    axes.set_title("residual stream: norm", fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)


def _weights(axes: Any, arrays: dict[str, Floats], tokens: Sequence[str], place: Place) -> None:
    """The weights of the selected layer and head; what is masked is hatched grey."""
    allowed = arrays["allowed"][place.layer] > 0
    T = len(tokens)
    hatch(axes, -0.5, -0.5, T, T)
    axes.imshow(np.ma.masked_where(~allowed, arrays["weights"][place.layer, place.head]), zorder=2, **WEIGHTS)
    every = 1 if T <= 32 else -(-T // 16)
    labels = [SPELLED.get(tokens[n], tokens[n])[:6] for n in range(0, T, every)]
    look = {"fontsize": 6, "family": "DejaVu Sans Mono"}
    long = max(map(len, labels)) > 1
    axes.set_xticks(range(0, T, every), labels, rotation=90 if long else 0, **look)
    axes.set_yticks(range(0, T, every), labels, **look)
    axes.set_title(f"weights: layer {place.layer}, head {place.head}", fontsize=9)
    frame = {"fillstyle": "none", "color": ORANGE, "markeredgewidth": 1.5}
    axes.plot(place.key, place.position, "s", markersize=6, zorder=3, **frame)


def _prediction(axes: Any, shown: Shown, place: Place) -> None:
    """Bars: the likeliest next tokens."""
    arrays, i = shown.arrays, place.position
    best = [int(number) for number in arrays["top_ids"][i, :-1]][:BARS]
    chances = [chance(arrays, i, n, place.temperature) for n in range(len(best))]
    axes.barh(range(len(best)), chances, color=BLUE)
    for row, share in enumerate(chances):
        axes.text(share + 0.02, row, f"{share:.2f}", va="center", fontsize=7, color=GREY)
    names = [shown.names[number] for number in best]
    labels = [SPELLED.get(name, name)[:12] for name in names]
    axes.set_yticks(range(len(best)), labels, fontsize=8, family="DejaVu Sans Mono")
    axes.set_xlim(0, 1.15)
    axes.invert_yaxis()
    unit = "token" if max(map(len, names)) > 1 else "character"
    axes.set_title(f"next {unit}, temperature {place.temperature:.1f}", fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
