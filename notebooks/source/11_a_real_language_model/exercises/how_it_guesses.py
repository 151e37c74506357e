"""Exercise how_it_guesses (written): the model's strategy for a name that it does not know."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="how_it_guesses",
    title="How it guesses",
    order=19,
    points=2,
    difficulty=3,
    importance=4,
    minutes=8,
    source="ours, after CS224n A5 3(c)",
    hints=(
        (
            "Read the answers about the invented people. Do they have something in common with the name, or"
            " with the country that the name seems to come from?"
        ),
        (
            "Which part of the tests supports your strategy against chance, and which does not? A strategy"
            " that explains one answer and no other is an anecdote."
        ),
        (
            "Say why the strategy is a problem even where it is often right: what follows for a person"
            " whose name does not fit the place where they were born?"
        ),
    ),
)
