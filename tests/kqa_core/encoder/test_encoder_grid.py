"""The grid: the same table however it is spread,
the runs that are missing after a kill, and one look at the test.
"""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from kqa_core.encoder import grid_search as module
from kqa_core.encoder.finetune import FineTune
from kqa_core.encoder.grid_search import (
    BATCH_SIZES,
    EPOCHS,
    LEARNING_RATES,
    RANDOM_EPOCHS,
    RANDOM_SIZES,
    RANGE,
    REAL_RANGE,
    configurations,
    grid,
    random_configurations,
    read_grid,
)
from kqa_core.encoder.sentiment import Example
from kqa_core.errors import UserError

pytestmark = pytest.mark.slow

CONFIGS = [FineTune(16, 1e-3, 1), FineTune(48, 1e-4, 1), FineTune(16, 1e-2, 2)]


@pytest.fixture
def small_grid(monkeypatch, few, tiny_encoder):
    """Three runs, with few sentences and an encoder that has hardly read anything."""
    monkeypatch.setattr(module, "corpus", lambda name, small: few)
    monkeypatch.setattr(module, "encoder_source", lambda name: str(tiny_encoder))
    return lambda out, **how: grid(out, configs=CONFIGS, show=False, **how)


def table(result):
    """All of a grid but its times."""
    return [replace(run, seconds=0.0) for run in result.runs], result.test, result.kinds, result.description


def test_the_grid_is_every_combination_once():
    runs = [(each.batch_size, each.learning_rate, each.epochs) for each in configurations()]
    assert len(set(runs)) == len(runs) == 18
    assert set(runs) == {(b, r, e) for b in BATCH_SIZES for r in LEARNING_RATES for e in EPOCHS}
    assert {each.learning_rate for each in configurations("roberta-base")} == {1e-4, 5e-5, 1e-5}


def test_a_random_search_stays_in_its_ranges_and_its_runs_depend_on_the_seed_alone():
    found = random_configurations(200)
    assert found[:18] == random_configurations(18) != random_configurations(18, seed=1)
    assert {each.batch_size for each in found} == set(RANDOM_SIZES) and {
        each.epochs for each in found
    } == set(RANDOM_EPOCHS)
    assert all(RANGE[0] <= each.learning_rate <= RANGE[1] for each in found)
    below = sum(each.learning_rate < (RANGE[0] * RANGE[1]) ** 0.5 for each in found)
    assert 70 < below < 130, "about half of them are below the middle of the logarithmic range"
    assert all(
        REAL_RANGE[0] <= each.learning_rate <= REAL_RANGE[1]
        for each in random_configurations(20, model="roberta-base")
    )


def test_the_best_run_is_the_one_of_the_highest_validation_accuracy_and_the_file_says_what_was_returned(
    small_grid, tmp_path
):
    out = tmp_path / "grid.json"
    result = small_grid(out, workers=1)
    assert [(run.batch_size, run.learning_rate, run.epochs) for run in result.runs] == [
        (16, 1e-3, 1),
        (48, 1e-4, 1),
        (16, 1e-2, 2),
    ]
    assert result.best.validation_accuracy[-1] == max(run.validation_accuracy[-1] for run in result.runs)
    assert [len(run.losses) for run in result.runs] == [3, 1, 6] and result.test.total == 24
    assert sum(share.total for share in result.kinds.values()) == 24
    assert read_grid(out) == result and list(tmp_path.iterdir()) == [out]


@pytest.mark.nightly
def test_two_processes_give_the_table_of_one(small_grid, tmp_path):
    here = small_grid(tmp_path / "here.json", workers=1)
    assert table(small_grid(tmp_path / "two.json", workers=2)) == table(here)


def test_an_interrupted_grid_goes_on_with_the_runs_that_are_missing(small_grid, tmp_path, monkeypatch):
    whole, out = small_grid(tmp_path / "whole.json", workers=1), tmp_path / "grid.json"
    done, real = [], module.run_one

    def killed(task):
        if len(done) == 2:
            done.append("killed")
            raise KeyboardInterrupt
        done.append(task.config)
        return real(task)

    monkeypatch.setattr(module, "run_one", killed)
    with pytest.raises(KeyboardInterrupt):
        small_grid(out, workers=1)
    assert not out.exists() and len(json.loads((tmp_path / "grid.json.resume").read_text())["runs"]) == 2
    with pytest.raises(UserError, match="another grid's state \\(other configs\\)"):
        grid(out, workers=1, configs=CONFIGS[:1], show=False)
    assert table(small_grid(out, workers=1)) == table(whole)
    assert done == [*CONFIGS[:2], "killed", CONFIGS[2]] and not (tmp_path / "grid.json.resume").exists()


def test_the_test_split_has_no_say_in_the_choice_and_no_run_is_sent_it(
    small_grid, few, tmp_path, monkeypatch
):
    sent, real = [], module.run_one
    monkeypatch.setattr(module, "run_one", lambda task: sent.append(task.data) or real(task))
    before = small_grid(tmp_path / "a.json", workers=1)
    turned = tuple(Example(each.sentence, 1 - each.label, each.kind) for each in few.test)
    monkeypatch.setattr(module, "corpus", lambda small, hub: replace(few, test=turned))
    after = small_grid(tmp_path / "b.json", workers=1)
    assert table(after)[0] == table(before)[0] and after.test.hits == before.test.total - before.test.hits
    assert len(sent) == 6 and all(data.test == () for data in sent)


def test_what_cannot_be_used_is_named_in_one_line(small_grid, tmp_path):
    out = tmp_path / "grid.json"
    with pytest.raises(UserError, match="this is a directory"):
        small_grid(tmp_path)
    with pytest.raises(UserError, match="no such file"):
        read_grid(out)
    out.write_text("{}")
    with pytest.raises(UserError, match="holds no grid"):
        read_grid(out)
    for state in ("[]", '{"description": [0], "runs": {}, "seconds": 0}'):
        (tmp_path / "grid.json.resume").write_text(state)
        with pytest.raises(UserError, match="not the state of a grid"):
            small_grid(out)
