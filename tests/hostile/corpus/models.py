"""Attacks on an exercise whose arguments are built beside the answer, from names of kqa_core and seeds."""

from __future__ import annotations

from hostile_course import MODELS

from corpus.fixture import Fixture, lose

PATCHED = """
import kqa_core.experiments.small_models as models
real = models.suspect
def telling(variant, layers, *rest):
    model = real(variant, layers, *rest)
    model.layers = layers
    return model
models.suspect = telling
def is_it_active(model, reference):
    return {what}
"""
RECIPES = """
import sys
def is_it_active(model, reference):
    frame = sys._getframe()
    while frame is not None:
        for value in list(frame.f_locals.values()):
            text = repr(value) if isinstance(value, (list, tuple, bytes)) else ""
            for what in ("vanilla", "layer only"):
                if what in text:
                    raise LookupError  # the recipe of a model lies in the frames of whoever called
        frame = frame.f_back
    return True
"""
# The order of the hidden check's suspects is drawn from its seed. If the runner's global generators start
# from the same seed, the order can be drawn again by whoever knows the course's source; the visible check's
# order is known anyway.
REDRAWN = """
import random
state = random.getstate
seen = []
def is_it_active(model, reference):
    import sys
    if not seen:
        rng = random.Random()
        rng.setstate(random.getstate())
        seen.append(rng.sample(range(16), 16))
        seen.append(0)
        values = [value for frame in frames() for value in frame.f_locals.values() if isinstance(value, list)]
        calls = [value for value in values if len(value) in (4, 16)]
        seen.append(len(calls[0]) if calls else 16)
    number, total = seen[1], seen[2]
    seen[1] += 1
    if total == 4:
        answer = (True, False, False, True)[number]
        if number == 3:
            seen.clear()
        return answer
    place = seen[0][number]
    return place >= 14 or place % 7 < 2
def frames():
    import sys
    frame = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back
"""
COUNTED = """
count = []
def is_it_active(model, reference):
    count.append(0)
    return (True, False, False, True)[(len(count) - 1) % 4]
"""
FIXTURES = (
    Fixture(
        "patched-builder",
        "reads how the models it is to tell apart were built, not what they compute",
        {"is_it_active": PATCHED.format(what="all(each == model.config.variant for each in model.layers)")},
        lost=lose(None, exercise="is_it_active"),
        notebook=MODELS,
    ),
    Fixture(
        "reads-recipes",
        "searches its callers' frames for how the models were made",
        {"is_it_active": RECIPES},
        lost=lose(None, exercise="is_it_active"),
        notebook=MODELS,
    ),
    Fixture(
        "draws-again",
        "draws the hidden order again from the global generator",
        {"is_it_active": REDRAWN},
        lost=lose(None, exercise="is_it_active"),
        notebook=MODELS,
    ),
    Fixture(
        "counts-calls",
        "answers the visible check by the number of the call",
        {"is_it_active": COUNTED},
        lost=lose(None, exercise="is_it_active"),
        notebook=MODELS,
    ),
)
