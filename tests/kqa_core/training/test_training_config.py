"""The choices of a training run: one value, whichever way it is given."""

from __future__ import annotations

import dataclasses
import inspect
import math
from pathlib import Path

import pytest

from kqa_core.commands import training as commands
from kqa_core.errors import UserError
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus
from kqa_core.training import runs, schedule
from kqa_core.training.config import TrainingConfig
from kqa_core.training.recipes import ASSIGNMENT, BEST, find_recipe

MODEL = {"n_layer": 1, "n_head": 2, "d_model": 16}


@pytest.mark.parametrize("prepare", [runs.prepare_pretrain, runs.prepare_finetune])
def test_keywords_a_config_and_a_config_with_changes_prepare_the_same_run(world: Path, prepare) -> None:  # type: ignore[no-untyped-def]
    corpus, model = read_corpus(world), {"device": "cpu", "model": MODEL}
    config = TrainingConfig(seed=3, steps=2, **model)
    descriptions = [
        prepare("rope", corpus, seed=3, steps=2, **model).description,
        prepare("rope", corpus, config=config).description,
        prepare("rope", corpus, config=TrainingConfig(steps=2, **model), seed=3).description,
    ]
    assert descriptions[0] == descriptions[1] == descriptions[2]
    assert (descriptions[0]["seed"], descriptions[0]["steps"], descriptions[0]["device"]) == (3, 2, "cpu")
    assert descriptions[0] != prepare("rope", corpus, config=config, seed=4).description


def test_a_rate_takes_the_place_of_its_phases_own(world: Path) -> None:
    corpus, model = read_corpus(world), {"device": "cpu", "model": MODEL, "steps": 2}
    rates = {"pretrain_lr": 2e-3, "finetune_lr": 3e-4}
    for prepare, rate, own in (
        (runs.prepare_pretrain, 2e-3, ASSIGNMENT.pretrain),
        (runs.prepare_finetune, 3e-4, ASSIGNMENT.scratch),
    ):
        phase = prepare("rope", corpus, **model, **rates).phase
        assert phase == dataclasses.replace(own, optimizer=dataclasses.replace(own.optimizer, rate=rate))
        assert prepare("rope", corpus, **model).phase == own


def test_a_keyword_that_is_no_choice_is_refused_before_anything_is_read() -> None:
    with pytest.raises(TypeError, match="recipee"):
        runs.pretrain("rope", "nowhere.txt", recipee="small")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1, not 0"),
        ({"pretrain_lr": 0.0}, "pretrain_lr must be a number above 0, not 0.0"),
        ({"finetune_lr": float("nan")}, "finetune_lr must be a number above 0, not nan"),
        ({"steps": -1}, "steps must be at least 1, not -1"),
        ({"steps": 1, "epochs": 1}, "both epochs and steps were given"),
        ({"model": {"n_layers": 2}}, "n_layers is no field of GPTConfig .* did you mean n_layer"),
        ({"model": {"variant": "rope"}}, "variant is no field"),
    ],
)
def test_a_choice_that_no_run_can_have_is_named(fields: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        TrainingConfig(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("command", [commands.pretrain, commands.finetune])
def test_every_choice_is_a_flag_with_its_own_default(command) -> None:  # type: ignore[no-untyped-def]
    flags = inspect.signature(commands.with_flags(command)).parameters
    for field in dataclasses.fields(TrainingConfig):
        if field.name != "model":
            assert flags[field.name].default == field.default
    assert "config" not in flags and "model" not in flags and flags["n_layer"].default is None


def test_the_assignment_is_kept_to_the_letter() -> None:
    pretraining = ASSIGNMENT.pretrain
    assert (pretraining.epochs, pretraining.batch_size, pretraining.optimizer.rate) == (650, 128, 6e-3)
    assert (ASSIGNMENT.finetune.epochs, ASSIGNMENT.scratch.epochs) == (10, 75)
    for phase in (ASSIGNMENT.finetune, ASSIGNMENT.scratch):
        assert (phase.batch_size, phase.optimizer.rate) == (256, 6e-4)
    for phase in (pretraining, ASSIGNMENT.finetune, ASSIGNMENT.scratch):
        assert (phase.optimizer.betas, phase.optimizer.weight_decay, phase.optimizer.clip) == (
            (0.9, 0.95),
            0.1,
            1.0,
        )
        assert phase.optimizer.muon_rate is None
        assert phase.schedule == "assignment"
    assert (
        ASSIGNMENT.model == {}
    )  # GPTConfig's defaults are the assignment's: 4 layers, 8 heads, d_model 256, block 128, dropout 0.1
    assert GPTConfig(256) == GPTConfig(256, 128, 4, 8, 256, "vanilla", 0.1, 0.1, 0.1)


def test_the_assignments_cosine_comes_back_to_full_rate() -> None:
    final = 200 * 2937 * 128

    def after(epochs: float) -> float:
        return schedule.warmup_cosine(int(epochs * 2937 * 127), final)

    assert schedule.warmup_cosine(5120, final) == 0.5  # half of the warm-up of 10,240 tokens
    assert after(1) == pytest.approx(1.0, abs=1e-3)
    assert after(101) == pytest.approx(0.5, abs=0.01)
    assert after(201) == 0.1  # the floor
    assert after(403) == pytest.approx(1.0, abs=1e-3)  # a row counts 127 of its 128 characters: 400 · 128/127
    # 0.12, and falling
    assert after(650) == pytest.approx(0.5 * (1 + math.cos(math.pi * 650 * 127 / (200 * 128))), abs=1e-3)


def test_our_rate_is_flat_and_then_falls_to_nothing() -> None:
    rates = [schedule.linear_decay(step, 100) for step in range(100)]
    assert rates[:51] == [1.0] * 51
    assert rates[75] == pytest.approx(0.5)
    assert rates[99] == pytest.approx(0.02)


def test_best_has_the_assignments_size_and_sees_no_dev_or_test_label() -> None:
    sizes = [
        GPT(GPTConfig(256, variant="vanilla", **recipe.model)).count_parameters()
        for recipe in (ASSIGNMENT, BEST)
    ]  # type: ignore[arg-type]
    assert sizes[0] == sizes[1]
    with pytest.raises(UserError, match="did you mean assignment"):
        find_recipe("asignment")
