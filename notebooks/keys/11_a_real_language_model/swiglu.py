"""Answer key of swiglu. The oracle is made of torch's own modules."""

from __future__ import annotations

import random

import torch
import torch.nn.functional as F
from course_exercises.swiglu import case, expected, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import HERE, again, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Unequal sizes, any number of axes, another layout and precision; gradients; one call many times."""
    for shape, inner in (((3, 5, 4), 12), ((1, 1, 2), 1), ((7, 6), 3), ((2, 2, 3, 5), 5), ((4,), 8)):
        given = case(rng, *shape, inner=inner)
        judge(again(answer, *given), given)
    x, *weights = given = case(rng, 3, 4, 6, inner=9)
    judge(answer(Build(f"{HERE}:strided", (x,)), *weights), given, ", not contiguous,")
    gate, up, down = (each.float() for each in weights)
    single = x.float(), gate, up, down
    judge(answer(*single), single, ", in float32,")
    gradients_agree(answer, expected, dict(zip(("x", "w_gate", "w_up", "w_down"), given, strict=True)))
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """An inner layer of several widths."""
    return [case(rng, 2, 3, 4, inner=7), case(rng, 2, 5, 3, inner=3), case(rng, 1, 2, 6, inner=2)]


def swiglu(x, w_gate, w_up, w_down):
    """The reference."""
    gate = F.silu(x @ w_gate.T)  # (…, inner)
    return (gate * (x @ w_up.T)) @ w_down.T


def with_a_sigmoid(x, w_gate, w_up, w_down):
    """silu written out."""
    z = x @ w_gate.T
    return (z * torch.sigmoid(z) * (x @ w_up.T)) @ w_down.T


def by_linear(x, w_gate, w_up, w_down):
    """torch's linear layers."""
    opened = F.silu(F.linear(x, w_gate))
    return F.linear(torch.mul(opened, F.linear(x, w_up)), w_down)


def one_big_projection(x, w_gate, w_up, w_down):
    """Gate and up in one product, cut in two."""
    gate, up = F.linear(x, torch.cat((w_gate, w_up))).chunk(2, dim=-1)
    return F.linear(gate / (1 + torch.exp(-gate)) * up, w_down)


def by_einsum(x, w_gate, w_up, w_down):
    """einsum for each product."""
    gate = torch.einsum("...d,md->...m", x, w_gate)
    up = torch.einsum("...d,md->...m", x, w_up)
    return torch.einsum("...m,dm->...d", torch.nn.SiLU()(gate) * up, w_down)


def columns_first(x, w_gate, w_up, w_down):
    """The components stand in front."""
    y = x.unsqueeze(-1)  # (…, d, 1)
    inner = F.silu(w_gate @ y) * (w_up @ y)  # (…, inner, 1)
    return (w_down @ inner).squeeze(-1)


def by_tanh(x, w_gate, w_up, w_down):
    """The sigmoid of z is (1 + tanh(z/2))/2."""
    z = torch.matmul(x, w_gate.t())
    gate = z * 0.5 * (1 + torch.tanh(z / 2))
    return torch.matmul(gate * torch.matmul(x, w_up.t()), w_down.t())


def silu_on_up(x, w_gate, w_up, w_down):
    """silu is on the projection w_up. It belongs to the gate."""
    return ((x @ w_gate.T) * F.silu(x @ w_up.T)) @ w_down.T


def silu_on_the_product(x, w_gate, w_up, w_down):
    """silu is on the product. It belongs to the gate alone."""
    return F.silu((x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def silu_on_both(x, w_gate, w_up, w_down):
    """silu is on both projections. It belongs to the gate alone."""
    return (F.silu(x @ w_gate.T) * F.silu(x @ w_up.T)) @ w_down.T


def a_sum(x, w_gate, w_up, w_down):
    """Gate and up are added. The gate multiplies."""
    return (F.silu(x @ w_gate.T) + x @ w_up.T) @ w_down.T


def sigmoid_gate(x, w_gate, w_up, w_down):
    """Your gate is a sigmoid. silu(z) is z times the sigmoid of z."""
    return (torch.sigmoid(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def gelu_gate(x, w_gate, w_up, w_down):
    """Your gate has GELU, which gives GEGLU. SwiGLU has silu."""
    return (F.gelu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def relu_gate(x, w_gate, w_up, w_down):
    """Your gate has ReLU. SwiGLU has silu, which is smooth."""
    return (F.relu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def no_silu(x, w_gate, w_up, w_down):
    """Nothing bends your gate: put silu on it."""
    return ((x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def no_gate(x, w_gate, w_up, w_down):
    """The gate is left out. It multiplies the projection w_up, entry by entry."""
    return F.silu(x @ w_up.T) @ w_down.T


def no_up(x, w_gate, w_up, w_down):
    """w_up is not used. The gate multiplies its projection, entry by entry."""
    return F.silu(x @ w_gate.T) @ w_down.T


def residual(x, w_gate, w_up, w_down):
    """x is added at the end. The block does that, not this layer."""
    return x + (F.silu(x @ w_gate.T) * (x @ w_up.T)) @ w_down.T


def not_transposed(x, w_gate, w_up, w_down):
    """Your matrices are not transposed. A weight has the shape (out, in), so a projection is x @ w.T."""
    return (F.silu(x @ w_gate) * (x @ w_up)) @ w_down


def softmax_gate(x, w_gate, w_up, w_down):
    """Your gate is a softmax over the entries. silu treats each entry by itself."""
    return (torch.softmax(x @ w_gate.T, -1) * (x @ w_up.T)) @ w_down.T


def before_down(x, w_gate, w_up, w_down):
    """You return the inner product without the last projection, w_down."""
    return F.silu(x @ w_gate.T) * (x @ w_up.T)


KEY = AnswerKey(
    id="swiglu",
    hidden=hidden,
    reference=swiglu,
    accepted=(with_a_sigmoid, by_linear, one_big_projection, by_einsum, columns_first, by_tanh),
    rejected=(
        silu_on_up,
        silu_on_the_product,
        silu_on_both,
        a_sum,
        sigmoid_gate,
        gelu_gate,
        relu_gate,
        no_silu,
        no_gate,
        no_up,
        residual,
        not_transposed,
        softmax_gate,
        before_down,
    ),
    fingerprint=fingerprint,
    commentary="""
Two projections of the same input: one passes silu and opens or closes the other, entry by entry. The third
matrix brings the result back to the width of the stream. The matrices are stored as (out, in), as in
`nn.Linear`, so each product uses the transpose.

The commonest mistake is to put silu on the wrong projection. The layer still trains, but with pretrained
weights it computes something else.
""",
)
