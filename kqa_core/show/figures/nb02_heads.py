"""Notebook 02: the output of one head that averages two values, and of two heads that copy one value each.

- A thousand outputs are shown by their place on the segment from v_b (0) to v_a (1): t = (c − v_b)·(v_a −
  v_b) / |v_a − v_b|².
- The slider draws its keys from the same random numbers at every setting, so all changes come from the
  setting.
- "Near" is within a tenth of the segment, here and in the sentences.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import BLUE, GREY, VERMILION, new_figure
from kqa_core.show.kit.still import Still

DRAWS, KEYS = 1_000, 4
NEAR = 0.1
BINS = np.linspace(-0.01, 1.01, 52)  # 51 bins, one around each end and one around the middle
Array = NDArray[np.float64]


def place(outputs: Any, v_a: Any, v_b: Any) -> Array:
    """The coordinates t (N,) of outputs (N, d) on the segment from v_b (0) to v_a (1)."""
    c, start, end = (np.asarray(x, dtype=np.float64) for x in (outputs, v_b, v_a))
    along = end - start
    return np.asarray((c - start) @ along / (along @ along), dtype=np.float64)


def weights_of(keys: Array, query: Array) -> Array:
    """softmax(k·q) for draws of keys (N, n, d) and a query (d,): weights (N, n)."""
    logits = keys @ query
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(exponentials / exponentials.sum(axis=1, keepdims=True))


@functools.cache
def _noise() -> tuple[Array, Array]:
    """Standard normal numbers: for every coordinate of every key, and one for each draw of key a."""
    generator = np.random.default_rng(11)
    return generator.normal(size=(DRAWS, KEYS, KEYS)), generator.normal(size=DRAWS)


def shares(t: Array) -> tuple[float, float, float]:
    """The shares of outputs near v_a, near v_b, and near the middle."""
    return float(np.mean(t > 1 - NEAR)), float(np.mean(t < NEAR)), float(np.mean(np.abs(t - 0.5) < NEAR))


def _histograms(figure: Any, one: Array, two: Array) -> str:
    rows = figure.subplots(2, 1, sharex=True, sharey=True)
    for axes, t, name, colour in zip(
        rows, (one, two), ("one head", "two heads"), (BLUE, VERMILION), strict=True
    ):
        axes.hist(np.clip(t, BINS[0], BINS[-1]), bins=BINS, color=colour)
        axes.set_ylabel("outputs")
        axes.set_title(name, loc="left", fontsize=11)
        axes.axvline(0.5, color=GREY, linewidth=0.8, linestyle=":")
        axes.spines[["top", "right"]].set_visible(False)
        for share, x, side in zip(shares(t), (1.0, 0.0, 0.5), ("right", "left", "left"), strict=True):
            if share >= 0.005:
                shift = {"right": -0.02, "left": 0.02}[side]
                axes.text(
                    x + shift, 0.8, f"{100 * share:.0f} %", ha=side, transform=axes.get_xaxis_transform()
                )
    rows[1].set_xticks([0, 0.25, 0.5, 0.75, 1], ["$v_b$", "", "½ ($v_a$ + $v_b$)", "", "$v_a$"])
    rows[1].set_xlim(-0.04, 1.04)
    at_a, at_b, middle = (100 * share for share in shares(one))
    sentence = (
        f"One head: {at_a:.0f} % of the outputs lie near v_a, {at_b:.0f} % near v_b and {middle:.0f} % near"
        " the middle. "
    )
    return sentence + f"Two heads: {100 * shares(two)[2]:.0f} % lie near the middle."


def heads_figure(one: Any, two: Any, v_a: Any, v_b: Any) -> Still:
    """Outputs (N, d) of one head and of two, by their coordinates between the values v_b and v_a (d,)."""
    figure = new_figure(7.5, 4.2)
    sentence = _histograms(figure, place(one, v_a, v_b), place(two, v_a, v_b))
    figure.suptitle(f"{len(np.asarray(one)):,} outputs, same keys", fontsize=11)
    return Still(figure, sentence)


def draw_heads(figure: Any, sigma2: float, beta: float, variance: float) -> str:
    """Draw both histograms; `variance` is that of key a along its mean. Returns a description."""
    noise, along = _noise()
    keys = np.eye(KEYS) + np.sqrt(sigma2) * noise  # (DRAWS, n, d), the means are the axes, a = 0 and b = 1
    keys[:, 0, 0] += np.sqrt(variance) * along
    mean_a, mean_b = np.eye(KEYS)[:2]
    single = weights_of(keys, beta * (mean_a + mean_b))
    double = (weights_of(keys, beta * mean_a) + weights_of(keys, beta * mean_b)) / 2
    values = np.eye(KEYS)
    sentence = _histograms(
        figure, *(place(weights @ values, values[0], values[1]) for weights in (single, double))
    )
    figure.suptitle(
        f"σ² = {sigma2:g}, β = {beta:g}, variance along the mean of key a {variance:g}", fontsize=11
    )
    return sentence


def heads_slider(sigma2: float = 0.0, beta: float = 10.0, variance: float = 0.5) -> LiveFigure:
    """The slider: the noise of all keys, the queries' scale, and key a's variance along its mean."""
    return live_figure(
        draw_heads,
        width=7.5,
        height=4.2,
        sigma2=(0.0, 0.05, 0.001, sigma2),
        beta=(0.0, 60.0, 0.5, beta),
        variance=(0.0, 1.0, 0.05, variance),
    )
