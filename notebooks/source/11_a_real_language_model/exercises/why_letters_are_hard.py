"""Exercise why_letters_are_hard (written): tokens, and questions about letters."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_letters_are_hard",
    title="Why letters are hard for the model",
    order=2,
    points=2,
    difficulty=2,
    importance=3,
    minutes=8,
    source="ours",
    hints=(
        (
            "What does the model receive for the word strawberry, after a space: letters, or the number of"
            " one token?"
        ),
        (
            "From which sentences could a model learn which letters are in a token that it always sees as a"
            " whole? How often do such sentences occur, for a frequent and for a rare token?"
        ),
        (
            "Compare three words of the table: one token, two tokens, six tokens. For which of them does"
            " the model see something of the spelling? And which question needs no spelling at all?"
        ),
    ),
)
