"""Exercise why_select: when can a query select a key? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_select",
    title="Why a query can select a row",
    order=13,
    points=1,
    difficulty=2,
    importance=3,
    minutes=6,
    source="Washington, attention assignment §1.2",
    hints=(
        "Count equations and unknowns, and remember what the softmax ignores.",
        "Four logits from three unknowns, plus one shift that changes no weight.",
        "For the second question, try a key that is the average of other keys, and compute its logit.",
    ),
)
