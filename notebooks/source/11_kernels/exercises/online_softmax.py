"""Exercise online_softmax: attention of one query, one chunk of keys at a time."""

from __future__ import annotations

import random

import torch
from course_exercises._kernel_parts import nothing_read, same_state, state_after

from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Exercise, Verdict, right
from kqa_core.check.helpers.transformer_parts import draw


def check(answer: Answer, rng: random.Random) -> Verdict:
    """The first chunk; the next with a larger and with a smaller maximum; large logits; and a chunk that is masked entirely."""
    logits, values = draw(rng, 9), draw(rng, 9, 3)
    same_state(answer(nothing_read(3), logits[:4], values[:4]), state_after(logits[:4], values[:4]), "after the first chunk")
    for name, place in (("larger", 6), ("smaller", 1)):
        peak = logits.clone()
        peak[place] = 4.0
        given = state_after(peak[:4], values[:4])
        found = answer(given, peak[4:], values[4:])
        same_state(found, state_after(peak, values), f"after a second chunk whose largest logit is {name} than all before")
    loud = 1000.0 + logits
    found = answer(state_after(loud[:4], values[:4]), loud[4:], values[4:])
    same_state(found, state_after(loud, values), "with logits of about 1000")
    closed = torch.full((2,), -torch.inf, dtype=torch.float64)
    same_state(answer(nothing_read(3), closed, values[:2]), nothing_read(3), "where a first chunk is −inf throughout")
    return right("one pass, nothing kept but two numbers and a row")


EXERCISE = Exercise(
    id="online_softmax",
    title="The online softmax",
    order=1,
    points=4,
    difficulty=3,
    importance=5,
    minutes=20,
    source="Milakov and Gimelshein 2018, algorithm 3; Dao et al. 2022",
    hints=(
        "Everything that was added up so far was measured from the old largest logit. What does it become, measured from the new "
        "one?",
        "exp(z − new) = exp(z − old) · exp(old − new). One factor mends all that was added up before, total and "
        "read alike; it is "
        "at most 1.",
        "Find the new largest first. If it is still −inf, nothing may be read yet, and the state stays as it is: "
        "otherwise −inf − "
        "(−inf) would be nan. Then multiply the old total and read by the factor, and add what the chunk brings.",
    ),
    check=check,
    optional=True,
)
