"""Exercise one_look_at_test (written): why the test split is used only once."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="one_look_at_test",
    title="Why you look at test once",
    order=16,
    points=2,
    difficulty=2,
    importance=5,
    minutes=12,
    source="Washington §3",
    hints=(
        (
            "Twenty-six students guess the same coin tosses. How good is the best of them, and how good will"
            " that student be tomorrow?"
        ),
        (
            "The winner's validation accuracy is the largest of many noisy numbers. What does this do to it,"
            " and what would it do to the test accuracy if you chose by that? For the comparison, count the"
            " sentences on which the two models differ."
        ),
        (
            "Four parts: the best of many is too good; so report it on sentences by which nothing was chosen,"
            " once; what a second look after a change does; and what McNemar's test says about these two"
            " trained models, but not about other seeds or settings."
        ),
    ),
)
