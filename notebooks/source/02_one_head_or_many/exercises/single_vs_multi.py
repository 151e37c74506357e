"""Exercise single_vs_multi: why two heads keep the average and one head does not. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="single_vs_multi",
    title="Why two heads are more robust than one",
    order=8,
    points=2,
    difficulty=3,
    importance=5,
    minutes=12,
    source="CS224n A5 1(c)ii, 1(d)ii",
    hints=(
        "Compare where the average is taken: inside the softmax, or after it.",
        (
            "What must hold for the two logits of the single head, and what happens to it at a large beta"
            " when key a is 10 % longer? What must hold for the logits of each of the two heads?"
        ),
        (
            "Follow one draw with epsilon = 1.2, one with 0.8 and one with −0.1 through both designs, and"
            " write down the outputs."
        ),
    ),
)
