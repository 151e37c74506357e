"""Answer key of why_select."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_select",
    model_answer="""
    Three numbers cannot set four logits freely, but the softmax ignores a common shift, so only the three differences of
    logits have to be right. That is possible because the four keys do not lie in one plane. A key that is a weighted
    average of other keys (it lies in their convex hull) can never be selected: its logit is the same average of their
    logits, so it is never larger than the largest of them.
    """,
    rubric=(
        (0.5, "Only differences of logits count (a common shift is free), so three numbers are enough"),
        (0.5, "A key inside the convex hull of the others, such as their average or a copy of one, cannot be selected"),
    ),
    misconceptions=(
        "The key must be the longest: row 0 is not, and it is selected anyway",
        "The keys must be orthogonal, or linearly independent: four keys in three dimensions never are",
    ),
)
