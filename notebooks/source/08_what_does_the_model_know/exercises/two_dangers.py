"""Exercise two_dangers (written): what can go wrong when nobody can distinguish retrieved answers from made-up ones."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="two_dangers",
    title="Two dangers of made-up answers",
    order=7,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="CS224n A5 3(b)",
    hints=(
        "Think of a person who reads the answer, and of what they do next. Then think of what becomes of the answer after that.",
        "One kind of danger lies with a single wrong answer that is believed; another with many of them, or with whose answers "
        "are wrong. A number from this notebook makes either concrete.",
        "For each: who uses the model for what; what it answers, and why they cannot see that it is made up; what follows. Two "
        "or three sentences each.",
    ),
)
