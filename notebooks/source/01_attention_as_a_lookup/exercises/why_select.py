"""Exercise why_select: when can a query select a key? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_select",
    title="When a query can select a key",
    order=11,
    points=1,
    difficulty=2,
    importance=3,
    minutes=8,
    source="Washington, attention assignment §1.2.1–2, and this course",
    hints=(
        (
            "(a) Which equations did you solve, and what were the unknowns? (b) Remember what the softmax"
            " ignores. (c) Look at the fourth key in the picture of the plane: where does it lie?"
        ),
        (
            "(a) Each equation says by how much row 0 leads another row. (b) Four logits have three"
            " differences, and a number added to all logits changes no weight. (c) Take a key that is an"
            " average of other keys. What is its logit?"
        ),
        (
            "(a) Three leads are three equations for three numbers. (b) So how many differences must be"
            " right, and how many numbers can you choose? (c) The logit of an average is the same average of"
            " the logits. Can it be larger than all of them?"
        ),
    ),
)
