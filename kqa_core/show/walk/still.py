"""The walk's still: the stream as it grows, one head's weights, and the prediction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kqa_core.show.explorer.explorer import SPELLED
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import hatch
from kqa_core.show.walk.facts import Place, norm
from kqa_core.show.walk.numbers import Floats, probabilities

WIDE, HIGH = 10.0, 3.9  # inches
BARS = 8


def draw(arrays: dict[str, Floats], tokens: Sequence[str], names: Sequence[str], place: Place) -> Any:
    """A matplotlib figure of three pictures for the selected position, layer and head."""
    figure = new_figure(WIDE, HIGH)
    figure.set_layout_engine(None)  # the places are given, because computing them is slow

    def at(x: float, y: float, width: float, height: float) -> Any:
        return figure.add_axes((x / WIDE, y / HIGH, width / WIDE, height / HIGH))

    _stream(at(1.2, 0.55, 1.9, 2.75), arrays, place)
    _weights(at(3.7, 0.55, 2.75, 2.75), arrays, tokens, place)
    _prediction(at(7.35, 0.55, 2.2, 2.75), arrays, names, place)
    text = "".join(SPELLED.get(token, token) for token in tokens)
    shown = text if len(text) <= 70 else text[:69] + "…"
    token = SPELLED.get(tokens[place.position], tokens[place.position])
    title = f"{shown}    after token {place.position}, {token}:"
    figure.text(0.012, 0.94, title, fontsize=9, family="DejaVu Sans Mono")
    return figure


def _stream(axes: Any, arrays: dict[str, Floats], place: Place) -> None:
    """Bars: the norm of the stream at each point, and of what was added to reach it."""
    stream, i = arrays["stream"], place.position
    added = [
        norm(arrays[name][layer, i]) for layer in range(len(arrays["mlp"])) for name in ("attention", "mlp")
    ]
    rows = np.arange(len(stream))
    labels = [
        "embedding",
        *(f"{name} {layer}" for layer in range(len(arrays["mlp"])) for name in ("attention", "MLP")),
    ]
    axes.barh(rows - 0.2, [norm(x) for x in stream[:, i]], height=0.38, color=BLUE, label="stream")
    hatched = {"color": ORANGE, "hatch": "///", "edgecolor": "white", "linewidth": 0}
    axes.barh(rows[1:] + 0.2, added, height=0.38, label="added", **hatched)
    axes.set_yticks(rows, labels, fontsize=8)
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
    axes.set_xticks(range(0, T, every), labels, **look)
    axes.set_yticks(range(0, T, every), labels, **look)
    axes.set_title(f"weights: layer {place.layer}, head {place.head}", fontsize=9)
    frame = {"fillstyle": "none", "color": ORANGE, "markeredgewidth": 1.5}
    axes.plot(place.key, place.position, "s", markersize=6, zorder=3, **frame)


def _prediction(axes: Any, arrays: dict[str, Floats], names: Sequence[str], place: Place) -> None:
    """Bars: the likeliest next characters."""
    chances = probabilities(arrays["prediction"][place.position], place.temperature)
    best = np.argsort(-chances, kind="stable")[:BARS]
    axes.barh(range(len(best)), chances[best], color=BLUE)
    for row, number in enumerate(best):
        axes.text(chances[number] + 0.02, row, f"{chances[number]:.2f}", va="center", fontsize=7, color=GREY)
    labels = [SPELLED.get(names[n], names[n]) for n in best]
    axes.set_yticks(range(len(best)), labels, fontsize=8, family="DejaVu Sans Mono")
    axes.set_xlim(0, 1.15)
    axes.invert_yaxis()
    axes.set_title(f"next character, temperature {place.temperature:.1f}", fontsize=9)
    axes.tick_params(axis="x", labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
