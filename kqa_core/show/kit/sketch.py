"""Parts of diagrams and tables of numbers: boxes, arrows, small matrices, hatched masks.

- A diagram is drawn in inches from the lower left corner of a figure without axes, so a size in the code is a
  size on the page.
- Entries that are masked (nan or minus infinity) are hatched grey in every picture, never a colour that could
  be a number.
- Signed numbers go from blue (below zero) through white to orange (above zero), with the same limit on both
  sides.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kqa_core.errors import UserError
from kqa_core.show.kit.palette import BLUE, GREY, LIGHT_GREY, ORANGE, new_figure

Array = NDArray[np.float64]
INK = "#1a1a1a"  # on a pale fill
# of a vector, as matplotlib's `arrowprops`
ARROW: dict[str, Any] = {"arrowstyle": "-|>", "color": GREY, "linewidth": 2, "shrinkA": 0, "shrinkB": 0}
# behind text on lines, which is then in INK
HALO: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5}
MASKED: dict[str, Any] = {"facecolor": "#eeeeee", "edgecolor": LIGHT_GREY, "hatch": "////", "linewidth": 0.0}


def new_diagram(width: float, height: float) -> tuple[Any, Any]:
    """A figure of width × height inches, and axes that cover it, whose units are inches."""
    figure = new_figure(width, height)
    figure.set_layout_engine(None)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    return figure, axes


def tint(colour: str, share: float = 0.25) -> tuple[float, ...]:
    """`colour` mixed with white: `share` of it, and white for the rest."""
    from matplotlib.colors import to_rgb

    return tuple(1 - share * (1 - part) for part in to_rgb(colour))


def write(
    axes: Any, place: tuple[float, float], text: str, size: float = 9, colour: str = GREY, **look: Any
) -> None:
    """Text in the middle of `place`; `look` may say otherwise."""
    axes.text(*place, text, fontsize=size, color=colour, **{"ha": "center", "va": "center"} | look)


def label(axes: Any, text: str, point: Any, offset: Any, **look: Any) -> None:
    """Text beside a point of the data: `offset` (right, up) is in points of 1/72 inch."""
    axes.annotate(text, point, offset, textcoords="offset points", **look)


def outline(lines: Any) -> None:
    """A white edge around lines in INK, which cross a fill and the background: they show on both."""
    from matplotlib.patheffects import withStroke

    for line in lines:
        line.set_path_effects([withStroke(linewidth=4, foreground="white")])


def box(
    axes: Any,
    centre: tuple[float, float],
    span: tuple[float, float],
    text: str,
    colour: str = LIGHT_GREY,
    **look: Any,
) -> None:
    """A box of width and height `span` with round corners, around `text` as `write` writes it."""
    from matplotlib.patches import FancyBboxPatch

    (x, y), (width, height) = centre, span
    shape = FancyBboxPatch(
        (x - width / 2, y - height / 2), width, height, boxstyle="round,pad=0,rounding_size=0.06", zorder=3
    )
    shape.set(facecolor=tint(colour), edgecolor=colour, linewidth=1.2)
    axes.add_patch(shape)
    write(axes, centre, text, zorder=4, **{"va": "center_baseline", "colour": INK} | look)


def arrow(
    axes: Any, start: tuple[float, float], end: tuple[float, float], bend: float = 0.0, **look: Any
) -> None:
    """An arrow from `start` to `end`; `bend` is how far it is bent, as a share of its length."""
    from matplotlib.patches import FancyArrowPatch

    line: dict[str, Any] = ARROW | {"linewidth": 1.2, "mutation_scale": 11, "zorder": 2}
    axes.add_patch(FancyArrowPatch(start, end, connectionstyle=f"arc3,rad={bend}", **line | look))


def cells(
    axes: Any, x: float, middle: float, texts: list[list[str]], fills: list[list[Any]], size: float
) -> None:
    """A matrix as boxes of `size` with texts, its left edge at `x`, its middle row at `middle`."""
    from matplotlib.patches import Rectangle

    top = middle + len(texts) * size / 2
    for i, row in enumerate(texts):
        for j, text in enumerate(row):
            left, low = x + j * size, top - (i + 1) * size
            axes.add_patch(
                Rectangle((left, low), size, size, facecolor=fills[i][j], edgecolor="white", linewidth=1.5)
            )
            place = (left + size / 2, low + size / 2)
            write(axes, place, text, 22 * size, ink_on(fills[i][j]), va="center_baseline")


@cache
def signed_colours() -> Any:
    """The colour map of signed numbers: blue, white, orange."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("signed", [BLUE, "#ffffff", ORANGE])


def signed(*tables: ArrayLike) -> dict[str, Any]:
    """The colour map and limits for tables of signed numbers that share one scale."""
    finite = [
        np.abs(table[np.isfinite(table)])
        for table in (np.asarray(numbers, dtype=np.float64) for numbers in tables)
    ]
    largest = max((float(sizes.max()) for sizes in finite if sizes.size), default=0.0) or 1.0
    return {"cmap": signed_colours(), "vmin": -largest, "vmax": largest}


def matrix(name: str, table: ArrayLike) -> Array:
    """A tensor, list or array as float64 (rows, columns). Raises UserError for anything else."""
    try:
        numbers = np.asarray(table.detach().cpu() if hasattr(table, "detach") else table, dtype=np.float64)
    except (TypeError, ValueError):
        raise UserError(f"{name} must be a table of numbers; got {type(table).__name__}") from None
    if numbers.ndim != 2 or not numbers.size:
        raise UserError(f"{name} must have rows and columns; its shape is {numbers.shape}: give a matrix")
    return numbers


def draw_table(axes: Any, table: Array, scale: dict[str, Any], digits: int | None = 2) -> Any:
    """Draw a table (rows, columns) as coloured cells with numbers, masked ones hatched. Returns the image.

    `digits` are those after the point; with None no numbers are written.
    """
    shown = np.isfinite(table)
    image = axes.imshow(np.where(shown, table, np.nan), **scale)
    rows, columns = table.shape
    for (i, j), number in np.ndenumerate(table):
        if not shown[i, j]:
            hatch(axes, j - 0.5, i - 0.5, 1, 1)
        elif digits is not None:
            write(axes, (j, i), written(number, digits), 9, ink_on(image.to_rgba(number)))
    axes.set(xticks=range(columns), yticks=range(rows))
    axes.tick_params(length=0)
    axes.spines[:].set(visible=True, color=LIGHT_GREY)
    return image


def hatch(axes: Any, x: float, y: float, width: float, height: float) -> None:
    """A masked cell."""
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle((x, y), width, height, zorder=2, **MASKED))


def written(number: float, digits: int = 2) -> str:
    """A number with a true minus sign, no negative zero, and halves rounded as JavaScript's `toFixed`."""
    rounded = Decimal(float(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return str(abs(rounded) if rounded == 0 else rounded).replace("-", "−")


def listed(numbers: ArrayLike, digits: int = 2) -> str:
    """Numbers for a sentence: (0.50, −1.00)."""
    return f"({', '.join(written(number, digits) for number in np.asarray(numbers, dtype=np.float64))})"


def ink_on(colour: tuple[float, ...]) -> str:
    """Black or white, whichever can be read on `colour` (relative luminance of WCAG 2.2)."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]]
    return "black" if 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.179 else "white"
