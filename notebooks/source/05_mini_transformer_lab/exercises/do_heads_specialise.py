"""Exercise do_heads_specialise (written): why shuffled heads in training do not show
that heads have no expertise.
"""

from __future__ import annotations

from kqa_core.check.exercise import Exercise

EXERCISE = Exercise(
    id="do_heads_specialise",
    title="What shuffled heads show",
    order=9,
    points=2,
    difficulty=3,
    importance=4,
    minutes=10,
    source="Washington mini-Transformer lab, §2.2",
    hints=(
        (
            "The model that was trained with shuffling and the plain model are two different models. Which of"
            " them is the conclusion about?"
        ),
        (
            "What must W_O do if it cannot know which head comes where? And what happens to the plain model"
            " if you move its heads after training?"
        ),
        (
            "Three parts: training with the shuffle forces heads to be interchangeable, so it says nothing"
            " about the plain model; moving the heads of the trained plain model breaks it; and the direct"
            " experiment, which asks the trained plain model itself: remove one head at a time (set its"
            " output to 0). What would you see if no head had a job of its own?"
        ),
    ),
)
