"""Exercise what_scrambling_tells (written): what the results on scrambled sentences say about a model."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="what_scrambling_tells",
    title="What scrambled sentences show",
    order=5,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        "The words are the same ones. What would a model that only counts words say to the scrambled sentence?",
        "Compare three figures: the scrambled loss, the normal loss, and ln of the number of words, what knowing nothing "
        "costs. Then look at the row without positions.",
        "Three parts: what the rise shows that the model has learnt; what it means to be worse than a level guess; and why the "
        "model without positions suffers as much as the others.",
    ),
)
