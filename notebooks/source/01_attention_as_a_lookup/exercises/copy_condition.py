"""Exercise copy_condition: when does a query copy one value? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="copy_condition",
    title="When attention copies one value",
    order=1,
    points=2,
    difficulty=2,
    importance=4,
    minutes=6,
    source="CS224n A5 1(a)",
    hints=(
        (
            "The output is c = Σ αᵢ vᵢ. What must the weights be for c to be nearly v_j, whatever the values"
            " are?"
        ),
        (
            "αᵢ is e to the power kᵢ·q, divided by the sum of all such powers. What makes one term outgrow"
            " all the others?"
        ),
        (
            "Divide αᵢ by α_j: the sum cancels, and one difference is left for each i. What has to become of"
            " these differences?"
        ),
    ),
)
