"""Answer key of synthesizer_layer. The oracle gives torch's kernel all heads at once,
with keys that do not depend on x.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.synthesizer_layer import case
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.named_mistakes import agree_or_name
from kqa_core.exercise_helpers.transformer_parts import FINITE, agree, first_leak, tensor_of

SIZES = (
    (2, 5, 8, 6, 2),
    (2, 4, 5, 6, 3),
    (3, 6, 6, 4, 4),
    (1, 1, 1, 2, 1),
    (2, 1, 4, 3, 3),
    (2, 2, 4, 6, 2),
    (1, 7, 9, 12, 2),
    (5, 20, 33, 40, 8),
    (2, 3, 4, 9, 3),
)  # N, T, L, d, n_head


def oracle(x, A, b1, B, b2, V, W_O, n_head):
    """One call of torch's kernel for all heads."""
    N, T, d = x.shape
    d_k = d // n_head
    hidden = F.relu(F.linear(x, A.T, b1)).unflatten(2, (n_head, d_k)).transpose(1, 2)  # (N, n_head, T, d_k)
    query = torch.cat((hidden, torch.ones_like(hidden[..., :1])), dim=-1)  # (N, n_head, T, d_k + 1)
    key = torch.cat((B, b2[None]))[:, :T].T.expand(N, n_head, -1, -1)  # (N, n_head, T, d_k + 1)
    value = (x @ V).unflatten(2, (n_head, d_k)).transpose(1, 2)  # (N, n_head, T, d_k)
    heads = F.scaled_dot_product_attention(query, key, value, is_causal=True, scale=1.0)
    return torch.cat(heads.unbind(dim=1), dim=-1) @ W_O


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """The future changed; logits far below 0; then every size, layout, precision, device and gradient."""
    given = case(rng, 2, 6, 7, 6, 3)
    found = tensor_of(answer(*given), (2, 6, 6), torch.float64, "the output")
    agree_or_name(found, oracle(*given), "for x (2, 6, 6), L = 7 and 3 heads your output is wrong", {})
    for t in (1, 5):
        later = given[0].clone()
        later[:, t:] *= -3.0
        first_leak(found, answer(later, *given[1:]), t)
    x, A, b1, B, b2, V, W_O, n_head = given
    low = x, A, b1, B, b2 - 200.0, V, W_O, n_head
    agree(tensor_of(answer(*low), (2, 6, 6), torch.float64, "the output"), oracle(*low), FINITE)
    names = ("x", "A", "b1", "B", "b2", "V", "W_O", "n_head")
    layer = "the Synthesizer with several heads"
    judge_layer(answer, rng, oracle=oracle, case=case, sizes=SIZES, names=names, layer=layer, device=False)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Two and three heads, a shorter row and a full one."""
    return [case(rng, *size) for size in ((2, 5, 8, 6, 2), (2, 6, 6, 6, 3), (1, 4, 7, 8, 2))]


def synthesizer_layer(x, A, b1, B, b2, V, W_O, n_head):
    """The reference."""
    T, heads = x.shape[1], []
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    for A_j, b1_j, V_j in zip(A.chunk(n_head, dim=1), b1.chunk(n_head), V.chunk(n_head, dim=1), strict=True):
        logits = (torch.relu(x @ A_j + b1_j) @ B + b2)[..., :T]  # (N, T, T)
        weights = torch.softmax(logits.masked_fill(future, -math.inf), dim=-1)
        heads.append(weights @ (x @ V_j))  # (N, T, d_k)
    return torch.cat(heads, dim=-1) @ W_O


def all_heads_at_once(x, A, b1, B, b2, V, W_O, n_head):
    """Heads on an axis of their own."""
    N, T, d = x.shape
    hidden, value = (
        each.view(N, T, n_head, d // n_head).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def by_index(x, A, b1, B, b2, V, W_O, n_head):
    """einsum over named axes, and exponentials divided at the end."""
    T, d_k = x.shape[1], B.shape[0]
    A, V = A.reshape(-1, n_head, d_k), V.reshape(-1, n_head, d_k)
    hidden = (torch.einsum("ntd,dhk->nhtk", x, A) + b1.reshape(n_head, 1, d_k)).clamp(min=0)
    logits = torch.einsum("nhtk,ki->nhti", hidden, B[:, :T]) + b2[:T]
    logits = logits + torch.full_like(logits, -math.inf).triu(1)
    powers = (logits - logits.amax(-1, keepdim=True)).exp()
    heads = torch.einsum("nhti,nid,dhk->nthk", powers / powers.sum(-1, keepdim=True), x, V)
    return torch.einsum("nthk,hkd->ntd", heads, W_O.reshape(n_head, d_k, -1))


def added_up(x, A, b1, B, b2, V, W_O, n_head):
    """Each head is multiplied by its own rows of W_O, and the results are added."""
    T, d_k, total = x.shape[1], len(B), 0
    for j in range(n_head):
        own = slice(j * d_k, (j + 1) * d_k)
        logits = F.relu(x @ A[:, own] + b1[own]) @ B[:, :T] + b2[:T]
        late = torch.arange(T, device=x.device)[:, None] < torch.arange(T, device=x.device)
        weights = F.softmax(torch.where(late, torch.finfo(x.dtype).min, logits), dim=-1)
        total = total + weights @ x @ V[:, own] @ W_O[own]
    return total


def a_position_at_a_time(x, A, b1, B, b2, V, W_O, n_head):
    """No mask: position t gets t + 1 logits and t + 1 values."""
    N, T, d = x.shape
    rows = []
    for t in range(T):
        hidden = torch.relu(x[:, t] @ A + b1).reshape(N, n_head, -1)  # (N, n_head, d_k)
        weights = torch.softmax(hidden @ B[:, : t + 1] + b2[: t + 1], dim=-1)  # (N, n_head, t + 1)
        value = (x[:, : t + 1] @ V).reshape(N, t + 1, n_head, -1)
        rows.append(torch.einsum("nhi,nihk->nhk", weights, value).reshape(N, d))
    return torch.stack(rows, dim=1) @ W_O


def no_output_projection(x, A, b1, B, b2, V, W_O, n_head):
    """W_O is missing: the concatenated heads should be multiplied by W_O at the end."""
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d)


def projection_transposed(x, A, b1, B, b2, V, W_O, n_head):
    """W_O is transposed: the product should be heads @ W_O."""
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return F.linear((weights @ value).transpose(1, 2).reshape(N, T, d), W_O)


def merged_without_swapping(x, A, b1, B, b2, V, W_O, n_head):
    """The heads are merged without swapping n_head and T back:
    from (N, n_head, T, d_k), first transpose(1, 2), then reshape to (N, T, d).
    """
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).reshape(N, T, d) @ W_O


def split_without_swapping(x, A, b1, B, b2, V, W_O, n_head):
    """The split mixes positions, as reshape(N, n_head, T, d_k) does:
    reshape to (N, T, n_head, d_k), then transpose(1, 2).
    """
    N, T, d = x.shape
    hidden, value = (each.reshape(N, n_head, T, -1) for each in (torch.relu(x @ A + b1), x @ V))
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def interleaved_heads(x, A, b1, B, b2, V, W_O, n_head):
    """Your head j uses every n_head-th column; it should use the columns j·d_k to (j+1)·d_k − 1."""
    T, heads = x.shape[1], []
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    for j in range(n_head):
        logits = (torch.relu(x @ A[:, j::n_head] + b1[j::n_head]) @ B + b2)[..., :T]
        heads.append(torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V[:, j::n_head]))
    return torch.cat(heads, dim=-1) @ W_O


def head_0_for_all(x, A, b1, B, b2, V, W_O, n_head):
    """All your heads have the weights of head 0: head j should use its own columns of A and part of b1."""
    T, d_k, heads = x.shape[1], len(B), []
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    for V_j in V.chunk(n_head, dim=1):
        logits = (torch.relu(x @ A[:, :d_k] + b1[:d_k]) @ B + b2)[..., :T]
        heads.append(torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V_j))
    return torch.cat(heads, dim=-1) @ W_O


def heads_averaged(x, A, b1, B, b2, V, W_O, n_head):
    """You average the heads' weights and use one table for all:
    each head should keep its own weights for its own values.
    """
    N, T, d = x.shape
    hidden = torch.relu(x @ A + b1).reshape(N, T, n_head, -1).transpose(1, 2)
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return weights.mean(dim=1) @ (x @ V) @ W_O


def no_mask(x, A, b1, B, b2, V, W_O, n_head):
    """The causal mask is missing: every position attends to the whole row, the future too."""
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    weights = (hidden @ B + b2)[..., :T].softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def softmax_over_heads(x, A, b1, B, b2, V, W_O, n_head):
    """Your softmax runs over the wrong axis: the weights of one query over the positions
    must add up to 1, so dim=-1.
    """
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.softmax(1).tril()
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def residual_added(x, A, b1, B, b2, V, W_O, n_head):
    """You add x at the end: the block does that, not the layer."""
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return x + (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def no_relu(x, A, b1, B, b2, V, W_O, n_head):
    """The ReLU has no effect, or is missing."""
    N, T, d = x.shape
    hidden, value = (each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (x @ A + b1, x @ V))
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def for_two_heads(x, A, b1, B, b2, V, W_O, n_head):
    """it does not read every size from the shapes of the arguments, or does not hold for all allowed sizes
    (1, too), values and numbers of axes.
    """
    N, T, d = x.shape
    hidden, value = (each.reshape(N, T, 2, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V))
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return (weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O


def detached(x, A, b1, B, b2, V, W_O, n_head):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    N, T, d = x.shape
    hidden, value = (
        each.reshape(N, T, n_head, -1).transpose(1, 2) for each in (torch.relu(x @ A + b1), x @ V)
    )
    logits = (hidden @ B + b2)[..., :T]
    weights = logits.masked_fill(torch.ones_like(logits, dtype=torch.bool).triu(1), -math.inf).softmax(-1)
    return ((weights @ value).transpose(1, 2).reshape(N, T, d) @ W_O).detach()


KEY = AnswerKey(
    id="synthesizer_layer",
    hidden=hidden,
    reference=synthesizer_layer,
    accepted=(all_heads_at_once, by_index, added_up, a_position_at_a_time),
    rejected=(
        *(
            no_output_projection,
            projection_transposed,
            merged_without_swapping,
            split_without_swapping,
            interleaved_heads,
        ),
        *(
            head_0_for_all,
            heads_averaged,
            no_mask,
            softmax_over_heads,
            residual_added,
            no_relu,
            for_two_heads,
            detached,
        ),
    ),
    fingerprint=fingerprint,
    commentary=(
        "`chunk(n_head, dim=1)` cuts the columns of `A` and `V` into equal blocks, one for each head, and"
        " `b1` in the same way. `B` and `b2` are shared, so each head writes its logits with the same table,"
        " but from another hidden vector. The loop calls what you wrote for one head;"
        " `synthesizer_attention(x, A_j, b1_j, B, b2, V_j)` in its body is just as good. With all heads in"
        " one tensor of shape (N, n_head, T, $d_k$) there is no loop, and the usual mistake is to merge the"
        " heads without swapping n_head and T back first: the shape is right, and the numbers of different"
        " positions are mixed."
    ),
)
