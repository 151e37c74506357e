"""The clock may strike anywhere in sympy, which keeps expressions and what it knows of them:
nothing false stays behind.

A fifth of the places is struck here, and another after every change of the exercise or of the limits; all of
them with KQA_ALL=1.
"""

from __future__ import annotations

import sys

import pytest
import sympy
from course_exercises import average_two_rate
from course_exercises.average_two_rate import OTHERS, one_exponential, shortfall
from portions import portion

from autograder.judge.clock import OutOfTime
from kqa_core.symbolic import limits
from kqa_core.symbolic.attention import BETA, limit_ratio

TIMES = 60  # places at which one judgement is interrupted


def judged(part: str) -> tuple[float | None, bool | None, float | None]:
    """The values that decide about a right rate, and about one that is too large by a half."""
    right = 3 * sympy.exp(-BETA - (BETA if part == "the second rate" else 0)) / 4
    expected = shortfall(5, OTHERS[part])
    return (
        limit_ratio(right, expected, BETA),
        one_exponential(right),
        limit_ratio(right * 3 / 2, expected, BETA),
    )


def interrupted_after(calls: int, part: str) -> bool:
    """Judge, and raise OutOfTime at this call of a Python function; whether there were so many."""
    left = calls

    def count(frame, event, argument):
        nonlocal left
        if event == "call":
            left -= 1
            if left == 0:
                sys.setprofile(None)
                raise OutOfTime

    sys.setprofile(count)
    try:
        judged(part)
    except OutOfTime:
        return True
    finally:
        sys.setprofile(None)
    return False


# struck in a destructor: the clock strikes again
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_judgement_that_was_interrupted_anywhere_is_the_same_when_it_is_made_again():
    for part in OTHERS:
        judged(part)  # what is imported and made once is not counted
        sympy.core.cache.clear_cache()
        seen = 0

        def count(frame, event, argument):
            nonlocal seen
            seen += event == "call"

        sys.setprofile(count)
        wanted = judged(part)
        sys.setprofile(None)
        assert wanted[0] == 1 and wanted[1] is True and wanted[2] == 1.5
        stopped = 0
        struck = portion(range(TIMES), 5, average_two_rate.__file__, limits.__file__)
        for number in struck:
            sympy.core.cache.clear_cache()
            stopped += interrupted_after(1 + number * seen // TIMES, part)
            assert judged(part) == wanted
        assert stopped > len(struck) // 2
