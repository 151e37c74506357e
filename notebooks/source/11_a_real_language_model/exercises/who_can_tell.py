"""Exercise who_can_tell (written): what a user of such a system cannot see."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="who_can_tell",
    title="What a user cannot see",
    order=18,
    points=3,
    difficulty=3,
    importance=5,
    minutes=12,
    source="ours, after CS224n A5 3(b)",
    hints=(
        ("Cover the column with the truth in the table. Which answers would you believe, and why?"),
        (
            "Compare the confidence of right, of wrong and of invented answers, and what a threshold does."
            " What is left above the threshold?"
        ),
        (
            "Think of two uses in which nobody looks the answer up: who is harmed, and how would they find"
            " out? Then say what the provider could measure or show, and which number of this part says how"
            " well that would work."
        ),
    ),
)
