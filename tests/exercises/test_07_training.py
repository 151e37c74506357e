"""What the tolerances of train and is_it_active rest on, measured."""

import copy
import itertools
import random

import pytest
import torch
from course_exercises.is_it_active import FAINT, PIECES, PRETENDING, ROUNDED, SUSPECTS, built, is_active
from course_keys import load_pretrained as load_key
from course_keys import train as train_key
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find
from kqa_core.check.run import run_check
from kqa_core.experiments.small_models import (
    VOCABULARY,
    FixedDropout,
    copied,
    kept,
    optimizer_for,
    rehearsal,
    suspect,
    trusted,
)

SEEDS = portion(range(6), 6, train_key.__file__)
SILENT = {"keeps_the_graph"}  # refused for what it returns, not for its value


def distance(function, seed):
    """The largest difference between the losses of `function` and those of the reference,
    on the hidden check's draws.
    """
    gaps = []
    for kind, max_norm in (("AdamW", 0.1), ("SGD", train_key.LARGE), ("AdamW", train_key.LARGE)):
        drawn = train_key.draw(random.Random(seed), kind, max_norm)
        mine = train_key.expected(-1, seed, kind, drawn)
        theirs = function(kept(-2, seed), optimizer_for(-2, kind), *drawn)
        gaps += [abs(a - b) for a, b in zip(mine, theirs, strict=True)]
    return max(gaps)


@pytest.mark.slow
@pytest.mark.parametrize("function", train_key.KEY.accepted, ids=lambda f: f.__name__)
def test_right_training_loops_differ_by_rounding_only(function):
    assert max(distance(function, seed) for seed in SEEDS) < train_key.TOLERANCE / 20


@pytest.mark.slow
@pytest.mark.parametrize(
    "function", [f for f in train_key.KEY.rejected if f.__name__ not in SILENT], ids=lambda f: f.__name__
)
def test_wrong_training_loops_differ_by_ten_tolerances(function):
    assert min(distance(function, seed) for seed in SEEDS) > 10 * train_key.TOLERANCE


@pytest.mark.slow
def test_where_both_modes_give_the_same_loss_the_right_answer_is_right(monkeypatch):
    monkeypatch.setattr(FixedDropout, "forward", lambda self, x: x)
    answer = LocalAnswer(train_key.train)
    assert run_check(find("train").check, answer, 1).outcome is Outcome.RIGHT
    assert run_check(train_key.KEY.hidden, answer, 1).outcome is Outcome.RIGHT


def a_copy(model, optimizer, batches, rates, max_norm):
    twin = copy.deepcopy(model)
    mine = {id(old): new for old, new in zip(model.parameters(), twin.parameters(), strict=True)}
    groups = [{**group, "params": [mine[id(p)] for p in group["params"]]} for group in optimizer.param_groups]
    return train_key.train(twin, type(optimizer)(groups), batches, rates, max_norm)


def last_step_missing(model, optimizer, batches, rates, max_norm):
    batches = list(itertools.islice(batches, len(rates)))
    losses = train_key.train(model, optimizer, batches[: len(rates) - 1], rates[:-1], max_norm)
    x, y = batches[len(rates) - 1]
    return [*losses, model(x, y)[1].item()]


@pytest.mark.parametrize("function", [a_copy, last_step_missing])
def test_a_training_of_a_copy_or_without_its_last_step_is_seen_in_the_model(function):
    found = run_check(train_key.KEY.hidden, LocalAnswer(function), 1)
    assert found.outcome is Outcome.NOT_YET and "does not have the weights" in found.sentence


@pytest.mark.slow
def test_loading_into_a_copy_is_seen_in_the_model():
    def returns_the_copy(model, weights):
        return load_key.load_pretrained(copy.deepcopy(model), weights)

    found = run_check(load_key.KEY.hidden, LocalAnswer(returns_the_copy), 1)
    assert found.outcome is Outcome.NOT_YET
    assert "the model that you were given does not have the weights that you return" in found.sentence


@pytest.mark.parametrize("variant", ["rope", "synthesizer"])
@pytest.mark.parametrize("what", [*PRETENDING, *FAINT, PIECES])
def test_impostors_differ_from_the_variant_by_more_than_rounding(variant, what):
    for seed in range(5):
        making = built(variant, what)
        model, reference = suspect(*making, seed), trusted(variant, seed + 100, len(making[1]))
        weights = {name: w for name, w in model.state_dict().items() if name in reference.state_dict()}
        if len(weights) < len(reference.state_dict()):
            continue  # the variant's parameters are not even there
        reference.load_state_dict(weights)
        tokens = torch.randint(VOCABULARY, (4, 10), generator=torch.Generator().manual_seed(seed))
        for rows in (tokens, tokens[:1]):  # of one row, too
            assert (model(rows)[0] - reference(rows)[0]).abs().max() > 0.0015


@pytest.mark.parametrize("variant", ["rope", "synthesizer"])
def test_a_model_that_rounds_once_more_is_near_its_reference_and_not_equal(variant):
    for seed in range(5):
        model, reference = suspect(*built(variant, ROUNDED), seed), trusted(variant, seed + 100)
        reference.load_state_dict(model.state_dict())
        tokens = torch.randint(VOCABULARY, (4, 10), generator=torch.Generator().manual_seed(seed))
        assert 0 < (model(tokens)[0] - reference(tokens)[0]).abs().max() < 1e-5


def test_a_copy_has_parameters_buffers_and_hooks_of_its_own():
    model = suspect("rope", ("rope", "rope"), "spare", 1)
    twin = copied(model)
    assert twin.state_dict().keys() == model.state_dict().keys()
    twin.blocks[0].register_forward_hook(lambda *_: None)
    with torch.no_grad():
        for tensor in (*twin.parameters(), *twin.buffers()):
            tensor.zero_()
    assert not model.blocks[0]._forward_hooks
    assert all(torch.any(tensor != 0) for name, tensor in model.state_dict().items() if "spare" not in name)


def test_suspects_say_what_they_are_said_to_be_and_do_not_give_themselves_away():
    for variant, what, training in SUSPECTS:
        model = suspect(*built(variant, what), 3, training)
        assert model.config.variant == variant and model.training is training
    disguised, honest = (
        suspect(*built("rope", what), 3) for what in ("vanilla in a class of its name", "honest")
    )
    assert disguised.count_parameters() == honest.count_parameters()
    assert disguised.state_dict().keys() == honest.state_dict().keys()
    assert type(disguised.blocks[0].attention).__name__ == type(honest.blocks[0].attention).__name__


@pytest.mark.parametrize("variant", ["rope", "synthesizer"])
def test_each_layer_of_a_suspect_computes_what_its_making_says(variant):
    wanted = {
        "first layer only": (True, False),
        "last layer only": (False, True),
        "vanilla in a class of its name": (False, False),
    }
    for what, active in wanted.items():
        model, reference = suspect(*built(variant, what), 3), trusted(variant, 4)
        vanilla = suspect(*built(variant, "vanilla under its name"), 3)
        x = torch.randn(2, 10, 8, generator=torch.Generator().manual_seed(1))
        for ours, theirs, plain, is_variant in zip(
            model.blocks, reference.blocks, vanilla.blocks, active, strict=True
        ):
            twin = theirs if is_variant else plain
            names = twin.attention.state_dict()
            twin.attention.load_state_dict(
                {name: w for name, w in ours.attention.state_dict().items() if name in names}
            )
            assert torch.allclose(ours.attention(x), twin.attention(x), atol=1e-6)


def test_the_suspects_hold_honest_and_pretending_models_of_both_variants():
    truths = {(variant, is_active((variant, what, training))) for variant, what, training in SUSPECTS}
    assert truths == {(variant, active) for variant in ("rope", "synthesizer") for active in (True, False)}


def test_the_rehearsal_model_arrives_asleep_and_drops_the_same_channels_every_time():
    model = rehearsal(4)
    assert not model.training
    x = torch.randint(VOCABULARY, (2, 10), generator=torch.Generator().manual_seed(1))
    asleep = model(x)[0]
    awake = [model.train()(x)[0] for _ in range(2)]
    assert torch.equal(*awake) and not torch.allclose(asleep, awake[0])
