"""Exercise why_average (written): which averages a query can take."""

from __future__ import annotations

from kqa_core.check.facts import Exercise

EXERCISE = Exercise(
    id="why_average",
    notebook="01_attention_as_a_lookup",
    order=14,
    points=1,
    difficulty=3,
    importance=4,
    minutes=5,
    source="Washington attention assignment §1.3",
    hints=(
        "Equal weights ask for equal logits: how many equations is that, in how many unknowns?",
        "softmax sees the logits up to a common shift. So four keys leave three differences to prescribe, and q has three"
        " numbers.",
        "With [K 1] invertible every set of positive weights is reached exactly. Which weights can no finite query reach?",
    ),
)
