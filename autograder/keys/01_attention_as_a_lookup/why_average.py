"""Answer key of why_average."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_average",
    model_answer="""
    With q = 0 every logit is 0 whatever the keys are, so all weights are equal. To average two values the two logits must be
    equal to each other and far above all others, so the query must know the keys: it is fixed in direction by an equality and
    needs enough length for the gap. The average is reached only in the limit, whereas the zero query reaches its own exactly.
    """,
    rubric=(
        (0.5, "q = 0 gives equal logits independent of the keys, hence equal weights"),
        (
            0.5,
            "Averaging two needs equal logits and a large gap to the others, so it depends on the keys and on the scale",
        ),
    ),
    misconceptions=(
        "Adding the two keys always averages their values: true for orthonormal keys, not for these",
        "The zero query returns zero: it returns the mean of the values",
    ),
)
