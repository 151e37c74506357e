"""Answer key of predict_the_copy."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="predict_the_copy",
    model_answer=(
        "There are 49,152 tokens. If the model knew that they are equally likely, the loss of the first"
        " half would be ln 49,152 = 10.8 nats. It does not know this: it expects text, in which such rows"
        " never occur, so I predict more than 10.8 for the first half. In the second half each next token"
        " stands in the row already, behind the earlier place of the current one. A model that finds this"
        " place and copies what follows needs no knowledge of the text, so I predict a loss below 4. If both"
        " halves have about the same loss, the model does not copy. If the second half is at 10, it learned"
        " which tokens occur in this row, but not what follows what: ln 40 = 3.7 would be a guess among the"
        " 40 tokens of the row."
    ),
    rubric=(
        (
            0.5,
            (
                "A number for the first half with a reason (ln 49,152 = 10.8 is what a uniform guess costs,"
                " and"
                " a model that expects text does worse)"
            ),
        ),
        (
            1.0,
            (
                "A number for the second half, tied to a mechanism: find the earlier place of the current"
                " token, and copy what followed it"
            ),
        ),
        (0.5, ("Says which result would contradict the prediction")),
    ),
    misconceptions=(
        "The loss of the first half is at most ln 49,152 (a model that is sure of the wrong tokens has a"
        " larger loss).",
        "The model must have seen repeated random text in training.",
        "A prediction is only good if it turns out right.",
    ),
)
