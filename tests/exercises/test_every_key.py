"""Every answer of every key gets the verdict and the sentence it deserves, for several students.

The reference is judged for one of five students here, and for another after every change of the exercise or
of its key, and so is a sixteenth of its rejected answers. Of all accepted answers it is a tenth, and a
quarter of the keys is asked to name mistakes, for which a key runs all its rejected answers: after every
change of a key or an exercise these are others. All with KQA_ALL=1.
"""

import itertools
import math
import os
import random
import sys

import pytest
from judged_keys import checked, verdict
from portions import portion
from warm_python import python

from autograder.answer_key import WrittenKey, answer_source, find_key, mistakes, sentence
from autograder.judge.diagnose import SEED as DIAGNOSED
from autograder.judge.diagnose import diagnose
from autograder.paths import COURSE, KEYS_PACKAGE
from kqa_core.check.exercise import Outcome, observed_and_cause
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import PACKAGE, all_exercises, find, names
from kqa_core.check.run import run_check

SEEDS = (1, 2) if os.environ.get("KQA_ALL") else (1,)  # `kqa course prove` judges all with another one
CHECKED = checked()
FEW_CALLS = {
    "weight_law",
    "two_head_failure",
    "scaling_variance",
    "encoder_decoder_shapes",
    "key_query",
}  # expressions, slow ones
LONG = {  # they take half a second of processor time, or more
    *("corrupt_span", "rearrange_heads", "gpt_forward", "is_it_a_difference", "encoder_decoder_shapes"),
    *("bigbird_mask", "is_it_active"),
}
STEADY = {exercise.id for exercise in all_exercises() if exercise.notebook < "07"} - FEW_CALLS


def files_of(*keys):
    """The two files of each exercise."""
    return [
        sys.modules[f"{package}.{key.id}"].__file__ for key in keys for package in (PACKAGE, KEYS_PACKAGE)
    ]


def cases(answers):
    """Answers by key. What they are compared with is computed once, in one process."""
    return [
        pytest.param(key, f, id=f"{key.id}-{f.__name__}", marks=pytest.mark.xdist_group(key.id))
        for key, f in answers
    ]


NAMING = portion(CHECKED, 4, *files_of(*CHECKED))
ACCEPTED = portion([(key, f) for key in CHECKED for f in key.accepted], 10, *files_of(*CHECKED))
REJECTED = [(key, f) for key in CHECKED for f in portion(key.rejected, 16, *files_of(key))]


@pytest.mark.parametrize(
    "key",
    [pytest.param(key, id=key.id, marks=pytest.mark.slow if key.id in LONG else ()) for key in CHECKED],
)
def test_the_reference_is_right(key):
    assert key.reference.__name__ == key.id
    for seed in portion(range(5), 5, *files_of(key)):
        found = verdict(key, key.reference, seed)
        assert found.outcome is Outcome.RIGHT, found.sentence


@pytest.mark.slow
@pytest.mark.parametrize(("key", "function"), cases(ACCEPTED))
def test_another_way_to_the_right_answer_is_right(key, function):
    for seed in SEEDS:
        found = verdict(key, function, seed)
        assert found.outcome is Outcome.RIGHT, found.sentence


@pytest.mark.slow
@pytest.mark.parametrize(("key", "function"), cases(REJECTED))
def test_a_wrong_answer_is_refused_with_its_own_sentence(key, function):
    told = set()
    for seed in SEEDS:
        found = verdict(key, function, seed)
        assert found.outcome is Outcome.NOT_YET, found.sentence
        told.add(found.sentence)
    for each in told if key in NAMING else ():  # the diagnosis knows nothing else of the seed
        said, _ = diagnose(key, LocalAnswer(function, DIAGNOSED), each)
        assert sentence(function) in (said, observed_and_cause(said)[1])


@pytest.mark.slow
@pytest.mark.parametrize(
    "key",
    [key for key in portion(CHECKED, 3, *files_of(*CHECKED)) if key.id in STEADY],
    ids=lambda key: key.id,
)
def test_an_answer_that_is_wrong_in_one_of_ten_calls_is_refused(key):
    draws = random.Random(1)
    found = verdict(key, lambda *args: key.reference(*args) if draws.random() < 0.9 else None, 1)
    assert found.outcome is not Outcome.RIGHT


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_the_untouched_stub_reads_unattempted(key):
    def stub(*_):
        raise NotImplementedError(find(key.id).stub_message)

    assert verdict(key, stub, 1).outcome is Outcome.UNATTEMPTED


@pytest.mark.parametrize("key", CHECKED, ids=lambda key: key.id)
def test_there_are_enough_answers_of_each_kind_and_every_mistake_has_a_sentence(key):
    assert len(key.accepted) >= 4 and len(key.rejected) >= 8
    assert all(sentence(function) for function in key.rejected)


@pytest.mark.slow
@pytest.mark.parametrize(
    "key", [pytest.param(key, id=key.id, marks=pytest.mark.xdist_group(key.id)) for key in NAMING]
)
def test_no_mistake_is_laid_to_an_answer_that_behaves_as_the_reference_does(key):
    assert diagnose(key, LocalAnswer(key.reference, DIAGNOSED), "of the check") == ("of the check", None)


@pytest.mark.slow
def test_every_exercise_is_found_by_its_name_without_reading_the_others():
    assert names() == {exercise.id for exercise in all_exercises()}
    code = "import sys; from kqa_core.check.registry import find; print(find('average_all').id, "
    code += "*(name for name in sys.modules if name.startswith('course_exercises.') and '._' not in name))"
    told = python("-c", code, cwd=COURSE)
    assert told.stdout.split() == ["average_all", "course_exercises.average_all"], told.stderr


def test_every_exercise_has_a_title_of_its_own_in_a_few_words():
    titles = [exercise.title for exercise in all_exercises()]
    assert len(set(titles)) == len(titles) > 100
    assert all(8 <= len(title) <= 50 and title[0].isupper() and title[-1] not in ".:?" for title in titles)


@pytest.mark.parametrize("exercise", all_exercises(), ids=lambda exercise: exercise.id)
def test_a_written_exercise_has_a_rubric_worth_its_points(exercise):
    key = find_key(exercise.id)
    assert key.id == exercise.id
    assert exercise.written == isinstance(key, WrittenKey)
    if exercise.written:
        assert math.isclose(sum(points for points, _ in key.rubric), exercise.points)
        assert key.misconceptions and key.model_answer


def test_the_exercises_of_a_notebook_are_numbered_without_gaps():
    for _, group in itertools.groupby(all_exercises(), key=lambda exercise: exercise.notebook):
        orders = [exercise.order for exercise in group]
        assert orders == list(range(1, len(orders) + 1))


def halved(x):
    """Right."""
    # half of x
    return x / 2


def test_a_mistake_is_a_function_with_the_changed_source_its_name_and_its_sentence():
    changes = {"x / 2": "2 / x", "of x": "of 2"}
    (swapped,) = mistakes(halved, {"swapped": ("You \\'divide\\'.", changes)})
    assert swapped(4) == 0.5 and sentence(swapped) == "You \\'divide\\'."
    source = "def swapped(x):\n    # half of 2\n    return 2 / x\n"
    assert answer_source("swapped", swapped) == source
    assert answer_source("half", swapped) == f"{source}\nhalf = swapped\n"
    for passage in ("x", "x / 3"):  # several times; not at all
        with pytest.raises(ValueError, match=f"expected '{passage}' once in halved"):
            mistakes(halved, {"wrong": ("Why?", {passage: ""})})


def test_weighted_average_takes_sums_in_float32_that_are_smaller_than_their_summands():
    """With this seed they are off by 1.3e-5, of summands up to 121."""
    key = find_key("weighted_average")
    (answer,) = (each for each in key.accepted if each.__name__ == "adds_in_place")
    found = run_check(key.hidden, LocalAnswer(answer), 1076)
    assert found.outcome is Outcome.RIGHT, found.sentence
