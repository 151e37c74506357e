"""Exercise why_average: why is averaging everything easier than averaging two? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_average",
    title="Why averaging two needs the keys",
    order=14,
    points=1,
    difficulty=2,
    importance=3,
    minutes=6,
    source="Washington, attention assignment §1.4",
    hints=(
        "Think of the logits first, and of the query that makes them second.",
        "What does q = 0 do to every logit? Which conditions does an average of two put on the logits?",
        "Count the conditions of each: how many equalities, how many inequalities, and how large must the gap be?",
    ),
)
