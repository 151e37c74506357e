"""Answer key of rate_that_returns."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="rate_that_returns",
    model_answer=(
        "At epoch 400 the rate is full again: the cosine takes 200 epochs from its maximum to its minimum,"
        " and as many to climb back. At epoch 600 it is at its floor again, and at the end, at epoch 650, it"
        " is at about 15 % of the full rate and rising. Large steps at epoch 400 move the weights away from"
        " the minimum that they had settled in, so the loss rises and part of what was learned in the slow"
        " phase is lost. The run then ends at a rate that nobody chose."
    ),
    rubric=(
        (
            0.5,
            (
                "Full again at epoch 400, because a cosine rises after its minimum as it fell before; about"
                " 0.15 and rising at the end"
            ),
        ),
        (
            0.5,
            (
                "A full rate moves settled weights away from their minimum: the loss rises, what was settled"
                " is partly lost"
            ),
        ),
    ),
    misconceptions=(
        "The schedule restarts at epoch 200 (it rises slowly from there; the maximum comes at 400).",
        (
            "A higher rate later is good, because it learns faster (the weights had settled; large steps undo"
            " this)."
        ),
    ),
)
