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
    minutes=12,
    source="this course",
    hints=(
        "What does the online softmax do, again and again, that a program with all logits of a row in its hands need not do?",
        "A multiprocessor has 65,536 registers of four bytes. How many does a tile of 128 × 128 float32 numbers "
        "take? And one of 256 × "
        "256?",
        "Say what is saved on the way there (rescaling, loops), and on the way back (what must be remembered), "
        "and where it ends.",
    ),
    optional=True,
)
