"""Exercise why_pretraining_helped (written): what the model learned from pretraining and could not learn from questions."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_pretraining_helped",
    title="Why pretraining helped",
    order=3,
    points=2,
    difficulty=2,
    importance=5,
    minutes=10,
    source="CS224n A5 3(a)",
    hints=(
        "Who are the people of the dev questions, and where in the training of each model do they occur?",
        "Look at the counts by exposure. Which group does the pretrained model do no better on than the other, and what has that "
        "group not got?",
        "Two sentences: where the facts that dev asks for can have come from, and which line of the table shows that it was "
        "them, and not a better feeling for the language.",
    ),
)
