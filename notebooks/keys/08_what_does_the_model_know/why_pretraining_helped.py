"""Answer key of why_pretraining_helped."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_pretraining_helped",
    model_answer=(
        "The people of these questions are in no training question, so finetuning cannot teach where they"
        " were born. It teaches the form of an answer. The lines do state their birthplaces, and only the"
        " pretrained model has read them: in pretraining it had to predict masked birthplaces from the names"
        " beside them, and so it stored the pairs. The table by the number of lines shows it: for people in"
        " no line the pretrained model is no better than a guess, and for people in some line it answers most"
        " questions. Better language skills would help both groups."
    ),
    rubric=(
        (
            1.0,
            (
                "Says that the people asked about occur only in the lines, so that the facts can come from"
                " pretraining alone"
            ),
        ),
        (1.0, "Points to evidence here: people in no line gain nothing, people in some line do"),
    ),
    misconceptions=(
        "Pretraining gave better English, or better embeddings, and that is why the answers are right.",
        "The pretrained model was trained longer, and the other would catch up.",
        "Finetuning is where the facts are learned; pretraining only makes it faster.",
    ),
)
