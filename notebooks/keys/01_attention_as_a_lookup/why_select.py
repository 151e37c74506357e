"""Answer key of why_select."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_select",
    model_answer="""
    (a) Row 0 should lead each other row by the same large amount t. The lead over row i is (k₀ − kᵢ)·q, so
    these are three linear equations for the three entries of q, and we solve them. Equally good: add a column
    of ones to K and solve for the logits (t, 0, 0, 0), with a common shift as the fourth unknown.

    (b) The softmax ignores a number that is added to all logits, so only the three differences of the four
    logits have to be right. Three numbers can set three differences, because the four keys do not lie in one
    plane.

    (c) In the convex hull of the other keys: a key that is a weighted average of the others. Its logit is the
    same average of their logits, so for every query it is at most as large as the largest of them.
    """,
    rubric=(
        (
            0.25,
            (
                "(a) A linear system for the leads of row 0 over the other rows, or for the logits up to a"
                " common shift"
            ),
        ),
        (0.25, "(b) A common shift changes no weight, so only three differences of logits have to be right"),
        (
            0.25,
            (
                "(c) Inside the convex hull of the others (inside their triangle in the plane), as an average"
                " or a copy of them"
            ),
        ),
        (
            0.25,
            "(c) The logit of an average is the same average of the logits, so it is never the largest alone",
        ),
    ),
    misconceptions=(
        "The query along key 0 selects row 0: it selects row 1, whose dot product with key 0 is larger",
        "The key must be the longest: row 0 is not, and it is selected anyway",
        "The keys must be orthogonal, or linearly independent: four keys in three dimensions never are",
    ),
)
