"""Answer key of why_words_are_not_enough."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="why_words_are_not_enough",
    model_answer=(
        "A logistic regression on words gives each word one weight and adds the weights up. Let g, b and n be"
        " those of “good”, “bad” and “not”, and c the constant. “Good” and “bad” need c + g > 0 and c + b <"
        " 0; “not good” and “not bad” need c + n + g < 0 and c + n + b > 0. The first and the third say that"
        " n must be negative, the second and the fourth that it must be positive. So no weights are right for"
        " all four, however many sentences there are to learn from. A contrast is worse. If the two clauses"
        " change places, the label changes and the words stay the same, so no function of the counts, linear"
        " or not, can distinguish the two sentences. An encoder knows the positions, and with attention the"
        " vector of “good” can depend on a “not” before it, or on whether “but” comes before or after it."
        " Only these vectors are averaged."
    ),
    rubric=(
        (
            1.0,
            (
                "Negation: one weight would have to be positive and negative at once (inequalities, or an"
                " equivalent argument)"
            ),
        ),
        (
            0.5,
            (
                "Contrast: the same words in another order have the same counts, so no function of counts can"
                " be right on both"
            ),
        ),
        (
            0.5,
            (
                "The encoder: a word's vector depends on its neighbours and on the order, before anything is"
                " added up"
            ),
        ),
    ),
    misconceptions=(
        "More data would help (the four inequalities contradict each other for any data).",
        "“not” simply gets a negative weight (then “not bad” becomes worse than “bad”).",
        "The vocabulary is too small (every word of these sentences is in it).",
        (
            "Pairs of neighbouring words solve it (they solve “not good”, but not “not a very good film”, nor"
            " which clause counts)."
        ),
    ),
)
