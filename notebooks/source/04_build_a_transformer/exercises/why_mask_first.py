"""Exercise why_mask_first: why the mask comes before the softmax. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_mask_first",
    title="Why the mask comes before the softmax",
    order=4,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="this course",
    hints=(
        "Add up the weights of one row, for both layers.",
        "A softmax divides by a sum. Which keys are in that sum if the mask comes after the softmax?",
        (
            "Write down the output of a row that is masked after the softmax, and look for a future key in"
            " it. Then divide the row by its own sum, and look again."
        ),
    ),
)
