"""Exercise my_prediction (written): a prediction, before the student's own experiment."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="my_prediction",
    title="Predict your experiment",
    order=14,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Choose a question whose answer would change what you think about heads, layers or positions."
            " Then name the one setting that you change."
        ),
        (
            "A prediction is a direction and a reason for each of short, changed and long. The reason should"
            " name what the model needs for the task: to find the states, and to know which one is the"
            " latest."
        ),
        (
            "For example: 'One head instead of three. I expect no difference on short, because … On long I"
            " expect … I am wrong if …'"
        ),
    ),
)
