"""Answer key of why_mask_first."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_mask_first",
    model_answer="""
    The softmax divides by a sum over all keys. If the future keys are set to 0 only afterwards, their
    exponentials are still in that sum: the weights of the past add up to less than 1, by an amount that
    depends on the future. So each output shrinks or grows with tokens that it should not know. Minus infinity
    before the softmax removes them from the sum, since e^(−∞) = 0. The third layer does not leak: dividing by
    the row's own sum cancels the first sum, future keys and all, and leaves the softmax over the past.
    """,
    rubric=(
        (
            0.5,
            (
                "The normaliser (the sum in the softmax) runs over the future keys too if the mask comes"
                " afterwards"
            ),
        ),
        (0.5, "So the rows no longer add up to 1"),
        (
            0.5,
            (
                "So the output depends on future tokens, through that sum: information leaks although their"
                " weights are 0"
            ),
        ),
        (
            0.5,
            (
                "Minus infinity gives an exponential of exactly 0; dividing each row by its own sum"
                " afterwards does not leak either"
            ),
        ),
    ),
    misconceptions=(
        "It is only about speed or elegance: the two orders give the same numbers",
        (
            "The weights of the future are 0, so nothing of the future can be in the output: it is in the"
            " denominator"
        ),
        "A large negative number such as −10 would do: it leaves a small weight on the future",
    ),
)
