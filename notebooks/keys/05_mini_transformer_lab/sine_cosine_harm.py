"""Answer key of sine_cosine_harm."""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="sine_cosine_harm",
    model_answer=(
        "On train, 525 is 31 % above 401. Our sinusoidal row is 0.9 % above the learned one on train, and the"
        " paired test does not show a difference (t = 0.97, limit 4.30). So we do not confirm the harm; with"
        " three seeds we cannot exclude a small one either. The published result is one run of each, so it"
        " may be chance, or it may come from the setup. One likely reason: word embeddings start with 0.02"
        " per component, and the waves have values up to 1. If they are simply added, the position drowns the"
        " word. Our model multiplies the word embeddings by the square root of d first, as Vaswani et al. do,"
        " so they start with 0.14: still less than the waves, but seven times more than 0.02. On long, the"
        " sinusoidal row is worse than the learned one in two of three seeds (29.1 against 23.6 on average),"
        " and the test shows no difference (t = 1.25). So our results do not support the hypothesis. The"
        " waves continue, but nothing in training teaches the model to use the new values. Our long sentences"
        " do not need far words, so they cannot decide it. The street stories need them. There the sinusoidal"
        " row has 19.3 on long against 29.9, which is not shown to differ either (t = −0.8), and both are"
        " worse than a guess among eight. To decide it, train on the street stories with more seeds, and with"
        " rows of several lengths."
    ),
    rubric=(
        (
            1.0,
            (
                "Compares the size of the effect as a ratio (31 % against about 1 %) and tests train: not"
                " shown to differ"
            ),
        ),
        (
            1.0,
            (
                "Names a reason for the published harm, such as waves of size 1 beside embeddings of size"
                " 0.02, or a single run"
            ),
        ),
        (
            1.0,
            (
                "Says that long does not support the hypothesis, and proposes an experiment that could decide"
                " it (far words, seeds)"
            ),
        ),
    ),
    misconceptions=(
        "Not shown to differ means that both are equal (three seeds cannot see small differences).",
        (
            "Because the formula is defined for every position, the model can use every position (it was"
            " trained on 32 of them)."
        ),
        "525 against 401 must be real because it is large (a single run has no measure of chance).",
    ),
)
