"""Answer key of why_rekey."""

from __future__ import annotations

from autograder.key import WrittenKey

KEY = WrittenKey(
    id="why_rekey",
    model_answer=(
        "A query sees nothing of a key but k·q. Changing k_2 therefore moves one logit and leaves the other three alone, while "
        "changing q moves all four. With k_2·q = k_0·q the third row joins the average, and what k_2 does at right "
        "angles to q does "
        "not matter: a whole plane of keys will do. Among keys of length one the largest dot product is ‖q‖, for k_2 = q/‖q‖; it "
        "wins because q is long and the other keys, though some share its direction in part, have smaller k_i·q."
    ),
    rubric=(
        (0.5, "Only k_2·q matters: one logit changes, the others stay; the part of k_2 orthogonal to q is free"),
        (0.5, "A unit key along q has the dot product ‖q‖, which beats k_0·q since the other keys' parts along q are below 1"),
    ),
    misconceptions=(
        "The weights of the other rows stay as they were: their logits do, their weights shrink, since all share one sum.",
        "A key must be long to be found: the query can be long instead.",
        "Changing a key changes what is read: the value v_2 is the same; only how much of it is read changes.",
    ),
)
