"""Exercise copy_condition (written): when attention copies one value."""

from __future__ import annotations

from kqa_core.check.facts import Exercise

EXERCISE = Exercise(
    id="copy_condition",
    notebook="01_attention_as_a_lookup",
    order=1,
    points=2,
    difficulty=2,
    importance=5,
    minutes=5,
    source="CS224n A5 1(a)",
    hints=(
        "Write down α_j as a fraction and divide above and below by exp(k_j·q). What is left depends on which numbers?",
        "α_j = 1 / (1 + Σ_{i≠j} exp(−(k_j − k_i)·q)). When is the sum small?",
        "Each term of the sum must be small on its own. Say so of every i ≠ j, in terms of k_j·q and k_i·q; the values do"
        " not come in.",
    ),
)
