"""Answer key of random_synthesizer. The oracle is torch's fused kernel with R for queries
and the identity for keys.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.random_synthesizer import case
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.named_mistakes import agree_or_name
from kqa_core.exercise_helpers.transformer_parts import FINITE, again, agree, tensor_of

# N, T, L, d, d_v
SIZES = (
    (2, 5, 8, 6, 4),
    (2, 4, 5, 3, 5),
    (3, 6, 6, 4, 2),
    (1, 1, 1, 2, 3),
    (2, 1, 4, 3, 3),
    (2, 2, 5, 3, 3),
    (5, 33, 50, 7, 12),
)


def oracle(x, R, V):
    """Query t is row t of R, and the keys are one-hot."""
    T = x.shape[1]
    query = R[:T, :T].expand(len(x), T, T)
    key = torch.eye(T, dtype=x.dtype).expand(len(x), T, T)
    return F.scaled_dot_product_attention(query, key, x @ V, is_causal=True, scale=1.0)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, steep logits, and logits far below 0; then every size, layout, precision and device."""
    plain = case(rng, 2, 5, 7, 3, 4)
    found = tensor_of(again(answer, *plain), (2, 5, 4), torch.float64, "the output")
    agree_or_name(found, oracle(*plain), "for x (2, 5, 3), R (7, 7) and V (3, 4) your output is wrong", {})
    steep = case(rng, 2, 5, 7, 3, 4, steep=20.0)
    found = tensor_of(again(answer, *steep), (2, 5, 4), torch.float64, "the output")
    agree_or_name(found, oracle(*steep), "for an R 20 times as large as before your output is wrong", {})
    x, R, V = case(rng, 2, 5, 7, 3, 4)
    low = x, R - 200.0, V
    agree(tensor_of(again(answer, *low), (2, 5, 4), torch.float64, "the output"), oracle(*low), FINITE)
    last = [each.float() for each in (x, R - 200.0 + 400.0 * torch.ones_like(R).triu(1), V)]
    agree(tensor_of(again(answer, *last), (2, 5, 4), torch.float32, "the output"), oracle(*last), FINITE)
    judge_layer(
        answer,
        rng,
        oracle=oracle,
        case=case,
        sizes=SIZES,
        names=("x", "R", "V"),
        layer="the random Synthesizer",
    )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """A shorter row, a full one, and steep logits."""
    return [case(rng, 2, 5, 8, 6, 4), case(rng, 1, 6, 6, 3, 3), case(rng, 2, 4, 6, 3, 3, steep=20.0)]


def random_synthesizer(x, R, V):
    """The reference."""
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(R[:T, :T].masked_fill(future, -math.inf), dim=-1)  # (T, T)
    return weights @ (x @ V)


def read_then_projected(x, R, V):
    """The values are projected after they have been averaged."""
    T = x.shape[1]
    allowed = R[:T, :T].masked_fill(torch.ones(T, T, dtype=torch.bool, device=R.device).triu(1), -math.inf)
    powers = torch.exp(allowed - allowed.detach().amax(-1, keepdim=True))
    return torch.einsum("ts,nsd->ntd", powers / powers.sum(-1, keepdim=True), x) @ V


def position_by_position(x, R, V):
    """t + 1 weights for t + 1 values."""
    rows = [
        torch.tensordot(R[t, : t + 1].softmax(-1), x[:, : t + 1], dims=([0], [1])) @ V
        for t in range(x.shape[1])
    ]
    return torch.stack(rows, dim=1)


def batch_last(x, R, V):
    """One product for the whole batch, with -inf added."""
    N, T, d = x.shape
    late = torch.full((T, T), float("-inf"), dtype=x.dtype, device=x.device).triu(1)
    weights = (R.narrow(0, 0, T).narrow(1, 0, T) + late).log_softmax(1).exp()
    read = weights @ x.transpose(0, 1).reshape(T, N * d)
    return read.reshape(T, N, d).transpose(0, 1) @ V


def cut_after_masking(x, R, V):
    """The whole block is masked first and cut afterwards."""
    T, L = x.shape[1], len(R)
    at = torch.arange(L, device=R.device)
    whole = F.softmax(torch.where(at[:, None] < at, torch.finfo(R.dtype).min, R), dim=-1)
    return whole[:T, :T].expand(len(x), -1, -1).bmm(F.linear(x, V.T))


def no_mask(x, R, V):
    """The mask is missing: every position attends to the whole row, the future too."""
    T = x.shape[1]
    return torch.softmax(R[:T, :T], dim=-1) @ (x @ V)


def mask_after_softmax(x, R, V):
    """You mask after the softmax, so the weights of a row no longer add up to 1."""
    T = x.shape[1]
    return torch.softmax(R[:T, :T], dim=-1).tril() @ (x @ V)


def cut_after_softmax(x, R, V):
    """Your softmax runs over the whole block before you cut and mask:
    the weights of a row no longer add up to 1.
    """
    T = x.shape[1]
    return torch.softmax(R, dim=-1)[:T, :T].tril() @ (x @ V)


def masked_with_zero(x, R, V):
    """You set the logits of the future to 0, and e⁰ is 1. Only minus infinity gives the weight 0."""
    T = x.shape[1]
    return torch.softmax(R[:T, :T].tril(), dim=-1) @ (x @ V)


def minus_ten(x, R, V):
    """You mask with −10, which leaves a small weight on the future, and a large one where the other logits
    are low too: use minus infinity.
    """
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[:T, :T].masked_fill(future, -10.0), dim=-1) @ (x @ V)


def transposed_table(x, R, V):
    """Your R is transposed: row t of R should have the logits of query t."""
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[:T, :T].T.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def last_rows(x, R, V):
    """For a row shorter than the block you use the last rows and columns of R:
    use the first T, for positions 0 to T − 1.
    """
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[-T:, -T:].masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def drawn_anew(x, R, V):
    """The logits are drawn anew. R is drawn once, at the start, and is an argument here."""
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(torch.randn(T, T, dtype=x.dtype).masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def scaled(x, R, V):
    """You divide R by a root: its entries are the logits, unscaled."""
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[:T, :T].masked_fill(future, -math.inf) / x.shape[2] ** 0.5, dim=-1) @ (x @ V)


def no_softmax(x, R, V):
    """There is no softmax: the entries of R themselves are used as weights."""
    T = x.shape[1]
    return R[:T, :T].tril() @ (x @ V)


def values_not_projected(x, R, V):
    """You average x itself in place of the values x @ V."""
    T = x.shape[1]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(R[:T, :T].masked_fill(future, -math.inf), dim=-1) @ x


KEY = AnswerKey(
    id="random_synthesizer",
    hidden=hidden,
    reference=random_synthesizer,
    accepted=(read_then_projected, position_by_position, batch_last, cut_after_masking),
    rejected=(
        *(
            no_mask,
            mask_after_softmax,
            cut_after_softmax,
            masked_with_zero,
            minus_ten,
            transposed_table,
            last_rows,
        ),
        *(drawn_anew, scaled, no_softmax, values_not_projected),
    ),
    fingerprint=fingerprint,
    commentary=(
        "The logits are a corner of $R$, the same for every text. So the weights have no batch axis, and"
        " `weights @ (x @ V)` uses them for every row of the batch. Mask and softmax come before the product,"
        " as always. The common mistakes are to apply the softmax to the whole $R$ and cut afterwards, so"
        " that the weights no longer add up to 1, and to use the last T rows of $R$."
    ),
)
