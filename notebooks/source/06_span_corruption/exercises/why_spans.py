"""Exercise why_spans (written): how a corrupted row resembles a question."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_spans",
    title="Why span corruption teaches facts",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="CS224n A5 2(e)",
    hints=(
        (
            "Write a corrupted row of a line and the finetuning row about the same person under each other."
            " What is the same?"
        ),
        (
            "The model reads from left to right. When it predicts what follows the second ⁇, what has it"
            " seen? What would it have seen if the suffix came last? And in which rows is the birthplace a"
            " target although it is not masked?"
        ),
        (
            "Five points: what follows the last ⁇ in both kinds of row; where the model must take it from;"
            " what the suffix adds; why the next epoch should mask something else; what the targets in prefix"
            " and suffix teach."
        ),
    ),
)
