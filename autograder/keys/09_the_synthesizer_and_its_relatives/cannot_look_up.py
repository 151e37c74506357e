"""Answer key of cannot_look_up.

Why the loss stays at ln 8: for a fixed letter that is asked for, the weights w_s of the last position are constants, and the
logits Σ_s w_s·(readout of pair s) + constant are linear in the indicators of "key i stands at s" and "value j stands at s". Each
indicator is independent of the answer: P(answer = j | v_s = i) = 1/8·[i = j] + 7/8·[i ≠ j]/7 = 1/8, and P(answer = j | k_s = i) =
1/8. So at equal probabilities the gradient of the expected cross-entropy is 0; it is convex in the readout, so that is its
minimum, for every choice of weights: ln 8. `test_09_synthesizer.py` counts both probabilities over all rows of three pairs.
"""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="cannot_look_up",
    model_answer="""
    The last position must give its weight to the place whose key equals the letter asked for, and in every row that is another
    place. In dot-product attention the logit of place s is q·k_s: it depends on what stands at s, so the weight goes wherever
    the match is. In the dense Synthesizer the logits of a position are a function of its own x alone; the letter asked for is
    always written the same way, so the last position reads the same places with the same weights in every row, whatever stands
    there. The right pair is equally likely to be at any of the eight places, so the answer is right one time in eight. All eight
    values occur in every row, so knowing which values are there does not help either. More channels, more training or other
    weights cannot mend that. What could: a second layer or an MLP behind the mixture, because position s can then be changed by
    what it has read, or by multiplying parts of what it has read; or weights that see the keys.
    """,
    rubric=(
        (1.0, "In dot-product attention the weight of a place depends on the key that stands there, so it follows the match"),
        (
            1.0,
            "In the Synthesizer a position's weights depend on its own input (and place) only: the same for every order of pairs",
        ),
        (0.5, "The right place is equally likely to be any of the eight, given the letter: so 1/8, or a loss of ln 8"),
        (
            0.5,
            "It is no matter of training or width; or what would mend it (a second layer, an MLP behind it, weights that "
            "see keys)",
        ),
    ),
    misconceptions=(
        "The Synthesizer has too few parameters, or was trained too briefly",
        "The Synthesizer has no positions: it has them, its columns stand for places",
        "Its weights are the same for every text: that is the random Synthesizer; here they depend on the reader, not "
        "on what is read",
        "No Synthesizer of any depth can ever look anything up: the argument is about one layer with a linear readout",
    ),
)
