"""Exercise read_the_ladder (written): what a ladder of recipes shows, and what only leaving one out shows."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="read_the_ladder",
    title="Interpret the ladder",
    order=14,
    points=3,
    difficulty=3,
    importance=5,
    minutes=25,
    source="CS224n A5 2(f), 2(g): explain the difference",
    hints=(
        (
            "Start from the sorted list of steps. For the largest ones, read the p-values, and look up in the"
            " table how many seeds they rest on."
        ),
        (
            "For 2, look for a row with a small change on the ladder and a large loss in the second table."
            " For 3, look for a row in which exposures rise a lot and accuracy hardly does."
        ),
        (
            "A lever can only show its effect if nothing else blocks it: facts that are masked often do not"
            " come out if the optimizer does not store them, and stored facts do not come out if no question"
            " reaches them. Which rows are examples?"
        ),
    ),
)
