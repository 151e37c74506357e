"""Answer key of linformer_attention. The oracle mixes by einsum and calls torch's fused kernel.

F is a name that students use for torch.nn.functional, and an argument here: answers must not mix them up.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.linformer_attention import case
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.named_mistakes import agree_or_name
from kqa_core.exercise_helpers.transformer_parts import again, tensor_of

SIZES = (
    (2, 6, 3, 4),
    (2, 4, 3, 5),
    (1, 5, 5, 2),
    (3, 1, 2, 4),
    (2, 7, 1, 1),
    (1, 3, 6, 3),
    (5, 40, 17, 9),
)  # N, T, r, d_k


def oracle(q, k, v, E, F):
    """Mixed by index, averaged by torch's kernel."""
    keys, values = (torch.einsum("rs,nsd->nrd", mix, rows) for mix, rows in ((E, k), (F, v)))
    return torch.nn.functional.scaled_dot_product_attention(q, keys, values)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Large logits, then every size, layout, precision, device and gradient."""
    steep = case(rng, 2, 5, 3, 4, steep=20.0)
    found = tensor_of(again(answer, *steep), (2, 5, 4), torch.float64, "the output")
    agree_or_name(
        found,
        oracle(*steep),
        "for q (2, 5, 4), r = 3 and long queries your output is not that of the Linformer",
        {},
    )
    judge_layer(
        answer,
        rng,
        oracle=oracle,
        case=case,
        sizes=SIZES,
        names=("q", "k", "v", "E", "F"),
        layer="the Linformer",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Unequal sizes, r = T, and large logits."""
    return [case(rng, 2, 6, 3, 4), case(rng, 1, 4, 4, 3), case(rng, 2, 5, 2, 3, steep=10.0)]


def linformer_attention(q, k, v, E, F):
    """The reference."""
    keys, values = E @ k, F @ v  # (r, T) @ (N, T, d_k) → (N, r, d_k)
    weights = torch.softmax(q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)  # (N, T, r)
    return weights @ values


def fused(q, k, v, E, F):
    """torch's kernel."""
    return torch.nn.functional.scaled_dot_product_attention(q, E.matmul(k), F.matmul(v))


def scores_mixed(q, k, v, E, F):
    """The logits of all T keys are mixed, in place of the keys."""
    scores = torch.einsum("ntd,nsd->nts", q, k) * q.shape[-1] ** -0.5
    return (scores @ E.T).softmax(-1) @ F @ v


def a_query_at_a_time(q, k, v, E, F):
    """One query after the other."""
    keys = torch.stack([E @ each for each in k])
    rows = [torch.einsum("nrd,nd->nr", keys, q[:, t]) / q.shape[-1] ** 0.5 for t in range(q.shape[1])]
    return torch.stack([torch.einsum("nr,rs,nsd->nd", row.log_softmax(-1).exp(), F, v) for row in rows], 1)


def root_of_a_tensor(q, k, v, E, F):
    """The root is taken of a tensor, in float32."""
    logits = q / torch.sqrt(torch.tensor(q.shape[-1])) @ E.matmul(k).mT
    return logits.softmax(dim=2).bmm(F.matmul(v))


def exponentials_divided(q, k, v, E, F):
    """Exponentials, divided at the end."""
    keys = (k.transpose(1, 2) @ E.T) / q.shape[-1] ** 0.5
    scores = q @ keys
    powers = torch.exp(scores - scores.amax(dim=2, keepdim=True))
    return powers @ torch.tensordot(v, F, dims=([1], [1])).transpose(1, 2) / powers.sum(dim=2, keepdim=True)


def exchanged(q, k, v, E, F):
    """E and F are exchanged: E should mix the keys, and F the values."""
    return torch.softmax(q @ (F @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (E @ v)


def values_mixed_by_E(q, k, v, E, F):
    """You mix keys and values with the same matrix: E is for the keys, F for the values."""
    return torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (E @ v)


def no_root(q, k, v, E, F):
    """The logits are not divided by √d_k."""
    return torch.softmax(q @ (E @ k).transpose(-2, -1), dim=-1) @ (F @ v)


def root_of_r(q, k, v, E, F):
    """You divide by √r, where r is the number of mixed rows: divide by √d_k, the width of a query."""
    return torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(len(E)), dim=-1) @ (F @ v)


def over_the_queries(q, k, v, E, F):
    """Your softmax runs over the queries. The weights of one query over the r mixed rows
    must add up to 1: dim=-1.
    """
    return torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=1) @ (F @ v)


def queries_mixed_too(q, k, v, E, F):
    """You mix the queries too. Only keys and values are mixed: there are still T queries."""
    small = torch.softmax((E @ q) @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (F @ v)
    return F.T @ small


def masked(q, k, v, E, F):
    """You mask the r mixed rows as if they were positions,
    but row j of E k is a sum over all positions: there is no mask.
    """
    scores = q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1])
    late = torch.ones(scores.shape[1], len(E), dtype=torch.bool, device=q.device).triu(1)
    return torch.softmax(scores.masked_fill(late, -math.inf), dim=-1) @ (F @ v)


def no_softmax(q, k, v, E, F):
    """There is no softmax: the logits themselves are used as weights."""
    return q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]) @ (F @ v)


def softmax_of_the_mix(q, k, v, E, F):
    """You apply a softmax to E and F: they should be used as they are."""
    E, F = torch.softmax(E, dim=-1), torch.softmax(F, dim=-1)
    return torch.softmax(q @ (E @ k).transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1) @ (F @ v)


def mixed_after_the_softmax(q, k, v, E, F):
    """You take the softmax over all T keys and mix the weights afterwards. Mix keys and values first."""
    weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]), dim=-1)
    return weights @ E.T @ (F @ v)


KEY = AnswerKey(
    id="linformer_attention",
    hidden=hidden,
    reference=linformer_attention,
    accepted=(fused, scores_mixed, a_query_at_a_time, root_of_a_tensor, exponentials_divided),
    rejected=(
        *(
            exchanged,
            values_mixed_by_E,
            no_root,
            root_of_r,
            over_the_queries,
            queries_mixed_too,
            masked,
            no_softmax,
        ),
        *(softmax_of_the_mix, mixed_after_the_softmax),
    ),
    fingerprint=fingerprint,
    commentary=(
        "`E @ k` broadcasts over the batch: (r, T) times (N, T, $d_k$) is (N, r, $d_k$). After that it is"
        " attention as usual, with r keys and r values. The softmax runs over the r mixed rows, and the"
        " logits are divided by $\\sqrt{d_k}$, because each is a sum of $d_k$ products. There is no mask, and"
        " there cannot be one: a mixed row belongs to no position. The common mistakes are to mix the values"
        " with $E$, and to mask the r rows as if they were positions."
    ),
)
