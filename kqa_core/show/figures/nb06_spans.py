"""The figures of notebook 06: the steps of span corruption, and what happens to each character of a document.

- Every function draws into a given figure and returns a sentence that describes it. So it can be a still
  (`still`) or follow sliders (`kqa_core.show.kit.live_figure.live_figure`).
- Colours are Okabe and Ito's, and never the only difference: a span is also framed or hatched, padding also
  shown as □.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kqa_core.show.kit.palette import GREY, ORANGE, new_figure
from kqa_core.show.kit.sketch import write
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
    masked_cells = range(start, start + masked)
    moved = range(len(kept) - masked + 2, len(kept) + 2)  # the place of the span in the row
    lines = [
        (document[:block_size], range(0), range(length, block_size)),
        (kept, masked_cells, range(0)),
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
    sentences = [
        f"The line is cut to its first {length} characters.",
        f"Of these, {masked} are masked, from character {start} on: {span!r}.",
        f"They move behind a second ⁇, and the row is filled up to {block_size} with □.",
        "x is the row without its last character, y without its first.",
    ]
    return " ".join(sentences[:stage])


def _cells(axes: Any, y: float, text: str, marked: range, faint: range) -> None:
    from matplotlib.patches import Rectangle

    for place, character in enumerate(text):
        inside = place in marked
        face = SPAN if inside else GONE if place in faint else PADDING if character == "□" else PLAIN
        edge = ORANGE if inside else "none"
        axes.add_patch(
            Rectangle((place - 0.5, y - 0.35), 1, 0.7, facecolor=face, edgecolor=edge, linewidth=0.8)
        )
        colour = GREY if place in faint or character == "□" else "black"
        write(axes, (place, y), character, 8, colour, family="DejaVu Sans Mono")


def draw_roles(figure: Any, cuts: Sequence[Cut], total: int, width: int = 10) -> str:
    """The shares of rows that cut off, keep and mask each of `total` characters, and `width` together."""
    places = range(total)
    masked, together = shares(cuts, total, 1), shares(cuts, total, width)
    kept = [sum(length > place for length, _, _ in cuts) / len(cuts) for place in places]
    axes = figure.subplots()
    axes.fill_between(places, kept, 1, step="post", color=PADDING, label="cut off")
    axes.fill_between(places, masked, kept, step="post", color=PLAIN, label="kept, predicted from its left")
    hatched = {"facecolor": SPAN, "edgecolor": ORANGE, "hatch": "///", "linewidth": 0}
    axes.fill_between(places, 0, masked, step="post", label="masked", **hatched)
    name = f"masked together with the next {width - 1}"
    axes.step(places, together, where="post", color=GREY, linestyle="--", label=name)
    axes.set(xlabel="character of the document, from 0", ylabel="share of the rows")
    axes.set(ylim=(0, 1), xlim=(0, total - 1))
    figure.legend(*axes.get_legend_handles_labels(), frameon=False, loc="outside right center")
    top, middle = max(places, key=lambda place: together[place]), total // 2
    shares_there = (
        f"character {middle} is cut off in {100 * (1 - kept[middle]):.0f} %, masked in"
        f" {100 * masked[middle]:.0f} %"
    )
    return (
        f"In {len(cuts):,} rows, {shares_there}. {width} characters are masked together in"
        f" {100 * together[top]:.0f} % at best, from character {top} on, and in"
        f" {100 * together[3 * total // 4]:.1f} % from character {3 * total // 4} on."
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
