"""Answer key of copy_condition."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="copy_condition",
    model_answer=r"""
    The output is close to $v_j$ if the logit $k_j \cdot q$ exceeds every other logit $k_i \cdot q$ by a wide
    margin. The ratio of two weights is $\alpha_i / \alpha_j = e^{k_i \cdot q - k_j \cdot q}$, so every other
    weight vanishes as the smallest of the gaps $k_j \cdot q - k_i \cdot q$ grows.
    """,
    rubric=(
        (
            1,
            (
                "Says that the dot product of q with k_j must be larger than with every other key (the weight"
                " on v_j near 1)"
            ),
        ),
        (1, "Says that the difference must be large, or grow without bound; being the largest is not enough"),
    ),
    misconceptions=(
        (
            "k_j·q must exceed the sum of the other dot products: no, each difference counts by itself; sums"
            " play no part"
        ),
        "Conditions on the values, such as v_j being large: the weights do not depend on the values at all",
        "A large ratio of dot products: logits of 0.2 and 0.001 have a large ratio and nearly equal weights",
    ),
)
