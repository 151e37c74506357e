"""Exercise rate_that_returns (written): read the curve of a learning rate."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="rate_that_returns",
    title="The learning rate that rises again",
    order=6,
    points=1,
    difficulty=2,
    importance=3,
    minutes=10,
    source="CS224n A5 2(d): src/run.py and src/trainer.py",
    hints=(
        (
            "The schedule was laid out for one length of run, and the run was longer. Follow the curve beyond"
            " the grey line."
        ),
        (
            "Read three things from the curve: the epoch at which the rate is full again, the rate at the"
            " end, and whether it is rising or falling there."
        ),
        (
            "A cosine that takes 200 epochs from its maximum to its minimum takes another 200 to climb back."
            " Continue from there to 650, and say what a full rate does to weights that had already settled."
        ),
    ),
)
