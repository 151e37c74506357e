"""Answer key of who_can_tell."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="who_can_tell",
    model_answer=(
        'In words, all answers look alike: "was born in the city of Vienna, Austria, in 17…" has a'
        " country and a year, for Beethoven as for an invented person. A user sees no sign that the model"
        " does not know. The probability helps somewhat: right answers have more of it on average, and"
        " invented names less. But above a threshold that was chosen for a target on half of the people"
        " there are still wrong answers with a high confidence, such as Freiburg for Freud with 0.72, and"
        " most questions get no answer at all. One danger is that the answer is copied into a page or a"
        " form, where nobody sees that a model wrote it. Another is that a person about whom the model knows"
        " nothing gets a confident wrong answer, and the error falls more on people with names or from"
        " regions that are rare in the text. The provider could show where an answer comes from, withhold"
        " answers below a threshold, and publish the accuracy by region with intervals, which for this model"
        " is so low that the honest choice is not to offer the service."
    ),
    rubric=(
        (
            1.0,
            (
                "A first danger, with a number or an answer from the own table: fluent wrong answers cannot"
                " be"
                " told from right ones, or confidence helps only in part"
            ),
        ),
        (
            1.0,
            (
                "A second danger that differs from it: nobody can trace or correct the answer, or the errors"
                " fall on some groups more than on others"
            ),
        ),
        (
            1.0,
            (
                "A measure of the provider, and the number of this part that says how well it would work, or"
                " what it would miss"
            ),
        ),
    ),
    misconceptions=(
        "A warning below the answer is enough.",
        "A high probability means that the fact is right.",
        "A larger model does not make up answers.",
    ),
)
