"""Several processes train one model: real ones, joined by gloo, as torchrun would start them."""

from __future__ import annotations

import dataclasses
import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from kqa_core.training import loop, runs
from kqa_core.training.batches import share_of_table
from kqa_core.training.distributed import World
from kqa_core.training.recipes import ASSIGNMENT, RECIPES, SMALL, Recipe

# the two processes of `two` are started once
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("distributed")]

MODEL = {"n_layer": 1, "n_head": 2, "d_model": 16}  # and the assignment's dropout
SPANS = dataclasses.replace(ASSIGNMENT.pretrain, batch_size=9, epochs=None, steps=12)
SALIENT = dataclasses.replace(SMALL.pretrain, batch_size=8, steps=24)
PART = 3  # rows: three parts of 9 or 8 of them, an odd share for 2 processes
AFTER = dataclasses.replace(SMALL.finetune, batch_size=8)
NO_DROPOUT = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
TINY = {
    "spans": Recipe(SPANS, AFTER, AFTER, MODEL),
    "salient": Recipe(SALIENT, AFTER, AFTER, MODEL),
    "no dropout": Recipe(SPANS, AFTER, AFTER, {**MODEL, **NO_DROPOUT}),
}

WORKER = """
import os, sys, signal
import torch
torch.set_num_threads(1)
sys.path.insert(0, {tests!r})
from test_distributed import PART, TINY
from kqa_core import cli, errors
from kqa_core.training import gpu_engine, loop, runs
from kqa_core.training.recipes import RECIPES
RECIPES.update(TINY)
loop.PART = PART
def fixed_shape(run, rates, world):  # the engine of a GPU, on a CPU
    return gpu_engine.GpuEngine(
        run.model, run.source, run.phase.optimizer, rates, run.phase.batch_size, run.seed, run.device, False, world)
own = loop.Run._engine
deadly, plain, taken = int(os.environ.get("KILLED_AT", "-1")), loop.loss_and_gradient, [0]
def counted(*args):
    taken[0] += 1
    if taken[0] == deadly:
        os.kill(os.getpid(), signal.SIGKILL)
    return plain(*args)
loop.loss_and_gradient = counted
def both():
    for recipe in {recipes!r}:
        loop.Run._engine = fixed_shape if recipe == "no dropout" else own
        done = runs.pretrain("rope", {wiki!r}, {out!r} + recipe, {pairs!r}, recipe=recipe, show=True, save_seconds=0.0)
        if os.environ["RANK"] == "0":
            print([done.resumed_at, done.losses], flush=True)
cli._register, cli.app = lambda: None, both  # ends as `kqa` does: a person's line, status 2
cli.main()
"""


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def started(
    world: Path, out: Path, recipes: tuple[str, ...], rank: int, port: int, killed_at: int = -1
) -> subprocess.Popen[str]:
    """Process `rank` of 2; `killed_at`: SIGKILL in the middle of that step of its own."""
    paths = {"wiki": str(world / "wiki.txt"), "pairs": str(world / "birth_places_train.tsv"), "out": str(out)}
    script = WORKER.format(tests=str(Path(__file__).parent), recipes=recipes, **paths)
    told = {
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": "2",
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
    }
    env = {**os.environ, **told, "KILLED_AT": str(killed_at), "GLOO_SOCKET_IFNAME": "lo"}
    command = [sys.executable, "-c", script]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env)


def together(
    world: Path, out: Path, recipes: tuple[str, ...], killed_at: tuple[int, int] = (-1, -1)
) -> list[tuple[int, str, str]]:
    """Two processes to their end: status, output and errors of each."""
    port = free_port()
    processes = [started(world, out, recipes, rank, port, killed_at[rank]) for rank in (0, 1)]
    ended = [process.communicate(timeout=600) for process in processes]
    return [(process.returncode, *said) for process, said in zip(processes, ended, strict=True)]


@pytest.fixture(scope="module")
def two(
    world: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, list[float]], list[tuple[int, str, str]]]:
    """All recipes, trained by two processes that nothing happens to:
    where, the losses, and what the processes said.
    """
    out = tmp_path_factory.mktemp("two") / "m-"
    ended = together(world, out, tuple(TINY))
    assert [status for status, _, _ in ended] == [0, 0], ended
    losses = [json.loads(line)[1] for line in ended[0][1].splitlines()]
    return out, dict(zip(TINY, losses, strict=True)), ended


@pytest.fixture
def alone(world, one_thread, monkeypatch):
    """Train a recipe in this process alone."""
    monkeypatch.setattr(loop, "PART", PART)

    def run(recipe: str, out: Path | None = None) -> runs.Trained:
        monkeypatch.setitem(RECIPES, recipe, TINY[recipe])
        questions = world / "birth_places_train.tsv"
        return runs.pretrain("rope", world / "wiki.txt", out, questions, recipe=recipe, show=False)

    return run


@pytest.mark.parametrize("recipe", ["spans", "salient"])
def test_one_process_and_two_give_the_same_losses_and_weights(two, alone, tmp_path, recipe) -> None:
    """Bit for bit, with dropout and with Muon."""
    losses = alone(recipe, tmp_path / recipe).losses
    assert len(losses) == TINY[recipe].pretrain.steps
    assert two[1][recipe] == losses
    theirs = two[0].parent / f"m-{recipe}" / "model.safetensors"
    assert (tmp_path / recipe / "model.safetensors").read_bytes() == theirs.read_bytes()


def test_the_engine_of_fixed_shape_gives_them_within_rounding(two, alone) -> None:
    assert two[1]["no dropout"] == pytest.approx(alone("no dropout").losses, rel=1e-6)


def test_only_the_first_process_writes_and_shows(two) -> None:
    out, _, [(_, _, shown), (_, said, errors)] = two
    assert "pretrain rope: step 12 of 12" in shown
    assert "Traceback" not in shown
    assert (said, errors.count("pretrain rope")) == ("", 0)
    assert sorted(path.name for path in out.parent.iterdir()) == [f"m-{recipe}" for recipe in sorted(TINY)]


def assert_told(ended: list[tuple[int, str, str]], victim: int) -> None:
    """One was killed, and the other said so in one line."""
    assert ended[victim][0] == -signal.SIGKILL
    status, _, errors = ended[1 - victim]
    assert status == 2, errors
    [told] = [line for line in errors.splitlines() if line.startswith("kqa: ")]
    assert f"process {1 - victim} of 2 lost another one" in told and "start the same command again" in told
    assert "Traceback" not in errors


@pytest.mark.nightly
def test_killed_and_started_again_two_processes_end_bit_for_bit_the_same(world, two, tmp_path) -> None:
    assert_told(together(world, tmp_path / "k-", ("salient",), killed_at=(-1, 7)), victim=1)
    again = together(world, tmp_path / "k-", ("salient",))
    assert [status for status, _, _ in again] == [0, 0], again
    resumed_at, losses = json.loads(again[0][1])
    assert 0 < resumed_at < 8
    assert losses == two[1]["salient"]
    never = two[0].parent / "m-salient" / "model.safetensors"
    assert (tmp_path / "k-salient" / "model.safetensors").read_bytes() == never.read_bytes()


def test_one_process_takes_up_what_two_began(world, two, tmp_path, alone) -> None:
    assert_told(together(world, tmp_path / "k-", ("spans",), killed_at=(7, -1)), victim=0)
    done = alone("spans", tmp_path / "k-spans")
    assert 0 < done.resumed_at < 12
    assert done.losses == two[1]["spans"]


def test_a_port_that_is_taken_is_one_line(world, tmp_path) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        port = taken.getsockname()[1]
        process = started(world, tmp_path / "m-", ("spans",), 0, port)
        _, errors = process.communicate(timeout=600)
    assert process.returncode == 2
    [told] = [line for line in errors.splitlines() if line.startswith("kqa: ")]
    assert (
        f"127.0.0.1:{port}: the processes could not connect there (the port is in use): give torchrun another"
        in told
    )
    assert "Traceback" not in errors
    assert not list(tmp_path.iterdir())


@pytest.mark.nightly
def test_torchrun_starts_the_command(world, tmp_path) -> None:
    """The command of docs/training.md."""
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node=2",
        "-m",
        "kqa_core.cli",
    ]
    questions = ["--finetune_corpus_path", str(world / "birth_places_train.tsv")]
    command = ["pretrain", "rope", str(world / "wiki.txt"), *questions, "--recipe", "small", "--steps", "2"]
    ended = subprocess.run(
        [*torchrun, *command, "--writing_params_path", str(tmp_path / "m")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    [said] = ended.stdout.splitlines()
    assert said.startswith(f"{tmp_path / 'm'}: rope, ") and ", 2 steps in float32, " in said
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_shares_are_a_division_of_the_rows() -> None:
    rows = torch.arange(10)
    for size in (1, 2, 3, 4):
        shares = [World(rank, size).shard(rows) for rank in range(size)]
        assert torch.cat(shares).sort().values.equal(rows)
        assert max(map(len, shares)) - min(map(len, shares)) <= 1
        tables = [share_of_table(rows.view(1, 10), rank, size) for rank in range(size)]
        assert len({each.shape for each in tables}) == 1, "as many for each"
        assert [each[each >= 0].tolist() for each in tables] == [share.tolist() for share in shares]
