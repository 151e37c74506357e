"""corrupt_span: of hundreds of answers put together from parts,
no right one is refused and no wrong one let through.

- The check draws some 5,000 rows of each answer. Here they come straight from the function; through the codec
  that stands between an answer and a check they would take five times as long. Every sixth of those that are
  judged takes that way as well.
- One in twenty answers is judged here, and others after every change of the check; all of them with
  KQA_ALL=1.
- All seeds are fixed, so the outcome is too.
"""

import random

import generated_corruption as generated
import pytest
from course_exercises import corrupt_span
from course_keys import corrupt_span as corrupt_key
from judged_keys import right_answers, verdict, wrong_answers
from portions import portion

from kqa_core.check.answer import AnswerRaised, Build, Seeded
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.corrupted_rows import generator

RIGHT = right_answers(generated, 210, cycled=0.5)
WRONG = wrong_answers(generated, 260)
SEED = 7


def some(answers):
    """The portion of these answers that is judged, by name."""
    return {
        name: answers[name]
        for name in portion(list(answers), 20, corrupt_span.__file__, corrupt_key.__file__)
    }


class Straight:
    """A function as an `Answer`, without the codec: its arguments and rows are plain text."""

    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        try:
            return self.function(*map(self.made, args))
        except Exception as error:
            raise AnswerRaised(type(error).__name__, str(error)) from None

    @staticmethod
    def made(argument):
        """A generator in place of what stands for one."""
        if isinstance(argument, Build):
            return generator(*argument.args)
        return random.Random(argument.seed) if isinstance(argument, Seeded) else argument

    def map(self, calls):
        return [self(*call) for call in calls]


def judged(function):
    """The verdict of the visible check, then of the hidden one."""
    answer = Straight(function)
    visible = run_check(find("corrupt_span").check, answer, SEED)
    return run_check(corrupt_key.KEY.hidden, answer, SEED) if visible.outcome is Outcome.RIGHT else visible


@pytest.mark.slow
def test_no_right_composition_is_refused():
    refused = {
        name: found.sentence
        for name, f in some(RIGHT).items()
        if (found := judged(f)).outcome is not Outcome.RIGHT
    }
    assert refused == {}
    assert len(RIGHT) >= 200


@pytest.mark.slow
def test_no_wrong_composition_is_let_through():
    passed = {
        name: found for name, f in some(WRONG).items() if (found := judged(f)).outcome is not Outcome.NOT_YET
    }
    assert passed == {}
    assert len(WRONG) >= 200


@pytest.mark.slow
def test_through_the_codec_the_verdicts_are_the_same():
    for answers in (RIGHT, WRONG):
        for name in list(some(answers))[::6]:
            said = verdict(corrupt_key.KEY, answers[name], SEED).outcome
            assert said is (Outcome.RIGHT if answers is RIGHT else Outcome.NOT_YET), name


def test_every_form_of_every_step_is_among_the_compositions():
    for place, (right, wrong) in enumerate(zip(generated.STEPS, generated.WRONG_STEPS, strict=True)):
        assert {name.split(" · ")[place] for name in RIGHT} == set(right)
        assert {f"WRONG {name}" for name in wrong} <= {name.split(" · ")[place] for name in WRONG}


def test_an_answer_straight_from_the_function_is_what_the_codec_gives():
    calls = [("Ōsada Ren. Ren was a weaver.", 64, Seeded(seed)) for seed in range(20)]
    assert Straight(corrupt_key.corrupt_span).map(calls) == LocalAnswer(corrupt_key.corrupt_span).map(calls)
