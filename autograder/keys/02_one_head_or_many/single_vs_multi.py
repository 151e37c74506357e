"""Answer key of single_vs_multi."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="single_vs_multi",
    model_answer="""
    One head averages inside the softmax: the two logits must stay equal while both grow, and a key a that is longer or shorter
    by any fraction makes a difference of beta times that fraction, so the output flips to v_a or to v_b. Its spread does
    not shrink with beta, it grows to that of a coin. Two heads average after the softmax, with fixed weights: each only has to
    copy one value, for which its logit must lead, not balance, and a longer or shorter key a leads all the same.
    The price is the rare draw in which key a points the other way. Head 1 then returns the mean of all the other values, v_b
    among them, and the output is ½(that mean + v_b); no beta mends it.
    """,
    rubric=(
        (
            0.5,
            "One head needs two equal logits; beta multiplies any change of key a's length, so the output flips to one value",
        ),
        (
            0.5,
            "Each of two heads needs one logit to lead; a lead survives a change of length, and the average comes after",
        ),
        (0.5, "A larger beta makes the single head worse (towards a coin flip) and the two heads better (spread towards 0)"),
        (
            0.5,
            "Two heads fail too, in about 8 % (epsilon below 0): then the output is half the mean of all other values, half v_b",
        ),
    ),
    misconceptions=(
        "Two heads average out independent noise: both heads read the same keys, and nothing independent is averaged",
        "Two heads never fail: they do wherever key a turns round",
        "When head 1 fails it returns nothing, or v_b: its other logits are all 0, so it returns the mean of all other values",
        "A larger beta would rescue the single head",
    ),
)
