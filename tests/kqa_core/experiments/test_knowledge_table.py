"""The knowledge table: its rows, and what it takes over from earlier runs."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from kqa_core.errors import UserError
from kqa_core.experiments import knowledge_table as knowledge
from kqa_core.experiments.knowledge_table import format_table, measure_knowledge
from kqa_core.text.world.generator import make_world
from kqa_core.training import loop
from kqa_core.training.recipes import RECIPES, SMALL

QUICK = dataclasses.replace(
    SMALL,
    pretrain=dataclasses.replace(SMALL.pretrain, steps=3),
    finetune=dataclasses.replace(SMALL.finetune, epochs=1),
    scratch=dataclasses.replace(SMALL.scratch, epochs=1),
    model={"n_layer": 1, "n_head": 2, "d_model": 16},
)


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_world("tiny").write(tmp_path / "world")
    monkeypatch.setitem(RECIPES, "quick", QUICK)
    return tmp_path / "world"


@pytest.mark.slow
def test_the_table_has_its_five_rows_in_order(world: Path) -> None:
    rows = measure_knowledge(world, recipe="quick", progress=False)
    assert [row.name.split(" (")[0] for row in rows] == [
        "majority",
        "always London",
        "no pretraining",
        "pretrained",
        "ceiling",
    ]
    assert all(row.accuracy.total == 12 for row in rows)
    assert rows[1].accuracy.value == pytest.approx(
        2 / 12
    )  # the tiny world deals London a fifth of 12, to the nearest whole number
    assert rows[4].accuracy.value == pytest.approx(11 / 12)  # one of the twelve is never told of
    assert rows[2].seconds > 0 and rows[3].seconds > 0 and rows[0].seconds == 0
    low, high = rows[4].accuracy.interval
    assert 0 < low < 11 / 12 < high < 1
    text = format_table(rows)
    assert len(text.splitlines()) == 6
    assert "11 of 12" in text and "91.7 %" in text


@pytest.mark.slow
def test_finished_runs_are_taken_over_only_where_asked_for_and_only_if_they_are_the_same(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[str] = []
    plain = loop.Run.train

    def counted(self: loop.Run, *args: object, **kwargs: object) -> loop.Trained:
        trained.append(str(self.description["what"]))
        return plain(self, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(loop.Run, "train", counted)

    def table(reuse: bool, seed: int = 0) -> list[knowledge.KnowledgeRow]:
        trained.clear()
        return measure_knowledge(
            world, recipe="quick", seed=seed, progress=False, runs=tmp_path / "runs", reuse=reuse
        )

    first = table(reuse=True)
    assert len(trained) == 3
    again = table(reuse=True)
    assert trained == []
    assert [row.accuracy for row in again] == [row.accuracy for row in first]
    assert [row.reused for row in again] == [False, False, True, True, False]
    assert "reused" in format_table(again)
    table(reuse=False)
    assert len(trained) == 3
    table(reuse=True, seed=1)
    assert len(trained) == 3
    wiki = world / "wiki.txt"
    wiki.write_text(wiki.read_text(encoding="utf-8") + "Ada. Ada was born in London.\n", encoding="utf-8")
    table(reuse=True)
    assert len(trained) == 3, "other data"


@pytest.mark.slow
def test_a_stopped_table_goes_on_and_the_state_of_older_data_is_cleared(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = [0]
    plain = loop.loss_and_gradient

    def stopped(*args: object) -> float:
        seen[0] += 1
        if seen[0] == 3:
            raise KeyboardInterrupt
        return plain(*args)  # type: ignore[arg-type]

    runs = tmp_path / "runs"
    monkeypatch.setitem(
        RECIPES, "quick", dataclasses.replace(QUICK, scratch=dataclasses.replace(QUICK.scratch, epochs=4))
    )
    monkeypatch.setattr(loop, "SAVE_SECONDS", 0.0)
    monkeypatch.setattr(loop.Run.train, "__defaults__", (None, True, 0.0, None))
    with monkeypatch.context() as patch:
        patch.setattr(loop, "loss_and_gradient", stopped)
        with pytest.raises(KeyboardInterrupt):
            measure_knowledge(world, recipe="quick", progress=False, runs=runs)
    assert [path.name for path in runs.iterdir()] == ["rope.quick.0.scratch.params.resume"]
    wiki = world / "wiki.txt"
    wiki.write_text(wiki.read_text(encoding="utf-8") + "Ada. Ada was born in London.\n", encoding="utf-8")
    assert len(measure_knowledge(world, recipe="quick", progress=False, runs=runs)) == 5
    assert not any(path.name.endswith(".resume") for path in runs.iterdir())


def test_what_cannot_be_used_is_named(world: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no recipe is called 'smal': did you mean small"):
        measure_knowledge(world, recipe="smal")
    with pytest.raises(UserError, match=r"a folder with wiki\.txt"):
        measure_knowledge(tmp_path / "nowhere", recipe="quick")
    with pytest.raises(UserError, match="reuse needs a folder of runs"):
        measure_knowledge(world, recipe="quick", reuse=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="runs could not be written there"):
        measure_knowledge(world, recipe="quick", progress=False, runs=tmp_path / "file" / "runs")


@pytest.mark.slow
def test_watching_a_run_changes_nothing_in_it(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for show in (False, True):
        measure_knowledge(world, recipe="quick", progress=show, runs=tmp_path / str(show))
    assert re.search(r"loss [\d.]+, accuracy \d+ of 12", capsys.readouterr().err)
    for run in sorted((tmp_path / "True").glob("*.params")):
        weights = [load_file(tmp_path / show / run.name / "model.safetensors") for show in ("False", "True")]
        assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
