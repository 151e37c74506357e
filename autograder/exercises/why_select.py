"""Answer key of why_select."""

from __future__ import annotations

from autograder.key import WrittenKey

KEY = WrittenKey(
    id="why_select",
    model_answer=(
        "A query selects row 0 if (k_0 − k_i)·q is large for every other i. A direction with all three differences "
        "positive exists "
        "just when k_0 lies outside the convex hull of the other keys; four affinely independent keys are the corners of a "
        "tetrahedron, so every one of them can be selected. The length of q then sets how sharp the choice is: "
        "doubling q doubles "
        "the margins. Least squares on K alone fails, because it asks three numbers to reach four given logits, although softmax "
        "only needs their differences."
    ),
    rubric=(
        (0.5, "It is the differences (k_0 − k_i)·q that must be large, all of them; the length of q sets the sharpness"),
        (
            0.5,
            "Why such a direction exists here: k_0 is a corner (outside the hull of the others), or three differences and three "
            "unknowns, or the free shift of softmax as a fourth unknown",
        ),
    ),
    misconceptions=(
        "q should be k_0, or along it: a longer key nearby then wins.",
        "It works because the keys are orthogonal (they are not, and four vectors in three dimensions cannot be).",
        "Four conditions on three unknowns cannot be met: softmax leaves one of them free.",
    ),
)
