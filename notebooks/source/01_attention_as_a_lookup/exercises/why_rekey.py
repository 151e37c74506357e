"""Exercise why_rekey: how can a unit key beat longer keys? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_rekey",
    title="What one changed key does",
    order=14,
    points=2,
    difficulty=3,
    importance=3,
    minutes=8,
    source="Washington, attention assignment §1.4.3",
    hints=(
        (
            "(a) Write down the formula of a weight. Which part of it has changed? (b) Through which one"
            " number does a key enter the weights?"
        ),
        (
            "(a) All weights have the same denominator. (b) k·q = ‖k‖ ‖q‖ cos θ. What did you choose in each"
            " of the two exercises: length, direction or both?"
        ),
        (
            "(a) What happens to a fraction when its denominator grows? (b) Keys 0 and 1 do not point along"
            " q. Compare their projections on the direction of q with 1, and multiply by the length of q."
        ),
    ),
)
