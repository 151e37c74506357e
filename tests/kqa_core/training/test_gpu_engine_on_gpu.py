"""Training captured as a graph, on a GPU: the losses of the loop,
a run taken up again, and answers as on a CPU.
"""

from __future__ import annotations

import dataclasses
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tiny_runs import CPU, TINY, engine_of, host_losses, losses_of, prepared

from kqa_core.errors import UserError
from kqa_core.evaluation.generate import answer_questions
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import variant_names
from kqa_core.text.corpus import read_pairs
from kqa_core.training import runs as train
from kqa_core.training.gpu_engine import STRIDE
from kqa_core.training.optimizer import Optimizer

pytestmark = [
    pytest.mark.usefixtures("tiny_recipes"),
    pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU"),
]


@pytest.mark.parametrize("recipe", TINY)
def test_a_graph_gives_the_losses_of_the_loop_in_float32(world: Path, recipe: str) -> None:
    run = prepared(world, recipe, device="cuda")
    run.steps = 60  # whole rounds by graph, and a rest one by one
    engine = engine_of(run)
    ours = losses_of(engine, 60)
    assert engine.captures and engine._graphs
    other = prepared(world, recipe)
    other.steps = 60
    assert ours == pytest.approx(host_losses(other), rel=1e-3 if recipe == "spans" else 2e-2)


@pytest.mark.parametrize("variant", variant_names())
def test_every_variant_trains_by_graph_in_bfloat16_near_the_loop(world: Path, variant: str) -> None:
    run = prepared(world, "spans", variant, device="cuda")
    run.steps = 5 * STRIDE
    engine = engine_of(run, bfloat16=True)
    ours = losses_of(engine, run.steps)
    assert engine.captures and engine._graphs
    other = prepared(world, "spans", variant)
    other.steps = run.steps
    assert ours == pytest.approx(host_losses(other), rel=0.05)


def test_what_cannot_be_captured_goes_on_one_by_one_and_says_so(
    world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # the order is drawn on the host
    run = prepared(world, "spans", "vanilla", device="cuda", fusion="shuffle")
    run.steps = 5 * STRIDE
    engine = engine_of(run)
    losses = losses_of(engine, run.steps)
    assert len(losses) == run.steps and losses[-1] < losses[0]
    assert not engine.captures
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("kqa: vanilla with fusion shuffle takes its steps one by one")


def test_dropout_is_drawn_anew_at_every_replay_and_is_a_seeds(world: Path) -> None:
    def dropped(seed: int) -> list[float]:
        run = prepared(world, "spans", "vanilla", device="cuda")
        config = dataclasses.replace(run.model.config, embedding_dropout=0.5)
        torch.manual_seed(0)
        run = dataclasses.replace(run, model=GPT(config), steps=6 * STRIDE, seed=seed)
        run.phase = dataclasses.replace(
            run.phase, optimizer=dataclasses.replace(run.phase.optimizer, rate=0.0, weight_decay=0.0)
        )
        return losses_of(engine_of(run), run.steps)

    first = dropped(0)
    assert len(set(first)) == len(first), "the weights stand still: only dropout and rows differ"
    assert first == pytest.approx(dropped(0), rel=1e-5)
    assert first != pytest.approx(dropped(1), rel=1e-5)


def test_a_gpus_run_is_saved_killed_and_taken_up(world: Path, tmp_path: Path) -> None:
    wiki, out = world / "wiki.txt", tmp_path / "m"
    killed = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from tiny_runs import TINY
from kqa_core.model import checkpoint
from kqa_core.training import runs
from kqa_core.training.recipes import RECIPES
RECIPES.update(TINY)
save, saves = checkpoint.save, []
def counted(*args):
    save(*args)
    saves.append(1)
    if len(saves) == 3:
        os.kill(os.getpid(), {int(signal.SIGKILL)})
checkpoint.save = counted
runs.pretrain(
    "rope", {str(wiki)!r}, {str(out)!r}, recipe="spans", steps=80, device="cuda", show=False, save_seconds=0.0
)
"""
    ended = subprocess.run(
        [sys.executable, "-c", killed], env={**os.environ, "KQA_DEVICE": "cuda"}, check=False
    )
    assert ended.returncode == -signal.SIGKILL
    resumed = train.pretrain("rope", wiki, out, recipe="spans", steps=80, device="cuda", show=False)
    never = train.pretrain("rope", wiki, None, recipe="spans", steps=80, device="cuda", show=False)
    assert resumed.resumed_at % STRIDE == 0 < resumed.resumed_at
    assert resumed.losses == pytest.approx(never.losses, rel=0.05)
    assert next(resumed.model.parameters()).device == CPU


def test_a_gpus_state_is_not_taken_up_on_a_cpu(world: Path, tmp_path: Path) -> None:
    there = prepared(world, "spans", device="cuda")
    there._save(Path(f"{tmp_path / 'm'}.resume"), [], Optimizer(there.model, there.phase.optimizer))
    here = prepared(world, "spans", device="cpu")
    with pytest.raises(UserError, match=r"the state of another run that was stopped \(other .*device"):
        here.train(tmp_path / "m", show=False)


def test_answers_are_the_same_on_a_gpu(world: Path) -> None:
    pairs = read_pairs(world / "birth_dev.tsv")
    wiki, train_pairs = world / "wiki.txt", world / "birth_places_train.tsv"
    done = train.finetune("rope", wiki, train_pairs, recipe="spans", steps=30, device="cuda", show=False)
    questions = [pair.question for pair in pairs]
    there = answer_questions(done.model.to("cuda"), done.vocabulary, questions)
    assert answer_questions(done.model.to("cpu"), done.vocabulary, questions) == there
