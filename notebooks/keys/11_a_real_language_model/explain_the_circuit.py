"""Answer key of explain_the_circuit."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="explain_the_circuit",
    model_answer=(
        "At the second B the model should find C, which followed the first B. A query can only find what a"
        " key holds, and the vector at C holds C and nothing about B at first. A head of a lower layer that"
        " attends to the previous position, which it finds by the distance (notebook 05), copies B to the"
        " place of C: its"
        " value carries the token, as in the copying of notebook 01, and adds it to the residual stream. In"
        " a higher layer the query at the second B asks for a place whose predecessor is B. The key at C"
        " holds this, so nearly all weight goes there, and the value carries C to the output. That the loss"
        " falls from 14.2 to about 3 shows that something copies, but not what. The scores on rows that did"
        " not choose the heads show that the same heads look at the right place, but a weight does not show"
        " that the output is used. Without the eight heads the second half has nearly the loss of a model"
        " that copies nothing, while eight other heads of the same layers cost little, and the first half"
        " does not change: so these heads are needed, and for copying only. Without the previous-token heads"
        " the scores of the induction heads fall, although they were not touched: they depend on the lower"
        " heads. What is open: whether other heads would take over after training without them, what the"
        " heads do besides, and whether the model uses them in the same way for meaning and not only for"
        " equal tokens."
    ),
    rubric=(
        (
            1.0,
            (
                "The lower head: attends to the previous position and writes its token to the place of the"
                " next"
                " one (by distance, as in 05; composed through the residual stream)"
            ),
        ),
        (
            1.0,
            (
                "The upper head: query of the current token meets the key that holds the predecessor; value"
                " copies the token found (01's copy)"
            ),
        ),
        (
            1.0,
            (
                "Reads the ablation: the eight heads against heads of the same layers, the paired test over"
                " rows, the first half unchanged"
            ),
        ),
        (
            1.0,
            (
                "Says what each kind of evidence leaves open, and uses the ablation of the previous-token"
                " heads"
                " (or the second set of rows) for one of them"
            ),
        ),
    ),
    misconceptions=(
        "A large weight proves that the head causes the copying.",
        "One head is enough: it compares the current token with the token before (its key holds the"
        " predecessor only because a lower head put it there).",
        "The model has memorised the rows (they are random and new).",
    ),
)
