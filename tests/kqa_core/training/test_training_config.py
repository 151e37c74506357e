"""The choices of a training run: one value, whichever way it is given."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import pytest

from kqa_core.commands import training as commands
from kqa_core.errors import UserError
from kqa_core.text.corpus import read_corpus
from kqa_core.training import runs
from kqa_core.training.config import TrainingConfig

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


def test_a_keyword_that_is_no_choice_is_refused_before_anything_is_read() -> None:
    with pytest.raises(TypeError, match="recipee"):
        runs.pretrain("rope", "nowhere.txt", recipee="small")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"epochs": 0}, "epochs must be at least 1, not 0"),
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
