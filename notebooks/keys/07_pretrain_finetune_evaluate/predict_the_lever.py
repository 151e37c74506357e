"""Answer key of predict_the_lever."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="predict_the_lever",
    model_answer=(
        "One possible answer: salient spans should matter most, because they mask the birthplace much more"
        " often. Muon should come second: there is little training, and an optimizer that moves all"
        " directions of a matrix stores rare facts faster. A new order of the rows in each epoch should"
        " matter least, because span corruption makes every epoch different anyway."
    ),
    rubric=(
        (
            0.5,
            "Two levers that should matter most, each with a reason: exposure, storing, or reaching a fact",
        ),
        (0.5, "One lever that should matter least, with a reason"),
    ),
    misconceptions=("A larger change of the code must have a larger effect.",),
)
