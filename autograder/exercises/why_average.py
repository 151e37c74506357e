"""Answer key of why_average."""

from __future__ import annotations

from autograder.key import WrittenKey

KEY = WrittenKey(
    id="why_average",
    model_answer=(
        "Equal weights mean equal logits. For all four rows that is three equations (k_i − k_0)·q = 0 in three unknowns with "
        "independent left sides, so only q = 0 does it. For the first two rows q must be orthogonal to k_0 − k_1, and long in a "
        "direction that leaves the other two behind, since weights of exactly ½, ½, 0, 0 would need logits of −∞: a finite query "
        "only comes near. Any set of four positive weights, in contrast, is reached exactly: solve [K 1](q, c) = log w."
    ),
    rubric=(
        (0.5, "Equal weights are equal logits, i.e. q orthogonal to differences of keys (all of them: q = 0; two rows: one)"),
        (
            0.5,
            "Weights of exactly 0 are out of reach of a finite query, positive ones are reached exactly (or: the longer the "
            "query, the nearer to ½, ½, 0, 0)",
        ),
    ),
    misconceptions=(
        "The mean of the keys is the query for the mean of the values.",
        "k_0 + k_1 averages the first two: only for orthogonal keys of one length.",
        "A longer query averages better: it makes differences larger, so it helps only where the logits to be "
        "averaged are equal.",
    ),
)
