"""Answer key of why_rekey."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_rekey",
    model_answer="""
    (a) Each weight is an exponential divided by the sum of all exponentials. The new key 2 has a larger
    logit, so the sum grows and every other weight becomes smaller, although the other logits stay the same.
    The ratio of the weights of rows 0 and 1 does not change.

    (b) A key competes through its dot product with the query, k·q = ‖k‖‖q‖ cos θ: its projection on the
    direction of q, times the length of q. A unit key along q has the projection 1. A longer key that points
    in another direction can have a smaller projection and then loses. A long query turns the difference of
    the projections into a large gap between the logits.
    """,
    rubric=(
        (
            0.5,
            (
                "(a) All weights share one denominator (they add up to 1), so a larger logit of key 2 lowers"
                " the other weights"
            ),
        ),
        (
            0.5,
            (
                "(a) The ratio of the weights of rows 0 and 1 stays the same: it depends only on the"
                " difference of their logits"
            ),
        ),
        (
            0.5,
            (
                "(b) Only the dot product with q counts, that is, the projection of the key on q times the"
                " length of q"
            ),
        ),
        (
            0.5,
            (
                "(b) A unit key along q has the logit ‖q‖, which is above that of a longer key that points"
                " elsewhere"
            ),
        ),
    ),
    misconceptions=(
        "A longer key always has the larger logit: the angle counts as well",
        "Changing key 2 changes the logits of keys 0 and 1: it changes their weights, not their logits",
    ),
)
