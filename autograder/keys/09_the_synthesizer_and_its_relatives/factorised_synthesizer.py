"""Answer key of factorised_synthesizer. The oracle looks s // b and s % b up by index; no answer does it that way."""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.factorised_synthesizer import case
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.transformer_parts import again, agree, tensor_of

SIZES = ((2, 5, 2, 4, 6, 4), (2, 6, 2, 3, 3, 5), (3, 6, 3, 2, 4, 2), (1, 1, 1, 1, 2, 3), (2, 7, 3, 3, 3, 3), (1, 4, 1, 5, 2, 3))
NAMES = ("x", "A", "b1", "B_a", "c_a", "B_b", "c_b", "V")


def oracle(x, A, b1, B_a, c_a, B_b, c_b, V):
    """torch's fused kernel: queries are the logits, looked up, and keys one-hot."""
    T, b = x.shape[1], len(c_b)
    h = F.relu(F.linear(x, A.T, b1))
    s = torch.arange(T)
    logits = F.linear(h, B_a.T, c_a)[..., s // b] * F.linear(h, B_b.T, c_b)[..., s % b]  # (N, T, T)
    key = torch.eye(T, dtype=x.dtype).expand(len(x), T, T)
    return F.scaled_dot_product_attention(logits, key, x @ V, is_causal=True, scale=1.0)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Steep logits, then every size, layout, precision and device."""
    steep = case(rng, 2, 6, 2, 4, 3, 4, steep=5.0)
    found = tensor_of(again(answer, *steep), (2, 6, 4), torch.float64, "the output")
    agree(found, oracle(*steep), "for large logits your output is not that of the factorised Synthesizer")
    judge_layer(answer, rng, oracle=oracle, case=case, sizes=SIZES, names=NAMES, layer="the factorised Synthesizer")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two ways to factorise, and steep logits."""
    return [case(rng, 2, 5, 2, 4, 6, 4), case(rng, 1, 6, 3, 2, 3, 3), case(rng, 2, 6, 2, 3, 3, 3, steep=5.0)]


def factorised_synthesizer(x, A, b1, B_a, c_a, B_b, c_b, V):
    """The reference."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)  # (N, T, d_h)
    f, g = h @ B_a + c_a, h @ B_b + c_b  # (N, T, a), (N, T, b)
    logits = (f[..., :, None] * g[..., None, :]).flatten(-2)[..., :T]  # (N, T, a·b) → (N, T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def repeated_and_tiled(x, A, b1, B_a, c_a, B_b, c_b, V):
    """The slow factor repeated, the fast one tiled."""
    T, a, b = x.shape[1], B_a.shape[1], B_b.shape[1]
    h = (x @ A + b1).clamp(min=0)
    logits = ((h @ B_a + c_a).repeat_interleave(b, dim=-1) * (h @ B_b + c_b).repeat(1, 1, a))[..., :T]
    late = torch.full((T, T), -math.inf, dtype=x.dtype, device=x.device).triu(1)
    return F.softmax(logits + late, dim=-1) @ x @ V


def kronecker(x, A, b1, B_a, c_a, B_b, c_b, V):
    """A position at a time, as a Kronecker product."""
    rows = []
    for n in range(len(x)):
        out = []
        for t in range(x.shape[1]):
            h = torch.relu(x[n, t] @ A + b1)
            logits = torch.kron(h @ B_a + c_a, h @ B_b + c_b)[: t + 1]
            out.append(logits.softmax(-1) @ x[n, : t + 1] @ V)
        rows.append(torch.stack(out))
    return torch.stack(rows)


def einstein(x, A, b1, B_a, c_a, B_b, c_b, V):
    """In index notation, exponentials divided by their sum."""
    N, T, _ = x.shape
    h = F.relu(torch.einsum("ntd,dh->nth", x, A) + b1)
    table = torch.einsum("nti,ntj->ntij", h @ B_a + c_a, h @ B_b + c_b).reshape(N, T, -1)[:, :, :T]
    reads = torch.ones(T, T, dtype=torch.bool, device=x.device).tril()
    top = table.where(reads, torch.finfo(x.dtype).min).amax(-1, keepdim=True)
    powers = (table - top).where(reads, -math.inf).exp()
    return torch.einsum("nts,nsd,de->nte", powers / powers.sum(-1, keepdim=True), x, V)


def column_by_column(x, A, b1, B_a, c_a, B_b, c_b, V):
    """One column of logits after the other."""
    T, b = x.shape[1], B_b.shape[1]
    h = torch.relu(F.linear(x, A.T, b1))
    f, g = F.linear(h, B_a.T, c_a), F.linear(h, B_b.T, c_b)
    logits = torch.stack([f[..., divmod(s, b)[0]] * g[..., divmod(s, b)[1]] for s in range(T)], dim=-1)
    steps = torch.arange(T, device=x.device)
    return logits.masked_fill(steps > steps[:, None], -math.inf).log_softmax(-1).exp() @ (x @ V)


def factors_exchanged(x, A, b1, B_a, c_a, B_b, c_b, V):
    """Your factors are exchanged: f changes slowly, with s // b, and g fast, with s % b."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    f, g = h @ B_a + c_a, h @ B_b + c_b
    logits = (g[..., :, None] * f[..., None, :]).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def factors_added(x, A, b1, B_a, c_a, B_b, c_b, V):
    """You add the two factors; the logit is their product."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    f, g = h @ B_a + c_a, h @ B_b + c_b
    logits = (f[..., :, None] + g[..., None, :]).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def no_mask(x, A, b1, B_a, c_a, B_b, c_b, V):
    """The mask is missing: every position reads the whole row, the future included."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a + c_a)[..., :, None] * (h @ B_b + c_b)[..., None, :]).flatten(-2)[..., :T]
    return torch.softmax(logits, dim=-1) @ (x @ V)


def mask_after_softmax(x, A, b1, B_a, c_a, B_b, c_b, V):
    """You mask after the softmax: the rows no longer add up to 1."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a + c_a)[..., :, None] * (h @ B_b + c_b)[..., None, :]).flatten(-2)[..., :T]
    return torch.softmax(logits, dim=-1).tril() @ (x @ V)


def relu_dropped(x, A, b1, B_a, c_a, B_b, c_b, V):
    """The ReLU is missing: h is ReLU(x A + b1)."""
    T = x.shape[1]
    h = x @ A + b1
    logits = ((h @ B_a + c_a)[..., :, None] * (h @ B_b + c_b)[..., None, :]).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def offsets_dropped(x, A, b1, B_a, c_a, B_b, c_b, V):
    """c_a and c_b are left out: they are added to f and g before these are multiplied."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a)[..., :, None] * (h @ B_b)[..., None, :]).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def offsets_multiplied_apart(x, A, b1, B_a, c_a, B_b, c_b, V):
    """You multiply first and add the offsets afterwards: f and g are complete, with c_a and c_b, before they meet."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a)[..., :, None] * (h @ B_b)[..., None, :] + c_a[:, None] + c_b).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def softmax_of_each_factor(x, A, b1, B_a, c_a, B_b, c_b, V):
    """You take a softmax of each factor; there is one softmax, over the products, after the mask. (The product of two softmaxes
    is a softmax of sums.)
    """
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    f, g = torch.softmax(h @ B_a + c_a, dim=-1), torch.softmax(h @ B_b + c_b, dim=-1)
    return (f[..., :, None] * g[..., None, :]).flatten(-2)[..., :T].tril() @ (x @ V)


def last_columns(x, A, b1, B_a, c_a, B_b, c_b, V):
    """For a row shorter than a·b you take the last T logits; logit s belongs to position s, so it is the first T."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a + c_a)[..., :, None] * (h @ B_b + c_b)[..., None, :]).flatten(-2)[..., -T:]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def values_not_projected(x, A, b1, B_a, c_a, B_b, c_b, V):
    """You average x itself; what the weights average are the values, x @ V."""
    T = x.shape[1]
    h = torch.relu(x @ A + b1)
    logits = ((h @ B_a + c_a)[..., :, None] * (h @ B_b + c_b)[..., None, :]).flatten(-2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ x


KEY = AnswerKey(
    id="factorised_synthesizer",
    hidden=hidden,
    reference=factorised_synthesizer,
    accepted=(repeated_and_tiled, kronecker, einstein, column_by_column),
    rejected=(
        *(factors_exchanged, factors_added, no_mask, mask_after_softmax, relu_dropped, offsets_dropped),
        *(offsets_multiplied_apart, softmax_of_each_factor, last_columns, values_not_projected),
    ),
    fingerprint=fingerprint,
)
