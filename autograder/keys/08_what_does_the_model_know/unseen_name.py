"""Answer key of unseen_name."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="unseen_name",
    model_answer=(
        "It answers with a place as if it knew one, and takes the place from what the name sounds like: far more of its guesses "
        "about strangers lie in the name's region than the quarter that chance would give. That the name is the cause shows when "
        "it is exchanged and nothing else: the guesses go with the new name, and agree with the old one no more than by chance. "
        "So the model treats a person as an average of people with similar names. That is worrying even though it is right "
        "a little more often than chance: in hiring, lending or policing it would pin an origin on somebody from the name alone. "
        "Where it follows the name it is wrong for all whose name and origin differ, always in one direction, and the answer "
        "does not say that it is a guess."
    ),
    rubric=(
        (1.0, "What it does: a fluent, definite answer that follows the sound of the name, with a number of this notebook"),
        (1.0, "How one knows: the exchange of names changes the guess and nothing else was changed"),
        (
            1.0,
            "Why it should worry: a stereotype presented as a fact, systematically wrong for some people, in a use that is named",
        ),
    ),
    misconceptions=(
        "It answers at random (the agreement with names is far above chance).",
        "It is no problem as the guesses are better than chance (for those whose name misleads they are worse).",
        "Deleting names from the data would mend it, without a thought for what else tells a region.",
    ),
)
