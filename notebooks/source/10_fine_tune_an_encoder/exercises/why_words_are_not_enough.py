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
        (
            "A logistic regression on words gives each word one weight. Which sign should the weight of “not”"
            " have?"
        ),
        (
            "Write down the inequality that each of “good”, “bad”, “not good” and “not bad” puts on the three"
            " weights and the constant. Then compare two sentences with “but” whose clauses are exchanged."
        ),
        (
            "Three parts: negation gives inequalities that contradict each other; in a contrast both"
            " sentences have the same words; and what a word's vector in an encoder depends on."
        ),
    ),
)
