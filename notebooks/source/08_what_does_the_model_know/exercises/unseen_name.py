"""Exercise unseen_name (written): what the model does with a name that is not in its training data."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="unseen_name",
    title="What happens with an unseen name",
    order=8,
    points=3,
    difficulty=3,
    importance=5,
    minutes=8,
    source="CS224n A5 3(c)",
    hints=(
        (
            "The model has to write something. Which information does the row contain if the name was in no"
            " line of its text?"
        ),
        (
            "Look at the diagonal of the last picture. To test whether the name is the cause, which one thing"
            " would you change?"
        ),
        (
            "Question 3: for whom is the guess wrong, and in which direction? Think of a use in which the"
            " guess decides something about a person, and of whether this person can see that it was a guess."
        ),
    ),
)
