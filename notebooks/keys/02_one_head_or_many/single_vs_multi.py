"""Answer key of single_vs_multi."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="single_vs_multi",
    model_answer="""
    One head averages inside the softmax. Its two logits must stay equal while both grow. If key a is longer
    or shorter by some fraction, the logits differ by beta times that fraction, so the output flips to v_a or
    to v_b. A larger beta makes this worse: the spread grows to that of a coin toss. Two heads average after
    the softmax, with fixed weights. Each head copies one value, so one logit must lead, and a longer or
    shorter key a still leads. A larger beta makes both heads more exact. They fail in the rare draws in which
    key a points the opposite way. Then head 0 returns the mean of all other values, v_b among them, and the
    output is half that mean and half v_b. No beta repairs this.
    """,
    rubric=(
        (
            0.5,
            (
                "One head needs two equal logits; beta multiplies a change of key a's length, so the output"
                " flips to one value"
            ),
        ),
        (
            0.5,
            (
                "Each of two heads needs one logit to lead; a lead survives a change of length, and the"
                " average comes after"
            ),
        ),
        (
            0.5,
            (
                "A larger beta makes the single head worse (towards a coin flip) and the two heads better"
                " (spread towards 0)"
            ),
        ),
        (
            0.5,
            (
                "Two heads fail too, in about 8 % (epsilon below 0): then the output is half the mean of all"
                " other values, half v_b"
            ),
        ),
    ),
    misconceptions=(
        (
            "Two heads average out independent noise: both heads use the same keys, so nothing independent is"
            " averaged"
        ),
        "These two heads never fail: head 0 fails wherever key a points the opposite way",
        (
            "When head 0 fails it returns nothing, or v_b: its other logits are all 0, so it returns the mean"
            " of all other values"
        ),
        "A larger beta would help the single head",
    ),
)
