"""Answer key of what_scrambling_tells."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="what_scrambling_tells",
    model_answer=(
        "The scrambled sentence holds the same words, so a model that only knew how common each word is would find it about as "
        "easy as the normal one. All the rise in loss is due to order: the model knows which word follows which. The loss is "
        "even above ln of the number of words, what a level guess costs: where the order is wrong the model is not unsure, it "
        "is sure of something else, and being sure and wrong is dear. The model without positions suffers as much, because "
        "a causal mask gives it order anyway: each position reads its own word and those before it, and what follows is told by "
        "them. So scrambling shows that order is used, not that a particular way of telling positions is needed for it."
    ),
    rubric=(
        (0.5, "Same words, so word frequency explains none of the rise: the model has learnt order (which word follows which)"),
        (0.5, "Sees that the loss is worse than a level guess, and that this means confidently wrong, not ignorant"),
        (
            1.0,
            "Explains the row without positions: causal attention knows the current word and the past, so order is there anyway",
        ),
    ),
    misconceptions=(
        "A model without positions cannot tell the orders apart (true without a mask, as in an encoder; not with a causal one).",
        "A high loss on scrambled text means that the model is bad (it means that it has learnt how text goes).",
        "Perplexity cannot be larger than the vocabulary (it can: it is the level guess that has just this perplexity).",
    ),
)
