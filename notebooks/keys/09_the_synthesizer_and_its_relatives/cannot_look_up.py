"""Answer key of cannot_look_up.

Why the loss stays at ln 8: fix the letter that is asked for. Then the weights w_i of the last position are
constants. The logits Σ_i w_i·(readout of pair i) + constant are linear in the indicators of "key a is at
place i" and "value j is at place i". Each indicator is independent of the answer: P(answer = j | value at i
is m) = 1/8·[m = j] + 7/8·[m ≠ j]/7 = 1/8, and P(answer = j | key at i is a) = 1/8. So at equal probabilities
the gradient of the expected cross-entropy is 0. The loss is convex in the readout, so ln 8 is its minimum,
for every choice of weights. `test_09_synthesizer.py` counts both probabilities over all rows of three pairs.

Why the best accuracy is above 1/8: accuracy is not convex. The notebook's hand-set weights reach 1/8 +
7/8·1/8 = 15/64, and `test_09_synthesizer.py` counts that too. We do not claim that 15/64 is the largest
accuracy.
"""

from __future__ import annotations

from autograder.answer_key import WrittenKey

KEY = WrittenKey(
    id="cannot_look_up",
    model_answer=r"""
    1. The last position must treat the place whose key is the letter asked for differently from all others,
       and this
    place changes from row to row. In attention, the logit of place $i$ is $q\cdot k_i$. It depends on what is
    at place $i$, so the weights follow the match. In the dense Synthesizer, the logits of the last position
    depend on its own token only, the letter asked for. For one letter, its weights are the same in every row,
    whatever the order of the pairs.

    2. With fixed weights, the logits of the answer are a sum over places, and each term depends on one key or
       one value. Given
    any single key or any single value (and the letter asked for), all eight answers are equally likely. So no
    term tells anything about the answer. An example: if only the letter at place 6 is known, say b, and g is
    asked for, the answer is beside another letter and can be each of the eight values. At eight equal logits
    the loss is $\ln 8$. There, changing such a term raises the right logit as often as each other one. So the
    mean loss has slope 0 in every direction. The loss is convex in the logits, so it is nowhere smaller: no
    setting of the weights gets below $\ln 8$.

    3. Longer training and a wider layer do not help: the argument holds for every number of channels and
       every value of the
    weights. These help: keys that depend on the text, as in attention; or a second layer or an MLP after the
    averaging, which can combine the sum with the letter asked for, so that the answer is no longer linear in
    single pairs.
    """,
    rubric=(
        (
            1.0,
            (
                "In attention the weight of a place depends on the key at that place, so it follows the pair"
                " that matches"
            ),
        ),
        (
            1.0,
            (
                "In the Synthesizer the last position's weights depend on its own token only: the same for"
                " every order of the pairs"
            ),
        ),
        (
            0.5,
            (
                "Loss: a sum of terms that each depend on one key or one value, and a single one tells"
                " nothing (with an example), so the slope at equal logits is 0, and ln 8 is the smallest loss"
            ),
        ),
        (
            0.5,
            (
                "Training longer or a wider layer does not help; keys from the text, a second layer or an MLP"
                " behind it can"
            ),
        ),
    ),
    misconceptions=(
        "The Synthesizer has too few parameters, or was trained too briefly",
        "The Synthesizer has no positions: it has them, because each column of B stands for a place",
        (
            "Its weights are the same for every text: that is the random Synthesizer. Here they depend on the"
            " token at the query"
        ),
        "A loss of ln 8 means that the accuracy is at most 1/8",
        (
            "No Synthesizer of any depth can look anything up: the argument is about one layer with a linear"
            " readout"
        ),
    ),
)
