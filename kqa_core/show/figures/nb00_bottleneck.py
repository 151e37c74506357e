"""Notebook 00: why one summary vector is a bottleneck, and what attention does (Bahdanau et al. 2014).

Both halves show a translation of the running example into German. The weights of the attention are made up,
as an illustration.
"""

from __future__ import annotations

from typing import Any

from kqa_core.show.kit.palette import BLUE, GREEN, GREY, LIGHT_GREY, ORANGE, VERMILION
from kqa_core.show.kit.sketch import HALO, arrow, box, new_diagram, write
from kqa_core.show.kit.still import Still

SOURCE = ("The", "animal", "didn't", "cross", "the", "street", "because", "it", "was", "tired")
TARGET = ("Das", "Tier", "…")
FOCUS = 1  # the word of the translation that is being written, and the word of the source that it needs
WEIGHTS = tuple(0.82 if place == FOCUS else 0.02 for place in range(len(SOURCE)))
# from one state to the next; the size of a state; the middle of the first
STEP, STATE, FIRST = 0.72, (0.62, 0.36), 0.55
MIDDLE, PART = 8.0, (0.92, 0.62)  # where the encoder's work arrives, and the size of that box
TARGET_WIDTH = 0.58
ABOVE, BELOW, OUTPUT = 3.3, 0.72, 1.66  # heights: both encoders, and the decoder with attention


def show_bottleneck() -> Still:
    """The diagram: an encoder that hands over one vector, above a decoder that looks at all states."""
    figure, axes = new_diagram(11.0, 4.45)
    _encoder(axes, ABOVE, "Without attention: one summary vector carries the whole sentence", 4.2)
    arrow(axes, (_place(len(SOURCE) - 1) + STATE[0] / 2, ABOVE), (MIDDLE - PART[0] / 2, ABOVE))
    box(axes, (MIDDLE, ABOVE), PART, f"summary:\nstate {len(SOURCE) - 1}", VERMILION, fontweight="bold")
    fixed = "the bottleneck: its size is\nfixed, however long\nthe sentence"
    write(axes, (MIDDLE, ABOVE - 0.36), fixed, colour=VERMILION, va="top")
    _decoder(axes, ABOVE)
    arrow(axes, (MIDDLE + PART[0] / 2, ABOVE), (_target(0) - TARGET_WIDTH / 2, ABOVE), mutation_scale=8)

    _encoder(axes, BELOW, "With attention: the decoder looks back at every state", 2.3)
    for place, weight in enumerate(WEIGHTS):
        colour, level = (ORANGE, 2) if place == FOCUS else (LIGHT_GREY, 1)
        start, end = (_place(place), BELOW + STATE[1] / 2), (MIDDLE - PART[0] / 2, OUTPUT)
        width = 0.6 + 5 * weight
        arrow(axes, start, end, bend=-0.12, arrowstyle="-", linewidth=width, color=colour, zorder=level)
    box(axes, (MIDDLE, OUTPUT), PART, "weighted\naverage", GREEN, fontweight="bold")
    new = "a new average for\nevery word; this\none is for “Tier”"
    write(axes, (MIDDLE, OUTPUT - 0.36), new, colour="#00875f", va="top")
    start, end = (MIDDLE, OUTPUT + PART[1] / 2), (_target(FOCUS), OUTPUT + STATE[1] / 2)
    arrow(axes, start, end, bend=-0.35, color=GREEN, linewidth=2)
    right = _target(len(TARGET) - 1) + TARGET_WIDTH / 2
    write(axes, (right, BELOW - 0.6), "The weights are invented for this picture.", colour=GREY, ha="right")
    write(
        axes, (2.1, 1.43), f"weight {max(WEIGHTS)}", colour="#7a5400", fontweight="bold", bbox=HALO, zorder=4
    )
    write(axes, (6.0, 1.2), f"weight {min(WEIGHTS)} each", colour="#595959", bbox=HALO, zorder=4)
    _decoder(axes, OUTPUT)
    return Still(
        figure,
        f"Two translations of “{' '.join(SOURCE)}”. Without attention, an encoder reads one word after the"
        " other and hands a single summary vector of fixed size to the decoder: a bottleneck. With"
        f" attention, the decoder takes a new weighted average of all {len(SOURCE)} states of the encoder for"
        f" every word. For “{TARGET[FOCUS]}” the largest weight, {max(WEIGHTS)}, is on “{SOURCE[FOCUS]}”, and"
        f" the others are {min(WEIGHTS)} each (an illustration).",
        density=2,
    )


def _place(number: int) -> float:
    return FIRST + STEP * number


def _target(number: int) -> float:
    return MIDDLE + PART[0] / 2 + 0.6 + 0.78 * number


def _encoder(axes: Any, y: float, title: str, top: float) -> None:
    left = FIRST - STATE[0] / 2
    write(axes, (left, top), title, 12, ha="left", fontweight="bold")
    for place, word in enumerate(SOURCE):
        box(axes, (_place(place), y), STATE, f"state {place}", BLUE, size=8.5)
        write(axes, (_place(place), y - 0.34), word, 10)
        if place:
            start, end = _place(place - 1) + STATE[0] / 2, _place(place) - STATE[0] / 2
            arrow(axes, (start, y), (end, y), mutation_scale=8)
    name = "encoder: a recurrent network, one state after each word"
    write(axes, (left, y - 0.6), name, colour=GREY, ha="left")


def _decoder(axes: Any, y: float) -> None:
    for number, word in enumerate(TARGET):
        x = _target(number)
        colour, weight = (ORANGE, "bold") if number == FOCUS else (LIGHT_GREY, "normal")
        box(axes, (x, y), (TARGET_WIDTH, STATE[1]), word, colour, size=10, fontweight=weight)
        if number:
            start, end = _target(number - 1) + TARGET_WIDTH / 2, x - TARGET_WIDTH / 2
            arrow(axes, (start, y), (end, y), mutation_scale=8)
    write(axes, (_target(1), y - 0.34), "decoder: the translation", colour=GREY)
