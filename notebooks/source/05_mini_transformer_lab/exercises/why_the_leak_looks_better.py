"""Exercise why_the_leak_looks_better (written): why a model that sees the future has better numbers."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_the_leak_looks_better",
    title="Why the leak looks better",
    order=11,
    points=3,
    difficulty=3,
    importance=5,
    minutes=15,
    source="after the Washington mini-Transformer lab, §2.2",
    hints=(
        "Which numbers reach position t that should not, and what could they tell about the next word?",
        "Dev text is read in the same way as training text, whole rows at once. Ask of each column of the table whether the "
        "future was there when it was measured.",
        "Three parts: what leaks and why training makes use of it; why dev does not show it and word by word does; which other "
        "mechanism makes a single sentence collapse, and the experiment that tells the two apart.",
    ),
)
