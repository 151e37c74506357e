"""One-tile attention in plain torch, its operator, and the seam through which models reach it."""

from __future__ import annotations

import math
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from kqa_core import kernels
from kqa_core.errors import UserError
from kqa_core.kernels import one_tile
from kqa_core.model.attention import attention, merge_heads, softmax

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]


def problem(seed: int, longest: int = 128):
    """Arguments of the operator in float64: shapes, sharing, offset, mask and scale drawn from the seed."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    B, nh, T, hs, hv = (
        draw.randint(1, 2),
        draw.randint(1, 3),
        draw.randint(1, longest),
        draw.randint(1, 9),
        draw.randint(1, 9),
    )
    shape = (T, hs) if draw.random() < 0.5 else (B, nh, T, hs)
    query, key, value = (
        torch.randn(*size, dtype=torch.float64) for size in ((B, nh, T, hs), shape, (B, nh, T, hv))
    )
    offset = torch.randn(T, dtype=torch.float64) if draw.random() < 0.5 else None
    return query, key, value, offset, draw.choice((1.0, hs**-0.5)), draw.random() < 0.7


def literal(
    query: Tensor, key: Tensor, value: Tensor, offset: Tensor | None, scale: float, causal: bool
) -> Tensor:
    """The equation with nothing shared and nothing fused."""
    T = query.shape[2]
    logits = torch.einsum("bhtc,bhsc->bhts", query, key.expand(*query.shape[:2], *key.shape[-2:])) * scale
    logits = logits + (0 if offset is None else offset)
    if causal:
        logits = logits.masked_fill(torch.arange(T)[None, :] > torch.arange(T)[:, None], -math.inf)
    return torch.einsum("bhts,bhsc->bhtc", softmax(logits), value)


@pytest.mark.parametrize("seed", range(20))
def test_values_and_written_out_gradients_are_those_of_the_equation(seed: int) -> None:
    inputs = problem(seed)
    tensors = [x.requires_grad_() for x in inputs if isinstance(x, Tensor)]
    out = one_tile.attention(*inputs)
    expected = literal(*inputs)
    torch.testing.assert_close(out, expected)
    grad = torch.randn_like(out)
    for ours, theirs in zip(
        torch.autograd.grad(out, tensors, grad), torch.autograd.grad(expected, tensors, grad), strict=True
    ):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("seed", range(6))
def test_gradients_agree_with_finite_differences(seed: int) -> None:
    query, key, value, offset, scale, causal = problem(seed, longest=5)
    tensors = [x.requires_grad_() for x in (query, key, value)]
    assert torch.autograd.gradcheck(
        lambda q, k, v: one_tile.attention(q, k, v, offset, scale, causal), tensors
    )


def test_it_is_the_courses_attention() -> None:
    torch.manual_seed(0)
    query, key, value = (torch.randn(2, 3, 12, 8, dtype=torch.float64) for _ in range(3))
    allowed = torch.ones(12, 12, dtype=torch.bool).tril()
    got = one_tile.attention(query, key, value, None, 8**-0.5, True)
    torch.testing.assert_close(got, attention(query, key, value, allowed))


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_half_precision_is_summed_in_float32(dtype: torch.dtype) -> None:
    """A weighted mean of numbers equal to 1 is 1 in any type,
    if the weights were not rounded before they were summed.
    """
    query, key = (torch.randn(1, 2, 128, 8).to(dtype) for _ in range(2))
    out = one_tile.attention(query, key, torch.ones_like(query), None, 1.0, True)
    assert out.dtype == dtype and out.eq(1).all()


@pytest.mark.parametrize("shared", [False, True])
def test_the_operators_are_registered_as_torch_wants_them(shared: bool) -> None:
    torch.manual_seed(1)
    query, value = (torch.randn(2, 2, 5, 4, requires_grad=True) for _ in range(2))
    key = torch.randn(*((5, 4) if shared else (2, 2, 5, 4)), requires_grad=True)
    offset = torch.randn(5, requires_grad=True) if shared else None
    torch.library.opcheck(one_tile.attention, (query, key, value, offset, 0.5, True))
    inputs = tuple(x.detach() if isinstance(x, Tensor) else x for x in (query, key, value, offset))
    torch.library.opcheck(one_tile.attention_backward, (torch.randn(2, 2, 5, 4), *inputs, 0.5, True))


def test_a_compiled_function_holds_operator_and_gradient_in_one_graph() -> None:
    torch.manual_seed(2)
    query, key, value = (torch.randn(1, 2, 9, 4, requires_grad=True) for _ in range(3))

    def loss(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return merge_heads(one_tile.attention(query * 2, key, value, None, 0.5, True)).square().sum()

    expected = torch.autograd.grad(loss(query, key, value), (query, key, value))
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager")
    for ours, theirs in zip(
        torch.autograd.grad(compiled(query, key, value), (query, key, value)), expected, strict=True
    ):
        torch.testing.assert_close(ours, theirs)


def test_merging_the_heads_of_a_result_copies_nothing() -> None:
    query = torch.randn(2, 3, 5, 4)
    out = one_tile.attention(query, query, query, None, 1.0, True)
    assert merge_heads(out).data_ptr() == out.data_ptr()


@pytest.mark.parametrize(
    ("shapes", "message"),
    [
        (((2, 3, 5, 4), (2, 3, 5, 4), (2, 3, 6, 4), None), "of one B, nh, T expected"),
        (((2, 3, 5, 4), (2, 3, 6, 4), (2, 3, 5, 4), None), r"shared by all heads, \(5, 4\) expected"),
        (((2, 3, 5, 4), (3, 5, 4), (2, 3, 5, 4), None), "shared by all heads"),
        (((2, 3, 5, 4), (5, 4), (2, 3, 5, 4), (4,)), r"one number a key, \(5,\), expected"),
        (((1, 1, 129, 4), (129, 4), (1, 1, 129, 4), None), "1 to 128 positions"),
        (((1, 1, 5, 129), (5, 129), (1, 1, 5, 4), None), "1 to 128 channels"),
        (((1, 1, 5, 4), (5, 4), (1, 1, 5, 0), None), "1 to 128 channels"),
    ],
)
def test_shapes_that_do_not_go_together_are_named(shapes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        one_tile.attention(*(None if shape is None else torch.zeros(shape) for shape in shapes), 1.0, True)


def test_types_that_do_not_go_together_are_named() -> None:
    x = torch.zeros(1, 1, 2, 2)
    with pytest.raises(ValueError, match=r"one type expected, not torch.float32, torch.float64"):
        one_tile.attention(x, x.double(), x, None, 1.0, True)


@pytest.mark.parametrize("choice", kernels.CHOICES)
def test_on_a_cpu_the_seam_is_torchs_call_bit_for_bit(choice: str) -> None:
    torch.manual_seed(3)
    query, key, value = (torch.randn(2, 2, 7, 4, requires_grad=True) for _ in range(3))
    results = []
    with kernels.using(choice):
        for call in (
            lambda: kernels.causal_attention(query, key, value),
            lambda: F.scaled_dot_product_attention(query, key, value, is_causal=True),
        ):
            torch.manual_seed(4)
            out = call()
            results.append((out, *torch.autograd.grad(out.square().sum(), (query, key, value))))
    assert all(torch.equal(a, b) for a, b in zip(*results, strict=True))


def test_the_synthesizer_by_constant_keys_is_the_formula_and_one_tile_is_too() -> None:
    """Float32 sums of 9 terms near 1 agree to 9 · 2⁻²⁴ and what the softmax makes of it:
    2e-6 leaves a factor of 3.
    """
    torch.manual_seed(5)
    query = torch.randn(2, 2, 7, 8).relu().requires_grad_()
    table, offset, value = (
        torch.randn(*shape, requires_grad=True) for shape in ((8, 12), (12,), (2, 2, 7, 8))
    )
    inputs = (query, table, offset, value)
    logits = (query @ table + offset)[..., :7].masked_fill(
        torch.ones(7, 7, dtype=torch.bool).triu(1), -math.inf
    )
    expected = softmax(logits) @ value
    grad = torch.randn_like(expected)
    gradients = torch.autograd.grad(expected, inputs, grad)
    ways = (
        kernels.synthesized_attention(query, table, offset, value),
        one_tile.attention(query, table[:, :7].t(), value, offset[:7], 1.0, True),
    )
    for out in ways:
        torch.testing.assert_close(out, expected, rtol=0, atol=2e-6)
        for ours, theirs in zip(torch.autograd.grad(out, inputs, grad), gradients, strict=True):
            torch.testing.assert_close(ours, theirs, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("choice", kernels.CHOICES)
def test_the_seam_stands_in_one_compiled_graph(choice: str) -> None:
    torch.manual_seed(6)
    query, table, offset, value = (
        torch.randn(*shape) for shape in ((1, 2, 5, 4), (4, 8), (8,), (1, 2, 5, 4))
    )

    def both(query: Tensor) -> Tensor:
        return kernels.causal_attention(query, query, value) + kernels.synthesized_attention(
            query, table, offset, value
        )

    with kernels.using(choice):
        torch.testing.assert_close(
            torch.compile(both, fullgraph=True, backend="aot_eager")(query), both(query)
        )


@pytest.mark.parametrize(
    ("choice", "chosen"), [("torch", [False, False]), ("auto", [False, True]), ("triton", [True, True])]
)
def test_on_a_gpu_the_synthesizer_takes_our_kernel_by_itself_and_attention_if_asked(
    choice, chosen, monkeypatch
) -> None:
    serves, found = kernels._tile_serves, []

    def as_on_a_gpu(query: Tensor, value: Tensor, dropout: float, selecting: tuple[str, ...]) -> bool:
        there = SimpleNamespace(is_cuda=True, dtype=torch.bfloat16, shape=query.shape)
        found.append(serves(there, value, dropout, selecting))
        assert not serves(there, value, 0.1, selecting), "our kernel has no dropout"
        assert not serves(query, value, dropout, selecting), "nor is it for a CPU"
        return False

    monkeypatch.setattr(kernels, "_tile_serves", as_on_a_gpu)
    monkeypatch.setattr(kernels, "HAS_TRITON", True)
    query, table, offset = torch.randn(1, 2, 5, 4), torch.randn(4, 8), torch.randn(8)
    with kernels.using(choice):
        kernels.causal_attention(query, query, query)
        kernels.synthesized_attention(query, table, offset, query)
    assert found == chosen


def test_a_choice_that_does_not_exist_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        pytest.raises(UserError, match=r"'cuda' is unknown .* expected one of auto, torch, triton"),
        kernels.using("cuda"),
    ):
        raise AssertionError("unreachable")
    monkeypatch.setattr(kernels, "_choice", "fast")  # as KQA_KERNELS=fast would
    x = torch.zeros(1, 1, 2, 2)
    with pytest.raises(UserError, match="'fast' is unknown"):
        kernels.causal_attention(x, x, x)


def test_triton_is_not_imported_before_a_kernel_is_launched() -> None:
    """A finder notes every attempt to import it: by the package, and by a model's step on a CPU."""
    code = """
import sys
class Noting:
    tried = False
    def find_spec(self, name, path=None, target=None):
        Noting.tried |= name == "triton"
sys.meta_path.insert(0, Noting())
import torch
Noting.tried = False
import kqa_core, kqa_core.model.gpt, kqa_core.kernels, kqa_core.training.batches
import kqa_core.training.runs, kqa_core.cli
from kqa_core.model.gpt import GPT
from kqa_core.model.config import GPTConfig
for variant in ("vanilla", "rope", "synthesizer"):
    model = GPT(GPTConfig(9, block_size=8, n_layer=1, n_head=2, d_model=8, variant=variant))
    tokens = torch.ones(1, 8, dtype=torch.int64)
    model(tokens, tokens)[1].backward()
print(Noting.tried, "triton" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=None, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["False", "False"], done.stdout + done.stderr
