"""Answer key of llama_states. The oracle is the course's own `Llama` with the same small random weights."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._small_llamas import Sizes, case, faint
from course_exercises.llama_states import FAINT, LONG, judge
from course_keys._llama_mistakes import REJECTED

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again
from kqa_core.model.variants.rope import angles, rotate

SIZES = (
    Sizes(n_layer=3, n_head=6, n_key_head=2, d_head=4, d_mlp=9, B=3, T=7),
    Sizes(n_layer=1, n_head=1, n_key_head=1, d_head=8, d_mlp=3, B=1, T=4, vocab_size=5),
    Sizes(n_layer=11, n_head=2, n_key_head=1, d_head=2, d_mlp=5, B=2, T=2),
    Sizes(n_layer=2, n_head=9, n_key_head=3, d_head=4, d_mlp=20, B=1, T=12, theta=100_000.0),
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other numbers of layers and heads, one token, twelve and seventy; small numbers; one call many
    times.
    """
    for sizes in (*SIZES, SIZES[0], LONG):  # sizes that come again have other weights
        given = case(rng, sizes)
        judge(again(answer, *given), given)
    given = faint(case(rng, SIZES[0]))
    judge(again(answer, *given), given, FAINT)
    steady(answer, *case(rng, Sizes(n_layer=1, n_head=2, n_key_head=1, d_head=2, d_mlp=3, B=1, T=2)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two models, one of more than ten blocks."""
    small = Sizes(n_layer=2, n_head=4, n_key_head=2, d_head=6, d_mlp=10, B=2, T=5)
    return [
        case(rng, small),
        case(rng, Sizes(n_layer=11, n_head=3, n_key_head=1, d_head=2, d_mlp=5, B=1, T=3)),
    ]


def llama_states(tokens, weights, n_head, n_key_head, theta):
    """The reference."""
    table = weights["token_embedding.weight"]
    T, d_k = tokens.shape[1], table.shape[1] // n_head
    angle = angles(torch.arange(T, device=tokens.device), d_k, theta)  # (T, d_k / 2)
    later = torch.ones(T, T, dtype=torch.bool, device=tokens.device).triu(1)

    def norm(name, x):
        return x / torch.sqrt((x**2).mean(-1, keepdim=True) + 1e-5) * weights[f"{name}.weight"]

    def linear(name, x):
        return x @ weights[f"{name}.weight"].T

    def heads(x, count):
        return x.reshape(*x.shape[:2], count, d_k).transpose(1, 2)  # (B, count, T, d_k)

    states = [table[tokens]]
    i = 0
    while f"blocks.{i}.norm_1.weight" in weights:
        at, x = f"blocks.{i}", states[-1]
        y = norm(f"{at}.norm_1", x)
        q = rotate(heads(linear(f"{at}.attention.query", y), n_head), angle)
        k = rotate(heads(linear(f"{at}.attention.key", y), n_key_head), angle)
        v = heads(linear(f"{at}.attention.value", y), n_key_head)
        k, v = (each.repeat_interleave(n_head // n_key_head, dim=1) for each in (k, v))
        logits = (q @ k.transpose(-2, -1) / math.sqrt(d_k)).masked_fill(later, -math.inf)
        merged = (torch.softmax(logits, dim=-1) @ v).transpose(1, 2).reshape(x.shape)
        x = x + linear(f"{at}.attention.projection", merged)
        y = norm(f"{at}.norm_2", x)
        gated = F.silu(linear(f"{at}.mlp.gate", y)) * linear(f"{at}.mlp.up", y)
        states.append(x + linear(f"{at}.mlp.down", gated))
        i += 1
    return [*states, norm("norm", states[-1]) @ table.T]


def by_kernels(tokens, weights, n_head, n_key_head, theta):
    """torch's functions for norm and attention."""
    x = F.embedding(tokens, weights["token_embedding.weight"])
    angle = angles(torch.arange(x.size(1)), x.size(2) // n_head, theta)
    out = [x]
    for i in range(sum(name.endswith(".norm_2.weight") for name in weights)):
        w = {
            name.removeprefix(f"blocks.{i}."): tensor
            for name, tensor in weights.items()
            if name.startswith(f"blocks.{i}.")
        }
        y = F.rms_norm(x, x.shape[2:], w["norm_1.weight"], 1e-5)
        q, k, v = (
            F.linear(y, w[f"attention.{part}.weight"]).unflatten(-1, (count, -1)).transpose(1, 2)
            for part, count in (("query", n_head), ("key", n_key_head), ("value", n_key_head))
        )
        y = F.scaled_dot_product_attention(
            rotate(q, angle), rotate(k, angle), v, is_causal=True, enable_gqa=True
        )
        x = x + F.linear(y.transpose(1, 2).flatten(2), w["attention.projection.weight"])
        y = F.rms_norm(x, x.shape[2:], w["norm_2.weight"], 1e-5)
        y = F.silu(F.linear(y, w["mlp.gate.weight"])) * F.linear(y, w["mlp.up.weight"])
        x = x + F.linear(y, w["mlp.down.weight"])
        out.append(x)
    out.append(
        F.linear(F.rms_norm(x, x.shape[2:], weights["norm.weight"], 1e-5), weights["token_embedding.weight"])
    )
    return out


def own_rotation(tokens, weights, n_head, n_key_head, theta):
    """Cosines and sines written out."""
    emb = weights["token_embedding.weight"]
    B, T = tokens.shape
    d = emb.shape[1] // n_head
    phi = torch.arange(T)[:, None].float() * theta ** (-torch.arange(0, d, 2) / d)
    cos, sin = phi.cos(), phi.sin()

    def turn(z):
        a, b = z[..., 0::2], z[..., 1::2]
        return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)

    def rms(x, g):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * g

    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    x = emb[tokens]
    states = [x]
    for i in range(layers):
        w = lambda part, i=i: weights[f"blocks.{i}.{part}.weight"]  # noqa: E731
        y = rms(x, w("norm_1"))
        q = turn((y @ w("attention.query").T).view(B, T, n_head, d).transpose(1, 2))
        k = turn((y @ w("attention.key").T).view(B, T, n_key_head, d).transpose(1, 2))
        v = (y @ w("attention.value").T).view(B, T, n_key_head, d).transpose(1, 2)
        size = n_head // n_key_head
        parts = []
        for j in range(n_head):
            s = q[:, j] @ k[:, j // size].mT / d**0.5
            s = s + torch.full((T, T), -torch.inf, dtype=s.dtype).triu(1)
            parts.append(s.softmax(-1) @ v[:, j // size])
        x = x + torch.cat(parts, -1) @ w("attention.projection").T
        y = rms(x, w("norm_2"))
        z = y @ w("mlp.gate").T
        x = x + (z * torch.sigmoid(z) * (y @ w("mlp.up").T)) @ w("mlp.down").T
        states.append(x)
    states.append(rms(x, weights["norm.weight"]) @ emb.T)
    return states


def as_modules(tokens, weights, n_head, n_key_head, theta):
    """Modules of torch that hold the weights."""

    def layer(name):
        matrix = weights[name + ".weight"]
        if matrix.ndim == 1:
            return lambda x: torch.nn.functional.rms_norm(x, matrix.shape, matrix, 1e-5)
        module = torch.nn.Linear(matrix.shape[1], matrix.shape[0], bias=False, dtype=matrix.dtype)
        module.weight = torch.nn.Parameter(matrix, requires_grad=False)
        return module

    table = weights["token_embedding.weight"]
    x = torch.nn.Embedding.from_pretrained(table)(tokens)
    d = table.shape[1] // n_head
    angle = angles(torch.arange(tokens.shape[1]), d, theta)
    run = [x]
    numbers = sorted({int(name.split(".")[1]) for name in weights if name.split(".")[0] == "blocks"})
    for number in numbers:
        at = f"blocks.{number}."
        y = layer(at + "norm_1")(x)
        q, k, v = (
            torch.stack(layer(f"{at}attention.{part}")(y).split(d, dim=-1), dim=1)
            for part in ("query", "key", "value")
        )
        q, k = rotate(q, angle), rotate(k, angle)
        chosen = [j * n_key_head // n_head for j in range(n_head)]
        y = F.scaled_dot_product_attention(q, k[:, chosen], v[:, chosen], is_causal=True)
        x = x + layer(at + "attention.projection")(torch.cat(y.unbind(1), -1))
        y = layer(at + "norm_2")(x)
        x = x + layer(at + "mlp.down")(torch.nn.SiLU()(layer(at + "mlp.gate")(y)) * layer(at + "mlp.up")(y))
        run.append(x)
    return [*run, layer("norm")(x) @ table.mT]


def weights_by_block(tokens, weights, n_head, n_key_head, theta):
    """The weights sorted into a dict of each block; groups on an axis of their own."""
    blocks: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in weights.items():
        if name.startswith("blocks."):
            _, number, inside = name.split(".", 2)
            blocks.setdefault(int(number), {})[inside.removesuffix(".weight")] = tensor
    x = weights["token_embedding.weight"][tokens]
    B, T, C = x.shape
    d = C // n_head
    angle = angles(torch.arange(T), d, theta)
    hidden_part = torch.ones(T, T).triu(1).bool()
    result = [x]
    for number in range(len(blocks)):
        own = blocks[number]
        y = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * own["norm_1"]
        q = (y @ own["attention.query"].T).reshape(B, T, n_key_head, -1, d).permute(0, 2, 3, 1, 4)
        k = (y @ own["attention.key"].T).reshape(B, T, n_key_head, 1, d).permute(0, 2, 3, 1, 4)
        v = (y @ own["attention.value"].T).reshape(B, T, n_key_head, 1, d).permute(0, 2, 3, 1, 4)
        logits = rotate(q, angle) @ rotate(k, angle).mT * d**-0.5
        read = logits.masked_fill(hidden_part, float("-inf")).softmax(-1) @ v  # (B, nkv, group, T, d)
        x = x + read.permute(0, 3, 1, 2, 4).reshape(B, T, C) @ own["attention.projection"].T
        y = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * own["norm_2"]
        x = x + (F.silu(y @ own["mlp.gate"].T) * (y @ own["mlp.up"].T)) @ own["mlp.down"].T
        result.append(x)
    last = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() * weights["norm.weight"]
    result.append(last @ weights["token_embedding.weight"].T)
    return result


def row_by_row(tokens, weights, n_head, n_key_head, theta):
    """Each row of the batch by itself, and then stacked."""
    E = weights["token_embedding.weight"]
    d, group = E.shape[1] // n_head, n_head // n_key_head
    runs = []
    for row in tokens:
        x, T = E[row], len(row)
        states, i = [x], 0
        turned = torch.polar(torch.ones(T, d // 2), angles(torch.arange(T), d, theta))
        while f"blocks.{i}.mlp.up.weight" in weights:
            W = {k[len(f"blocks.{i}.") : -7]: w for k, w in weights.items() if k.startswith(f"blocks.{i}.")}
            y = F.rms_norm(x, (x.shape[-1],), W["norm_1"], 1e-5)
            q, k, v = (y @ W[f"attention.{p}"].T for p in ("query", "key", "value"))
            out = []
            for h in range(n_head):
                own, shared = slice(h * d, (h + 1) * d), slice(h // group * d, (h // group + 1) * d)
                a, b = (
                    torch.view_as_real(torch.view_as_complex(z.reshape(T, -1, 2)) * turned).flatten(-2)
                    for z in (q[:, own].contiguous(), k[:, shared].contiguous())
                )
                s = (a @ b.T / math.sqrt(d)).masked_fill(torch.ones(T, T).triu(1) > 0, -math.inf)
                out.append(s.softmax(-1) @ v[:, shared])
            x = x + torch.hstack(out) @ W["attention.projection"].T
            y = F.rms_norm(x, (x.shape[-1],), W["norm_2"], 1e-5)
            x = x + (F.silu(y @ W["mlp.gate"].T) * (y @ W["mlp.up"].T)) @ W["mlp.down"].T
            states.append(x)
            i += 1
        states.append(F.rms_norm(x, (x.shape[-1],), weights["norm.weight"], 1e-5) @ E.T)
        runs.append(states)
    return [torch.stack(parts) for parts in zip(*runs, strict=True)]


def heads_in_the_batch(tokens, weights, n_head, n_key_head, theta):
    """Rows and query heads share one axis; the mask is added to the logits."""
    table = weights["token_embedding.weight"]
    B, T = tokens.shape
    d, r = table.shape[1] // n_head, n_head // n_key_head
    phi = angles(torch.arange(T), d, theta)
    hide = torch.full((T, T), -math.inf, dtype=table.dtype).triu(1)
    parts = (
        "norm_1", "attention.query", "attention.key", "attention.value", "attention.projection", "norm_2",
        "mlp.gate", "mlp.up", "mlp.down",
    )  # fmt: skip

    def norm(x, gain):
        size = torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / x.shape[-1]
        return gain * x / torch.sqrt(size + 1e-5)

    def folded(y, count, times):
        y = y.reshape(B, T, count, 1, d).expand(-1, -1, -1, times, -1)
        return y.permute(0, 2, 3, 1, 4).reshape(B * count * times, T, d)

    run, i = [table[tokens]], 0
    while f"blocks.{i}.norm_1.weight" in weights:
        n1, wq, wk, wv, wo, n2, wg, wu, wd = (weights[f"blocks.{i}.{part}.weight"] for part in parts)
        x = run[-1]
        y = norm(x, n1)
        q, k = rotate(folded(y @ wq.T, n_head, 1), phi), rotate(folded(y @ wk.T, n_key_head, r), phi)
        heads = torch.baddbmm(hide.expand(len(q), T, T), q, k.mT, alpha=d**-0.5).softmax(-1)
        read = torch.bmm(heads, folded(y @ wv.T, n_key_head, r)).view(B, n_head, T, d)
        x = x + read.transpose(1, 2).reshape(B, T, -1) @ wo.T
        y = norm(x, n2)
        run.append(x + (F.silu(y @ wg.T) * (y @ wu.T)) @ wd.T)
        i += 1
    run.append(norm(run[-1], weights["norm.weight"]) @ table.T)
    return run


KEY = AnswerKey(
    id="llama_states",
    hidden=hidden,
    reference=llama_states,
    accepted=(by_kernels, own_rotation, as_modules, weights_by_block, row_by_row, heads_in_the_batch),
    rejected=REJECTED,
    fingerprint=fingerprint,
    commentary="""
This is the whole model: twenty lines. Each block reads the stream through a norm, and adds to it twice. Only
queries and keys are rotated. The logits use the embedding table a second time, after the last norm.

The commonest mistakes run without an error: pairing channels as halves, `repeat` in place of
`repeat_interleave`, the norms exchanged, or the last norm forgotten. That is why the check compares layer by
layer: the first layer that differs is where the mistake is.
""",
)
