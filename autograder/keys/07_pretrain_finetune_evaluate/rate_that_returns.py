"""Answer key of rate_that_returns."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="rate_that_returns",
    model_answer=(
        "The cosine was laid out for 200 epochs. It meets the floor of a tenth at about epoch 160 and leaves it at about 240, "
        "is back at the full rate at epoch 400, goes down again to the floor (560 to 640) and has begun to climb once more, at "
        "0.15 of the full rate, when the run ends at 650. So the model settles twice, and in between is shaken up at the full "
        "rate: what was fitted by epoch 200 is partly undone. It ends near the floor by luck; a run of 800 epochs would have "
        "ended at the full rate."
    ),
    rubric=(
        (0.5, "Reads the curve: back at the full rate at epoch 400 because the horizon was 200 epochs and the run 650"),
        (0.5, "Says what it does: large steps undo fine fitting; where the run ends on the curve is an accident of its length"),
    ),
    misconceptions=(
        "It is a warm restart by design (nothing in the code or the handout says so, and the horizon is a left-over constant).",
        "The floor of 0.1 keeps the rate down after epoch 200 (the floor holds only while the cosine lies below it).",
        "The rate does not matter with Adam, which scales its own steps.",
    ),
)
