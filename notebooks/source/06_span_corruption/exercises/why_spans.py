"""Exercise why_spans (written): how a corrupted row resembles a question."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_spans",
    title="Why span corruption teaches facts",
    order=5,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="CS224n A5 2(e)",
    hints=(
        "Put a corrupted row of a line and the finetuning row about the same person under each other. What is alike?",
        "The model reads from left to right. When it comes to the second ⁇, what has it read, and what must come next? And what "
        "would it have to go by if the text had simply ended after the prefix?",
        "Three parts: what follows the last ⁇ in both kinds of row; what the suffix is good for; why the next epoch hides "
        "something else.",
    ),
)
