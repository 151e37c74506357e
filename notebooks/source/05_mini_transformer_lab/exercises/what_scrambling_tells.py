"""Exercise what_scrambling_tells (written): what the results on scrambled sentences say about a model."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="what_scrambling_tells",
    title="What scrambled sentences show",
    order=2,
    points=2,
    difficulty=2,
    importance=3,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        "The words are the same. How would a model that only knows how common each word is do on the scrambled sentence?",
        "Compare three numbers: the scrambled perplexity, the normal one, and the number of words, which is the perplexity of a "
        "uniform guess. Then look at the row without positions.",
        "Three parts: what the rise shows that the model has learnt; what it means to be worse than a uniform guess; and why the "
        "model without positions suffers about as much.",
    ),
)
