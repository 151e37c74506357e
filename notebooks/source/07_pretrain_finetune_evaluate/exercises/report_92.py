"""Exercise report_92 (written): would you report 92 % against 23 %?"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="report_92",
    title="Would you report 92 % against 23 %?",
    order=13,
    points=2,
    difficulty=3,
    importance=5,
    minutes=20,
    source="the question behind CS224n A5 2(f): what does an accuracy after pretraining measure?",
    hints=(
        (
            "Write down, for each of the two models, every text that it read before the dev questions, and"
            " who wrote that text."
        ),
        (
            "If two quite different models have the same score, and a third program that they both learned"
            " from has it, too: what has the score measured?"
        ),
        (
            "A number is compared with another one that answers the same question. Look for the row of (a)"
            " that is most like the published runs. For 4, think of another fact of the same people that no"
            " train question mentions."
        ),
    ),
)
