"""Exercise why_words_are_not_enough (written): what a weight for each word cannot express."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_words_are_not_enough",
    title="Why single words are not enough",
    order=2,
    points=2,
    difficulty=2,
    importance=4,
    minutes=10,
    source="Washington §3",
    hints=(
        "A logistic regression on word counts gives each word one weight. Which sign should the weight of “not” have?",
        "Write down the four sentences “good”, “bad”, “not good”, “not bad”, and what the weights of three words would have to "
        "satisfy for all four to come out right. Then do the same with “but” between two clauses.",
        "Three parts: negation as inequalities that contradict each other; contrast, where the words are even the same; what an "
        "encoder with attention has that a sum of weights has not.",
    ),
)
