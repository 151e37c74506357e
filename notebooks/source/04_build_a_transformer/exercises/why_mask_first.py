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
    minutes=8,
    source="this course",
    hints=(
        "Add up the weights of one row, both ways.",
        "A softmax divides by a sum. Over which keys does that sum run if the mask comes afterwards?",
        "So write down the output of a row that is masked afterwards, and look for a future key in it. Then divide by the row's "
        "sum, and look again.",
    ),
)
