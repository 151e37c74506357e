"""LocalAnswer behaves like the judge, and run_check turns whatever happens into a
verdict or into our own fault. And attempted(), as a student meets it.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
import sympy
import torch

from kqa_core.check import attempted
from kqa_core.check.answer import (
    AnswerDied,
    AnswerMissing,
    AnswerRaised,
    AnswerTimeout,
    AnswerUnreadable,
    Handle,
    Seeded,
)
from kqa_core.check.api import Stopped
from kqa_core.check.display import call_text
from kqa_core.check.exercise import JudgeError, NotYet, Outcome, Verdict, expect, right
from kqa_core.check.local import LocalAnswer, builtin_kind
from kqa_core.check.run import INCIDENTS, behaviour, raised_text, run_check

beta = sympy.Symbol("beta", positive=True)


def outcome(check, function=lambda x: x):
    return run_check(check, LocalAnswer(function), 3)


def test_a_check_that_returns_right_is_right():
    assert outcome(lambda answer, rng: right("well done")) == Verdict(Outcome.RIGHT, "well done")


def test_not_yet_carries_the_checks_sentence():
    def check(answer, rng):
        expect(answer(1) == 2, "one is not two:\n  not even ' a  b '")
        return right()

    assert outcome(check) == Verdict(Outcome.NOT_YET, "one is not two: not even ' a  b '")


def test_the_seed_decides_what_the_check_draws():
    def check(answer, rng):
        raise NotYet(str(rng.random()))

    assert outcome(check).sentence == str(random.Random(3).random())


@pytest.mark.parametrize("returned", [None, True, "right", 1, Outcome.RIGHT, object()])
def test_a_check_that_returns_no_verdict_is_our_fault(returned):
    with pytest.raises(JudgeError, match="Verdict"):
        outcome(lambda answer, rng: returned)


@pytest.mark.parametrize("condition", [1, None, "yes", np.array([True]), torch.tensor(True), sympy.true])
def test_a_condition_that_is_no_bool_is_our_fault(condition):
    with pytest.raises(JudgeError):
        outcome(lambda answer, rng: expect(condition, "sentence"))


def test_a_condition_may_be_numpys_because_a_students_number_may_be():
    def check(answer, rng):
        expect(answer(2) == 4, "2 gives 4")
        return right()

    assert outcome(check, lambda x: np.float64(2 * x)).outcome is Outcome.RIGHT
    assert outcome(check, np.float64) == Verdict(Outcome.NOT_YET, "2 gives 4")


@pytest.mark.parametrize("call", [lambda answer: answer(2), lambda answer: answer.map([(2,)])[0]])
def test_a_check_that_cannot_go_on_with_none_says_so_to_the_student(call):
    def check(answer, rng):
        expect(abs(call(answer) - 4) < 0.1, "2 gives 4")
        return right()

    verdict = outcome(check, lambda x: print(2 * x))
    assert verdict.outcome is Outcome.NOT_YET and "returns None" in verdict.sentence
    with pytest.raises(JudgeError, match="NoneType"):
        outcome(lambda answer, rng: answer(2) + None)
    with pytest.raises(JudgeError, match="ZeroDivisionError"):
        outcome(lambda answer, rng: answer(2) or 1 / 0, lambda x: None)


def test_a_check_that_crashes_is_our_fault():
    with pytest.raises(JudgeError, match="ZeroDivisionError"):
        outcome(lambda answer, rng: 1 / 0)


def test_an_argument_that_cannot_cross_is_our_fault():
    with pytest.raises(JudgeError, match="cannot be sent"):
        outcome(lambda answer, rng: answer(object()))


def test_the_stub_is_unattempted_and_another_not_implemented_is_an_error():
    def stub(x):
        raise NotImplementedError("exercise copy_one: replace this line with your answer")

    def other(x):
        raise NotImplementedError

    assert outcome(lambda answer, rng: answer(1), stub).outcome is Outcome.UNATTEMPTED
    assert outcome(lambda answer, rng: answer(1), other).outcome is Outcome.ERROR


def test_the_stub_of_another_exercise_is_an_error_that_names_it():
    def stub(x):
        raise NotImplementedError("exercise copy_one: replace this line with your answer")

    def said(exercise):
        return run_check(lambda answer, rng: answer(1), LocalAnswer(stub), 3, exercise)

    assert said("copy_one").outcome is Outcome.UNATTEMPTED
    assert said("average_two") == Verdict(
        Outcome.ERROR, "your code needs copy_one, which is not done yet: do it first, or run its cell again"
    )


def test_a_check_that_has_too_little_memory_for_a_value_is_not_a_broken_check():
    with pytest.raises(MemoryError):
        run_check(lambda answer, rng: right(str(torch.empty(2**60))), LocalAnswer(abs), 0)


def test_an_exception_is_an_error_that_keeps_the_original_for_the_student():
    answer = LocalAnswer(lambda x: {}[x])
    verdict = run_check(lambda answer, rng: answer(1), answer, 0)
    assert verdict.outcome is Outcome.ERROR and "KeyError" in verdict.sentence
    assert isinstance(answer.original, KeyError) and answer.original.__traceback__ is not None


@pytest.mark.parametrize(
    ("failure", "incident"),
    [
        (AnswerTimeout(), "time"),
        (AnswerDied(), "died"),
        (AnswerDied("", "memory"), "memory"),
        (AnswerUnreadable(), "output"),
    ],
)
def test_every_incident_has_its_sentence(failure, incident):
    def check(answer, rng):
        raise failure

    assert outcome(check) == Verdict(Outcome.ERROR, INCIDENTS[incident], incident)


def test_a_missing_function_is_an_error():
    def check(answer, rng):
        raise AnswerMissing

    assert outcome(check).outcome is Outcome.ERROR


def test_the_kind_of_an_exception_is_its_nearest_builtin():
    class Odd(KeyError):
        pass

    class Fake(Exception):
        pass

    Fake.__name__ = "ValueError"
    assert builtin_kind(Odd()) == "KeyError" and builtin_kind(Fake()) == "Exception"
    assert builtin_kind(UnicodeDecodeError("utf-8", b"", 0, 1, "x")) == "UnicodeDecodeError"


def test_an_answer_cannot_change_the_checks_own_arguments():
    given_list, given_tensor = [1, 2], torch.ones(2)

    def spoil(numbers, tensor):
        numbers.append(3)
        tensor.zero_()

    LocalAnswer(spoil)(given_list, given_tensor)
    assert given_list == [1, 2] and given_tensor.tolist() == [1, 1]


def test_an_object_that_claims_to_equal_everything_arrives_as_a_handle():
    class Yes:
        def __eq__(self, other):
            return True

        __hash__ = None

    assert type(LocalAnswer(Yes)()) is Handle


def test_handles_can_be_read_called_and_passed_on():
    linear = torch.nn.Linear(2, 3)
    answer = LocalAnswer(lambda layer=None: layer.weight if layer else linear)
    layer = answer()
    assert torch.equal(answer.attribute(layer, "weight"), linear.weight)
    assert answer.method(layer, "forward", torch.zeros(2)).shape == (3,)
    assert torch.equal(answer(layer), linear.weight)
    with pytest.raises(AnswerRaised, match="AttributeError"):
        answer.attribute(layer, "no_such")


def test_calls_are_seeded_each_anew_and_the_same_again():
    def draw():
        return random.random(), float(np.random.rand()), float(torch.rand(()))

    first, second = LocalAnswer(draw, 5), LocalAnswer(draw, 5)
    calls = [first() for _ in range(3)]
    assert len(set(calls)) == 3 and calls == second.map([()] * 3)
    assert LocalAnswer(draw, 6)() != calls[0]
    first.rewind(2)
    assert first.map([()] * 2) == calls[1:]


def test_checking_leaves_the_notebooks_own_random_numbers_alone():
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    expected = random.random(), np.random.rand(), torch.rand(()).item()
    random.seed(1), np.random.seed(1), torch.manual_seed(1)
    LocalAnswer(lambda: random.random() + np.random.rand() + torch.rand(()))()
    assert (random.random(), np.random.rand(), torch.rand(()).item()) == expected


def test_a_seeded_argument_is_a_generator():
    assert LocalAnswer(lambda rng: rng.random())(Seeded(4)) == random.Random(4).random()


def test_behaviour_notes_failures_and_stops_after_an_incident():
    class Stuck:
        def __call__(self, x):
            if x == 2:
                raise AnswerTimeout
            return LocalAnswer(lambda x: 1 / x)(x)

    seen = behaviour(Stuck(), [(1,), (0,), (2,), (3,)])
    assert (
        seen[0] == 1.0
        and isinstance(seen[1], AnswerRaised)
        and isinstance(seen[2], AnswerTimeout)
        and len(seen) == 3
    )


def turns_torch_round():
    torch.set_grad_enabled(False)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_num_threads(torch.get_num_threads() + 1)
    np.seterr(all="raise")


def torch_state():
    facts = (
        torch.is_grad_enabled(),
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.get_num_threads(),
    )
    return *facts, np.geterr()


def test_what_an_answer_changes_for_the_whole_process_is_put_back():
    before = torch_state()
    changed = []

    def check(answer, rng):
        answer()
        changed.append(torch_state())
        return right()

    assert run_check(check, LocalAnswer(turns_torch_round), 1).outcome is Outcome.RIGHT
    assert torch_state() == before and not {*map(str, changed[0])} & {*map(str, before)}
    assert behaviour(LocalAnswer(turns_torch_round), [()]) == [None]
    assert torch_state() == before


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("division by zero", "division by zero"),
        ("first\nsecond", "first"),
        ("Error(s) in loading state_dict for GPT:\n\tMissing key(s): a. \n\tMore", None),
        ("only this:", "only this:"),
        (
            ' Error while processing pattern "b t -> b c".\n Input tensor shape: [2].\n Only on one side: c',
            'Error while processing pattern "b t -> b c". Input tensor shape: [2]. Only on one side: c',
        ),
    ],
)
def test_of_a_message_of_several_lines_the_useful_one_is_kept(message, shown):
    wanted = shown or "Error(s) in loading state_dict for GPT: Missing key(s): a."
    assert raised_text(AnswerRaised("RuntimeError", message)) == f"a RuntimeError: {wanted}"


def test_the_call_that_raised_is_kept_and_shown_shortly():
    answer = LocalAnswer(lambda x, table, t: 1 / t)
    with pytest.raises(AnswerRaised):
        answer.map([(torch.ones(3, 4), "abc", 1.0), (torch.ones(3, 4), "x" * 200, 0.0)])
    said = call_text("sample_next", answer.arguments)
    assert said.startswith("sample_next(tensor of shape (3, 4), 'xxx") and said.endswith("x', 0.0)")
    assert len(said) < 150


def stub(values, weights):
    raise NotImplementedError("exercise weighted_average: replace this line with your answer")


def test_attempted_waits_quietly_for_an_unattempted_exercise(capsys):
    assert attempted(stub, 1, 2) is None
    assert capsys.readouterr().out == "(this cell shows something once weighted_average is done)\n"


def test_an_interrupted_call_says_what_the_cells_below_need_and_closes_its_batches():
    closed = []

    def batches():
        try:
            yield 1
        finally:
            closed.append(True)

    def train(given):
        next(given)
        raise KeyboardInterrupt

    kept = batches()
    with pytest.raises(Stopped, match="run this cell again before the cells below, which need its result"):
        attempted(train, kept)
    assert closed == [True]

    def resumable():
        raise KeyboardInterrupt("pretraining: stopped at step 4 of 900")

    with pytest.raises(Stopped, match=r"^pretraining: stopped at step 4 of 900$"):
        attempted(resumable)


def test_attempted_gives_the_value_of_a_done_one(capsys):
    assert attempted(lambda x: x + 1, 2) == 3
    assert capsys.readouterr().out == ""


def test_attempted_shows_no_stack_for_a_mistake(capsys):
    assert attempted(lambda: [][1]) is None  # noqa: PLE0643 - the mistake
    assert capsys.readouterr().out == "(this cell stopped at IndexError: list index out of range)\n"


def test_a_call_that_is_made_again_gets_new_arguments():
    call = ([],)
    assert LocalAnswer(lambda values: (values.append(1), len(values))[1]).map([call] * 3) == [1, 1, 1]
