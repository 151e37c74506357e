"""Exercise why_the_leak_looks_better (written): why a model that sees the future has better numbers."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_the_leak_looks_better",
    title="Why the leak looks better",
    order=13,
    points=3,
    difficulty=3,
    importance=5,
    minutes=15,
    source="after the Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Which numbers reach position t although they should not, and what do they reveal about the next"
            " word?"
        ),
        (
            "Dev text is read like training text, whole rows at once. For each column, ask whether the future"
            " was in the input when it was measured."
        ),
        (
            "Three parts: what leaks and why training makes use of it; why dev does not show it and word by"
            " word does; which other mechanism makes a single sentence collapse, and the experiment that"
            " separates the two."
        ),
    ),
)
