"""Exercise why_select (written): why a query can select a row."""

from __future__ import annotations

from kqa_core.check.facts import Exercise

EXERCISE = Exercise(
    id="why_select",
    notebook="01_attention_as_a_lookup",
    order=13,
    points=1,
    difficulty=2,
    importance=4,
    minutes=5,
    source="Washington attention assignment §1.2",
    hints=(
        "Which picture of four points decides it: could one of them hide among the others?",
        "For which sets of keys is there a direction along which the first key lies furthest?",
        "A direction in which k_0 beats each other key exists just when k_0 lies outside the convex hull of the others. "
        "What does the length of q add?",
    ),
)
