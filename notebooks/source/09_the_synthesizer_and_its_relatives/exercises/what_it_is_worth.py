"""Exercise what_it_is_worth: a report on the student's own Synthesizer against
attention. A written answer.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="what_it_is_worth",
    title="Report: what attention is worth",
    order=5,
    points=3,
    difficulty=2,
    importance=5,
    minutes=12,
    source="CS224n A5 2(g)",
    hints=(
        (
            "Begin with what the two models have in common and what differs. Then give the numbers, each with"
            " its test."
        ),
        (
            "McNemar's test needs two counts for each seed: the questions that only attention answers, and"
            " the questions that only your layer answers. The t-test needs one number for each seed and"
            " model."
        ),
        (
            "For the explanation, use the picture of Part 1: which weights follow the pair? And what does an"
            " average of all pairs still say about the values in the row?"
        ),
    ),
)
