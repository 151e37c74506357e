"""Exercise unseen_name (written): what the model does with a name that is not in its training data."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="unseen_name",
    title="What happens with an unseen name",
    order=11,
    points=3,
    difficulty=3,
    importance=5,
    minutes=15,
    source="CS224n A5 3(c)",
    hints=(
        "The model has to write something. What does it have to go by, when the name was in no line it read?",
        "Look at where its guesses about strangers lie, and at what happened to them when only the name was changed. Then think "
        "of a use in which such a guess decides something about a person.",
        "Three parts: what it does (with a number of this notebook), how you know that the name is the cause, and why it matters "
        "even when the guesses are right more often than chance.",
    ),
)
