"""Exercise single_vs_multi: why two heads keep the average and one head does not. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="single_vs_multi",
    title="Why two heads are more robust than one",
    order=7,
    points=2,
    difficulty=3,
    importance=5,
    minutes=12,
    source="CS224n A5 1(c)ii, 1(d)ii",
    hints=(
        "Compare where the averaging happens: before the softmax, or after it.",
        "For one head, what is needed of the two logits, and what does a key that is 10 % longer do to it at a large beta? For "
        "each of two heads, what is needed of one logit?",
        "Follow one draw with epsilon = 1.2, one with 0.8 and one with −0.1 through both designs, and write down the outputs.",
    ),
)
