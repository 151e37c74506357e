"""Answer key of gpt_forward. The oracle is the course's own `GPT`, with the same weights."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises._own_classes import large_scores, small_stream
from course_exercises._small_models import Sizes, with_low_scores, without_queries
from course_exercises.gpt_forward import case, judge
from course_exercises.pre_ln_block import (
    IN_FLOAT32,
    LARGE_SCORES,
    LOW_SCORES,
    SMALL_STREAM,
    ZERO_SCORES,
)
from course_keys import _gpt_forward_mistakes, _gpt_output_mistakes

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again

CASES: tuple[tuple[int, int, Sizes], ...] = (  # B, T, (vocab_size, block_size, n_layer, n_head, d_model)
    *((3, 4, (11, 7, 2, 4, 8)), (1, 7, (5, 7, 3, 1, 4)), (2, 1, (6, 9, 1, 2, 2)), (4, 6, (8, 6, 4, 3, 6))),
    *((1, 1, (4, 1, 2, 2, 4)), (1, 3, (5, 4, 11, 1, 6)), (1, 2, (4, 3, 26, 1, 6))),
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Rows that fill the position table and rows that do not, a long row; one block to 26; scores of 0,
    large ones and ones far below 0; small embeddings; float32. One call many times.
    """
    for sizes in CASES:
        given = case(rng, *sizes)
        judge(again(answer, *given), given)
    tokens, weights, n_head = case(rng, 2, 4, (9, 5, 2, 2, 4))
    for given, how in (
        (case(rng, 1, 3, (400, 310, 1, 1, 4), 256), ", each token above 255,"),
        (case(rng, 1, 300, (400, 310, 1, 1, 4)), ""),
        ((tokens, without_queries(weights, n_head), n_head), ZERO_SCORES),
        ((tokens, small_stream(weights), n_head), SMALL_STREAM),
        ((tokens, large_scores(weights, 1e4), n_head), LARGE_SCORES.format(factor=10_000)),
        ((tokens, {name: each.float() for name, each in weights.items()}, n_head), IN_FLOAT32),
    ):
        judge(again(answer, *given), given, how)
    given = (tokens, dict(reversed(weights.items())), n_head)
    judge(answer(*given), given)
    given = (tokens, with_low_scores(weights, n_head), n_head)
    judge(answer(*given), given, LOW_SCORES)
    steady(answer, *case(rng, 1, 2, (3, 2, 1, 1, 2)))
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Sizes, one with more than ten blocks, and one with scores of 0."""
    sizes = (
        (2, 5, (9, 8, 3, 2, 6)),
        (1, 4, (7, 9, 5, 1, 4)),
        (1, 3, (5, 4, 11, 1, 6)),
        (2, 2, (5, 4, 2, 3, 6)),
    )
    first, *others = (case(rng, *each) for each in sizes)
    tokens, weights, n_head = first
    return [first, *others, (tokens, without_queries(weights, n_head), n_head)]


def gpt_forward(tokens, weights, n_head):
    """The reference."""

    def linear(name, y):
        return y @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def block(at, x):
        (B, T, C), y = x.shape, norm(f"{at}norm_1", x)
        parts = (linear(f"{at}attention.{name}", y) for name in ("query", "key", "value"))
        # (B, n_head, T, d_head)
        q, k, v = (part.reshape(B, T, n_head, C // n_head).transpose(1, 2) for part in parts)
        allowed = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
        scores = q @ k.transpose(-2, -1) / math.sqrt(C // n_head)
        heads = torch.softmax(scores.masked_fill(~allowed, -math.inf), dim=-1) @ v
        x = x + linear(f"{at}attention.projection", heads.transpose(1, 2).reshape(B, T, C))
        return x + linear(f"{at}mlp.2", F.gelu(linear(f"{at}mlp.0", norm(f"{at}norm_2", x))))

    # (B, T, C)
    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][: tokens.shape[1]]
    i = 0
    while f"blocks.{i}.norm_1.weight" in weights:
        x = block(f"blocks.{i}.", x)
        i += 1
    return norm("norm", x) @ weights["head.weight"].T  # (B, T, vocab_size)


def with_dicts_of_blocks(tokens, weights, n_head):
    """Sorts the weights into one dict for each block."""
    of_blocks = [
        (*name.split(".", 2)[1:], weight) for name, weight in weights.items() if name.startswith("blocks.")
    ]
    numbers = sorted({int(number) for number, _, _ in of_blocks})
    x = (
        F.embedding(tokens, weights["token_embedding.weight"])
        + weights["position_embedding"][: tokens.size(1)]
    )
    for i in numbers:
        own = {inside: weight for number, inside, weight in of_blocks if int(number) == i}
        y = F.layer_norm(x, x.shape[-1:], own["norm_1.weight"], own["norm_1.bias"])
        names = [f"attention.{part}" for part in ("query", "key", "value")]
        q, k, v = (
            F.linear(y, own[f"{n}.weight"], own[f"{n}.bias"]).unflatten(-1, (n_head, -1)).transpose(1, 2)
            for n in names
        )
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)
        x = x + F.linear(y, own["attention.projection.weight"], own["attention.projection.bias"])
        y = F.layer_norm(x, x.shape[-1:], own["norm_2.weight"], own["norm_2.bias"])
        x = x + F.linear(
            F.gelu(F.linear(y, own["mlp.0.weight"], own["mlp.0.bias"])),
            own["mlp.2.weight"],
            own["mlp.2.bias"],
        )
    return F.linear(
        F.layer_norm(x, x.shape[-1:], weights["norm.weight"], weights["norm.bias"]), weights["head.weight"]
    )


def head_by_head(tokens, weights, n_head):
    """Each head by itself, and the number of blocks from the largest number in a name."""
    last = max(int(name.split(".")[1]) for name in weights if name.startswith("blocks."))
    C = weights["token_embedding.weight"].shape[1]
    d = C // n_head

    def norm(y, name):
        centred = y - y.mean(-1, keepdim=True)
        scale = torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5)
        return centred * scale * weights[name + ".weight"] + weights[name + ".bias"]

    x = weights["token_embedding.weight"][tokens] + weights["position_embedding"][None, : tokens.shape[1]]
    later = torch.ones(tokens.shape[1], tokens.shape[1]).triu(1) > 0
    for i in range(last + 1):
        at, heads = f"blocks.{i}.", []
        y = norm(x, at + "norm_1")
        for h in range(n_head):
            rows = slice(h * d, h * d + d)
            q, k, v = (
                y @ weights[f"{at}attention.{part}.weight"][rows].T
                + weights[f"{at}attention.{part}.bias"][rows]
                for part in ("query", "key", "value")
            )
            heads.append((q @ k.mT / d**0.5).masked_fill(later, -torch.inf).softmax(-1) @ v)
        x = (
            x
            + torch.cat(heads, -1) @ weights[at + "attention.projection.weight"].T
            + weights[at + "attention.projection.bias"]
        )
        z = norm(x, at + "norm_2") @ weights[at + "mlp.0.weight"].T + weights[at + "mlp.0.bias"]
        x = x + z * torch.special.ndtr(z) @ weights[at + "mlp.2.weight"].T + weights[at + "mlp.2.bias"]
    return norm(x, "norm") @ weights["head.weight"].T


def row_after_row(tokens, weights, n_head):
    """Each row of the batch by itself, with torch's own layers."""
    C = weights["token_embedding.weight"].shape[1]
    T, logits = tokens.shape[1], []
    layer = torch.nn.TransformerEncoderLayer(C, n_head, 4 * C, 0.0, "gelu", batch_first=True, norm_first=True)
    names = {"self_attn.out_proj": "attention.projection", "linear1": "mlp.0", "linear2": "mlp.2"}
    names |= {"norm1": "norm_1", "norm2": "norm_2"}
    later = torch.ones(T, T, dtype=torch.bool).triu(1)
    for row in tokens:
        x, i = (weights["token_embedding.weight"][row] + weights["position_embedding"][:T])[None], 0
        while f"blocks.{i}.norm_1.bias" in weights:
            ends = ("weight", "bias")
            own = {
                f"{ours}.{end}": weights[f"blocks.{i}.{theirs}.{end}"]
                for ours, theirs in names.items()
                for end in ends
            }
            for end in ends:
                parts = [weights[f"blocks.{i}.attention.{part}.{end}"] for part in ("query", "key", "value")]
                own[f"self_attn.in_proj_{end}"] = torch.cat(parts)
            x, i = torch.func.functional_call(layer, own, (x, later)), i + 1
        logits.append(
            F.layer_norm(x, (C,), weights["norm.weight"], weights["norm.bias"]) @ weights["head.weight"].T
        )
    return torch.cat(logits)


def recursively(tokens, weights, n_head):
    """The first block, then the others."""

    def at(name, y):
        return torch.einsum("btc,oc->bto", y, weights[name + ".weight"]) + weights[name + ".bias"]

    def norm(name, y):
        return F.layer_norm(y, y.shape[-1:], weights[name + ".weight"], weights[name + ".bias"])

    def rest(x, i):
        here = f"blocks.{i}"
        if here + ".mlp.0.bias" not in weights:
            return x
        y = norm(here + ".norm_1", x)
        q, k, v = (
            torch.stack(at(f"{here}.attention.{p}", y).chunk(n_head, -1), 1)
            for p in ("query", "key", "value")
        )
        t = torch.arange(x.shape[1])
        shares = torch.where(t[:, None] >= t, q @ k.mT / math.sqrt(q.shape[-1]), -math.inf).softmax(-1)
        x = at(here + ".attention.projection", torch.cat((shares @ v).unbind(1), -1)) + x
        return rest(at(here + ".mlp.2", F.gelu(at(here + ".mlp.0", norm(here + ".norm_2", x)))) + x, i + 1)

    start = weights["token_embedding.weight"][tokens] + F.embedding(
        torch.arange(tokens.shape[1]), weights["position_embedding"]
    )
    return norm("norm", rest(start, 0)) @ weights["head.weight"].mT


KEY = AnswerKey(
    id="gpt_forward",
    hidden=hidden,
    reference=gpt_forward,
    accepted=(with_dicts_of_blocks, head_by_head, row_after_row, recursively),
    rejected=(*_gpt_forward_mistakes.REJECTED, *_gpt_output_mistakes.REJECTED),
    fingerprint=fingerprint,
    commentary="""
    The order is: embeddings, all blocks, one LayerNorm, the output head. With your own functions the middle
    is three lines: cut the prefix `blocks.0.` from the names, call `pre_ln_block`, repeat while there is
    another block. The last LayerNorm is easy to forget. It is needed because pre-LN blocks leave the stream
    itself unnormalised. The output head has no bias and its weight is stored as (vocab_size, d), so it is
    applied as `y @ weight.T`. The solution shown here writes the block out once more, so that it can be read
    alone.
    """,
)
