"""Notebook 06: its exercises, and answers put together from interchangeable steps."""

import copy
import math
import random
from fractions import Fraction

import generated_corruption as generated
import pytest
import torch
from course_exercises import _span_law
from course_exercises import corrupt_span as corrupt_exercise
from course_keys import corrupt_span, corruption_example, pretraining_batch, train
from course_keys import corrupt_span as corrupt_key
from judged_keys import checked, right_answers, verdict, wrong_answers
from portions import portion

from kqa_core.check.answer import AnswerRaised, Build, Seeded
from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.corrupted_rows import generator
from kqa_core.experiments.small_models import ENDLESS, lent, stream, unchanged

NOTEBOOK = "06_span_corruption"
CHECKED = checked(NOTEBOOK)


@pytest.mark.slow
def test_spans_that_are_too_short_by_five_hundredths_are_refused_where_3000_rows_leave_it_in_doubt():
    """The first 3,000 rows of this seed are within the bound, all 9,000 are not."""

    def short(document, block_size, rng):
        kept = document[: rng.randint(4, block_size * 7 // 8)]
        size = min(len(kept), max(1, round(rng.triangular(0, len(kept) / 2, len(kept) / 4.68))))
        start = rng.randint(0, len(kept) - size)
        return kept[:start] + "⁇" + kept[start + size :] + "⁇" + kept[start : start + size]

    calls = []
    answer = LocalAnswer(lambda *arguments: calls.append(1) or short(*arguments))
    with pytest.raises(NotYet, match="1½ is allowed"):
        _span_law.long(answer, random.Random(1))
    assert len(calls) == 9_000


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_an_answer_that_raises_is_an_error_of_the_answer_s(key):
    def fails(*args):
        raise KeyError("my own")

    assert run_check(find(key.id).check, LocalAnswer(fails), 5).outcome is Outcome.ERROR
    with pytest.raises(AnswerRaised):
        key.hidden(LocalAnswer(fails), __import__("random").Random(1))


def test_the_false_alarm_rate_of_the_position_bins_is_the_one_that_the_key_states():
    """Adds up the exact binomial tails: 4,000 draws,
    a bin of probability 1/10, off by more than BIN_SLACK.
    """
    n, p, mean = corrupt_key.DRAWS, Fraction(1, 10), corrupt_key.DRAWS // 10
    near = range(mean - _span_law.BIN_SLACK, mean + _span_law.BIN_SLACK + 1)
    log = [
        math.lgamma(n + 1)
        - math.lgamma(k + 1)
        - math.lgamma(n - k + 1)
        + k * math.log(p)
        + (n - k) * math.log(1 - p)
        for k in range(n + 1)
    ]
    tail = sum(math.exp(value) for k, value in enumerate(log) if k not in near)
    assert tail < 3e-11


LENT = ("rope", ("rope", "rope"), "library", 5)


@pytest.mark.parametrize(
    "module", [corrupt_span, corruption_example, pretraining_batch], ids=lambda m: m.KEY.id
)
def test_an_answer_that_copies_the_generator_is_told_that_it_must_move_on(module):
    def on_a_copy(*args):
        *others, rng = args
        return module.KEY.reference(*others, copy.deepcopy(rng))

    found = run_check(find(module.KEY.id).check, LocalAnswer(on_a_copy), 1)
    assert found.outcome is Outcome.NOT_YET and "rng must move on" in found.sentence


def test_the_generator_of_a_seed_goes_on_from_call_to_call():
    fresh = random.Random(77)
    assert [generator(77).random() for _ in range(3)] == [fresh.random() for _ in range(3)]


@pytest.mark.slow
def test_a_list_of_endless_batches_is_refused_with_the_reason():
    def all_first(model, optimizer, batches, rates, max_norm):
        return train.train(model, optimizer, list(batches), rates, max_norm)

    found = run_check(find("train").check, LocalAnswer(all_first), 1)
    assert found.outcome is not Outcome.RIGHT and "these batches never end" in found.sentence


def test_the_stream_repeats_its_batches():
    batches = [(torch.tensor(0), torch.tensor(i)) for i in range(3)]
    taken = stream(batches)
    assert [int(next(taken)[1]) for _ in range(ENDLESS)] == [i % 3 for i in range(ENDLESS)]


def test_a_model_that_was_changed_is_not_given_back():
    lent(1, *LENT)
    assert unchanged(1) is not None
    model = lent(2, *LENT)
    with torch.no_grad():
        model.head.weight[0, 0] += 1e-3
    with pytest.raises(ValueError, match="have changed"):
        unchanged(2)
    lent(3, *LENT).double()
    with pytest.raises(ValueError, match="have changed"):
        unchanged(3)


RIGHT = right_answers(generated, 210, cycled=0.5)
WRONG = wrong_answers(generated, 260)
SEED = 7


def some(answers):
    """The portion of these answers that is judged, by name."""
    return {
        name: answers[name]
        for name in portion(list(answers), 80, corrupt_exercise.__file__, corrupt_key.__file__)
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
