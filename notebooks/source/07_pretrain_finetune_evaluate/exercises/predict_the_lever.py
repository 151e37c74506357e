"""Exercise predict_the_lever (written): a prediction, with reasons, before the results are seen."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="predict_the_lever",
    title="Predict which change matters",
    order=12,
    points=1,
    difficulty=2,
    importance=4,
    minutes=10,
    source="the question behind CS224n A5 2(f): where do three of four facts get lost?",
    hints=(
        (
            "For each lever, ask what it changes: how often a fact is a target, how well a step stores it, or"
            " how well a question finds it."
        ),
        (
            "Notebook 06 counted how often a fact is masked. Part 3 showed that a model can know something"
            " that no question reaches. Which levers change the first, and which the second?"
        ),
        (
            "For example: short rows with salient spans multiply the number of times that a birthplace is a"
            " target. Mixed-in questions change only how it can be reached. Say which of the two you think is"
            " the bottleneck, and why."
        ),
    ),
)
