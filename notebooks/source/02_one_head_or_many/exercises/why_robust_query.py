"""Exercise why_robust_query: why a query made of the means also works for keys that vary
slightly. A written answer.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="why_robust_query",
    title="Why the means are enough",
    order=2,
    points=1,
    difficulty=2,
    importance=4,
    minutes=6,
    source="CS224n A5 1(c)i",
    hints=(
        "Where is a key when its noise is very small? What does this say about its logit?",
        "Write a key as its mean plus noise, and multiply out its logit with your query.",
        (
            "The logit of key a is beta plus (noise of key a)·q. How large is the second part, and what"
            " happens to it when the noise vanishes at a fixed beta? Then compare the logits of a, of b and"
            " of the others."
        ),
    ),
)
