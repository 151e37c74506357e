"""Exercise predict_the_copy (written): a prediction, before the experiment on repeated tokens."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="predict_the_copy",
    title="Predict the loss in the second half",
    order=10,
    points=2,
    difficulty=2,
    importance=4,
    minutes=8,
    source="ours, after Olsson et al. 2022",
    hints=(
        (
            "How many tokens are there? What is the loss of a model that gives each of them the same"
            " probability?"
        ),
        (
            "In the second half, the right next token stands in the row already. What would a model have to"
            " do to find it? Which construction of notebook 01 does this?"
        ),
        (
            "Give a number for each half, a reason for each, and say which result would show that the model"
            " does not copy."
        ),
    ),
)
