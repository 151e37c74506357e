"""Answer key of synthesizer_attention.

The oracle is torch's fused kernel on the identity of `same_thing`: queries ReLU(XA + b1) with a 1 behind,
keys the columns of B with b2 below. No answer is written that way; `test_09_synthesizer.py` tests it.
"""

from __future__ import annotations

import math
import random

import torch
import torch.nn.functional as F
from course_exercises.synthesizer_attention import case
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.named_mistakes import agree_or_name
from kqa_core.exercise_helpers.transformer_parts import FINITE, again, agree, draw, first_leak, tensor_of

# N, T, L, d, d_h
SIZES = ((2, 5, 8, 6, 4), (2, 4, 5, 3, 5), (3, 1, 4, 4, 2), (1, 1, 1, 2, 3), (2, 2, 9, 5, 1), (1, 6, 7, 1, 4))
FULL = ((1, 7, 7, 3, 5), (4, 6, 6, 4, 4), (5, 30, 30, 9, 16))
STEEP = 12.0  # logits near ±50, where a finite number in place of minus infinity leaks


def oracle(x, A, b1, B, b2, V):
    """torch's fused kernel, with keys that do not depend on x."""
    hidden = F.relu(F.linear(x, A.T, b1))  # (N, T, d_h)
    query = torch.cat((hidden, torch.ones_like(hidden[..., :1])), dim=-1)  # (N, T, d_h + 1)
    key = torch.cat((B, b2[None]))[:, : x.shape[1]].T.expand(len(x), -1, -1)  # (N, T, d_h + 1)
    return F.scaled_dot_product_attention(query, key, x @ V, is_causal=True, scale=1.0)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Full and shorter rows, steep logits and low ones, the future; layout, precision, device, gradients."""
    for size in (*FULL, (3, 6, 8, 5, 4)):
        given = case(rng, *size)
        found = tensor_of(again(answer, *given), (size[0], size[1], size[4]), torch.float64, "the output")
        said = f"for x {tuple(given[0].shape)} and L = {size[2]} your output is not that of the Synthesizer"
        agree_or_name(found, oracle(*given), said, {})
    steep = case(rng, 3, 6, 8, 5, 4, steep=STEEP)
    found = tensor_of(again(answer, *steep), (3, 6, 4), torch.float64, "the output")
    agree_or_name(found, oracle(*steep), "for x (3, 6, 5), L = 8 and large logits your output is wrong", {})
    x, A, b1, B, b2, V = case(rng, 2, 6, 8, 5, 4)
    low = x, A, b1, B, b2 - 200.0, V
    agree(tensor_of(again(answer, *low), (2, 6, 4), torch.float64, "the output"), oracle(*low), FINITE)
    last = [each.float() for each in (x, A, b1, B, b2 - 200.0 + 400.0 * (torch.arange(8) == 5), V)]
    agree(tensor_of(again(answer, *last), (2, 6, 4), torch.float32, "the output"), oracle(*last), FINITE)
    x, *maps = given = case(rng, 2, 7, 9, 5, 4)
    found = tensor_of(again(answer, *given), (2, 7, 4), torch.float64, "the output")
    for t in (1, 4, 6):
        later = x.clone()
        later[:, t:] = draw(rng, 2, 7 - t, 5, scale=10.0)
        first_leak(found, again(answer, later, *maps), t)
    names = ("x", "A", "b1", "B", "b2", "V")
    judge_layer(answer, rng, oracle=oracle, case=case, sizes=SIZES, names=names, layer="the Synthesizer")
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Shorter rows, full ones, and steep logits."""
    calls = [case(rng, *size) for size in ((2, 5, 8, 6, 4), (2, 4, 4, 5, 3), (1, 6, 7, 4, 4))]
    return [*calls, case(rng, 2, 5, 7, 4, 3, steep=STEEP)]


def synthesizer_attention(x, A, b1, B, b2, V):
    """The reference."""
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)  # (N, T, d_h)
    logits = (hidden @ B + b2)[..., :T]  # (N, T, T)
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(logits.masked_fill(future, -math.inf), dim=-1)
    return weights @ (x @ V)


def a_position_at_a_time(x, A, b1, B, b2, V):
    """No mask: position t is given t + 1 columns and t + 1 values."""
    rows = []
    for t in range(x.shape[1]):
        hidden = (x[:, t] @ A + b1).clamp(min=0)
        weights = (hidden @ B[:, : t + 1] + b2[: t + 1]).softmax(-1)
        rows.append(torch.einsum("ns,nsd->nd", weights, x[:, : t + 1] @ V))
    return torch.stack(rows, dim=1)


def exponentials_divided(x, A, b1, B, b2, V):
    """Exponentials of what is allowed, divided by their sum at the very end."""
    T = x.shape[1]
    logits = torch.einsum("nth,hs->nts", F.relu(F.linear(x, A.T, b1)), B[:, :T]) + b2[:T]
    late = torch.full_like(logits, float("-inf")).triu(1)
    powers = (logits + late - (logits + late).amax(-1, keepdim=True)).exp()
    return (powers @ x / powers.sum(-1, keepdim=True)) @ V


def all_columns_first(x, A, b1, B, b2, V):
    """The whole block's columns, masked beyond t, and values of nothing where the row has ended."""
    N, T, _ = x.shape
    L = B.shape[1]
    scores = torch.baddbmm(b2.expand(N, T, L), ((x @ A + b1) * (x @ A + b1 > 0)), B.expand(N, -1, -1))
    reads = torch.arange(T, device=x.device)[:, None] >= torch.arange(L, device=x.device)
    weights = scores.where(reads, torch.finfo(x.dtype).min).log_softmax(-1).exp()
    return weights @ F.pad(x @ V, (0, 0, 0, L - T))


def running_average(x, A, b1, B, b2, V):
    """Values one at a time, with a running maximum and a running sum, as fused kernels do."""
    N, T, _ = x.shape
    hidden, value = torch.relu(torch.addmm(b1, x.flatten(0, 1), A)).view(N, T, -1), x @ V
    outputs = []
    for t in range(T):
        top, out = torch.full_like(x[:, 0, :1], -math.inf), torch.zeros_like(value[:, 0])
        total = torch.zeros_like(top)
        for s in range(t + 1):
            logit = (hidden[:, t] * B[:, s]).sum(-1, keepdim=True) + b2[s]
            high = torch.maximum(top, logit)
            old, new = (top - high).exp(), (logit - high).exp()
            total, out, top = total * old + new, out * old + new * value[:, s], high
        outputs.append(out / total)
    return torch.stack(outputs, 1)


def no_mask(x, A, b1, B, b2, V):
    """The mask is missing: every position attends to the whole row, the future too."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    return torch.softmax(logits, dim=-1) @ (x @ V)


def mask_after_softmax(x, A, b1, B, b2, V):
    """You mask after the softmax, so the weights of a row no longer add up to 1:
    mask the logits, before the softmax.
    """
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return torch.softmax(logits, dim=-1).tril() @ (x @ V)


def softmax_over_the_block(x, A, b1, B, b2, V):
    """Your softmax runs over all L columns before you cut and mask, so weight goes to positions that are
    masked or do not exist: cut and mask first.
    """
    T = x.shape[1]
    weights = torch.softmax(torch.relu(x @ A + b1) @ B + b2, dim=-1)[..., :T]
    return weights.tril() @ (x @ V)


def masked_with_zero(x, A, b1, B, b2, V):
    """You set the logits of the future to 0, and e⁰ is 1. Only minus infinity gives the weight 0."""
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return torch.softmax(logits.tril(), dim=-1) @ (x @ V)


def minus_ten(x, A, b1, B, b2, V):
    """You mask with −10, which leaves a small weight on the future, and a large one where the other logits
    are low too: use minus infinity.
    """
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -10.0), dim=-1) @ (x @ V)


def transposed_mask(x, A, b1, B, b2, V):
    """Your mask is transposed: each position attends to itself and to later positions."""
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    past = torch.ones(T, T, dtype=torch.bool, device=x.device).tril(-1)
    return torch.softmax(logits.masked_fill(past, -math.inf), dim=-1) @ (x @ V)


def one_too_far(x, A, b1, B, b2, V):
    """Your mask is shifted by one: each position attends to the next one, which it should predict."""
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(2)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def one_column_short(x, A, b1, B, b2, V):
    """You use only L − 1 columns of B, so a row that fills the block has no logit for its last position."""
    T, L = x.shape[1], B.shape[1]
    logits = (torch.relu(x @ A + b1) @ B[:, : L - 1] + b2[: L - 1])[..., :T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    weights = torch.softmax(logits.masked_fill(future, -math.inf), dim=-1)
    return weights @ (x @ V)


def last_columns(x, A, b1, B, b2, V):
    """For a row shorter than the block you take the last T columns of B;
    column s belongs to position s, so it is the first T.
    """
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., -T:]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def columns_by_distance(x, A, b1, B, b2, V):
    """You use column j for the position j steps back.
    Here column i belongs to position i, whatever the query is.
    """
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    t = torch.arange(T, device=x.device)
    back = (t[:, None] - t).clamp(min=0).expand(len(x), -1, -1)
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.gather(-1, back).masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def b2_dropped(x, A, b1, B, b2, V):
    """b2 has no effect: it is missing, or added to whole rows. b2[i] belongs to column i of the logits."""
    logits = (torch.relu(x @ A + b1) @ B)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def b1_dropped(x, A, b1, B, b2, V):
    """b1 has no effect. It should be added before the ReLU."""
    logits = (torch.relu(x @ A) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def b1_after_the_relu(x, A, b1, B, b2, V):
    """You add b1 after the ReLU: it should be added before."""
    logits = ((torch.relu(x @ A) + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def relu_dropped(x, A, b1, B, b2, V):
    """The ReLU is missing between A and B."""
    logits = ((x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def divided_by_the_root(x, A, b1, B, b2, V):
    """You divide the logits by √d_k, as in attention; the logits of the Synthesizer are not scaled."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]] / A.shape[1] ** 0.5
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def compares_positions(x, A, b1, B, b2, V):
    """You compare positions with each other, as attention does. A Synthesizer computes its logits with B."""
    T = x.shape[1]
    hidden = torch.relu(x @ A + b1)
    logits = hidden @ hidden.transpose(-2, -1) + b2[:T]
    future = torch.ones(T, T, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def over_the_readers(x, A, b1, B, b2, V):
    """Your softmax runs over the queries. The weights of one query over all keys must add up to 1: dim=-1."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=1) @ (x @ V)


def no_softmax(x, A, b1, B, b2, V):
    """There is no softmax: the logits themselves are used as weights."""
    T = x.shape[1]
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :T]
    return logits.tril() @ (x @ V)


def hidden_for_values(x, A, b1, B, b2, V):
    """You average ReLU(x A + b1) in place of the values x @ V."""
    hidden = torch.relu(x @ A + b1)
    logits = (hidden @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ hidden


def values_not_projected(x, A, b1, B, b2, V):
    """You average x itself in place of the values x @ V."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ x


def one_row_for_all(x, A, b1, B, b2, V):
    """You use the weights of the first row of the batch for all rows: each row has its own weights."""
    logits = (torch.relu(x[:1] @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def detached(x, A, b1, B, b2, V):
    """something cuts it off, such as detach, no_grad, .data, .item, numpy or a new Parameter."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return (torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)).detach()


def table_detached(x, A, b1, B, b2, V):
    """detach, .data, no_grad or a new tensor made of its numbers cuts it off."""
    logits = (torch.relu(x @ A + b1) @ B.detach() + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


def in_float32(x, A, b1, B, b2, V):
    """you create a tensor of a fixed dtype, or convert one."""
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., : x.shape[1]]
    future = torch.ones_like(logits, dtype=torch.bool).triu(1)
    return (torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)).float()


def written_for_four(x, A, b1, B, b2, V):
    """it does not read every size from the shapes of the arguments, or does not hold for all allowed sizes
    (1, too), values and numbers of axes.
    """
    logits = (torch.relu(x @ A + b1) @ B + b2)[..., :4]
    future = torch.ones(4, 4, dtype=torch.bool, device=x.device).triu(1)
    return torch.softmax(logits.masked_fill(future, -math.inf), dim=-1) @ (x @ V)


KEY = AnswerKey(
    id="synthesizer_attention",
    hidden=hidden,
    reference=synthesizer_attention,
    accepted=(a_position_at_a_time, exponentials_divided, all_columns_first, running_average),
    rejected=(
        *(no_mask, mask_after_softmax, softmax_over_the_block, masked_with_zero, minus_ten, transposed_mask),
        *(one_too_far, one_column_short, last_columns, columns_by_distance, b2_dropped, b1_dropped),
        *(b1_after_the_relu, relu_dropped, divided_by_the_root, compares_positions, over_the_readers),
        *(no_softmax, hidden_for_values, values_not_projected, one_row_for_all, detached, table_detached),
        *(in_float32, written_for_four),
    ),
    fingerprint=fingerprint,
    commentary=(
        "`hidden @ B + b2` has one logit for each of the L places, and a row of T positions uses the first T"
        " of them. Everything after that is causal attention: minus infinity for later positions, softmax"
        " over the last axis, weights times values. The cut to T columns and the mask must come *before* the"
        " softmax, because the weights of a row have to add up to 1 over the positions that are allowed. The"
        " common mistakes are to cut too late, to forget `b2`, and to divide by $\\sqrt{d_k}$ as in"
        " attention. Note what is missing: no line compares two positions."
    ),
)
