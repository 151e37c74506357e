"""Exercise why_one_tile: when one tile is enough. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_one_tile",
    title="Why one tile is enough",
    order=4,
    points=2,
    difficulty=3,
    importance=4,
    minutes=10,
    source="this course",
    hints=(
        "Which lines of the online softmax does a program not need if it holds all logits of a row at once?",
        (
            "How many bytes does a tile of 128 × 128 float32 numbers take? And a tile of 256 × 256? Compare"
            " both with the registers of a multiprocessor: 65,536 of 4 bytes."
        ),
        (
            "Say three things: what the forward pass saves (running maximum, factors, a loop), what the"
            " backward pass does not have to load, and at which length the tile becomes too large."
        ),
    ),
    optional=True,
)
