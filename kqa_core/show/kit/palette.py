"""The colours of all figures and widgets, and empty figures.

- Categories have Okabe and Ito's colours (Color Universal Design, 2008), which can be distinguished with any
  colour vision. Colour is never the only difference: bars have names, lines have labels.
- Weights have the colour map cividis, always from 0 to 1, so that a colour means the same weight in every
  picture.
- A figure has a transparent background. Its text and lines are in a grey that can be read on a white page and
  on a dark one, so a picture follows the notebook's theme, also when it was saved under another. What has a
  fill of its own (a cell, a box) has dark or white text on it.
- Figures are made without pyplot, so no figure stays open.
"""

from __future__ import annotations

from typing import Any

BLUE, ORANGE, GREEN, PINK, VERMILION, SKY = "#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9"
CATEGORIES = (BLUE, ORANGE, GREEN, PINK, VERMILION, SKY)
GREY = "#767676"  # of text and lines: 4.5 to 1 on white, 4.1 on #111; no grey has more than 4.35 on both
LIGHT_GREY = "#999999"  # for lines and outlines
WEIGHTS = {"cmap": "cividis", "vmin": 0.0, "vmax": 1.0}
DOTS_PER_INCH = 100
# matplotlib's settings that are black or white unless they are changed
LOOK: Any = {
    "axes.facecolor": "none",
    **dict.fromkeys(("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color"), GREY),
}


def new_figure(width: float = 8.0, height: float = 3.2) -> Any:
    """An empty matplotlib Figure of width × height inches that lays itself out.

    Sets `LOOK` for matplotlib as a whole, because most text and ticks are made later. A figure that you make
    with pyplot has its white background still.
    """
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams.update(LOOK)
    return Figure(figsize=(width, height), layout="constrained", facecolor="none")


def open_axes(figure: Any) -> Any:
    """The only axes of a figure, without the top and the right side of their frame."""
    axes = figure.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def png_of(figure: Any, density: int = 1) -> bytes:
    """The figure as a PNG file, the same bytes each time; `density` times the dots in each direction.

    With a density above 1 it has a table of 256 colours: a fourth of the bytes.
    """
    import io

    buffer = io.BytesIO()
    quickly = {"compress_level": 3}  # of 9: half the time of 6, for 5 % more bytes
    figure.savefig(
        buffer, format="png", dpi=density * DOTS_PER_INCH, metadata={"Software": None}, pil_kwargs=quickly
    )
    if density == 1:
        return buffer.getvalue()
    from PIL import Image

    small = io.BytesIO()
    Image.open(buffer).convert("RGBA").quantize(256, dither=Image.Dither.NONE).save(
        small, format="png", optimize=True
    )
    return small.getvalue()
