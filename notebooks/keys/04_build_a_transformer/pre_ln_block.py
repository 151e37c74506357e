"""Answer key of pre_ln_block. The oracle is the course's own `Block`, with the same weights."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._own_classes import large_scores, small_stream
from course_exercises._small_models import (
    HERE,
    block_output,
    with_low_scores,
    without_queries,
)
from course_exercises.pre_ln_block import (
    IN_FLOAT32,
    LARGE_SCORES,
    LOW_SCORES,
    SMALL,
    SMALL_STREAM,
    ZERO_SCORES,
    case,
    judge,
)
from course_keys._block_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Build
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again, draw, gradients_agree


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other widths and numbers of heads, ones, scores of 0 and far below 0, small x, for which ε matters;
    gradients at x and at every weight.
    """
    for sizes in ((3, 5, 4, 2), (1, 1, 2, 1), (2, 2, 4, 1), (2, 3, 8, 4), (1, 6, 12, 3)):
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
        given = (given[0], without_queries(given[1], given[2]), given[2])
        judge(answer(*given), given, ZERO_SCORES)
    given = (given[0], with_low_scores(given[1], given[2]), given[2])
    judge(answer(*given), given, LOW_SCORES)
    x, weights, n_head = case(rng, 2, 3, 6, 2)
    for given, how in (
        (case(rng, 1, 530, 4, 1), ""),
        ((x, large_scores(weights, 1e4), n_head), LARGE_SCORES.format(factor=10_000)),
        ((x.float(), {name: each.float() for name, each in weights.items()}, n_head), IN_FLOAT32),
        ((0.01 * x, weights, n_head), SMALL),
        ((0.01 * x, small_stream(weights), n_head), SMALL[:-1] + SMALL_STREAM),
    ):
        judge(again(answer, *given), given, how)
    trained = Build(f"{HERE}:block_weights", ((1, 1, 1, 2, 6), rng.getrandbits(30), True))
    gradients_agree(answer, block_output, {"x": draw(rng, 2, 3, 6), "weights": trained, "n_head": 2})
    steady(answer, *given)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Three sizes, and one with scores of 0."""
    x, weights, n_head = case(rng, 2, 4, 6, 3)
    others = case(rng, 1, 3, 8, 2), case(rng, 2, 2, 4, 1)
    return [(x, weights, n_head), *others, (x, without_queries(weights, n_head), n_head)]


def pre_ln_block(x, weights, n_head):
    """The reference."""

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def attention(y):
        B, T, C = y.shape
        parts = (linear(f"attention.{name}", y) for name in ("query", "key", "value"))
        # (B, n_head, T, d_head)
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=y.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)  # (B, n_head, T, T)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        return linear("attention.projection", heads.transpose(1, 2).reshape(B, T, C))

    def mlp(y):
        return linear("mlp.2", F.gelu(linear("mlp.0", y)))

    x = x + attention(norm("norm_1", x))
    return x + mlp(norm("norm_2", x))


def fused(x, weights, n_head):
    """torch's functions, straight down."""
    at = weights.__getitem__
    y = F.layer_norm(x, x.shape[-1:], at("norm_1.weight"), at("norm_1.bias"))
    names = [f"attention.{part}" for part in ("query", "key", "value")]
    q, k, v = (
        F.linear(y, at(f"{n}.weight"), at(f"{n}.bias")).unflatten(-1, (n_head, -1)).transpose(1, 2)
        for n in names
    )
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
    x = x + F.linear(y, at("attention.projection.weight"), at("attention.projection.bias"))
    y = F.layer_norm(x, x.shape[-1:], at("norm_2.weight"), at("norm_2.bias"))
    return x + F.linear(
        F.gelu(F.linear(y, at("mlp.0.weight"), at("mlp.0.bias"))), at("mlp.2.weight"), at("mlp.2.bias")
    )


def by_hand(x, weights, n_head):
    """Everything written out, one head after the other."""
    C, T = x.shape[-1], x.shape[1]
    d = C // n_head

    def standardised(y, name):
        centred = y - y.mean(-1, keepdim=True)
        scale = torch.rsqrt(centred.pow(2).mean(-1, keepdim=True) + 1e-5)
        return centred * scale * weights[name + ".weight"] + weights[name + ".bias"]

    y, heads = standardised(x, "norm_1"), []
    for h in range(n_head):
        own = slice(h * d, (h + 1) * d)
        q, k, v = (
            y @ weights[f"attention.{part}.weight"][own].mT + weights[f"attention.{part}.bias"][own]
            for part in ("query", "key", "value")
        )
        scores = q @ k.mT / d**0.5
        scores = scores + torch.full((T, T), -torch.inf, dtype=x.dtype).triu(1)
        heads.append(scores.softmax(-1) @ v)
    x = (
        x
        + torch.cat(heads, -1) @ weights["attention.projection.weight"].mT
        + weights["attention.projection.bias"]
    )
    z = standardised(x, "norm_2") @ weights["mlp.0.weight"].mT + weights["mlp.0.bias"]
    return x + (z * (1 + torch.erf(z / 2**0.5)) / 2) @ weights["mlp.2.weight"].mT + weights["mlp.2.bias"]


def in_a_loop(x, weights, n_head):
    """The same pattern twice: normalise, branch, add."""

    def of(name, y):
        return torch.einsum("btc,oc->bto", y, weights[name + ".weight"]) + weights[name + ".bias"]

    def attention(y):
        q, k, v = (
            torch.stack(of("attention." + part, y).chunk(n_head, -1), 1) for part in ("query", "key", "value")
        )
        t = torch.arange(y.shape[1], device=y.device)
        scores = torch.where(t[:, None] >= t, q @ k.mT * q.shape[-1] ** -0.5, -torch.inf)
        return of("attention.projection", torch.cat((scores.softmax(-1) @ v).unbind(1), -1))

    for number, branch in ((1, attention), (2, lambda y: of("mlp.2", F.gelu(of("mlp.0", y))))):
        gain, shift = weights[f"norm_{number}.weight"], weights[f"norm_{number}.bias"]
        x = x + branch(F.layer_norm(x, (x.shape[-1],), gain, shift))
    return x


def by_torchs_layer(x, weights, n_head):
    """torch's own encoder layer, with a causal mask and these weights."""
    C, hidden = x.shape[-1], len(weights["mlp.0.bias"])
    layer = torch.nn.TransformerEncoderLayer(
        C, n_head, hidden, 0.0, "gelu", batch_first=True, norm_first=True
    )
    names = {
        "self_attn.out_proj": "attention.projection",
        "linear1": "mlp.0",
        "linear2": "mlp.2",
        "norm1": "norm_1",
    }
    names["norm2"] = "norm_2"
    given = {
        f"{ours}.{end}": weights[f"{theirs}.{end}"]
        for ours, theirs in names.items()
        for end in ("weight", "bias")
    }
    for end in ("weight", "bias"):
        given[f"self_attn.in_proj_{end}"] = torch.cat(
            [weights[f"attention.{p}.{end}"] for p in ("query", "key", "value")]
        )
    later = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
    return torch.func.functional_call(layer, given, (x, later))


KEY = AnswerKey(
    id="pre_ln_block",
    hidden=hidden,
    reference=pre_ln_block,
    accepted=(fused, by_hand, in_a_loop, by_torchs_layer),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary="""
    The last two lines are the block: each branch gets a normalised *copy* of the residual stream, and its
    result is added to the stream itself. Everything above them is bookkeeping: which weight has which name,
    and that a linear layer stores its weight as (outputs, inputs) and therefore computes
    `y @ weight.T + bias`. Common mistakes are to normalise the stream itself, to give the MLP the old x, and
    to forget the transpose. The last one goes unnoticed by shape checks, because the weights of attention are
    square.
    """,
)
