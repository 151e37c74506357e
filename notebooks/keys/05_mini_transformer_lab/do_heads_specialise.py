"""Answer key of do_heads_specialise."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="do_heads_specialise",
    model_answer=(
        "The conclusion is about the heads of the plain model, but the experiment trains a different model."
        " With a new order at every step, the output projection cannot know which head comes where. So"
        " training is forced to make the heads interchangeable, and a model of this kind can still have a"
        " good perplexity. This shows that a model can do without heads with fixed jobs. It does not show"
        " that the heads of the plain model have none. For that we must change the plain model after"
        " training: if its heads are shifted or shuffled, the perplexity on the street stories rises far, in"
        " many cases above a guess among eight. So its projection relies on which head is where. Also, the"
        " shuffle is not free: it costs 2.9 % on train and 1.1 % on dev, both differences by the paired test."
        " The direct experiment asks the trained plain model: remove one head at a time. If heads have no"
        " jobs of their own, each removal costs nothing or equally little on every kind of text. (We tried it"
        " with three plain models of the street stories. The perplexity stays at 1.01 to 1.17 without any one"
        " head, and is 2.05 in one case; without all three heads of the first layer it is at least 280. So on"
        " this text, heads can mostly replace each other. The authors may be right, but the shuffle in"
        " training does not show it.)"
    ),
    rubric=(
        (
            1.0,
            (
                "Sees that the shuffled model is another model, forced to treat heads alike, which says"
                " nothing about the plain one"
            ),
        ),
        (
            0.5,
            (
                "Uses the experiment after training: moving the heads of the trained plain model breaks its"
                " predictions"
            ),
        ),
        (
            0.5,
            (
                "Names a result that would support the claim: heads of the plain model can be removed at"
                " (nearly) no cost"
            ),
        ),
    ),
    misconceptions=(
        "If a model can be trained without a feature, the feature is not used where it exists.",
        (
            "The shift leaves the perplexity unchanged in training, so heads do not matter (the projection"
            " learns the shift)."
        ),
        (
            "Broken predictions after moving the heads show which job each head has (only that they are not"
            " interchangeable)."
        ),
    ),
)
