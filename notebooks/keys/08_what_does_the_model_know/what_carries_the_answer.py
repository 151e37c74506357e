"""Answer key of what_carries_the_answer."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="what_carries_the_answer",
    model_answer=(
        "The weight of a head says from which positions its output is mixed. Here most heads give more than"
        " half of their weight to the letters of the name, also for people in no line. But the row contains"
        " only the question, so the birthplace is at none of its positions. It is stored in the matrices of"
        " the model, and the heads only bring the name together. Weight and effect do not agree: the table"
        " names a head with one of the largest weights whose ablation costs few answers (its weight and its"
        " lost answers), while a head of the first layer with a smaller weight costs many more. For the third"
        " question, patching decides. With a single head patched from the ⁇ on, hardly any pair gives B's"
        " place, not even for the strongest head. Only with many heads patched do the answers become B's. So"
        " some heads are needed, as the ablation shows, but none of them is enough: in this model no single"
        " head carries the answer."
    ),
    rubric=(
        (
            1.0,
            (
                "Weights show which positions are read; the birthplace is at none of them, so the fact must"
                " be in the matrices"
            ),
        ),
        (
            1.0,
            (
                "Names a head whose weight and effect disagree, with both numbers from your own tables (or"
                " shows that none was found)"
            ),
        ),
        (
            1.0,
            (
                "Distinguishes needed (ablation) from enough (patching) and draws the conclusion that your"
                " own numbers support"
            ),
        ),
    ),
    misconceptions=(
        "The head with the largest weight on the name is the one that stores the birthplace.",
        "A head without effect does nothing (others may do the same work).",
        (
            "All answers become B's when all heads are patched, so heads store the facts (this must happen in"
            " every model)."
        ),
    ),
)
