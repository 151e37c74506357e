"""Exercise read_the_gap (written): what the three models show, and what they do not show."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="read_the_gap",
    title="Interpret the three models",
    order=10,
    points=3,
    difficulty=3,
    importance=5,
    minutes=20,
    source="CS224n A5 2(d), 2(f), 3(a)",
    hints=(
        (
            "Go from model to model. What has the next one seen that the one before has not? Which people are"
            " mentioned in which data?"
        ),
        (
            "For 1, read the p-values of the cell above, and the recorded seeds. For 3, ask where else the"
            " birthplace of a dev person could have come from: is it in the 140 train questions?"
        ),
        (
            "Four parts: (1) the pairs that differ, with p-values; (2) which facts the train questions"
            " contain; (3) exclude every other source of the facts; (4) think of notebook 06: how often a"
            " fact is masked, cut off, or asked in other words."
        ),
    ),
)
