"""What every kernel must do, on whatever runs it:
Triton's interpreter (TRITON_INTERPRET=1) on a CPU, or a GPU.

`test_triton.py` runs this file in a process of its own, because Triton is an interpreter or a compiler from
its first import on.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
import torch
from portions import portion
from torch import Tensor

from kqa_core.kernels import one_tile, span_rows
from kqa_core.text.span_corruption import DocumentTable, corrupt_rows
from kqa_core.text.vocabulary import Vocabulary

INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"
DEVICE = "cpu" if INTERPRETED else "cuda"
TYPES = (
    [torch.float32, torch.float16] if INTERPRETED else [torch.float32, torch.float16, torch.bfloat16]
)  # interpreted bfloat16 is wrong
UNIT = {torch.float32: 2**-24, torch.float16: 2**-11, torch.bfloat16: 2**-8}
KERNELS = sorted(Path(one_tile.__file__).parent.glob("*.py"))
# the interpreter takes minutes for what a GPU does in seconds
DRAWS = portion(range(24), 3, *KERNELS) if INTERPRETED else range(200)
ROWS = portion(range(10), 3, *KERNELS) if INTERPRETED else range(100)


def heads(B: int, nh: int, T: int, hs: int, draw: random.Random, dtype: torch.dtype) -> Tensor:
    """(B, nh, T, hs) as a projection leaves it, contiguous, or with its innermost stride not 1."""
    kind = draw.choice(("projection", "contiguous", "turned"))
    if kind == "projection":
        x = torch.randn(B, T, nh * hs).view(B, T, nh, hs).transpose(1, 2)
    else:
        x = torch.randn(B, nh, T, hs) if kind == "contiguous" else torch.randn(B, nh, hs, T).transpose(2, 3)
    return x.to(DEVICE, dtype)


def problem(seed: int, dtype: torch.dtype, causal: bool | None = None):
    """A random attention: gradient of the output, then the operator's arguments."""
    draw = random.Random(seed)
    torch.manual_seed(seed)
    T = draw.choice((1, 2, 15, 16, 17, 31, 33, 64, 127, 128, draw.randint(1, 128)))
    B, nh = draw.randint(1, 3), draw.randint(1, 4)
    hs, hv = draw.choice((1, 3, 8, 16, 32, 33, 64)), draw.choice((1, 5, 16, 32, 64))
    query, value, grad = (heads(B, nh, T, width, draw, dtype) for width in (hs, hv, hv))
    shared = draw.random() < 0.5
    key = torch.randn(hs, T).t().to(DEVICE, dtype) if shared else heads(B, nh, T, hs, draw, dtype)
    offset = None
    if draw.random() < 0.6:
        offset = torch.randn(T)
        offset[1:][torch.rand(T - 1) < 0.2] = -torch.inf  # keys that nobody may read; one always remains
        offset = offset.to(DEVICE)
    scale = draw.choice((1.0, hs**-0.5, 0.3))
    return grad, query, key, value, offset, scale, draw.random() < 0.7 if causal is None else causal


def wide(tensors):
    return [x.double() if isinstance(x, Tensor) else x for x in tensors]


def sizes(grad, query, key, value, offset, scale, causal):
    """What each result would be if nothing cancelled: rounding is in proportion to it. Float64."""
    weights = one_tile.reference_weights(query, key, offset, scale, causal)
    d_weights = grad.abs() @ value.abs().transpose(-2, -1)
    d_logits = weights * (d_weights + (weights * d_weights).sum(-1, keepdim=True))
    d_key = scale * d_logits.transpose(-2, -1) @ query.abs()
    logits = scale * (query.abs() @ key.abs().transpose(-2, -1))
    results = (
        weights @ value.abs(),
        scale * d_logits @ key.abs(),
        d_key.sum((0, 1)) if key.dim() == 2 else d_key,
        weights.transpose(-2, -1) @ grad.abs(),
        d_logits.sum((0, 1, 2)),
    )
    return results, float(logits.max())


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("seed", DRAWS)
def test_forward_and_backward_are_the_reference_in_float64(seed: int, dtype: torch.dtype) -> None:
    """Each product sums at most 128 terms in float32 (error under 128 · 2⁻²⁴ of their size), after the
    logits' own error went through the exponential; operands and results are rounded once each to `dtype`.
    Four of each is allowed.
    """
    grad, *inputs = problem(seed, dtype)
    got = [one_tile.attention(*inputs), *one_tile.attention_backward(grad, *inputs)]
    expected = [one_tile.reference(*wide(inputs)), *one_tile.reference_backward(*wide([grad, *inputs]))]
    allowed, logit = sizes(*wide([grad, *inputs]))
    unit = 4 * (UNIT[dtype] * (dtype is not torch.float32) + 2**-24 * 128 * (2 + logit))
    # under 2⁻²⁴ · a few terms of the size of Q, K float16 has no numbers
    smallest = 2**-22 if dtype is torch.float16 else 0.0
    if inputs[3] is None:
        assert got[4].numel() == 0
        got, expected, allowed = got[:4], expected[:4], allowed[:4]
    for name, ours, theirs, size in zip(
        ("out", "query", "key", "value", "offset"), got, expected, allowed, strict=False
    ):
        assert ours.shape == theirs.shape and ours.dtype == (torch.float32 if name == "offset" else dtype)
        excess = (ours.double() - theirs).abs() - unit * size - smallest * 128
        assert excess.max() <= 1e-30, f"{name}: over what rounding explains by {excess.max():.2e}"


@pytest.mark.parametrize("dtype", TYPES, ids=str)
@pytest.mark.parametrize("shared", [False, True])
def test_the_past_does_not_see_the_future_to_the_bit(shared: bool, dtype: torch.dtype) -> None:
    torch.manual_seed(1)
    B, nh, T, hs = 1, 2, 37, 16
    query, key, value, grad = (torch.randn(B, nh, T, hs, device=DEVICE, dtype=dtype) for _ in range(4))
    key = key[0, 0] if shared else key
    out = one_tile.attention(query, key, value, None, 0.25, True)
    for t in (1, 16, 36):
        changed = [x.clone() for x in (query, key, value)]
        for x in changed:
            x[..., t:, :] *= -100
        assert torch.equal(one_tile.attention(*changed, None, 0.25, True)[:, :, :t], out[:, :, :t])
        early = grad.clone()
        early[:, :, t:] = 0  # a loss that reads positions before t
        _, d_key, d_value, _ = one_tile.attention_backward(early, query, key, value, None, 0.25, True)
        assert d_key[..., t:, :].eq(0).all() and d_value[:, :, t:].eq(0).all()
        assert d_value[:, :, :t].ne(0).any()


@pytest.mark.parametrize("causal", [False, True])
def test_weights_sum_to_one(causal: bool) -> None:
    _, query, key, value, offset, scale, _ = problem(5, torch.float32)
    out = one_tile.attention(query, key, torch.ones_like(value), offset, scale, causal)
    assert (out - 1).abs().max() <= 128 * 2**-23  # two sums of at most 128 terms, in different orders


def test_heads_do_not_mix_and_their_order_changes_no_bit() -> None:
    grad, query, key, value, _, scale, causal = problem(11, torch.float32)
    key = torch.randn(query.shape, device=DEVICE)
    order = torch.randperm(query.shape[1], device=DEVICE)
    straight = one_tile.attention_backward(grad, query, key, value, None, scale, causal)[:3]
    turned = one_tile.attention_backward(
        *(x[:, order] for x in (grad, query, key, value)), None, scale, causal
    )[:3]
    for a, b in zip(straight, turned, strict=True):
        assert torch.equal(a[:, order], b)


def test_without_a_mask_the_order_of_keys_does_not_matter() -> None:
    torch.manual_seed(2)
    query, key, value = (torch.randn(1, 2, 50, 16, device=DEVICE) for _ in range(3))
    order = torch.randperm(50, device=DEVICE)
    expected = one_tile.attention(query, key, value, None, 0.25, False)
    got = one_tile.attention(query, key[:, :, order], value[:, :, order], None, 0.25, False)
    assert (got - expected).abs().max() <= 1e-5  # sums of 50 terms of size 4 at most, in another order
    assert not torch.allclose(
        one_tile.attention(query, key, value[:, :, order], None, 0.25, False), expected, atol=1e-2
    )


def test_the_same_inputs_give_the_same_bits() -> None:
    torch.manual_seed(3)
    query, value, grad = (torch.randn(4, 4, 24, 16, device=DEVICE) for _ in range(3))
    table, offset = torch.randn(24, 16, device=DEVICE), torch.randn(24, device=DEVICE)
    first = one_tile.attention_backward(grad, query, table, value, offset, 1.0, True)
    again = one_tile.attention_backward(grad, query, table, value, offset, 1.0, True)
    assert all(torch.equal(a, b) for a, b in zip(first, again, strict=True))


def test_a_position_that_may_read_nothing_gets_nan_and_no_other_does() -> None:
    query, key, value = (torch.randn(1, 1, 4, 16, device=DEVICE) for _ in range(3))
    offset = torch.tensor([-torch.inf, 0, 0, 0], device=DEVICE)
    out = one_tile.attention(query, key, value, offset, 1.0, True)
    assert out[0, 0, 0].isnan().all() and out[0, 0, 1:].isfinite().all()


@pytest.mark.parametrize("shared", [False, True])
def test_the_operators_are_registered_as_torch_wants_them(shared: bool) -> None:
    torch.manual_seed(4)
    query, value = (torch.randn(2, 2, 5, 4, device=DEVICE, requires_grad=True) for _ in range(2))
    key = torch.randn(*((5, 4) if shared else (2, 2, 5, 4)), device=DEVICE, requires_grad=True)
    offset = torch.randn(5, device=DEVICE, requires_grad=True) if shared else None
    torch.library.opcheck(one_tile.attention, (query, key, value, offset, 0.5, True))
    table = DocumentTable(["abc", "defabc"], Vocabulary.from_text("abcdef")).to(DEVICE)
    rows, steps = torch.tensor([0, 1, 1], device=DEVICE), torch.arange(3, device=DEVICE)
    arguments = (
        table.flat,
        table.offsets,
        table.lengths,
        rows,
        steps,
        span_rows.seed_words(3, table.flat.device),
        16,
    )
    torch.library.opcheck(span_rows.span_rows, arguments)


def test_a_compiled_function_holds_the_kernel_and_its_gradient_in_one_graph() -> None:
    torch.manual_seed(5)
    query, key, value = (torch.randn(1, 2, 20, 16, device=DEVICE, requires_grad=True) for _ in range(3))

    def loss(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        return one_tile.attention(query * 2, key, value, None, 0.25, True).square().sum()

    expected = torch.autograd.grad(loss(query, key, value), (query, key, value))
    compiled = torch.compile(loss, fullgraph=True, backend="aot_eager" if INTERPRETED else "inductor")
    got = torch.autograd.grad(compiled(query, key, value), (query, key, value))
    for a, b in zip(got, expected, strict=True):
        torch.testing.assert_close(a, b)


ALPHABET = "abcdefghij é"
VOCABULARY = Vocabulary.from_text(ALPHABET)


@pytest.mark.parametrize("seed", ROWS)
def test_corrupted_rows_are_those_of_a_cpu_bit_for_bit(seed: int) -> None:
    draw = random.Random(seed)
    documents = [
        "".join(draw.choices(ALPHABET, k=draw.choice((0, 1, 3, 4, 5, 40, 111, 112, 113, 300))))
        for _ in range(12)
    ]
    block, key = draw.choice((16, 17, 100, 128, 128, 129, 255)), draw.getrandbits(64)
    table = DocumentTable(documents, VOCABULARY)
    rows = torch.tensor(draw.choices(range(12), k=draw.choice((1, 8, 9, 30))))
    step: int | Tensor = draw.getrandbits(32)
    if draw.random() < 0.5:
        step = torch.tensor([draw.getrandbits(32) for _ in rows])
    expected = corrupt_rows(table, rows, block, key, step)  # torch, on the CPU
    got = span_rows.corrupted(table.to(DEVICE), rows, block, key, step)
    assert got.dtype == torch.int64 and torch.equal(got.cpu(), expected)


@pytest.mark.skipif(INTERPRETED, reason="the seam asks for a kernel on a GPU only")
@pytest.mark.parametrize("variant", ["vanilla", "rope", "synthesizer"])
def test_a_model_learns_the_same_through_either(variant: str) -> None:
    from kqa_core import kernels
    from kqa_core.model.config import GPTConfig
    from kqa_core.model.gpt import GPT

    dropout = {"embedding_dropout": 0.0, "attention_dropout": 0.0, "residual_dropout": 0.0}
    torch.manual_seed(0)
    model = GPT(GPTConfig(40, n_layer=2, variant=variant, **dropout)).to(DEVICE)
    tokens = torch.randint(1, 40, (8, 100), device=DEVICE)
    found = {}
    for choice in ("torch", "triton"):
        model.zero_grad()
        with kernels.using(choice), torch.autocast("cuda", torch.bfloat16):
            _, loss = model(tokens[:, :-1], tokens[:, 1:])
        assert loss is not None
        loss.backward()
        found[choice] = (
            float(loss.detach()),
            torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]),
        )
    (loss_a, grad_a), (loss_b, grad_b) = found["torch"], found["triton"]
    assert abs(loss_a - loss_b) < 2e-3  # bfloat16 rounds by 2⁻⁹; the loss is near ln 40
    assert (grad_a - grad_b).norm() < 0.03 * grad_a.norm()


@pytest.mark.skipif(INTERPRETED, reason="the seam asks for a kernel on a GPU only")
def test_a_compiled_model_holds_the_kernels_in_one_graph() -> None:
    from kqa_core import kernels

    query, key, value = (torch.randn(2, 2, 64, 32, device=DEVICE, dtype=torch.bfloat16) for _ in range(3))
    table, offset = torch.randn(32, 128, device=DEVICE), torch.randn(128, device=DEVICE)

    def both() -> Tensor:
        return kernels.causal_attention(query, key, value) + kernels.synthesized_attention(
            query, table, offset, value
        )

    with kernels.using("triton"):
        assert torch.equal(torch.compile(both, fullgraph=True, backend="aot_eager")(), both())


@pytest.mark.skipif(INTERPRETED, reason="a CUDA graph wants a GPU")
def test_a_captured_graph_draws_new_rows_for_a_new_step() -> None:
    table = DocumentTable([ALPHABET * 12] * 4, VOCABULARY).to(DEVICE)
    rows, step = torch.arange(4, device=DEVICE), torch.zeros(1, dtype=torch.int64, device=DEVICE)
    span_rows.corrupted(table, rows, 128, 9, step)  # compiled before it is captured
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        out = span_rows.corrupted(table, rows, 128, 9, step)
    on_cpu = DocumentTable([ALPHABET * 12] * 4, VOCABULARY)
    for number in (0, 1, 77):
        step.fill_(number)
        graph.replay()
        assert torch.equal(out.cpu(), corrupt_rows(on_cpu, torch.arange(4), 128, 9, number))
