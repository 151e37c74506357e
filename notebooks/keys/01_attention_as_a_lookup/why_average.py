"""Answer key of why_average."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_average",
    model_answer="""
    (a) Often the prediction depends on several words together. Averaging combines their information in one
    vector: the two clauses that *because* joins, the parts of a name such as *New York*, or all words of a
    text if its topic is needed. For example, in "Ann and Bo said that they …" the word *they* needs the
    values of both *Ann* and *Bo*.

    (b) With q = 0 every logit is 0 whatever the keys are, so all weights are equal. To average two values,
    their two logits must be equal and far above all others. These are conditions on the dot products of q
    with the keys, so the query depends on the keys, and it must be long enough for the gap. It reaches the
    average only in the limit, while the zero query reaches its own exactly.
    """,
    rubric=(
        (0.5, "(a) Averaging combines the information of several tokens in one vector"),
        (0.5, "(a) An example of one's own in which one word needs two or more others"),
        (0.5, "(b) q = 0 gives equal logits whatever the keys are, hence equal weights"),
        (
            0.5,
            (
                "(b) Two equal logits with a large gap to the others are conditions on the dot products with"
                " the keys"
            ),
        ),
    ),
    misconceptions=(
        (
            "The average of two values is one of the two, or the model chooses one at random: it is a new"
            " vector that holds both"
        ),
        "Adding the two keys always averages their values: true for orthonormal keys, not in general",
        "The zero query returns zero: it returns the mean of the values",
    ),
)
