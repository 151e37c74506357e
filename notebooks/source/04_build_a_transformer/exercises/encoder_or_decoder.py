"""Exercise encoder_or_decoder: the positions that each may attend to,
and what follows from it. A written answer.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="encoder_or_decoder",
    title="Encoder or decoder",
    order=21,
    points=2,
    difficulty=2,
    importance=4,
    minutes=15,
    source="Vaswani et al. 2017, section 3.1",
    hints=(
        (
            "What would a position of the decoder learn to do if it could attend to the next token, which is"
            " its target?"
        ),
        (
            "In training a whole row goes through the model at once. Count the predictions that a decoder"
            " gets from a row of T tokens."
        ),
        (
            "For the tasks, think of a word whose meaning depends on what comes after it, and of a text that"
            " is yet to be written. For the masks, ask what exists before the first target token is written,"
            " and what a batch of sources of different lengths contains."
        ),
    ),
)
