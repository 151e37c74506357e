"""Steps of fixed shape, as a GPU's graph holds them:
the same training as the loop on a CPU, and nothing looked at on the way.

Everything but the last part runs on the CPU, one step at a time. The last part captures, where there is a
GPU.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from portions import portion
from tiny_runs import CPU, TINY, engine_of, host_losses, losses_of, prepared
from torch._subclasses.fake_tensor import DataDependentOutputException, FakeTensorMode

from kqa_core import cli
from kqa_core.errors import UserError
from kqa_core.hardware import find_device
from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.model.variant_registry import variant_names
from kqa_core.text.corpus import read_corpus, read_documents, read_pairs
from kqa_core.text.vocabulary import Vocabulary
from kqa_core.training import runs as train
from kqa_core.training.batches import QuestionBatches, SpanBatches, trim
from kqa_core.training.gpu_engine import STRIDE, DeviceBatches, HostBatches
from kqa_core.training.gpu_optimizer import GpuOptimizer
from kqa_core.training.loop import Run
from kqa_core.training.muon import StackedMuon, orthogonal
from kqa_core.training.optimizer import Optimizer, OptimizerConfig

PACKAGE = Path(train.__file__).parents[1]
pytestmark = [pytest.mark.usefixtures("tiny_recipes"), pytest.mark.slow]
SOURCES = sorted(path for part in ("model", "training") for path in (PACKAGE / part).rglob("*.py"))
DRAWN = portion([(variant, recipe) for variant in variant_names() for recipe in TINY], 6, *SOURCES)


def test_what_is_drawn_on_the_device_is_the_batch_of_that_step(world: Path) -> None:
    documents, pairs = read_documents(world / "wiki.txt"), read_pairs(world / "birth_places_train.tsv")
    vocabulary = Vocabulary.from_text("\n".join(documents) + "?W")
    for source in (
        SpanBatches(documents, vocabulary, 128, 7, 1),
        QuestionBatches(pairs, vocabulary, 128, 7, 1),
    ):
        steps = 2 * source.steps_per_epoch + 1
        draw = source.draw_on(CPU, steps)
        # the second but one: a short batch
        for step in (0, 1, source.steps_per_epoch - 1, source.steps_per_epoch, steps - 1):
            x, y = draw(torch.tensor([step]))
            assert x.shape == y.shape == (7, 127)
            known = (y != 0).any(dim=1)
            x, y = trim(x[known], y[known])
            expected_x, expected_y = source.batch(step)
            assert torch.equal(y, expected_y)
            assert torch.equal(x, expected_x)


@pytest.mark.parametrize("recipe", TINY)
def test_steps_of_fixed_shape_give_the_losses_of_the_loop(world: Path, recipe: str) -> None:
    engine = engine_of(prepared(world, recipe))
    assert isinstance(engine.batch, DeviceBatches if recipe == "spans" else HostBatches)
    ours, theirs = losses_of(engine, 20), host_losses(prepared(world, recipe))
    assert sum(theirs[-5:]) < sum(theirs[:5])
    # Float noise: sums in another order. Muon rounds its iteration to bfloat16, 8 bits, and that is fed back.
    assert ours == pytest.approx(theirs, rel=1e-5 if recipe == "spans" else 2e-3)
    assert ours[0] == pytest.approx(theirs[0], rel=1e-6)


def test_finetuning_of_fixed_shape_gives_the_losses_of_the_loop(world: Path) -> None:
    def run() -> Run:
        return train.prepare_finetune("vanilla", read_corpus(world), recipe="spans", device="cpu")

    first = run()
    assert losses_of(engine_of(first), first.steps) == pytest.approx(host_losses(run()), rel=1e-5)


@pytest.mark.parametrize(("variant", "recipe"), DRAWN)
def test_no_step_looks_at_a_value(world: Path, variant: str, recipe: str) -> None:
    """Fake tensors have shapes and no values: whatever asks for one, for a branch or a shape, raises."""
    run = prepared(world, recipe, variant)
    run.source.batch(0)  # constants are made once, from values
    engine = engine_of(run)
    engine.batch.stage(0)
    real = dict(run.model.named_parameters())
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fake = mode.from_tensor
        engine.batch = Faked(engine.batch, fake)  # type: ignore[assignment]
        engine.rates, engine.step, engine.metrics = (
            fake(engine.rates),
            fake(engine.step),
            fake(engine.metrics),
        )
        for module in run.model.modules():
            for name, parameter in list(module._parameters.items()):
                if parameter is not None:
                    module._parameters[name] = torch.nn.Parameter(
                        fake(parameter.detach()), parameter.requires_grad
                    )
            for name, buffer in list(module._buffers.items()):
                if buffer is not None:
                    module._buffers[name] = fake(buffer)
        engine.optimizer = GpuOptimizer(run.model, run.phase.optimizer, CPU)
        for _ in range(2):
            engine.take_one(0)
    assert real.keys() == dict(run.model.named_parameters()).keys()


class Faked:
    """The shapes of a batch."""

    def __init__(
        self, batch: DeviceBatches | HostBatches, fake: Callable[[torch.Tensor], torch.Tensor]
    ) -> None:
        x, y = batch(torch.zeros(1, dtype=torch.int64))
        self.x, self.y, self.stride = fake(x), fake(y), batch.stride

    def __call__(self, step: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return self.x, self.y


def test_the_draw_looks_at_no_value(world: Path) -> None:
    documents = read_documents(world / "wiki.txt")
    source = SpanBatches(documents, Vocabulary.from_text("\n".join(documents)), 128, 7, 1)
    draw = source.draw_on(CPU, 20)
    draw(torch.zeros(1, dtype=torch.int64))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        x, y = draw(mode.from_tensor(torch.zeros(1, dtype=torch.int64)))
    assert x.shape == y.shape == (7, 127)


def test_a_fake_tensor_tells_of_a_step_that_looks() -> None:
    """The two tests above can fail."""
    with FakeTensorMode() as mode, pytest.raises(DataDependentOutputException):
        float(mode.from_tensor(torch.ones(3)).sum())


def test_stacked_muon_is_torchs_muon() -> None:
    torch.manual_seed(0)
    shapes = [(16, 16), (64, 16), (16, 64), (16, 16)]
    start = [torch.randn(shape) for shape in shapes]
    ours, theirs = ([torch.nn.Parameter(each.clone()) for each in start] for _ in range(2))
    optimizers = (
        StackedMuon(ours, torch.tensor(0.02), 0.1),
        torch.optim.Muon(theirs, lr=0.02, weight_decay=0.1),
    )
    for _ in range(4):
        grads = [torch.randn(shape) for shape in shapes]
        for parameters, optimizer in zip((ours, theirs), optimizers, strict=True):
            for parameter, grad in zip(parameters, grads, strict=True):
                parameter.grad = grad.clone()
            optimizer.step()
    for mine, other, first in zip(ours, theirs, start, strict=True):
        moved = (other.detach() - first).norm()
        # bfloat16 rounds to 1 part in 256, here and there alike
        assert float((mine - other).detach().norm() / moved) < 0.01


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
def test_orthogonal_leaves_singular_values_near_1(dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    for shape in ((3, 16, 48), (3, 48, 16)):
        found = torch.linalg.svdvals(orthogonal(torch.randn(shape), dtype))
        assert float(found.min()) > 0.4 and float(found.max()) < 1.4  # what these coefficients settle between


def test_orthogonal_in_float32_rounds_like_float32() -> None:
    torch.manual_seed(0)
    for shape in ((3, 16, 48), (3, 48, 16), (2, 32, 32)):
        matrices = torch.randn(shape)
        assert (
            float((orthogonal(matrices, torch.float32) - orthogonal(matrices, torch.float64)).abs().max())
            < 1e-5
        )


def test_the_devices_optimizer_takes_the_loops_steps() -> None:
    config = OptimizerConfig(rate=1e-3, decay="assignment", clip=0.5)
    torch.manual_seed(0)
    model = GPT(GPTConfig(30, n_layer=1, n_head=2, d_model=16))
    other = GPT(model.config)
    other.load_state_dict(model.state_dict())
    host, device = Optimizer(model, config), GpuOptimizer(other, config, CPU)
    for factor in (1.0, 0.5, 0.1):
        host.set_factor(factor)
        device.set_factor(torch.tensor(factor))
        for mine, theirs in zip(model.parameters(), other.parameters(), strict=True):
            mine.grad = torch.randn_like(mine)
            theirs.grad = mine.grad.clone()
        host.step()
        device.step()
    for mine, theirs in zip(model.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(mine, theirs, rtol=1e-5, atol=1e-7)
    assert device.state_tensors().keys() == host.state_tensors().keys()


@pytest.mark.parametrize("recipe", TINY)
def test_a_state_taken_over_goes_on_as_if_nothing_had_been(world: Path, recipe: str) -> None:
    never = losses_of(engine_of(prepared(world, recipe)), 20)
    first = engine_of(prepared(world, recipe))
    before = losses_of(first, 2 * STRIDE)
    second = engine_of(prepared(world, recipe))
    second.model.load_state_dict(first.model.state_dict())
    second.optimizer.load_state_tensors(
        {name: each.clone() for name, each in first.optimizer.state_tensors().items()}
    )
    begun, after = len(before), list[float]()
    with torch.random.fork_rng(), second.context():
        while begun < 20:
            begun += second.submit(begun)
            after += second.collect(wait=True)
    assert before + after == never


def test_a_gradient_that_is_not_finite_is_found_when_it_is_fetched(world: Path) -> None:
    engine = engine_of(prepared(world, "spans"))
    engine.submit(0)
    assert len(engine.collect(wait=True)) == STRIDE
    with torch.no_grad():
        engine.model.head.weight.fill_(math.inf)
    engine.submit(STRIDE)
    with pytest.raises(UserError, match=f"training diverged at step {STRIDE} "):
        engine.collect(wait=True)


def test_the_device_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert find_device("cpu") == CPU
    with pytest.raises(UserError, match="device: 'gpu' is unknown; expected one of auto, cpu, cuda"):
        find_device("gpu")
    monkeypatch.setenv("KQA_DEVICE", "tpu")
    with pytest.raises(UserError, match="KQA_DEVICE is 'tpu'"):
        find_device("auto")
    monkeypatch.setenv("KQA_DEVICE", "cpu")
    assert find_device("auto") == CPU
    monkeypatch.delenv("KQA_DEVICE")
    assert find_device("auto").type == ("cuda" if torch.cuda.is_available() else "cpu")


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_a_gpu_that_is_not_there_is_one_line_and_nothing_else(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = [
        "pretrain",
        "vanilla",
        str(world / "wiki.txt"),
        "--writing_params_path",
        str(tmp_path / "m"),
        "--device",
        "cuda",
    ]
    monkeypatch.setattr(sys, "argv", ["kqa", *wanted])
    with pytest.raises(SystemExit) as end:
        cli.main()
    assert end.value.code == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("kqa: device: cuda needs a GPU, and torch finds none here")
    assert not list(tmp_path.iterdir())
