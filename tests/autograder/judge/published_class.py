"""A class of four, and what comes of grading it: for the tests of what is published.

The workers are stand-ins that answer as told; all that decides what becomes of its answers is real.
"""

from __future__ import annotations

import shutil

from tiny_course import LIMITS
from tiny_notebook import NAME, hand_in, write_course

from autograder.course.grade import grade
from autograder.grading.config import Events, GradingConfig

ALL = {"ann": ("graded", 2.0), "bo": ("graded", 0.0), "cy": ("refused", 0), "dee": ("missing", 0)}


def write_class(folder, empty):
    """A course with an empty gradebook."""
    made = write_course(folder / "course")
    shutil.copy(empty, made)
    return made


def write_submitted(folder):
    """What a class handed in: ann and bo a notebook, cy a link, dee nothing."""
    made = folder / "submitted"
    for student in ("ann", "bo"):
        hand_in(made, student, double=f"def double(x): return {student!r}")
    (made / "cy" / NAME).mkdir(parents=True)
    (made / "cy" / NAME / f"{NAME}.ipynb").symlink_to(made / "ann" / NAME / f"{NAME}.ipynb")
    (made / "dee").mkdir()
    return made


def graded(course, folder=None, **more):
    events = Events(**{name: more.pop(name) for name in ("began", "done") if name in more})
    return grade(
        GradingConfig(submissions=folder, workers=1, course=course, limits=LIMITS, tier="forked", **more),
        events,
    )


def states(results):
    return {each.student: (str(each.status), each.marks) for each in results}
