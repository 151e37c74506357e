"""Exercise cannot_look_up: why one layer of the dense Synthesizer cannot look anything up. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="cannot_look_up",
    title="What the Synthesizer cannot look up",
    order=3,
    points=3,
    difficulty=3,
    importance=5,
    minutes=15,
    source="CS224n A5 2(g)",
    hints=(
        "The last position must find the key that equals its letter. On which tensors do its weights depend in the one layer, on "
        "which in the other?",
        "Fix the letter that is asked for. The Synthesizer's weights of the last position are then the same nine numbers, "
        "however the pairs are ordered. What do you know about the place of the right pair?",
        "For fixed weights the logits of the answer are a sum over places, each term made of one pair. Given one pair and the "
        "letter asked for, how likely is each answer? And if no term of the sum tells anything, what is the best such "
        "a model can do?",
    ),
)
