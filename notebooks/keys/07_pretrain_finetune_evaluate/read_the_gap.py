"""Answer key of read_the_gap."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="read_the_gap",
    model_answer=(
        "The third model differs from both others: the questions that only it has right are many, those that"
        " only the other has right are few, and McNemar's p-value is far below 5 %. The first two have so few"
        " right answers that their difference may well be chance. Intervals do not decide this, because they"
        " ignore that all models answered the same questions, and because intervals that overlap do not"
        " exclude a difference. Finetuning alone cannot help, because the train questions are about other"
        " people: no birthplace of a dev person is in them, so the model can only learn the form of an answer"
        " and which places are common. The facts about the dev people are in the text and nowhere else."
        " Finetuning used the same 140 questions in both cases, so the additional right answers must come"
        " from what pretraining had stored. It could not show before, because the model had never seen a"
        " question. The third model still misses many: some places were cut off or rarely masked as a whole,"
        " others were stored only as the continuation of a sentence such as *was born in*, and the question,"
        " in other words, does not reach them."
    ),
    rubric=(
        (
            1.0,
            (
                "Uses the paired test: the third model differs from both others, the first two are not shown"
                " to differ; intervals ignore it"
            ),
        ),
        (
            0.75,
            "Dev people are not in the train questions, so finetuning alone cannot contain their birthplaces",
        ),
        (
            0.5,
            (
                "Excludes other sources: the same finetuning without pretraining gives nothing, so the text"
                " is the only source"
            ),
        ),
        (
            0.75,
            (
                "Two reasons for the gap to the ceiling: rarely or never a target (cut off, not masked), or"
                " stored but not reached"
            ),
        ),
    ),
    misconceptions=(
        (
            "The model without pretraining would get there with more epochs (it would only memorise the train"
            " people better)."
        ),
        "Pretraining teaches the language, and finetuning teaches the facts.",
        "The pretrained model had learned nothing, because it had no question right.",
        "Overlapping intervals mean that there is no difference.",
        (
            "The rest is missing because the model is too small (other recipes reach far more with the same"
            " model, see Part 5)."
        ),
    ),
)
