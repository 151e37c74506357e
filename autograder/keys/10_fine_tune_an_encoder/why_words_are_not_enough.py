"""Answer key of why_words_are_not_enough."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_words_are_not_enough",
    model_answer=(
        "A logistic regression on words gives each word one weight and adds the weights up. Let g, b and n be those of good, bad "
        "and not, and c the constant. For good and bad to come out right, c + g > 0 and c + b < 0; for not good and not bad, "
        "c + n + g < 0 and c + n + b > 0. The first and the third say that n must be negative, the second and the fourth that it "
        "must be positive: no weights do it, however many sentences there are to learn from. In a contrast it is worse: what "
        "counts is which clause stands behind but, the words on both sides are the same, and no function of their counts can "
        "tell the two sentences apart. An encoder knows positions, and its attention lets the vector of good depend on the not "
        "beside it, or on the side of but that it stands on; only what comes out of that is added up."
    ),
    rubric=(
        (
            1.0,
            "Negation: one weight would have to be positive and negative at once (inequalities, or an equivalent argument)",
        ),
        (
            0.5,
            "Contrast: the same words in another order have the same counts, so no function of counts can be right on both",
        ),
        (0.5, "The encoder: a word's vector depends on its neighbours and on the order, before anything is added up"),
    ),
    misconceptions=(
        "More data would help (the four inequalities contradict each other for any data).",
        "“not” simply gets a negative weight (then “not bad” becomes worse than “bad”).",
        "The vocabulary is too small (every word of these sentences is in it).",
        "Pairs of neighbouring words solve it (they solve “not good”, but not “not a very good film”, nor which clause counts).",
    ),
)
