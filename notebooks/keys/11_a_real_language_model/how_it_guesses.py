"""Answer key of how_it_guesses."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="how_it_guesses",
    model_answer=(
        "The model seems to read the name as text: its letters say which language or country it comes from,"
        " and then it names a large or frequent city of that country. Lisbon for Duarte Pimenteira, Athens"
        " for Ilias Karandis and Seoul for Baek Sung-taek fit this. For others it continues the sound:"
        " Newton for Newton, Darwin for Darwin, Valdez for Valdeñas. The permutation test shows that the"
        " second strategy is more frequent than chance, though it explains only few of the answers; for the"
        " first one we have examples and no test. The strategy is a problem because it treats a name as a"
        " fact about a person. Whoever has a name of one country and was born in another gets a wrong answer"
        " that sounds plausible, and a decision that uses it treats people differently because of their"
        " names. It also hides that the model does not know."
    ),
    rubric=(
        (
            1.0,
            (
                "A strategy with examples from the own table: city of the country that the name suggests,"
                " or a"
                " place that sounds like the name, and what the test says about it"
            ),
        ),
        (
            1.0,
            (
                "Why it is a problem: people whose name does not fit their place of birth, errors that fall"
                " on"
                " some groups, or a guess that cannot be told from knowledge"
            ),
        ),
    ),
    misconceptions=(
        "The model chooses at random if it does not know.",
        "The strategy is fine because it is often right.",
        "One example shows what the model does in general.",
    ),
)
