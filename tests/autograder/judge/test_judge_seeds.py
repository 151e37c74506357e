"""What a student's code may know of a check's inputs before it is given them: nothing."""

from __future__ import annotations

from tiny_course import submitted

DRAWS_AGAIN = """
import random
def double(x):
    seen = [random.getstate()]
    again = random.Random()
    again.setstate(seen[0])
    return 2 * x if again.randint(2, 9) == x else 0
"""


def test_the_workers_random_numbers_do_not_tell_the_checks_inputs(judged, with_check):
    """An answer that could draw the check's inputs again would be right for every student; by chance it is for one in eight."""
    right = [judged(submitted(double=DRAWS_AGAIN), f"student {number}")["double"].outcome == "right" for number in range(6)]
    assert not all(right)  # false alarm: 8 to the power of -6, less than 1 in 200,000


def test_a_check_still_draws_the_same_inputs_for_the_same_student(judged):
    asked = [judged(submitted(double="def double(x):\n    return x + 100"))["double"].sentence for _ in range(2)]
    assert asked[0] == asked[1]
