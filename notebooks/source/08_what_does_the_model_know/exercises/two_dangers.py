"""Exercise two_dangers (written): what can go wrong when nobody can distinguish retrieved
answers from made-up ones.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="two_dangers",
    title="Two dangers of made-up answers",
    order=9,
    points=3,
    difficulty=2,
    importance=5,
    minutes=8,
    source="CS224n A5 3(b)",
    hints=(
        (
            "Think of a person who reads the answer, and of what this person does next. Then think of what"
            " happens to the answer after that."
        ),
        (
            "One danger is a single wrong answer that someone relies on. The other one comes from many"
            " answers: what do people believe after they have seen some of them fail, and where are the"
            " answers copied to?"
        ),
        (
            "For each danger: who uses the model for what; what it answers, and why nobody can see that it is"
            " made up; what follows. Two or three sentences each. A number of this notebook makes it"
            " concrete."
        ),
    ),
)
