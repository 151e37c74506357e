"""The figure of notebook 12 in which a tile walks over the keys: softmax in one pass.

- The query is *tired* in the running sentence. Its logits and values are made up, so that the largest logit
  comes late.
- The state after n keys is computed from its definition, over all of these keys at once: m is their largest
  logit, ℓ the sum of e^(s − m), a the sum of e^(s − m)·v. So the picture is independent of any code that
  rescales.
- Keys that are gone are hatched, keys of the current tile are blue, later keys are outlines: colour is never
  the only difference.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import BLUE, GREEN, GREY, ORANGE, VERMILION
from kqa_core.show.kit.sketch import INK, MASKED, listed, outline, written

Array = NDArray[np.float64]
WORDS = ("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired")
LOGITS = np.array([1.0, 4.0, 1.0, 2.0, 1.0, 3.0, 2.0, 5.0, 2.0, 3.0])
FEATURES = ("living being", "place")
# (10, 2)
VALUES = np.array([[0, 0], [1, 0], [0, 0], [0, 0.3], [0, 0], [0, 1], [0, 0], [0.9, 0], [0, 0], [0.3, 0]])
TILE = 2  # keys
ORDERS = ["as in the sentence", "smallest logit first", "largest logit first"]


class State(NamedTuple):
    """The state of one pass after some keys."""

    m: float
    ell: float
    a: Array  # (d,)


def state_of(logits: Array, values: Array) -> State:
    """The state after keys with `logits` (n,), `values` (n, d); before the first, −inf, 0 and zeros."""
    m = float(logits.max(initial=-np.inf))
    exponentials = np.exp(logits - m)
    return State(m, float(exponentials.sum()), exponentials @ values)


def ordered(order: str) -> NDArray[np.intp]:
    """The keys in one of ORDERS."""
    sign = {ORDERS[0]: 0.0, ORDERS[1]: 1.0, ORDERS[2]: -1.0}[order]
    return np.argsort(sign * LOGITS, kind="stable")


def tile_walk() -> LiveFigure:
    """The picture with a slider for the tiles that are done, and the order of the keys."""
    return live_figure(
        draw_walk, width=9.0, height=5.4, tiles_done=(0, len(WORDS) // TILE, 1, 1), order=list(ORDERS)
    )


def draw_walk(figure: Any, tiles_done: int, order: str) -> str:
    """Draw the keys and the state after `tiles_done` tiles into an empty figure. Returns a description."""
    keys, done = ordered(order), TILE * tiles_done
    logits, values = LOGITS[keys], VALUES[keys]
    words, first = [WORDS[key] for key in keys], max(0, done - TILE)
    before, now = state_of(logits[:first], values[:first]), state_of(logits[:done], values[:done])
    grid = figure.add_gridspec(2, 2, height_ratios=(1.25, 1.0))
    _keys(figure.add_subplot(grid[0, :]), words, logits, first, done, before, now)
    factor = float(np.exp(before.m - now.m)) if done else 1.0
    rescaled = f"e^({_number(before.m)} − {_number(now.m)}) = {written(factor, 3)}"
    title = f"factor {rescaled}" if done else "nothing is summed yet"
    _sum(figure.add_subplot(grid[1, 0]), before, now, factor, title)
    _output(figure.add_subplot(grid[1, 1]), now, state_of(logits, values))
    if not done:
        return "No tile is done: m is −∞, ℓ and a are 0, and there is no output yet."
    change = "stays" if before.m == now.m else f"rises from {_number(before.m)} to"
    return (
        f"Tile {tiles_done} of {len(WORDS) // TILE}, “{'” and “'.join(words[first:done])}”: m {change}"
        f" {_number(now.m)}, so the old sums are multiplied by {rescaled}. Now ℓ is {written(now.ell, 3)}, a"
        f" is {listed(now.a)} and the output a/ℓ is {listed(now.a / now.ell)}."
    )


def _number(value: float) -> str:
    return "−∞" if value == -np.inf else f"{value:g}"


def _keys(
    axes: Any, words: list[str], logits: Array, first: int, done: int, before: State, now: State
) -> None:
    """A bar for each logit, with the maximum before the tile and after it."""
    places = np.arange(len(words))
    axes.bar(places[:first], logits[:first], 0.7, **MASKED)
    axes.bar(places[first:done], logits[first:done], 0.7, color=BLUE)
    axes.bar(places[done:], logits[done:], 0.7, facecolor="none", edgecolor=GREY, linestyle=":")
    for place, logit in zip(places, logits, strict=True):
        axes.text(place, logit + 0.12, f"{logit:g}", ha="center", fontsize=10)
    if done:
        axes.axvspan(first - 0.5, done - 0.5, color=BLUE, alpha=0.1, zorder=0)
        axes.axhline(now.m, color=VERMILION, linewidth=1.6)
        right, look = len(words) - 0.4, {"color": VERMILION, "va": "bottom"}
        axes.text(right, now.m + 0.1, f"m = {now.m:g}", fontsize=11, **look)
        if -np.inf < before.m < now.m:
            axes.axhline(before.m, color=VERMILION, linewidth=1.2, linestyle=":")
            axes.text(right, before.m + 0.1, f"before: {before.m:g}", fontsize=10, **look)
    axes.set_xticks(places, words)
    axes.set(xlim=(-0.6, len(words) + 0.6), ylim=(0, 6.2), ylabel="logit s")
    axes.set_title(
        "hatched: gone.   blue: the tile that is loaded now.   outlines: not seen yet.",
        loc="left",
        fontsize=10,
    )
    axes.spines[["top", "right"]].set_visible(False)


def _sum(axes: Any, before: State, now: State, factor: float, title: str) -> None:
    """ℓ before the tile, and after it: the old part, multiplied by the factor, and the tile's own part."""
    old = factor * before.ell
    axes.barh(1, before.ell, 0.6, **MASKED)
    axes.barh(0, old, 0.6, **MASKED)
    axes.barh(0, now.ell - old, 0.6, left=old, color=BLUE)
    axes.text(before.ell + 0.05, 1, written(before.ell, 3), va="center", fontsize=10)
    sums = f"{written(old, 3)} + {written(now.ell - old, 3)} = {written(now.ell, 3)}" if now.ell else "0"
    axes.text(now.ell + 0.05, 0, sums, va="center", fontsize=10)
    axes.set_yticks([0, 1], ["ℓ now", "ℓ before"])
    axes.set(xlim=(0, 6.8), ylim=(-0.5, 1.5))
    axes.set_title(f"sum ℓ\n{title}", loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)


def _output(axes: Any, now: State, end: State) -> None:
    """The output that the keys so far give, with the output over all keys as a mark."""
    places = np.arange(len(FEATURES))
    if now.ell:
        axes.barh(places, now.a / now.ell, 0.6, color=[GREEN, ORANGE])
    for place, value in zip(places, end.a / end.ell, strict=True):
        outline(axes.plot([value, value], [place - 0.4, place + 0.4], "--", color=INK, linewidth=1.8))
    axes.set_yticks(places, FEATURES)
    axes.set(xlim=(0, 1.0), ylim=(1.5, -0.5))
    numbers = f"a = {listed(now.a)},  a/ℓ = {listed(now.a / now.ell)}" if now.ell else "there is none yet"
    axes.set_title(f"output a/ℓ (dashed: over all keys)\n{numbers}", loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
