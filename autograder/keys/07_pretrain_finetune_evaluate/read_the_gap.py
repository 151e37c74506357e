"""Answer key of read_the_gap."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_gap",
    model_answer=(
        "Without pretraining the model is no better than always giving the same answer: its interval overlaps that of the "
        "London and majority rows, so no difference between them is shown. It cannot be otherwise: dev asks about other people "
        "than train does, so the finetuning pairs hold no fact that dev asks for; all they teach is the form of the answer, and "
        "which places are common. Pretraining is the only time the model sees lines about the dev people, and the intervals of "
        "the two models lie far apart: the parameters carry what those lines said. The ceiling is above it since it asks only "
        "whether the answer stands in the person's line. The model has to have met that place inside a masked span often "
        "enough, has to have kept it, and has to bring it out again when asked in another wording; on the original data with "
        "the original recipe most is lost there."
    ),
    rubric=(
        (
            1.0,
            "Reads the table with its intervals: no pretraining is not distinguishable from chance or majority, the gap to the "
            "pretrained model is",
        ),
        (
            1.0,
            "Says why: dev people do not occur in the finetuning pairs, so only pretraining can have put the facts into the "
            "parameters",
        ),
        (
            1.0,
            "Explains the gap to the ceiling: exposure (seldom or never inside a masked span, cut off) or extraction (other "
            "wording), not size",
        ),
    ),
    misconceptions=(
        "The model without pretraining would get there with more epochs of finetuning (it would only memorise the train people).",
        "Pretraining teaches the questions, or the language; finetuning then teaches the facts.",
        "The ceiling is what a perfect model could reach (it could still guess right where the text says nothing).",
        "1.6 % against 5 % on 500 questions, or any two rows whose intervals overlap, called a difference without saying so.",
        "The rest is lost for lack of parameters (a few million hold the birthplaces a hundred times over).",
    ),
)
