"""Exercise read_the_gap (written): what the table of accuracies shows, and what it does not show."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="read_the_gap",
    title="Interpret the gap between models",
    order=8,
    points=3,
    difficulty=2,
    importance=5,
    minutes=15,
    source="CS224n A5 2(d), 3(a)",
    hints=(
        "Go through the table from the lowest row to the highest. For each step up: what does the upper row know that the lower "
        "does not?",
        "Look at the intervals before you call anything a difference. Then ask what the model without pretraining could have "
        "known of people it was never told about, and where the missing part between the pretrained model and the ceiling may "
        "have gone.",
        "Three parts: (1) which rows differ by more than chance, with numbers; (2) why finetuning alone cannot help on people "
        "who are not in its questions; (3) why standing in the text is not yet being known, and being known is not yet being "
        "told.",
    ),
)
