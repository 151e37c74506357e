"""The roofline of notebook 12.

- The x axis is operations per byte moved, the y axis operations per second, both logarithmic. Up to the ridge
  the roof is the memory's bandwidth times x; from there it is the processor's peak (Williams, Waterman and
  Patterson 2009).
- A mark is the most that a kernel can reach, not a measurement.
- Bandwidths and peaks are from the manufacturers' data sheets, for products of 16-bit numbers without
  sparsity.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from kqa_core.show.kit.live_figure import LiveFigure, live_figure
from kqa_core.show.kit.palette import CATEGORIES, GREY, open_axes

Kernels = Mapping[str, tuple[float, float]]  # name → (bytes, operations)
ROWS, CHANNELS = 128, 256  # of the assignment's batch and model


@dataclass(frozen=True)
class Processor:
    """The limits of a processor."""

    bandwidth: float  # bytes a second, to and from its main memory
    peak: float  # operations a second

    @property
    def ridge(self) -> float:
        """Operations per byte above which arithmetic, and not memory, limits a kernel."""
        return self.peak / self.bandwidth


PROCESSORS = {
    "T4": Processor(320e9, 65e12),
    "A100 (80 GB)": Processor(2.039e12, 312e12),
    "H200": Processor(4.8e12, 989e12),
}


def roofline_slider(count: Callable[[int, int, int], Kernels]) -> LiveFigure:
    """Kernels under the roof of a processor, with sliders: length, channels of a head, and the processor.

    `count(N, T, d)` gives the kernels, as the exercise bytes_and_operations does; N is what makes 128 rows of
    256 channels.
    """

    def draw(figure: Any, length: int, channels: int, processor: str) -> str:
        return draw_roofline(figure, count(ROWS * CHANNELS // channels, length, channels), processor)

    return live_figure(
        draw,
        width=8.0,
        height=4.2,
        length=(16, 512, 16, 128),
        channels=(16, 128, 16, 32),
        processor=list(PROCESSORS)[::-1],
    )


def draw_roofline(figure: Any, kernels: Kernels, name: str) -> str:
    """Draw the roof of the processor `name` and a mark for each kernel. Returns a description."""
    processor = PROCESSORS[name]
    axes = open_axes(figure)
    left, right = 1.0, 8 * processor.ridge
    roof = [(x, min(x * processor.bandwidth, processor.peak)) for x in (left, processor.ridge, right)]
    axes.loglog(*zip(*roof, strict=True), color=GREY, linewidth=1.5)
    axes.axvline(processor.ridge, color=GREY, linestyle=":", linewidth=1)
    at_ridge = f"ridge: {processor.ridge:.0f}"
    axes.text(processor.ridge * 0.93, roof[0][1], at_ridge, ha="right", fontsize=9, color=GREY)
    axes.text(1.5, 9 * processor.bandwidth, "limited by memory", fontsize=9, color=GREY)
    axes.text(right, 1.15 * processor.peak, "limited by arithmetic", ha="right", fontsize=9, color=GREY)
    clauses = []
    for number, (kernel, (moved, operations)) in enumerate(kernels.items()):
        intensity, mark = operations / moved, "os^vDP"[number % 6]
        reach, shown = min(intensity * processor.bandwidth, processor.peak), kernel.replace("_", " ")
        look = {"color": CATEGORIES[number % len(CATEGORIES)], "markersize": 9, "markeredgewidth": 2}
        axes.plot(intensity, reach, mark, markerfacecolor="white", label=f"{shown}: {intensity:.1f}", **look)
        clauses.append(
            f"{shown} has {intensity:.1f} operations per byte and can reach {reach / 1e12:.0f} TFLOP/s"
        )
    axes.set(xlabel="operations per byte moved", ylabel="operations per second")
    axes.set(title=f"The roofline of one {name}")
    axes.set(xlim=(left, right), ylim=(0.5 * roof[0][1], 2.5 * processor.peak))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="lower right", fontsize=9, title="operations per byte")
    return (
        f"The roofline of one {name}, with its ridge at {processor.ridge:.0f} operations per byte."
        f" {'; '.join(clauses)}."
    )
