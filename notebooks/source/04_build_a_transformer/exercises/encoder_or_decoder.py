"""Exercise encoder_or_decoder: the positions that each may attend to, and what follows from it. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="encoder_or_decoder",
    title="Encoder or decoder",
    order=14,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="the review; Vaswani et al. 2017, section 3.1",
    hints=(
        "What would a position of the decoder have to do if it could read the next one, which is its target?",
        "At training time a whole row goes through at once. Count the predictions that an encoder and a decoder get out of it.",
        "For the second part, think of a word whose meaning is settled by what comes after it; and of a text to be written.",
    ),
)
