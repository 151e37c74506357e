"""Answer key of why_pretraining_helped."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_pretraining_helped",
    model_answer=(
        "The people of the dev questions are in no finetuning question, so nothing that finetuning teaches can tell where they "
        "were born; it teaches the form of an answer. The documents do tell, and only the pretrained model has read them: it "
        "had to fill in hidden birthplaces from the names beside them, and so stored the pairs. The table shows it: "
        "the gain lies with the people who are told of, and where no document tells of somebody the pretrained model does no "
        "better than the other."
    ),
    rubric=(
        (1.0, "Says that the dev people occur only in the documents, so that the facts can have come from pretraining alone"),
        (
            1.0,
            "Points to evidence here: the people with no document gain nothing, or those with more documents gain more",
        ),
    ),
    misconceptions=(
        "Pretraining gave better English, or better embeddings, and that is why the answers are right.",
        "The pretrained model was trained longer, and the other would catch up.",
        "Finetuning is where the facts are learnt; pretraining only makes it faster.",
    ),
)
