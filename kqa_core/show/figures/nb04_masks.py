"""The figures of notebook 04: scaled scores, the leak of a finite mask, an encoder-decoder's masks.

- Every picture has a sentence that describes it, as a still (`spread_figure`, `reading_figure`) or with
  sliders (`mask_slider`).
- Random numbers come from separate generators. The sentences round them, so that they are the same on every
  processor.
- Colours are Okabe and Ito's, and never the only difference: lines have their own dashes and markers, rows
  their numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, VERMILION, WEIGHTS, new_figure
from kqa_core.show.kit.sketch import MASKED, write
from kqa_core.show.kit.still import Still

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512)
KEYS, DRAWS, LENGTH = 16, 600, 8
SOURCE, TARGET = 6, 4  # positions in the picture of encoder and decoder


def spreads() -> tuple[list[float], list[float], list[float]]:
    """For each width: q·k's standard deviation, and 16 keys' mean largest weight, scaled and not."""
    generator = torch.Generator().manual_seed(4)
    deviation, scaled, plain = [], [], []
    for d in WIDTHS:
        query = torch.randn(DRAWS, 1, d, generator=generator, dtype=torch.float64)
        key = torch.randn(DRAWS, KEYS, d, generator=generator, dtype=torch.float64)
        scores = (query * key).sum(dim=-1)  # (DRAWS, KEYS)
        deviation.append(float(scores.std()))
        scaled.append(float(torch.softmax(scores / d**0.5, dim=-1).amax(dim=-1).mean()))
        plain.append(float(torch.softmax(scores, dim=-1).amax(dim=-1).mean()))
    return deviation, scaled, plain


def spread_figure() -> Still:
    """Left: a dot product's standard deviation by length. Right: the largest of 16 weights."""
    deviation, scaled, plain = spreads()
    figure = new_figure(9.0, 3.4)
    spread, largest = figure.subplots(1, 2)
    spread.loglog(WIDTHS, [d**0.5 for d in WIDTHS], "-", color=GREY, label="√d, derived", base=2)
    spread.loglog(WIDTHS, deviation, "o", color=BLUE, fillstyle="none", label="measured", base=2)
    spread.set(xlabel="d, components of q and k", ylabel="standard deviation of q·k")
    spread.set(title="A dot product spreads like √d")
    largest.semilogx(WIDTHS, plain, "s--", color=ORANGE, label="softmax(q·k)", base=2)
    largest.semilogx(WIDTHS, scaled, "o-", color=BLUE, label="softmax(q·k / √d)", base=2)
    largest.axhline(1 / KEYS, color=GREY, linewidth=0.8, linestyle=":")
    largest.text(
        WIDTHS[-1], 1 / KEYS - 0.015, f"1/{KEYS}: all equal", ha="right", va="top", color=GREY, fontsize=8
    )
    largest.set(xlabel="d, components of q and k", ylabel="largest weight, mean", title=f"{KEYS} random keys")
    largest.set(ylim=(0, 1.02))
    for axes in (spread, largest):
        axes.legend(frameon=False, loc="upper left")
        axes.grid(alpha=0.3)
        axes.spines[["top", "right"]].set_visible(False)
    return Still(
        figure,
        "The standard deviation of a dot product of d random components grows like √d, from about"
        f" {deviation[0]:.0f} at d = 1 to about {deviation[-2]:.0f} at d = 256. Without scaling, the largest"
        f" of {KEYS} weights grows with it, to about {plain[-1]:.1f} on average at d = 512: nearly all on one"
        f" key. Divided by √d it stays at about {scaled[-1]:.1f}.",
    )


def _scores(steepness: float) -> torch.Tensor:
    generator = torch.Generator().manual_seed(19)
    return steepness * torch.randn(LENGTH, LENGTH, generator=generator, dtype=torch.float64)  # (T, T)


def leaky_weights(mask_value: float, steepness: float) -> torch.Tensor:
    """Weights (T, T) where the scores of later positions are `mask_value` instead of minus infinity."""
    future = torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1)
    return torch.softmax(_scores(steepness).masked_fill(future, mask_value), dim=-1)


def draw_mask(figure: Any, mask_value: float, steepness: float) -> str:
    """Draw the weights of a row of 8 positions, and how much weight each position gives to later ones."""
    weights = leaky_weights(mask_value, steepness)
    late = weights.triu(1).sum(dim=-1)  # (T,)
    table, bars = figure.subplots(1, 2, gridspec_kw={"width_ratios": (1.15, 1)})
    image = table.imshow(weights, **WEIGHTS)
    for (i, j), weight in np.ndenumerate(weights):
        text = f"{weight:.2f}".lstrip("0") or "0"
        write(table, (j, i), text, 7, "black" if weight > 0.45 else "white")
    table.plot(
        [0.5 + i // 2 for i in range(2 * LENGTH - 2)],
        [-0.5, *(0.5 + i // 2 for i in range(2 * LENGTH - 3))],
        color="white",
    )
    table.set(xlabel="key", ylabel="query", title="weights; the future is above the line")
    table.set(xticks=range(LENGTH), yticks=range(LENGTH))
    figure.colorbar(image, ax=table)
    bars.barh(range(LENGTH), late.tolist(), left=1e-16, color=VERMILION)
    bars.set_xscale("log")
    bars.set(xlabel="weight on the future", ylabel="query")
    bars.set(xlim=(1e-16, 2), ylim=(LENGTH - 0.5, -0.5), yticks=range(LENGTH))
    bars.set_title("what leaks")
    bars.spines[["top", "right"]].set_visible(False)
    worst = float(late.max())
    return (
        f"With {mask_value:.0f} in place of minus infinity and scores that spread by {steepness:.1f},"
        f" position {int(late.argmax())} has {worst:.2g} of its weight on the future, the most of all."
    )


def mask_slider(mask_value: float = -4.0) -> LiveFigure:
    """The slider, for mask values from −40 to 0 and scores that spread by 0.5 to 12."""
    return live_figure(
        draw_mask,
        width=9.5,
        height=4.0,
        mask_value=(-40.0, 0.0, 1.0, mask_value),
        steepness=(0.5, 12.0, 0.5, 1.0),
    )


def readings(n: int, m: int) -> dict[str, torch.Tensor]:
    """The masks of an encoder-decoder with n source and m target positions: BoolTensors (queries, keys)."""
    return {
        "encoder, self": torch.ones(n, n, dtype=torch.bool),
        "decoder, self": torch.ones(m, m, dtype=torch.bool).tril(),
        "decoder, cross": torch.ones(m, n, dtype=torch.bool),
    }


def reading_figure(n: int = SOURCE, m: int = TARGET) -> Still:
    """An encoder-decoder's three attentions as tables: a dot where allowed, hatched where masked."""
    from matplotlib.patches import Rectangle

    figure = new_figure(8.0, 3.0)
    panels = figure.subplots(1, 3)
    sides = (("source", "source"), ("target", "target"), ("source", "target"))  # key, query
    for axes, (title, allowed), (key, query) in zip(panels, readings(n, m).items(), sides, strict=True):
        rows, columns = allowed.shape
        places = allowed.nonzero()  # (count, 2)
        axes.plot(places[:, 1], places[:, 0], "o", color=BLUE, markersize=11, label="allowed")
        for i, (t, s) in enumerate((~allowed).nonzero().tolist()):
            axes.add_patch(Rectangle((s - 0.5, t - 0.5), 1, 1, **MASKED, label=None if i else "masked"))
        axes.set(title=title, xlabel=f"key, from the {key}", ylabel=f"query, from the {query}")
        axes.set(xticks=range(columns), yticks=range(rows))
        axes.set(xlim=(-0.6, max(n, m) - 0.4), ylim=(max(n, m) - 0.4, -0.6), aspect="equal")
        axes.spines[["top", "right"]].set_visible(False)
    panels[1].legend(loc="lower right", frameon=False)
    return Still(
        figure,
        f"Three tables of which keys a query may attend to, for {n} source and {m} target positions. In the"
        f" encoder each of the {n} positions attends to all {n}. In the decoder's self-attention position t"
        f" attends to 0 to t. In its cross-attention each of the {m} positions attends to all {n} of the"
        " memory.",
    )
