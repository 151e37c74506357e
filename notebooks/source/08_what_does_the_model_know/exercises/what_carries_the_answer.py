"""Exercise what_carries_the_answer (written):
what weights, ablation and patching show about the heads of a model.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="what_carries_the_answer",
    title="What carries the answer",
    order=6,
    points=3,
    difficulty=3,
    importance=5,
    minutes=8,
    source="ours, after Jain and Wallace 2019",
    hints=(
        (
            "Write down all characters of the row that the model reads before it answers. Is the birthplace"
            " among them?"
        ),
        (
            "Use the picture of weights and effects for question 2, and the curve with more and more patched"
            " heads for question 3."
        ),
        (
            "For question 3: how many answers are lost without each head (needed?), and for how many pairs"
            " does one patched head give B's place (enough?)? Name both numbers for the strongest head."
        ),
    ),
)
