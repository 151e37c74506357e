"""Exercise read_the_paths (written): why the optimisers take different paths, and when that helps."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="read_the_paths",
    title="Explain the three paths",
    order=12,
    points=2,
    difficulty=3,
    importance=3,
    minutes=12,
    source="Washington §4.4 and §4.5: optimisers",
    hints=(
        (
            "Compare the first steps in the two directions. For which optimiser does the length of a step"
            " depend on the steepness?"
        ),
        (
            "SGD has one rate for both directions, and the steep one limits it. Adagrad and AdamW divide each"
            " number's step by the size of that number's own gradients. Which directions are 'numbers' when"
            " the valley is turned?"
        ),
        (
            "Three parts: SGD's path (zigzag, then a crawl, and the limit 2/100 for its rate); the diagonal"
            " of the other two, and how they differ at the end; and at 45 degrees, where both numbers have"
            " gradients of about the same size."
        ),
    ),
)
