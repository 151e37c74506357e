"""Exercise why_rekey (written): what changing one key does."""

from __future__ import annotations

from kqa_core.check.facts import Exercise

EXERCISE = Exercise(
    id="why_rekey",
    notebook="01_attention_as_a_lookup",
    order=15,
    points=1,
    difficulty=2,
    importance=4,
    minutes=5,
    source="Washington attention assignment §1.4",
    hints=(
        "What does a query see of a key?",
        "Only k·q. Compare changing q, which moves all the logits, with changing one k_i.",
        "Say what changing k_2 leaves alone, which part of k_2 does not matter, and why a key of length one is enough "
        "when q is long.",
    ),
)
