"""Answer key of why_copy."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_copy",
    model_answer="""
    Text repeats itself and refers back: names, numbers and places come again, and pronouns stand for earlier
    words. A model that can copy can fetch the information of one earlier token unchanged, however far away it
    is, even if it never saw that word in training. For example, in "Ms Okafor opened the letter. Later Ms …"
    the next word is predicted by fetching the value of *Okafor*. The copied value is a vector, so later
    layers can still use it for something else, such as resolving *it* to *animal*.
    """,
    rubric=(
        (
            0.5,
            "Copying fetches the information of one chosen earlier token, whatever its distance",
        ),
        (0.5, "An example of one's own, with the word to be predicted and the token that is copied"),
    ),
    misconceptions=(
        (
            "Copying means that the model repeats its training data: it copies from the text before the"
            " predicted word"
        ),
        (
            "The copied thing is always the next word: it is a value vector, which later layers may use in"
            " other ways"
        ),
        "The model must have learned the word: copying works for names that it sees for the first time",
    ),
)
