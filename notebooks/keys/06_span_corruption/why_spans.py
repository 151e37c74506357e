"""Answer key of why_spans."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_spans",
    model_answer=(
        "In both rows the model sees a text with something missing, then a ⁇, and has to write the missing"
        " piece. A question is such a text: it names the person and leaves out the place. The place is"
        " nowhere else in the row, so the model can only get it right if the fact is stored in its"
        " parameters. The suffix comes before the span because attention is causal: at the second ⁇ the model"
        " has then seen both sides of the gap. The span is drawn anew in every epoch, because a fixed span"
        " would train one piece of each line, and mostly not the birthplace. The loss on the other characters"
        " trains an ordinary language model: it learns spelling and sentences, and also the birthplace"
        " whenever it is kept in prefix or suffix, but then it is predicted after words such as *born in* and"
        " not after a ⁇."
    ),
    rubric=(
        (
            0.75,
            (
                "A question is like a corrupted row: a text with a gap, ⁇, then the missing piece; so the"
                " fact must be stored"
            ),
        ),
        (0.5, "The suffix: a causal model can use both sides of the gap only if both come before the span"),
        (
            0.25,
            (
                "The span drawn anew: different pieces of a line become masked targets, the birthplace now"
                " and then"
            ),
        ),
        (
            0.5,
            (
                "The other targets: language modelling, and the fact itself as a left-to-right target when it"
                " is not masked"
            ),
        ),
    ),
    misconceptions=(
        (
            "The model fills the gap in place, or looks ahead to the suffix (attention is causal: only what"
            " comes before counts)."
        ),
        (
            "Only the span has a loss in pretraining (every character of the row has; only finetuning"
            " excludes its question)."
        ),
        "The model never sees a masked place (it is the target at the end of the row).",
        (
            "If a fact is never masked, the model is never trained on it (where it is kept, it is a target"
            " like every character)."
        ),
    ),
)
