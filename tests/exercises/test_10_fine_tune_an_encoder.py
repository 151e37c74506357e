"""The checks of notebook 10: what they allow, what they refuse, and what their tolerances rest on."""

import importlib
import itertools
import math
import random
from collections import Counter

import pytest
import torch
from course_exercises import _encoder_parts as parts
from course_exercises import (
    bag_ceiling,
    choose_setting,
    evaluate_accuracy,
    masked_mean,
    paired_difference,
    random_settings,
    train_epoch,
)
from course_keys import early_stopping as stopping_key
from course_keys import evaluate_accuracy as evaluation
from course_keys import masked_mean as means_key
from course_keys import random_settings as settings_key
from course_keys import train_epoch as training

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import behaviour, run_check

SILENT = {"keeps_the_graph", "one_number"}  # refused for what they return, not for its value


def distance(function, seed):
    """The largest difference between the losses of `function` and those of the
    reference, along two epochs.
    """
    rng = random.Random(seed)
    model_seed, batches = rng.getrandbits(30), parts.draw_batches(rng, training.SIZES)
    mine, theirs = (training.epochs(each, model_seed, batches) for each in (training.train_epoch, function))
    return max(abs(a - b) for a, b in zip(mine, theirs, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("function", training.KEY.accepted, ids=lambda f: f.__name__)
def test_right_training_loops_differ_by_rounding_only(function):
    assert max(distance(function, seed) for seed in range(6)) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("function", training.KEY.accepted, ids=lambda f: f.__name__)
def test_right_training_loops_differ_by_rounding_only_where_logits_are_large(function):
    for seed in range(6):
        rng = random.Random(seed)
        model_seed, batches = rng.getrandbits(30), parts.draw_batches(rng, (4, 3, 4))
        theirs, mine = (
            training.large_losses(each, model_seed, batches) for each in (training.train_epoch, function)
        )
        assert max(abs(a - b) for a, b in zip(mine, theirs, strict=True)) < 1e-10


@pytest.mark.slow
@pytest.mark.parametrize(
    "function", [f for f in training.KEY.rejected if f.__name__ not in SILENT], ids=lambda f: f.__name__
)
def test_wrong_training_loops_differ_by_a_hundred_tolerances(function):
    assert min(distance(function, seed) for seed in range(6)) > 100 * training.TOLERANCE


def test_where_both_modes_give_the_same_loss_the_right_answer_is_right(monkeypatch):
    in_training = train_epoch.first_loss
    monkeypatch.setattr(
        train_epoch,
        "first_loss",
        lambda seed, batch, training, *scale: in_training(seed, batch, True, *scale),
    )
    assert run_check(train_epoch.check, LocalAnswer(training.train_epoch), 1).outcome is Outcome.RIGHT


def test_a_classifier_does_not_read_padding():
    model = parts.classifier(3)
    [batch] = parts.draw_batches(random.Random(1), (6,))
    spoilt = batch["input_ids"] + 5 * (1 - batch["attention_mask"])
    assert torch.equal(
        model(batch["input_ids"], batch["attention_mask"]), model(spoilt, batch["attention_mask"])
    )
    assert not torch.allclose(model(batch["input_ids"]), model(batch["input_ids"], batch["attention_mask"]))


def test_a_classifier_notices_how_it_is_treated():
    [batch] = parts.draw_batches(random.Random(1), (6,))
    inputs = batch["input_ids"], batch["attention_mask"]
    plain = parts.classifier(3).requires_grad_(False)(*inputs)
    examined = parts.examined(3, 2, False)
    assert torch.equal(examined(*inputs), -plain)
    with torch.no_grad():
        assert torch.equal(examined(*inputs), plain)
    whole = parts.classifier(3, training=True)
    whole.eval().training = True  # only its own flag is set back
    assert torch.equal(parts.left_behind(True, parts=False).eval().requires_grad_(False)(*inputs), plain)
    assert torch.equal(parts.left_behind(True).eval().requires_grad_(False)(*inputs), -plain)
    for came, left, sign in itertools.product((True, False), (True, False), (1, -1)):
        parts.classifier(3, training=came).train(left)
        heir = parts.left_behind(came).eval().requires_grad_(False)
        if (came is left) is (sign == 1):
            assert torch.equal(heir(*inputs), sign * plain)


@pytest.mark.slow
def test_the_batches_of_an_evaluation_tell_every_treatment_from_the_right_one():
    for seed in range(20):
        model_seed, batches = evaluate_accuracy.telling(random.Random(seed), (6, 6, 2), 2)
        share = evaluate_accuracy.share_right(model_seed, 2, False, batches)
        assert share != evaluate_accuracy.share_right(model_seed, 2, True, batches)
        assert share != evaluate_accuracy.share_right(model_seed, 2, False, batches, turned=True)


def test_a_bags_ceiling_is_what_trying_all_classifiers_gives():
    rng = random.Random(4)
    for _ in range(10):
        bags = [
            (" ".join("ab"[: 1 + i % 2] * (1 + i // 2)), rng.randint(0, 3), rng.randint(1, 3))
            for i in range(4)
        ]
        texts, labels = bag_ceiling.laid_out(rng, bags)
        keys = [frozenset(Counter(text.split()).items()) for text in texts]
        kinds = sorted(set(keys), key=sorted)
        best = max(
            sum(
                dict(zip(kinds, said, strict=True))[key] == label
                for key, label in zip(keys, labels, strict=True)
            )
            for said in itertools.product((0, 1), repeat=len(kinds))
        )
        assert math.isclose(bag_ceiling.ceiling(bags), best / len(labels))


def test_a_grid_has_one_winner_that_is_best_on_nothing_but_validation():
    for seed in range(20):
        results, number = choose_setting.runs(random.Random(seed), [(2, 5e-4), (5, 1e-4)], 6, broken=1)
        order = sorted((-run["validation"], run["epochs"], run["learning_rate"]) for run in results[1:])
        chosen = results[number]
        assert (
            order[0] == (-chosen["validation"], chosen["epochs"], chosen["learning_rate"])
            and order[0] < order[1]
        )
        assert chosen["test"] < max(run["test"] for run in results)
        assert chosen["train_loss"] > min(run["train_loss"] for run in results)


def test_in_the_visible_case_no_wrong_standard_error_is_near_one_of_the_two_that_are_allowed():
    first, second = paired_difference.drawn(random.Random(0), *paired_difference.SMALL)
    n, (_, error) = len(first), paired_difference.expected(first, second)
    allowed = (error, error * math.sqrt(n / (n - 1)))
    for text, wrong in (
        each for right in allowed for each in paired_difference.errors(first, second, right).items()
    ):
        assert min(abs(wrong / each - 1) for each in allowed) > 0.01, text


def test_the_reference_of_early_stopping_agrees_with_how_the_cases_are_built():
    rng = random.Random(5)
    for _ in range(50):
        for losses, patience, pair in stopping_key.cases(rng):
            assert stopping_key.early_stopping(losses, patience) == pair


@pytest.mark.slow
def test_right_random_settings_stay_far_below_the_limit_and_uniform_rates_far_above():
    low, high = 1e-4, 1e-1
    for seed in range(40):
        found = [settings_key.KEY.reference, settings_key.uniform]
        right, wrong = (each(random_settings.MANY, low, high, [8], random.Random(seed)) for each in found)
        logs = [
            [math.log(each["learning_rate"] / low) / math.log(high / low) for each in drawn]
            for drawn in (right, wrong)
        ]
        assert random_settings.distance(logs[0]) < 0.8 * random_settings.DISTANCE
        assert random_settings.distance(logs[1]) > 5 * random_settings.DISTANCE


def test_right_means_in_float32_differ_by_less_than_a_third_of_the_tolerance():
    for seed, shape in itertools.product(range(20), (*means_key.SHAPES, (3, 5, 4))):
        vectors, mask = masked_mean.states(random.Random(seed), *shape)
        wanted = masked_mean.expected(vectors.float(), mask)
        for function in (means_key.KEY.reference, *means_key.KEY.accepted):
            apart = (function(vectors.float(), mask) - wanted).abs().max() / wanted.abs().max()
            assert apart < masked_mean.TOLERANCE / 3


@pytest.mark.slow
def test_after_the_fingerprint_of_every_named_mistake_gradients_are_recorded():
    for function in evaluation.KEY.rejected:
        behaviour(LocalAnswer(function), evaluation.fingerprint(random.Random(1)))
        assert torch.is_grad_enabled(), function.__name__


VISIBLE = (
    "bag_ceiling",
    "train_epoch",
    "early_stopping",
    "choose_setting",
    "adagrad_step",
    "random_settings",
    "paired_difference",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", VISIBLE)
def test_the_visible_check_alone_refuses_every_named_mistake(name):
    key = importlib.import_module(f"course_keys.{name}").KEY
    check = importlib.import_module(f"course_exercises.{name}").check
    for function in key.rejected:
        assert run_check(check, LocalAnswer(function), 1).outcome is not Outcome.RIGHT, function.__name__
    for function in (key.reference, *key.accepted):
        verdict = run_check(check, LocalAnswer(function), 1)
        assert verdict.outcome is Outcome.RIGHT, (function.__name__, verdict.sentence)


def test_the_losses_that_the_visible_check_of_train_epoch_expects_are_those_of_plain_sgd():
    batches = parts.draw_batches(random.Random(3), (5, 4, 3))
    model = parts.classifier(7, used=True)
    losses = training.train_epoch(model, torch.optim.SGD(model.parameters(), lr=train_epoch.RATE), batches)
    assert train_epoch.same(losses, train_epoch.descended(7, batches))
    for past in train_epoch.CARRIED:
        assert not train_epoch.same(losses, train_epoch.descended(7, batches, past))
