"""Exercise explain_the_circuit (written): how two heads together copy."""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="explain_the_circuit",
    title="Explain the circuit",
    order=14,
    points=4,
    difficulty=4,
    importance=5,
    minutes=20,
    source="ours, after Elhage et al. 2021 and Olsson et al. 2022",
    hints=(
        (
            'The query stands on the second "B" of "A B C … A B". Which token should it find, and what must'
            " the vector at the place of C hold, so that a dot product can find it there?"
        ),
        (
            "The vector at C holds C itself. Which head of a layer below can add to it that the token before"
            " was B? How can a head find the position before it (notebook 05)? And which construction of"
            " notebook 01 is the second head?"
        ),
        (
            "Name for each of the four results what it supports, and what it leaves open: the fall of the"
            " loss, the scores on other rows, the ablation of the eight heads against heads of the same"
            " layers, and the ablation of the previous-token heads."
        ),
    ),
)
