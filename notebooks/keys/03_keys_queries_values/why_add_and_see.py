"""Answer key of why_add_and_see."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_add_and_see",
    model_answer="""
    Without matrices the token is query, key and value at the same time. Adding u_d gives it a logit β² with
    x₀, but its logit with itself becomes 2β², which is larger by β². So all of the weight stays on x₁, and c₁
    tends to the changed token, u_a + u_d. Adding u_c works in the same way with x₂. Even if all of the weight
    moved to x₀ or x₂, the output would be u_d + u_b or u_c + u_b, because the value is the whole token: u_b
    never comes alone. The roles must be separated with matrices.
    """,
    rubric=(
        (
            0.5,
            (
                "The weights: the logit of the new x₁ with itself (2β²) exceeds its logit with x₀ or x₂ (β²)"
                " by a growing amount"
            ),
        ),
        (
            0.5,
            "The values: x₀ and x₂ contain u_b only together with u_d or u_c, so no weights give u_b alone",
        ),
    ),
    misconceptions=(
        "The output becomes x₀, because x₁ now overlaps with x₀: it overlaps more with itself",
        (
            "The weight is shared equally between x₀ and x₁: the difference of the two logits, β², grows"
            " without bound"
        ),
        "A larger multiple of u_d would help: it raises the logit of x₁ with itself even more",
    ),
)
