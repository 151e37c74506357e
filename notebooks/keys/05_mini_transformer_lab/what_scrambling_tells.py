"""Answer key of what_scrambling_tells."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="what_scrambling_tells",
    model_answer=(
        "The scrambled sentence has the same words as the normal one. A model that only knew how common each"
        " word is would find both equally easy. So all of the rise is due to order: the model has learned"
        " which words follow which. The perplexity is far larger than 695, which is the perplexity of a"
        " uniform guess. So on scrambled text the model is not uncertain: it is confident in other words, and"
        " confident mistakes have a very large loss. The model without positions suffers about as much,"
        " because a causal mask gives it order: each position knows its own word and the words before it, and"
        " in a deep model also something about their order. So scrambling shows that order is used. It does"
        " not show that the model needs a particular kind of positions."
    ),
    rubric=(
        (
            0.5,
            (
                "Same words, so word frequency explains none of the rise: the model has learned order (which"
                " word follows which)"
            ),
        ),
        (
            0.5,
            (
                "Sees that the perplexity is larger than that of a uniform guess, so the model is confident"
                " and wrong"
            ),
        ),
        (
            1.0,
            (
                "Explains the row without positions: causal attention knows the current word and the past, so"
                " it has order anyway"
            ),
        ),
    ),
    misconceptions=(
        (
            "A model without positions cannot distinguish orders (true for one layer, not for a deep causal"
            " model)."
        ),
        (
            "A high loss on scrambled text means that the model is bad (it means that it has learned how text"
            " normally continues)."
        ),
        (
            "Perplexity cannot be larger than the vocabulary (a uniform guess has that perplexity; a"
            " confident mistake costs more)."
        ),
    ),
)
