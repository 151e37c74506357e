"""Answer key of two_dangers."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="two_dangers",
    model_answer=(
        "Harm to a person: a journalist asks for the origin of a suspect nobody has written about, and prints"
        " the made-up town. The answer has the form of all other answers and may be given with a high"
        " confidence, so neither the journalist nor the readers notice; the suspect is now tied to a place"
        " and its reputation. Loss of trust: after a few such cases become known, users cannot tell which of"
        " the other answers are right, so they stop believing these as well, or they believe everything"
        " because checking is too expensive. Besides, printed answers are copied to other pages, and the next"
        " model is trained on these pages. Then the guess has become a fact in its text, and nobody can find"
        " out any more where it came from."
    ),
    rubric=(
        (1.0, "Harm to a person: who relies on which answer, and what follows for whom"),
        (
            1.0,
            (
                "A different danger for trust or information as a whole (right answers no longer believed,"
                " errors that spread, no source)"
            ),
        ),
        (
            1.0,
            (
                "Says why nobody notices: same form, same fluency, and a confidence that does not separate"
                " the two reliably"
            ),
        ),
    ),
    misconceptions=(
        "Wrong answers are rare, so there is no danger (the danger is that nobody knows which they are).",
        "A high confidence means that the answer was in the text.",
        "Two examples of the same danger counted as two.",
    ),
)
