"""The figures of notebook 05: how words influence each other, the batch, and similar positions.

- Influence is measured and not taken from the weights: one word is replaced, and the change of the next-word
  distribution is measured at each position (total variation, 0 to 1, mean over a few replacements). The
  colours are logarithmic, as leaks are small.
- Similarity is the cosine of two position vectors. Rotary positions have no vectors: there it is the dot
  product of a query and a key after the rotation, relative to that before it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from kqa_core.experiments.results import LabResults
from kqa_core.model.gpt import GPT
from kqa_core.model.positions import BASE, sinusoidal_positions
from kqa_core.show.kit.palette import BLUE, CATEGORIES, GREY, LIGHT_GREY, VERMILION, new_figure, open_axes
from kqa_core.show.kit.still import Still
from kqa_core.stats import mean_sd

FAINTEST = 1e-6  # the colours begin here
EXCHANGES = 4
SAID = {
    "learned": "plain",
    "norm-reweight": "re-weighted over the row",
    "norm-reweight-causal": "re-weighted over the past",
}


@torch.no_grad()
def influences(model: GPT, tokens: Tensor, words: int) -> Tensor:
    """How the next word's distribution at t changes if word i is replaced: (T, T), total variation."""
    model = model.double().eval()
    generator = torch.Generator().manual_seed(1)
    before = model(tokens[None])[0][0].softmax(-1)  # (T, V)
    moved = torch.zeros(len(tokens), len(tokens), dtype=torch.float64)
    for i in range(len(tokens)):
        others = tokens.repeat(EXCHANGES, 1)
        others[:, i] = torch.randint(3, words, (EXCHANGES,), generator=generator)
        for row in others:  # one at a time: in some models the rows of a batch affect each other
            after = model(row[None])[0][0].softmax(-1)
            moved[:, i] += (after - before).abs().sum(-1) / 2 / EXCHANGES
    model.float()
    return moved


def influence_maps(models: Mapping[str, GPT], tokens: Tensor, vocabulary: Sequence[str]) -> Still:
    """One map for each model, on one sentence: values above the diagonal are leaks from the future."""
    from matplotlib.colors import LogNorm

    figure = new_figure(4.6 * len(models), 4.4)
    panels = figure.subplots(1, len(models), squeeze=False)[0]
    words = [vocabulary[number] for number in tokens.tolist()]
    clauses, image = [], None
    for axes, (name, model) in zip(panels, models.items(), strict=True):
        moved = influences(model, tokens, len(vocabulary))
        image = axes.imshow(moved.clamp(min=FAINTEST), cmap="cividis", norm=LogNorm(FAINTEST, 1.0))
        future = float(moved.triu(1).max())
        axes.set_title(f"{SAID.get(name, name)}", fontsize=11)
        axes.set_xticks(range(len(words)), words, rotation=90, fontsize=8)
        axes.set_yticks(range(len(words)), words, fontsize=8)
        axes.set_xlabel("word that is replaced")
        clauses.append(
            f"{SAID.get(name, name)}: no prediction depends on a later word"
            if future == 0.0
            else f"{SAID.get(name, name)}: above the diagonal, predictions change by up to {future:.1g}"
        )
    panels[0].set_ylabel("position that predicts the next word")
    bar = figure.colorbar(image, ax=list(panels), shrink=0.7)
    bar.set_label("change of the next-word probabilities")
    return Still(figure, f"Influence of each word on each prediction. {'; '.join(clauses)}.")


def batch_curves(
    results: LabResults, rows: Sequence[str] = ("learned", "norm-reweight", "raw-norm")
) -> Still:
    """The perplexity of the same dev rows against the batch size, mean ± standard deviation over seeds."""
    figure = new_figure(8.0, 3.4)
    axes = open_axes(figure)
    clauses = []
    for row, colour, mark in zip(rows, CATEGORIES * len(rows), "osD^v" * len(rows), strict=False):
        sizes = sorted(results.batches[row])
        points = [mean_sd([math.exp(loss) for loss in results.batches[row][size]]) for size in sizes]
        means = [mean for mean, _ in points]
        axes.errorbar(sizes, means, [sd for _, sd in points], color=colour, marker=mark, capsize=3, label=row)
        clauses.append(
            f"{row}: {means[0]:.1f} at {sizes[0]} row, {min(means):.1f} at best, {means[-1]:.1f} at"
            f" {sizes[-1]}"
        )
    axes.axvline(24, color=LIGHT_GREY, linewidth=1)
    axes.text(24, 0.97, " as in training", color=GREY, va="top", transform=axes.get_xaxis_transform())
    axes.set(xscale="log", yscale="log", xlabel="rows read at once", ylabel="dev perplexity")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.set_yticks([5, 10, 20, 40, 80], ["5", "10", "20", "40", "80"])
    axes.minorticks_off()
    axes.legend(frameon=False)
    return Still(figure, f"The same dev rows in batches of other sizes, perplexity. {'; '.join(clauses)}.")


def alike(kind: str, length: int, learned: Tensor, d_head: int = 16) -> Tensor:
    """The similarity of positions: (length, length), 1 on the diagonal; 0 for a position vector of zeros."""
    if kind == "rotary":
        rates = BASE ** (-torch.arange(0, d_head, 2, dtype=torch.float64) / d_head)  # (d_head / 2,)
        places = torch.arange(length, dtype=torch.float64)
        turned: Tensor = ((places[:, None] - places)[..., None] * rates).cos().mean(dim=-1)
        return turned
    table = learned[:length].detach() if kind == "learned" else sinusoidal_positions(length, learned.shape[1])
    rows = table.double() / table.double().norm(dim=1, keepdim=True).clamp(min=1e-9)  # (length, d_model)
    cosines: Tensor = rows @ rows.T
    return cosines


def draw_positions(figure: Any, kind: str, position: int, learned: Tensor, trained: int) -> str:
    """All pairs of positions, and those of `position`; `trained` is the training rows' length."""
    length = learned.shape[0]
    both = alike(kind, length, learned)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.7))
    image = left.imshow(both, cmap="cividis", vmin=-1, vmax=1)
    figure.colorbar(image, ax=left, shrink=0.8).set_label("similarity")
    left.axhline(position, color="white", linewidth=1)
    left.set(xlabel="position", ylabel="position", title=f"{kind}: similarity of positions")
    right.plot(both[position], color=BLUE, clip_on=False)
    right.plot(position, float(both[position, position]), "o", color=VERMILION)
    right.axvline(trained - 0.5, color=LIGHT_GREY, linewidth=1)
    right.text(trained, -0.97, " never seen in training", color=GREY, va="bottom")
    right.set(xlabel="position", title=f"position {position} and the others")
    right.set(ylim=(-1, 1.05), xlim=(0, length - 1))
    right.spines[["top", "right"]].set_visible(False)
    if kind == "learned" and position >= trained:
        return (
            f"learned: position {position} never occurred in training. Its row is all zeros, as it was at the"
            " start."
        )
    away = min(20, length // 2)
    near, far = (
        float(both[position, place])
        for place in (_other(position, 1, length), _other(position, away, length))
    )
    return (
        f"{kind}: position {position} and one beside it have similarity {near:.2f}, and with one {away}"
        f" places away {far:.2f}."
    )


def _other(position: int, distance: int, length: int) -> int:
    return position + distance if position + distance < length else position - distance
