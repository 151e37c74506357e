"""Exercise cannot_look_up: why one layer of the dense Synthesizer cannot look
anything up. A written answer.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="cannot_look_up",
    title="What one layer cannot look up",
    order=3,
    points=3,
    difficulty=3,
    importance=5,
    minutes=12,
    source="CS224n A5 2(g)",
    hints=(
        (
            "The last position must find the place whose key is its own letter. On which tensors do its"
            " weights depend in attention, and on which in the Synthesizer? Look at the picture again."
        ),
        (
            "For the loss: fix the letter that is asked for. Then the Synthesizer's weights are fixed"
            " numbers, and the logits of the answer are a sum over the places. Suppose you see only one of"
            " its terms, say the value at place 5. How likely is each of the eight answers?"
        ),
        (
            "No single term says anything about the answer. So at eight equal logits a small change of any"
            " term raises the right logit as often as any other one, and the mean loss has slope 0. Why can a"
            " convex function not get lower from there? For question 3: which part of this argument depends"
            " on the number of channels, and which on there being no MLP?"
        ),
    ),
)
