"""Answer key of my_prediction."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="my_prediction",
    model_answer=(
        "Example. I change the number of heads from three to one, with the same 48 components. The task needs"
        " two things: to find the state words, and to know which of them is the latest. One head can do both"
        " in two layers, because the weights may depend on the word and on the position at the same time. So"
        " I expect no difference on short and changed. On long I expect both models to fail, because"
        " positions beyond 40 have untrained vectors, and I do not expect a difference. I am wrong if the"
        " paired test finds a difference on short, or if one head stays near perplexity 8."
    ),
    rubric=(
        (0.5, "One change against the plain model, and a reason why its result is interesting"),
        (1.0, "A direction for each measure (short, changed, long) with a reason that refers to the task"),
        (0.5, "Says which result would contradict the prediction"),
    ),
    misconceptions=(
        "A prediction is only good if it turns out right (it is good if it can turn out wrong).",
        "More heads or layers are always better.",
    ),
)
