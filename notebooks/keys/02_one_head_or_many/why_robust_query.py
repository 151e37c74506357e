"""Answer key of why_robust_query."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_robust_query",
    model_answer="""
    A key is its mean plus noise, so its logit is the logit of the mean plus (noise)·q. At a fixed beta the
    second part vanishes with the noise, so in the limit every key may be replaced by its mean. The means are
    orthonormal: the logits are beta for a and b and 0 for all others. So a and b have equal weights, and both
    lead by beta. As beta grows, the others get no weight, and the output tends to the average of v_a and v_b.
    The order matters, because the noise in a logit has the size beta·sigma. At a fixed sigma, a large enough
    beta makes it large, and then the noise decides between a and b.
    """,
    rubric=(
        (
            0.5,
            (
                "With vanishing noise each key is at its mean, so its logit is the dot product of the query"
                " with the mean"
            ),
        ),
        (
            0.25,
            (
                "The means are orthonormal: logits beta, beta and 0 elsewhere; so a and b tie and lead by"
                " beta, which grows"
            ),
        ),
        (0.25, "The order of the limits: at a fixed noise, a larger beta also multiplies the noise"),
    ),
    misconceptions=(
        "The noise averages out over many keys: nothing is averaged over draws; each draw has its own keys",
        "The query works for every noise if beta is large enough: a larger beta also multiplies the noise",
    ),
)
