"""Answer key of why_rekey."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_rekey",
    model_answer="""
    A key counts only through k·q = ‖k‖‖q‖ cos θ, its projection on the query times the query's length. For the average of
    three any key with the projection of key 0 will do. A unit key along q has projection 1, and wins because keys 0 and 1,
    though longer, lean away from q and project to less; the query's length multiplies the difference into a gap the softmax
    takes for a choice.
    """,
    rubric=(
        (0.5, "Only the projection of the key on q counts; components at right angles to q are free"),
        (
            0.5,
            "A unit key along q has the logit ‖q‖, above those of longer keys that lean away; ‖q‖ must be large enough",
        ),
    ),
    misconceptions=(
        "A longer key always has the larger logit: the angle counts as well",
        "Changing key 2 changes the logits of keys 0 and 1: it changes their weights, not their logits",
    ),
)
