"""Answers that set the random generator back,
ask for all batches of an endless run, or change what they were lent.
"""

import copy
import random

import pytest
import torch
from course_keys import corrupt_span, corruption_example, pretraining_batch, train

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.exercise_helpers.corrupted_rows import generator
from kqa_core.experiments.small_models import ENDLESS, lent, stream, unchanged

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
