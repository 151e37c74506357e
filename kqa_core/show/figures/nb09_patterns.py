"""The masks of notebook 09: which positions depend on which, in one layer and after several.

- `patterns_figure` measures the variants in `kqa_core.model.variants`, by
  `kqa_core.evaluation.probes.influence`.
- Blue cells are dependences, hatched grey cells are none. Cells above the staircase line are in the future.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from kqa_core.errors import UserError
from kqa_core.evaluation.probes import influence
from kqa_core.model.config import GPTConfig
from kqa_core.model.variant_registry import find_variant
from kqa_core.show.kit.palette import BLUE, new_figure
from kqa_core.show.kit.sketch import MASKED
from kqa_core.show.kit.still import Still

LENGTH = 16
SHOWN = {
    "vanilla": "attention",
    "synthesizer": "dense Synthesizer",
    "random_synthesizer": "random Synthesizer",
    "linformer": "Linformer, r = 4",
    "bigbird": "BigBird: window, global, random",
    "perceiver": "Perceiver, 5 rows",
}


def patterns() -> dict[str, torch.Tensor]:
    """One layer of each variant, probed: (16, 16), True where the output at t depends on the input at i."""
    depends = {}
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(8)
        for name in SHOWN:
            config = GPTConfig(
                **{
                    "vocab_size": 4,
                    "block_size": LENGTH,
                    "n_layer": 2,
                    "n_head": 2,
                    "d_model": 8,
                    "variant": name,
                },  # type: ignore[arg-type]
                **{
                    "linformer_rank": 4,
                    "bigbird_window": 3,
                    "bigbird_global": 2,
                    "bigbird_random": 2,
                    "bottleneck_dim": 5,
                },  # type: ignore[arg-type]
            )
            variant = find_variant(name)
            module = (variant.stack or variant.attention)(config).double().eval()
            for parameter in module.parameters():
                torch.nn.init.normal_(parameter, std=0.5)
            depends[name] = influence(module, torch.randn(1, LENGTH, 8, dtype=torch.float64))
    return depends


def draw_dependences(axes: Any, depends: torch.Tensor, title: str) -> None:
    """Depends (T, T): blue where the output at t (row) depends on the input at i, else hatched."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Rectangle

    T = len(depends)
    axes.add_patch(Rectangle((-0.5, -0.5), T, T, zorder=-1, **MASKED))
    only = torch.where(depends, 1.0, torch.nan)  # nan is not drawn, so the hatching shows
    axes.imshow(only, cmap=ListedColormap([BLUE]), vmin=0, vmax=1)
    stairs = [(-0.5 + (i + 1) // 2, -0.5 + i // 2) for i in range(2 * T + 1)]
    axes.plot(*zip(*stairs, strict=True), color="black", linewidth=1)
    axes.set(xlabel="input position", ylabel="output position", xlim=(-0.5, T - 0.5), ylim=(T - 0.5, -0.5))
    axes.set_title(title, fontsize=10)


def patterns_figure() -> Still:
    """Six panels: a row for each output position, a column for each input position."""
    figure = new_figure(9.0, 6.2)
    clauses = []
    for axes, (name, depends) in zip(figure.subplots(2, 3).flat, patterns().items(), strict=True):
        draw_dependences(axes, depends, SHOWN[name])
        late = int(depends.triu(1).sum())
        future = f", {late} of them later" if late else ", none later"
        clauses.append(
            f"{SHOWN[name]}: position 15 depends on {int(depends[15].sum())} positions; {int(depends.sum())}"
            f" pairs{future}"
        )
    return Still(
        figure,
        f"The input positions that each output depends on, among {LENGTH}, probed in one layer."
        f" {'; '.join(clauses)}.",
    )


def mask_figure(mask: Any, title: str) -> Still:
    """A mask (T, T) as a picture; True is blue."""
    table = _square(mask, title)
    figure = new_figure(3.8, 3.6)
    draw_dependences(figure.subplots(), table, title)
    T = len(table)
    return Still(
        figure,
        f"{title}: {int(table.sum())} of {T * T} pairs are allowed, {int(table.triu(1).sum())} of them"
        " later.",
    )


def show_reach(reached: Mapping[str, Sequence[Any]]) -> Still:
    """For each name, a row of panels: which inputs (T, T) an output depends on after 1, 2, … layers.

    Raises UserError for anything but square tables, and for rows of different lengths.
    """
    rows = {name: [_square(table, name) for table in tables] for name, tables in reached.items()}
    counts = {len(tables) for tables in rows.values()}
    if len(counts) != 1 or 0 in counts:
        raise UserError(
            f"one table for each number of layers was expected in every row, not {sorted(counts)}"
        )
    figure = new_figure(9.0, 3.3 * len(rows))
    clauses = []
    for panels, (name, tables) in zip(
        figure.subplots(len(rows), counts.pop(), squeeze=False), rows.items(), strict=True
    ):
        shares = []
        for layers, (axes, table) in enumerate(zip(panels, tables, strict=True), 1):
            share = 100 * float(table[-1].double().mean())
            shares.append(f"{share:.0f} %")
            draw_dependences(axes, table, f"{layers} layer{'s' * (layers > 1)}, last row {share:.0f} %")
        panels[0].set_ylabel(f"{name}\noutput position")
        clauses.append(
            f"{name}: after 1 to {len(shares)} layers the last position depends on {', '.join(shares)} of the"
            " inputs"
        )
    return Still(figure, f"{'; '.join(clauses)}.")


def _square(table: Any, name: str) -> torch.Tensor:
    square = torch.as_tensor(table).bool()
    if square.ndim != 2 or square.shape[0] != square.shape[1]:
        raise UserError(
            f"{name}: a square table (T, T) was expected, this one has shape {tuple(square.shape)}"
        )
    return square
