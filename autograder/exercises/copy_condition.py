"""Answer key of copy_condition."""

from __future__ import annotations

from autograder.key import WrittenKey

KEY = WrittenKey(
    id="copy_condition",
    model_answer=(
        "c ≈ v_j when k_j·q exceeds *every* other k_i·q by a margin that is large (about ln((n − 1)/ε) for a weight of 1 − ε on "
        "v_j): then exp(k_j·q) outweighs the sum of the other exponentials and α_j ≈ 1. The values do not come into "
        "it, and it is "
        "differences of logits that count, not their size."
    ),
    rubric=(
        (1.0, "k_j·q is larger than every other k_i·q"),
        (1.0, "by a large (growing) margin: larger alone is not enough, since the weights may still be nearly even"),
    ),
    misconceptions=(
        "k_j·q must exceed the *sum* of the other k_i·q. Not needed: 20 beside 8, 8, 8 copies. Not enough: 0.1 beside "
        "−1, −1 gives "
        "α_j = 0.60. It is the exponentials that are summed, not the logits.",
        "A condition on the values: weights come from keys and query alone.",
        "k_j·q must be large: all logits may be large and equal.",
        "k_j and q must be parallel or equal: only the differences (k_j − k_i)·q count.",
    ),
)
