"""Answer key of where_knowledge_comes_from."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="where_knowledge_comes_from",
    model_answer=(
        'The model was pretrained on text in which sentences such as "Mozart was born in Salzburg" occur'
        " often, and in many forms. Predicting the next word of such sentences stored the fact in the"
        " parameters, and the prompt asks for it as a continuation. A model without pretraining has nothing"
        " to continue: in notebook 07 it guessed. My table supports that frequency counts: people whose"
        " birthplace is part of their fame are right (Lennon and Liverpool, Socrates and Athens), while for"
        " Beethoven the model says Vienna, which stands beside his name more often than Bonn. That answer"
        " needs an association only. For an invented person it needs neither: Lisbon fits a Portuguese name."
        " The region with the most right answers is Europe, as one expects of text in English."
    ),
    rubric=(
        (
            1.0,
            (
                "The fact was in the pretraining text, often enough, and is stored in the parameters; the"
                " prompt only continues a sentence"
            ),
        ),
        (
            1.0,
            (
                "Uses the own table: right against associated answers, or regions, as evidence for"
                " frequency in"
                " the text"
            ),
        ),
    ),
    misconceptions=(
        "The model looks the person up.",
        "Finetuning on chats taught it the birthplaces.",
        "A wrong answer shows that the fact was in no line of the text (a more frequent association can"
        " win).",
    ),
)
