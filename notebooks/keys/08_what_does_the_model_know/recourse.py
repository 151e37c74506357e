"""Answer key of recourse."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="recourse",
    model_answer=(
        "The person has to learn that a model was asked, which question it got and what it answered; so"
        " whoever uses the answer must say so and keep a record of it. The person also needs someone who can"
        " look at the case again and change the decision, with evidence such as a birth certificate that"
        " counts more than the model. Before the service goes online, the provider should store each answer"
        " with its confidence, withhold answers below a threshold that was chosen and tested on separate"
        " questions, and measure errors for strangers and by the region of the name, because these errors"
        " fall on some people more than on others. There should be a contact for corrections that works"
        " without a lawyer. A threshold cannot remove the made-up answers with a high confidence, and a"
        " record does not tell where in the weights an answer came from; so a correction by hand does not"
        " teach the model anything."
    ),
    rubric=(
        (
            1.0,
            (
                "A measure for the person: being told that a model was used, access to the answer, a way to"
                " object, a person who can correct it"
            ),
        ),
        (
            1.0,
            (
                "A measure of the provider beforehand, tied to a number or experiment of the notebook"
                " (threshold, confidence, errors for strangers or by name), and something that it cannot do"
            ),
        ),
    ),
    misconceptions=(
        "A warning that answers may be wrong is enough (the person concerned never sees it).",
        "A high threshold makes the service safe (some made-up answers have a high confidence).",
        "The wrong fact can be looked up in the model and deleted.",
    ),
)
