"""Answer key of why_spans."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_spans",
    model_answer=(
        "In both kinds of row the model reads something with a piece missing, then a ⁇, and what it has to write next is the "
        "missing piece: finetuning's question is a short text without its answer. So pretraining practises the very move that a "
        "question asks for, and to do it well on birthplaces the facts must be in the parameters, as the place itself is nowhere "
        "else in the row. The suffix stands before the span because the model reads from left to right only: with both sides "
        "read, it can use what came after the gap, which plain next-character prediction never lets it do. And each epoch hides "
        "another span since one hole per line would teach one fact per line, and mostly none about the birthplace."
    ),
    rubric=(
        (1.0, "Sees that a question is a corrupted row: text with a gap, ⁇, then the missing piece; so the fact must be stored"),
        (0.5, "Says what the suffix is for: a causal model can use both sides of the gap only if they stand before it"),
        (0.5, "Says why the span is drawn anew: different pieces of a line are asked for, the place only now and then"),
    ),
    misconceptions=(
        "The model fills the gap in place, or looks ahead to the suffix (attention is causal: only what stands before counts).",
        "Only the span carries loss in pretraining (every character of the row does; only finetuning masks its question).",
        "The masked span is left out, so the model never sees the place (it is the target at the row's end).",
        "A new mask matters only against overfitting (here it decides which facts are asked for at all).",
    ),
)
