"""Notebook 00: why one summary vector is a bottleneck, and what attention does instead (Bahdanau et al. 2014).

Both halves show a translation of the running example. The widths of attention's lines are an illustration, not measured.
"""

from __future__ import annotations

from typing import Any

from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, VERMILION
from kqa_core.show.kit.sketch import arrow, box, new_diagram
from kqa_core.show.kit.still import Still

SOURCE = ("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired")
TARGET = ("Das", "Tier", "…")
FOCUS = 1  # the word of the translation that is being written, and the one of the source that it needs
SHARES = tuple(0.8 if place == FOCUS else 0.2 / (len(SOURCE) - 1) for place in range(len(SOURCE)))
STEP, STATE, WIDTH = 0.72, (0.62, 0.36), 10.4
FIRST, SUMMARY = 0.55, 8.0  # the middle of the first state; where the encoder's work arrives


def show_bottleneck() -> Still:
    """The diagram: above, an encoder that hands over one vector; below, a decoder that looks at every state of the encoder."""
    figure, axes = new_diagram(WIDTH, 5.2)
    _encoder(axes, 3.55, "Without attention: one summary vector carries the whole sentence", 4.95)
    arrow(axes, (_place(len(SOURCE) - 1) + STATE[0] / 2, 3.55), (SUMMARY - 0.42, 3.55))
    box(axes, (SUMMARY, 3.55), (0.84, 0.62), "summary\nvector", VERMILION, fontweight="bold")
    _decoder(axes, 3.55, (SUMMARY + 0.42, 3.55))
    axes.text(
        SUMMARY, 4.05, "bottleneck: fixed size,\nhowever long the sentence", ha="center", va="bottom", color=VERMILION, fontsize=9
    )

    _encoder(axes, 0.75, "With attention: the decoder looks back at every state", 2.35)
    middle = (SUMMARY, 1.6)
    for place, share in enumerate(SHARES):
        look = {
            "linewidth": 0.6 + 5 * share,
            "color": ORANGE if place == FOCUS else LIGHT_GREY,
            "zorder": 2 if place == FOCUS else 1,
        }
        arrow(axes, (_place(place), 0.75 + STATE[1] / 2), (middle[0] - 0.42, middle[1]), bend=-0.12, arrowstyle="-", **look)
    box(axes, middle, (0.84, 0.62), "weighted\naverage", GREEN, fontweight="bold")
    _decoder(axes, 1.6, (SUMMARY + 0.42, 1.6))
    axes.text(_place(FOCUS) + 0.1, 1.42, "large weight", color="#8a5f00", fontsize=9, ha="right")
    axes.text(SUMMARY, 1.18, "a new average\nfor every word", ha="center", va="top", color=GREEN, fontsize=9)
    return Still(
        figure,
        f"Two translations of “{' '.join(SOURCE)}”. Without attention, an encoder reads one word after the other and hands a "
        "single summary vector of fixed size to the decoder: a bottleneck. With attention, the decoder takes a new weighted "
        f"average of all {len(SOURCE)} states of the encoder for every word; for “{TARGET[FOCUS]}” the largest weight is on "
        f"“{SOURCE[FOCUS]}”.",
    )


def _place(number: int) -> float:
    return FIRST + STEP * number


def _encoder(axes: Any, y: float, title: str, top: float) -> None:
    axes.text(0.24, top, title, fontsize=11, fontweight="bold", va="center")
    for place, word in enumerate(SOURCE):
        box(axes, (_place(place), y), STATE, f"$h_{place}$", BLUE, fontsize=10)
        axes.text(_place(place), y - 0.34, word, ha="center", va="center", fontsize=9)
        if place:
            arrow(axes, (_place(place - 1) + STATE[0] / 2, y), (_place(place) - STATE[0] / 2, y), mutation_scale=8)
    axes.text(0.24, y - 0.6, "encoder: one state after each word", fontsize=8.5, color=GREY, va="center")


def _decoder(axes: Any, y: float, start: tuple[float, float]) -> None:
    x = start[0] + 0.62
    for number, word in enumerate(TARGET):
        at = x + number * 0.62
        chosen = number == FOCUS
        box(axes, (at, y), (0.5, STATE[1]), word, ORANGE if chosen else LIGHT_GREY, fontweight="bold" if chosen else "normal")
        arrow(axes, start if not number else (at - 0.37, y), (at - 0.25, y), mutation_scale=8)
    axes.text(x + 0.62, y - 0.34, "decoder", ha="center", va="center", fontsize=8.5, color=GREY)
