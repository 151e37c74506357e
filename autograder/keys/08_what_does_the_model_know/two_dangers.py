"""Answer key of two_dangers."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="two_dangers",
    model_answer=(
        "Somebody acts on an answer: a clerk fills in a birthplace, and asks the wrong office for papers. The made-up place has "
        "the same form as the retrieved one, and is often given with confidence, so nothing warns the reader, and whoever is "
        "harmed cannot see where the error came from. And answers spread: they are copied into pages, from which the next model "
        "is trained, which then has really read them. Neither a person nor a model can tell any longer what was once a guess. A "
        "model whose sources cannot be shown also loses the trust it has earned by the answers that it does know."
    ),
    rubric=(
        (1.0, "One danger, concrete: who relies on what, and what follows from a made-up answer"),
        (1.0, "A second danger of another kind (spreading, loss of trust in right answers, no accountability, unequal errors)"),
        (1.0, "Says why it goes unnoticed: same form, same fluency, and a confidence that does not separate the two reliably"),
    ),
    misconceptions=(
        "Wrong answers are rare, so there is no danger (the danger is that nobody knows which they are).",
        "A high confidence means that the answer was read somewhere.",
        "Two examples of the same danger counted as two.",
    ),
)
