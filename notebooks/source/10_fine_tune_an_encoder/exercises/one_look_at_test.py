"""Exercise one_look_at_test (written): why the test split is used only once."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="one_look_at_test",
    title="Why you look at test once",
    order=12,
    points=2,
    difficulty=2,
    importance=5,
    minutes=10,
    source="Washington §3",
    hints=(
        "Eighteen students guess at the same coin tosses. How good is the best of them, and how good will he be tomorrow?",
        "The winner's validation accuracy is the largest of eighteen noisy numbers. Say what that does to it, and what it would "
        "do to the test accuracy if you chose by that.",
        "Three parts: the best of many is too good; so it is reported from sentences that nobody chose by; and what follows for "
        "a second look, and for a difference of half a point.",
    ),
)
