"""Exercise why_add_and_see: why adding u_d or u_c to x₁ does not help. A written answer."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_add_and_see",
    title="Why adding a feature does not help",
    order=3,
    points=1,
    difficulty=2,
    importance=4,
    minutes=8,
    source="CS224n A5 1(e)i",
    hints=(
        "Use the three logits of the new x₁. Which of them grow, and which one grows fastest?",
        (
            "Give two reasons. One is about the weights: which token gets all of the weight? The other one is"
            " about the values: what does x₀ bring with it besides u_b?"
        ),
        (
            "Suppose that x₀ did get all of the weight. What would c₁ be then, and is that u_b? Then ask the"
            " same for any mixture of the three tokens."
        ),
    ),
)
