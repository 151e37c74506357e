"""Exercise why_select: when can a query select a key? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_select",
    title="When a query can select a key",
    order=13,
    points=1,
    difficulty=2,
    importance=3,
    minutes=6,
    source="this course",
    hints=(
        "Count equations and unknowns, and remember what the softmax ignores.",
        "There are four logits and three unknowns, plus one common shift that changes no weight.",
        "For the second question, take a key that is an average of other keys. Its logit is the same average of their "
        "logits. Can it be the largest?",
    ),
)
