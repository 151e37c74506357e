"""The figures of notebook 09: attention patterns of each variant, learning curves, and the growth of time and memory.

- `patterns_figure` measures the patterns of the variants in `kqa_core.model.variants`, by
  `kqa_core.evaluation.probes.influence`.
- Dark cells are attended to; cells above the white staircase line are in the future.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from kqa_core.evaluation.probes import influence
from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import find_variant
from kqa_core.show.kit.palette import CATEGORIES, GREY, new_figure
from kqa_core.show.kit.still import Still

LENGTH = 16
SHOWN = {
    "vanilla": "attention: by comparing",
    "synthesizer": "dense Synthesizer: by what it is",
    "random_synthesizer": "random Synthesizer: by where it is",
    "linformer": "Linformer: 4 mixtures of all",
    "bigbird": "BigBird: window, first, links",
    "perceiver": "Perceiver: through 5 rows",
}


def patterns() -> dict[str, torch.Tensor]:
    """One layer of each variant, probed: BoolTensor (16, 16), True at [t, s] where the output at t depends on the input at s."""
    found = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(8)
        for name in SHOWN:
            config = GPTConfig(
                **{"vocab_size": 4, "block_size": LENGTH, "n_layer": 2, "n_head": 2, "d_model": 8, "variant": name},  # type: ignore[arg-type]
                **{"linformer_rank": 4, "bigbird_window": 3, "bigbird_global": 2, "bigbird_random": 2, "bottleneck_dim": 5},  # type: ignore[arg-type]
            )
            variant = find_variant(name)
            module = (variant.stack or variant.attention)(config).double().eval()
            for parameter in module.parameters():
                torch.nn.init.normal_(parameter, std=0.5)
            found[name] = influence(module, torch.randn(1, LENGTH, 8, dtype=torch.float64))
    return found


def patterns_figure() -> Still:
    """Six panels, a row for each query, a column for each key."""
    figure = new_figure(9.0, 6.2)
    panels = figure.subplots(2, 3)
    said = []
    for axes, (name, read) in zip(panels.flat, patterns().items(), strict=True):
        axes.imshow(read, cmap="cividis_r", vmin=0, vmax=1)
        stairs = [(-0.5 + (i + 1) // 2, -0.5 + i // 2) for i in range(2 * LENGTH + 1)]
        axes.plot(*zip(*stairs, strict=True), color="white", linewidth=2.5)
        axes.plot(*zip(*stairs, strict=True), color="black", linewidth=1)
        late = int(read.triu(1).sum())
        axes.set(xticks=(0, 5, 10, 15), yticks=(0, 5, 10, 15), xlabel="is read", ylabel="reads")
        axes.set_title(SHOWN[name], fontsize=10)
        future = f", {late} of them later" if late else ", none later"
        said.append(
            f"{name.replace('_', ' ')}: position 15 reads {int(read[15].sum())} positions; {int(read.sum())} pairs{future}"
        )
    return Still(figure, f"Who reads whom among {LENGTH} positions, probed in one layer. {'; '.join(said)}.".capitalize())


def learning_figure(curves: Mapping[str, Sequence[float]], every: int, chance: float) -> Still:
    """Accuracy against training steps, one line for each model, measured at every `every`-th step."""
    figure = new_figure(7.5, 3.2)
    axes = figure.subplots()
    for (name, curve), colour, mark in zip(curves.items(), CATEGORIES, "os^v", strict=False):
        axes.plot([every * i for i in range(len(curve))], curve, f"{mark}-", color=colour, markersize=4, label=name)
    axes.axhline(chance, color=GREY, linestyle=":", label=f"chance, {chance:.3f}")
    axes.set(xlabel="training steps", ylabel="accuracy on new rows", ylim=(0, 1.05), title="Looking something up, in one layer")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="center right")
    ends = "; ".join(f"{name} ends at {100 * curve[-1]:.0f} %" for name, curve in curves.items() if curve)
    return Still(figure, f"Accuracy on rows never seen in training, where chance is {100 * chance:.1f} %: {ends}.")


def exponent(lengths: Sequence[int], measured: Sequence[float]) -> float:
    """The p of measured ≈ c·length^p: the slope of the least-squares line through the logarithms."""
    x, y = [math.log(length) for length in lengths], [math.log(value) for value in measured]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return covariance / sum((a - mean_x) ** 2 for a in x)


def cost_figure(lengths: Sequence[int], seconds: Mapping[str, Sequence[float]], numbers: Mapping[str, Sequence[float]]) -> Still:
    """Time and memory against length, both on log scales, where T^p is a line of slope p."""
    figure = new_figure(9.5, 3.8)
    said = []
    for axes, table, label in zip(
        figure.subplots(1, 2), (seconds, numbers), ("seconds, forward and back", "numbers kept for the way back"), strict=True
    ):
        for (name, values), colour, mark in zip(table.items(), CATEGORIES, "os^vDP", strict=False):
            slope = exponent(lengths, values)
            axes.loglog(lengths, values, f"{mark}-", color=colour, markersize=4, label=f"{name}, T^{slope:.2f}", base=2)
            said.append(f"{name}: {label.split(',')[0].split(' ')[0]} like T^{slope:.2f}")
        axes.set(xlabel="T, positions", ylabel=label)
        axes.grid(alpha=0.3)
        axes.legend(frameon=False, fontsize=8)
        axes.spines[["top", "right"]].set_visible(False)
    return Still(figure, f"Measured growth with the length T: {'; '.join(said)}.")


def draw_row(axes: Any, read: Sequence[Sequence[bool]], title: str) -> None:
    """One mask, such as a student's, as a picture."""
    axes.imshow(torch.tensor(read), cmap="cividis_r", vmin=0, vmax=1)
    axes.set(xlabel="is read", ylabel="reads", title=title)


def mask_figure(mask: Any, title: str) -> Still:
    """A mask (T, T) as a picture; True is dark."""
    table = torch.as_tensor(mask).bool()
    figure = new_figure(3.8, 3.6)
    draw_row(figure.subplots(), table.tolist(), title)
    T = len(table)
    return Still(figure, f"{title}: {int(table.sum())} of {T * T} pairs are read, {int(table.triu(1).sum())} of them later.")
