"""Answer key of why_select."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_select",
    model_answer="""
    A query gives four logits from three numbers, but the softmax ignores a common shift, so only three differences have to be
    reached; that is possible since the matrix [K 1] is invertible. A row that is a weighted average of the other rows (in their
    convex hull) could not be selected: its logit would be the same average of theirs, so never larger than the largest of them.
    """,
    rubric=(
        (0.5, "Only differences of logits count (a common shift is free), so three numbers are enough"),
        (0.5, "A key inside the convex hull of the others, such as their average or a copy of one, cannot be selected"),
    ),
    misconceptions=(
        "The key must be the longest: row 0 is not, and is selected all the same",
        "The keys must be orthogonal, or linearly independent: four keys in three dimensions never are",
    ),
)
