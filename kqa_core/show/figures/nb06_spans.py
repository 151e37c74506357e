"""The figures of notebook 06: the steps of span corruption, and how often each character is masked.

- Every function draws into a given figure and returns a sentence that describes it. So it can be a still (`still`) or follow
  sliders (`kqa_core.show.kit.live_figure.live_figure`).
- Colours are Okabe and Ito's, and never the only difference: a span is also framed, padding also shown as □.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kqa_core.show.kit.palette import BLUE, GREY, ORANGE, new_figure
from kqa_core.show.kit.still import Still

SPAN, PLAIN, GONE, PADDING = "#F6D58A", "#E4EEF6", "#FFFFFF", "#F2F2F2"
STAGES = ("1 truncate", "2 choose", "3 rearrange", "4 shift: x", "   and y")
Cut = tuple[int, int, int]  # kept length, start of the span, length of the span


def still(draw: Callable[..., str], size: tuple[float, float], **values: Any) -> Still:
    """A still of `draw(figure, **values)`; `size` in inches."""
    figure = new_figure(*size)
    return Still(figure, draw(figure, **values))


def draw_stages(figure: Any, document: str, cut: Cut, block_size: int, stage: int = 4) -> str:
    """The first `stage` of the four steps that turn `document` into x and y, one line of cells each."""
    length, start, masked = cut
    kept = document[:length]
    prefix, span, suffix = kept[:start], kept[start : start + masked], kept[start + masked :]
    row = (prefix + "⁇" + suffix + "⁇" + span).ljust(block_size, "□")
    hidden = range(start, start + masked)
    moved = range(len(kept) - masked + 2, len(kept) + 2)  # the place of the span in the row
    lines = [
        (document[:block_size], range(0), range(length, block_size)),
        (kept, hidden, range(0)),
        (row, moved, range(0)),
        (row[:-1], moved, range(0)),
        (row[1:], range(moved.start - 1, moved.stop - 1), range(0)),
    ]
    axes = figure.subplots()
    for number, (text, marked, faint) in enumerate(lines[: stage + (stage == 4)]):
        _cells(axes, -number, text, marked, faint)
        axes.text(-1, -number, STAGES[number], ha="right", va="center", fontsize=9)
    axes.set(xlim=(-9, block_size), ylim=(-len(lines) + 0.4, 0.6))
    axes.axis("off")
    said = [
        f"The line is cut to its first {length} characters.",
        f"Of these, {masked} are hidden, from number {start} on: {span!r}.",
        f"They move behind a second ⁇, and the row is filled up to {block_size} with □.",
        "x is the row without its last character, y without its first.",
    ]
    return " ".join(said[:stage])


def _cells(axes: Any, y: float, text: str, marked: range, faint: range) -> None:
    from matplotlib.patches import Rectangle

    for place, character in enumerate(text):
        inside = place in marked
        face = SPAN if inside else GONE if place in faint else PADDING if character == "□" else PLAIN
        edge = ORANGE if inside else "none"
        axes.add_patch(Rectangle((place - 0.5, y - 0.35), 1, 0.7, facecolor=face, edgecolor=edge, linewidth=0.8))
        colour = GREY if place in faint or character == "□" else "black"
        axes.text(place, y, character, ha="center", va="center", fontsize=8, family="DejaVu Sans Mono", color=colour)


def draw_hidden(figure: Any, cuts: Sequence[Cut], width: int = 10, other: Sequence[Cut] = (), other_name: str = "") -> str:
    """How often each character is masked, and how often all `width` characters from it on are; `other` for comparison."""
    length = max(cut[0] for cut in (*cuts, *other))
    axes = figure.subplots()
    single, whole = shares(cuts, length, 1), shares(cuts, length, width)
    axes.plot(single, color=BLUE, label="this character is hidden")
    axes.plot(whole, color=ORANGE, linestyle="--", label=f"all {width} from here on are hidden")
    if other:
        axes.plot(shares(other, length, width), color=GREY, linestyle=":", label=f"the same, {other_name}")
    axes.set(xlabel="character of the line, from 0", ylabel="share of the rows", ylim=(0, None), xlim=(0, length))
    axes.legend(frameon=False)
    top, late = max(range(length), key=lambda k: whole[k]), 3 * length // 4
    best = f"{100 * whole[top]:.0f} % at best (from character {top} on)"
    return (
        f"In {len(cuts):,} rows, {width} characters in a row are hidden together in {best}, and in "
        f"{100 * whole[late]:.1f} % from character {late} on. A single character there is hidden in {100 * single[late]:.0f} %."
    )


def shares(cuts: Sequence[Cut], length: int, width: int) -> list[float]:
    """For each place k of `length`, the share of the rows whose span covers k … k + width − 1."""
    changes = [0] * (length + 1)
    for _, start, masked in cuts:
        if masked >= width:
            changes[start] += 1
            changes[min(length, start + masked - width + 1)] -= 1
    covered, total = [], 0
    for change in changes[:-1]:
        total += change
        covered.append(total / len(cuts))
    return covered
