"""Exercise sine_cosine_harm (written): a published result and a hypothesis,
confronted with results over three seeds.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="sine_cosine_harm",
    title="Examine a published result",
    order=7,
    points=3,
    difficulty=3,
    importance=4,
    minutes=15,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "Compare ratios, not perplexities: the two texts are different. How many per cent is 525 above"
            " 401, and how many per cent is our sinusoidal row above the learned one?"
        ),
        (
            "Your own test has already judged the column train. For long, test results.perplexities(row,"
            " 'long') of both rows, and for the street stories street_results.losses[row]['long']."
        ),
        (
            "Three parts: size and test of the harm on train; waves of size up to 1 beside word embeddings of"
            " size 0.02; what both tests on long say, which of the two texts needs far words, and what you"
            " would repeat with more seeds or with longer training rows."
        ),
    ),
)
