"""Exercise my_report (written): setup, result, analysis and limits of the student's own experiment."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="my_report",
    title="Report your experiment",
    order=15,
    points=6,
    difficulty=3,
    importance=5,
    minutes=40,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Write for a reader who wants to repeat your experiment and to check your test. Which numbers"
            " does this reader need?"
        ),
        (
            "Give the three pairs, their differences, the mean, the standard deviation, t and the limit 4.30."
            " Say what the verdict means, and what it does not mean."
        ),
        (
            "Four paragraphs: question and setup; result with one t computed by hand; explanation, with an"
            " experiment that would test it; limits (three seeds, one small text, one size, one training"
            " length)."
        ),
    ),
)
