"""Exercise why_average: why is averaging everything easier than averaging two? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_average",
    title="What averaging is good for",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="Washington, attention assignment §1.3.3; this course",
    hints=(
        (
            "(a) Think of words such as because, and, they. (b) Think of the logits first, and then of the"
            " query that makes them."
        ),
        (
            "(a) Which words does the model need at the end of “Ann and Bo said that they”? (b) What does q ="
            " 0 do to every logit? Which conditions does an average of two put on the logits?"
        ),
        (
            "(a) Say which values are averaged, and what the mixture is used for. (b) Two logits must be"
            " equal, and both far above the others. Can a query meet these conditions if it does not know the"
            " keys?"
        ),
    ),
)
