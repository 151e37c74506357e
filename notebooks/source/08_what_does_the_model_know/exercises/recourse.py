"""Exercise recourse (written): what a person can do who is harmed by a wrong answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="recourse",
    title="Recourse for a person who was harmed",
    order=10,
    points=2,
    difficulty=2,
    importance=5,
    minutes=7,
    source="ours, after the considerations of CS224n A5 3(b)",
    hints=(
        (
            "Go through the clerk's example. At which points could the applicant, or someone else, have"
            " stopped the error?"
        ),
        (
            "The person needs to know that a model was asked, to see its answer, and to have someone who can"
            " correct the decision. What must the provider record, publish or measure for that?"
        ),
        (
            "Pick one measure for each side, such as a log of answers with confidences, a source for each"
            " answer, a threshold for abstaining, or a contact for corrections. Then ask of each: which error"
            " would still get through?"
        ),
    ),
)
