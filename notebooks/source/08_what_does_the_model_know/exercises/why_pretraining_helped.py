"""Exercise why_pretraining_helped (written):
what the model learned from pretraining and could not learn from questions.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_pretraining_helped",
    title="Why pretraining helped",
    order=2,
    points=2,
    difficulty=2,
    importance=5,
    minutes=5,
    source="CS224n A5 3(a)",
    hints=(
        "Who are the people of the questions above, and where do they occur in the training of each model?",
        (
            "Look at the counts by the number of lines. For which group is the pretrained model no better"
            " than a guess?"
        ),
        (
            "Two sentences: the only source of these facts, and the row of the table which shows that"
            " pretraining helps where this source exists and not where it does not."
        ),
    ),
)
