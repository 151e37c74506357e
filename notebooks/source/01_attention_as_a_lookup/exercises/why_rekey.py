"""Exercise why_rekey: how can a unit key beat longer keys? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_rekey",
    title="How a key acts on the weights",
    order=15,
    points=1,
    difficulty=3,
    importance=3,
    minutes=6,
    source="Washington, attention assignment §1.4",
    hints=(
        "Through which one number does a key enter the weights?",
        "A key enters through k·q = ‖k‖ ‖q‖ cos θ. What did you choose in each of the two exercises: length, direction or both?",
        "Keys 0 and 1 are not along q. Compare their projections on the direction of q with 1, and multiply by the length of q.",
    ),
)
