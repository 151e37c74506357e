"""Answer key of unseen_name."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="unseen_name",
    model_answer=(
        "It answers with a place as if it knew one, and the place fits the sound of the name: far more of its"
        " guesses about strangers are in the region of the name (the printed share) than the 25 % of a model"
        " that ignores names. The table alone does not prove that the name is the cause. An intervention"
        " does: ask again with another name and change nothing else; if the guesses follow the new name, the"
        " name is the cause. The guesses are worrying although their regions are right a little more often"
        " than by chance, because the model treats a person as the average of people with similar names. In"
        " hiring, lending or policing it would assign an origin to someone from the name alone. For people"
        " whose name and origin differ it is wrong more often, its errors lean towards the region of the"
        " name, and the answer does not say that it is a guess."
    ),
    rubric=(
        (
            1.0,
            (
                "What it does: a fluent, definite answer that follows the sound of the name, with a number of"
                " this notebook"
            ),
        ),
        (1.0, "How to know: exchange the name and nothing else, and see whether the guesses follow it"),
        (
            1.0,
            (
                "Why to worry: a stereotype presented as a fact, systematically wrong for some people, in a"
                " use that is named"
            ),
        ),
    ),
    misconceptions=(
        "It answers at random (the agreement with names is far above chance).",
        (
            "It is no problem because the guessed regions are better than chance (for people whose name"
            " misleads they are worse)."
        ),
        "Deleting names from the data would solve it (other features can reveal the region as well).",
    ),
)
