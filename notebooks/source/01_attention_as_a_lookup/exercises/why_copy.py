"""Exercise why_copy: how does the ability to copy help a language model? A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_copy",
    title="What copying is good for",
    order=3,
    points=1,
    difficulty=2,
    importance=4,
    minutes=6,
    source="Washington, attention assignment §1.2.3",
    hints=(
        (
            "Think of texts in which a word comes back later: a name, a number, a place, a term that was just"
            " defined."
        ),
        (
            "Could the model predict that word without the earlier part of the text? What does it gain if it"
            " can fetch the value of one earlier token, however far away it is?"
        ),
        (
            "Take a text such as “Ms Okafor opened the letter. Later Ms”. Say which word comes next, which"
            " earlier token holds it, and why a model that never saw this name in training can still"
            " predict it."
        ),
    ),
)
