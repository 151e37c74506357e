"""Training: recipes to the letter, batches that depend on the step alone, and runs that survive a kill."""

from __future__ import annotations

import dataclasses
import math
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from kqa_core.errors import UserError
from kqa_core.model import checkpoint
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.text.corpus import read_corpus, read_documents
from kqa_core.text.span_corruption import corrupt_batch
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training import loop, precision, recipes
from kqa_core.training import runs as train
from kqa_core.training.batches import Order, QuestionBatches, SalientBatches, SpanBatches, join, trim
from kqa_core.training.recipes import RECIPES, SMALL

pytestmark = pytest.mark.slow

# a recipe of seconds, with dropout, Muon and both kinds of rows: all that a resumed run must restore
TINY = recipes.Recipe(
    pretrain=dataclasses.replace(SMALL.pretrain, batch_size=8, steps=12),
    finetune=dataclasses.replace(SMALL.finetune, batch_size=8, epochs=2),
    scratch=dataclasses.replace(SMALL.scratch, batch_size=8, epochs=3),
    model={"n_layer": 1, "n_head": 2, "d_model": 16},
)


@pytest.fixture(autouse=True)
def tiny_recipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RECIPES, "tiny", TINY)


def same_weights(first: GPT, second: GPT) -> bool:
    theirs = second.state_dict()
    return all(torch.equal(tensor, theirs[name]) for name, tensor in first.state_dict().items())


def test_an_epoch_shows_every_row_once_and_the_next_in_another_order() -> None:
    order = Order(10, 4, seed=0, stream=1)
    first, second = ([order.rows(3 * e + i).tolist() for i in range(3)] for e in (0, 1))
    assert [len(rows) for rows in first] == [4, 4, 2]
    for epoch in (first, second):
        assert sorted(row for rows in epoch for row in rows) == list(range(10))
    assert first != second
    assert order.rows(1).tolist() == first[1], "going back gives the same rows"
    assert [order.rows_through(step) for step in range(4)] == [4, 8, 10, 14]


def test_the_assignment_keeps_the_order_of_the_file_and_the_others_do_not(world: Path) -> None:
    corpus = read_corpus(world)
    for recipe, kept in (("assignment", True), ("best", False)):
        source = train.prepare_pretrain("vanilla", corpus, recipe=recipe).source
        epochs = [
            torch.cat(
                [source.order.rows(e * source.steps_per_epoch + i) for i in range(source.steps_per_epoch)]
            )
            for e in (0, 7)
        ]
        assert (
            torch.equal(epochs[0], torch.arange(len(epochs[0]))) is torch.equal(epochs[0], epochs[1]) is kept
        )
        assert train.prepare_finetune("vanilla", corpus, recipe=recipe).source.order.shuffle is not kept


def test_batches_hang_on_the_step_alone(world: Path) -> None:
    corpus = read_corpus(world)
    documents, pairs, vocabulary = corpus.documents, corpus.train, corpus.vocabulary
    asked = dataclasses.replace(TINY.pretrain, generated_questions=True)

    def sources() -> list[SpanBatches | QuestionBatches | SalientBatches]:
        return [
            SpanBatches(documents, vocabulary, 128, 8, 1),
            QuestionBatches(pairs, vocabulary, 128, 8, 1),
            SalientBatches(corpus, 128, TINY.pretrain, 1),
            SalientBatches(corpus, 128, asked, 1),
        ]

    for used, fresh in zip(sources(), sources(), strict=True):
        for step in range(5):
            used.batch(step)
        for mine, theirs in zip(used.batch(4), fresh.batch(4), strict=True):
            assert torch.equal(mine, theirs)


def test_steps_drawn_together_are_those_drawn_alone(world: Path) -> None:
    documents = read_documents(world / "wiki.txt")
    vocabulary = Vocabulary.from_text("\n".join(documents))
    source = SpanBatches(documents, vocabulary, 128, 7, 1)
    for step in (0, 1, source.DRAWN - 1, source.DRAWN, 3 * source.DRAWN + 2, 2):
        alone = trim(*corrupt_batch(source.table, source.order.rows(step), 128, 1, step))
        for mine, theirs in zip(source.batch(step), alone, strict=True):
            assert torch.equal(mine, theirs)


def test_trimming_and_joining_keep_every_target() -> None:
    x, y = torch.tensor([[5, 6, 7, 0]]), torch.tensor([[0, 7, 0, 0]])
    assert [part.tolist() for part in trim(x, y)] == [[[5, 6]], [[0, 7]]]
    joined = join((x, y), (x[:, :2], y[:, :2]))
    assert joined[0].tolist() == [[5, 6, 7, 0], [5, 6, 0, 0]]
    assert joined[1].tolist() == [[0, 7, 0, 0], [0, 7, 0, 0]]


@pytest.mark.parametrize("loss_on", ["row", "span"])
def test_groups_of_similar_length_give_the_gradient_of_the_whole_batch(loss_on: str) -> None:
    torch.manual_seed(0)
    rates = {name: 0.0 for name in SMALL.model if name.endswith("dropout")}
    model = GPT(GPTConfig(30, n_layer=1, n_head=2, d_model=16, **rates)).double()  # type: ignore[arg-type]
    x = torch.randint(2, 30, (100, 20))
    y = x.roll(-1, dims=1).masked_fill(torch.arange(20) >= torch.randint(1, 20, (100, 1)), 0)
    if loss_on == "span":
        y = y.masked_fill(torch.arange(20) < torch.randint(0, 8, (100, 1)), 0)
    _, loss = model(x, y)
    assert loss is not None
    loss.backward()
    whole = [p.grad.clone() for p in model.parameters() if p.grad is not None]
    model.zero_grad()
    # the loss itself is float32
    assert loop.loss_and_gradient(model, (x, y), False) == pytest.approx(loss.item(), rel=1e-6)
    for mine, theirs in zip((p.grad for p in model.parameters()), whole, strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-8)


def test_parts_in_two_threads_give_the_gradient_of_one_thread_bit_for_bit(
    world: Path, monkeypatch: pytest.MonkeyPatch, one_thread: None
) -> None:
    phase = dataclasses.replace(TINY.pretrain, batch_size=80)
    recipe = dataclasses.replace(TINY, pretrain=phase, model={**SMALL.model, "n_layer": 1, "d_model": 16})
    monkeypatch.setitem(RECIPES, "tiny", recipe)
    corpus = read_corpus(world)

    def after(threads: int, **model: float | str) -> tuple[bool, list[torch.Tensor]]:
        torch.set_num_threads(threads)
        run = train.prepare_pretrain("rope", corpus, recipe="tiny", model=model)
        engine = loop.CpuEngine(run, [1.0])
        with engine.context():
            loss = loop.loss_and_gradient(run.model, run.source.batch(0), False, 0, engine.pool)
            threaded = engine.pool is not None
        assert engine.pool is None and torch.get_num_threads() == threads
        return threaded, [torch.tensor(loss), *(p.grad for p in run.model.parameters() if p.grad is not None)]

    (alone, first), (together, second) = after(1), after(2)
    assert (alone, together) == (False, True)
    assert len(first) > 10 and all(map(torch.equal, first, second))
    assert not after(2, residual_dropout=0.1)[0] and not after(2, fusion="shuffle")[0], "these are random"


def test_training_learns_and_finetuning_goes_on_from_it(world: Path, tmp_path: Path) -> None:
    wiki, pairs = world / "wiki.txt", world / "birth_places_train.tsv"
    done = train.pretrain("rope", wiki, tmp_path / "p", pairs, recipe="tiny", steps=60, show=False)
    assert sum(done.losses[-10:]) < 0.8 * sum(done.losses[:10])
    tuned = train.finetune("rope", wiki, pairs, tmp_path / "f", tmp_path / "p", recipe="tiny", show=False)
    fresh = train.finetune("rope", wiki, pairs, None, None, recipe="tiny", show=False)
    assert tuned.losses[0] < fresh.losses[0]
    assert same_weights(checkpoint.load(tmp_path / "f").model, tuned.model)
    in_memory = train.finetune("rope", wiki, pairs, None, done, recipe="tiny", show=False)
    assert same_weights(in_memory.model, tuned.model)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "p"]


def test_denormal_floats_are_zero_while_a_cpu_trains_and_only_then(world: Path) -> None:
    small, found = torch.tensor([1e-40]), []
    train.prepare_pretrain("rope", read_corpus(world), recipe="assignment", steps=2).train(
        watch=lambda done: found.append(float(small * 1))
    )
    assert found and not any(found)
    assert float(small * 1) > 0


def test_a_seed_is_a_run(world: Path) -> None:
    def weights(seed: int) -> GPT:
        return train.pretrain(
            "vanilla",
            world / "wiki.txt",
            None,
            world / "birth_places_train.tsv",
            recipe="tiny",
            seed=seed,
            steps=3,
            show=False,
        ).model

    torch.manual_seed(123)
    first = weights(1)
    state = torch.get_rng_state()
    torch.rand(5)
    assert same_weights(first, weights(1)), "whatever was drawn elsewhere"
    assert not same_weights(first, weights(2))
    torch.manual_seed(123)
    assert torch.equal(state, torch.get_rng_state()), "training draws nothing from the caller's generator"


KILLED = """
import os, signal, sys, time
import torch
torch.set_num_threads(1)
sys.path.insert(0, {tests!r})
from test_runs import TINY
from kqa_core.training import loop, runs
from kqa_core.training.recipes import RECIPES
RECIPES["tiny"] = TINY
plain = loop.loss_and_gradient
for steps in (5, 3, 11):  # killed three times, at whatever point of a step or of a save it happens to be
    told, tells = os.pipe()
    run = os.fork()
    if not run:
        def telling(*args):  # where it is, before each step
            os.write(tells, b".")
            return plain(*args)
        loop.loss_and_gradient = telling
        runs.pretrain(
            "rope", {wiki!r}, {out!r}, {pairs!r}, recipe="tiny", steps=40, show=False, save_seconds=0.0
        )
        os._exit(0)
    os.close(tells)
    for _ in range(steps):
        assert os.read(told, 1) == b"."
    time.sleep(0.003 * steps)
    os.kill(run, signal.SIGKILL)
    assert os.waitpid(run, 0)[1] == signal.SIGKILL and not os.path.exists({out!r})
"""


def test_killed_and_started_again_it_ends_bit_for_bit_the_same(
    world: Path, tmp_path: Path, one_thread: None
) -> None:
    out = tmp_path / "killed"
    paths = {"wiki": str(world / "wiki.txt"), "pairs": str(world / "birth_places_train.tsv"), "out": str(out)}
    script = KILLED.format(tests=str(Path(__file__).parent), **paths)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    resumed, never = (
        train.pretrain("rope", paths["wiki"], folder, paths["pairs"], recipe="tiny", steps=40, show=False)
        for folder in (out, tmp_path / "never")
    )
    assert 3 <= resumed.resumed_at < 40
    assert resumed.losses == never.losses
    assert (out / "model.safetensors").read_bytes() == (tmp_path / "never" / "model.safetensors").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["killed", "never"]


def stop_after(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    plain, seen = loop.loss_and_gradient, [0]

    def counted(*args: object) -> float:
        seen[0] += 1
        if seen[0] > steps:
            raise KeyboardInterrupt
        return plain(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(loop, "loss_and_gradient", counted)


def test_the_state_of_another_run_is_neither_continued_nor_lost(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = (world / "wiki.txt", tmp_path / "m", world / "birth_places_train.tsv")
    with monkeypatch.context() as patch:
        stop_after(patch, 3)
        with pytest.raises(KeyboardInterrupt):
            train.pretrain(
                "rope",
                *given,
                recipe="tiny",
                show=False,
                save_seconds=0.0,
            )
    before = (tmp_path / "m.resume" / "model.safetensors").read_bytes()
    with pytest.raises(
        UserError, match=r"m\.resume: the state of another run that was stopped \(other seed\)"
    ):
        train.pretrain("rope", *given, recipe="tiny", seed=9, show=False)
    assert (tmp_path / "m.resume" / "model.safetensors").read_bytes() == before
    done = train.pretrain("rope", *given, recipe="tiny", show=False)
    assert done.resumed_at == 3


def test_a_recipe_that_learns_its_cue_needs_train_questions(world: Path) -> None:
    with pytest.raises(UserError, match="finetune_corpus_path"):
        train.pretrain("rope", world / "wiki.txt", recipe="best", show=False)


def test_a_model_in_memory_must_fit_and_is_known_by_its_weights(world: Path) -> None:
    corpus = read_corpus(world)
    first, second = (
        train.prepare_pretrain("rope", corpus, recipe="tiny", seed=seed, steps=1).train(show=False)
        for seed in (1, 2)
    )
    one, other = (
        train.prepare_finetune("rope", corpus, done, recipe="tiny").description for done in (first, second)
    )
    assert one != other  # so that a killed run is not continued from another start
    for wanted, said in (
        (("vanilla", {}), "holds a rope model"),
        (("rope", {"n_layer": 2}), "n_layer 1, not 2"),
    ):
        with pytest.raises(UserError, match=f"^the given model: .*{said}"):
            train.prepare_finetune(wanted[0], corpus, first, recipe="tiny", model=wanted[1])
    strange = dataclasses.replace(first, vocabulary=Vocabulary.from_text("abc"))
    with pytest.raises(UserError, match="knows other characters"):
        train.prepare_finetune("rope", corpus, strange, recipe="tiny")


@pytest.mark.parametrize(
    ("field", "said"), [("n_layers", "did you mean n_layer"), ("variant", "no field of GPTConfig")]
)
def test_a_wrong_field_of_the_model_is_one_line(world: Path, field: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        train.prepare_pretrain("rope", read_corpus(world), model={field: 2})


def test_finetuning_needs_train_questions(world: Path) -> None:
    with pytest.raises(UserError, match="finetune_corpus_path"):
        train.prepare_finetune("rope", dataclasses.replace(read_corpus(world), train=()), recipe="tiny")


def test_a_loss_that_is_no_number_ends_in_one_line(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(model: GPT, *_: object) -> float:
        for parameter in model.parameters():
            parameter.grad = torch.full_like(parameter, math.inf)
        return math.inf

    monkeypatch.setattr(loop, "loss_and_gradient", broken)
    with pytest.raises(UserError, match="training diverged at step 0"):
        train.pretrain(
            "rope", world / "wiki.txt", None, world / "birth_places_train.tsv", recipe="tiny", show=False
        )


def test_the_precision_is_stated_and_chosen(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus, wide = read_corpus(world), {"n_layer": 1, "d_model": 256}
    for fast, expected in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(precision, "has_fast_bfloat16", lambda fast=fast: fast)
        run = train.prepare_pretrain("vanilla", corpus, device="cpu", steps=1, model=wide)
        assert run.description["precision"] == expected and run.bfloat16 is fast
        # on every processor
        assert not train.prepare_pretrain("rope", corpus, recipe="small", device="cpu", steps=1).bfloat16
    monkeypatch.setenv("KQA_PRECISION", "bfloat16")
    assert train.prepare_pretrain("vanilla", corpus, recipe="tiny", device="cpu").bfloat16
    monkeypatch.setenv("KQA_PRECISION", "half")
    with pytest.raises(UserError, match="KQA_PRECISION is 'half'; expected one of auto, float32, bfloat16"):
        train.prepare_pretrain("vanilla", corpus, recipe="tiny", device="cpu")
