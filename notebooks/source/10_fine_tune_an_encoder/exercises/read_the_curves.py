"""Exercise read_the_curves (written): where a run overfits, and what the two losses show."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="read_the_curves",
    title="Read the learning curves",
    order=9,
    points=2,
    difficulty=2,
    importance=4,
    minutes=12,
    source="Washington §4.1 and §4.2: curves, best epochs, overfitting",
    hints=(
        (
            "Find the epoch from which on the two losses go in opposite directions. What does the model learn"
            " after it?"
        ),
        (
            "Use the numbers of your own run: the lowest validation loss and its epoch, the training loss at"
            " the end, the validation accuracy at both places. Then look at which sentences can still be"
            " learned."
        ),
        (
            "Four parts: the best epoch with its numbers; where overfitting starts and how you see it; that"
            " 80 of the 400 labels are wrong and can only be memorised; and what changes with correct labels,"
            " where the loss rises more than the accuracy falls."
        ),
    ),
)
