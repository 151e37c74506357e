"""Answer key of perceiver_down_up. The oracle calls torch's fused kernel;
m may be larger or smaller than T.
"""

from __future__ import annotations

import math
import random

import torch
from course_exercises.perceiver_down_up import (
    ZEROS,
    Part,
    both,
    case,
    expect_both,
    low,
    of_part,
    rows_and_output,
    with_zeros,
)
from course_keys._judged_layers import judge_layer

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, AnswerRaised
from kqa_core.check.exercise import NotYet, Verdict, right
from kqa_core.exercise_helpers.transformer_parts import FINITE, ROOT, agree

SIZES = (
    (2, 6, 3, 4),
    (2, 4, 3, 5),
    (1, 3, 5, 2),
    (3, 1, 2, 4),
    (2, 5, 5, 3),
    (1, 4, 1, 1),
    (5, 30, 11, 8),
    (2, 9, 25, 3),
)  # N, T, m, d


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Both tensors for every size, for a position that is all zeros and for logits far below 0;
    then output and y by themselves, for layout, precision, device and gradients.
    """
    for size in SIZES:
        x, basis = case(rng, *size)
        sizes = f"x {tuple(x.shape)} and basis {tuple(basis.shape)}"
        try:
            result = answer(x, basis)
        except AnswerRaised as raised:
            if raised.stub:
                raise
            raise NotYet(f"your code stops for {sizes}, and returns a result for other sizes") from None
        expect_both(result, (x, basis), f"for {sizes} {{what}} is wrong{{off}}")
    x, basis = with_zeros(rng)
    expect_both(answer(x, basis), (x, basis), ZEROS)
    given = low(rng)
    for one, wanted in zip(rows_and_output(answer(*given), *given), both(*given), strict=True):
        agree(one, wanted, FINITE, within=ROOT)
    for index in (1, 0):
        with of_part(index):
            judge_layer(
                Part(answer, index),
                rng,
                oracle=(lambda x, basis, index=index: both(x, basis)[index]),
                case=case,
                sizes=SIZES[:2],
                names=("x", "basis"),
                layer="the Perceiver",
            )
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """m below, at and above T; a position that is all zeros."""
    return [case(rng, 2, 6, 3, 4), case(rng, 1, 4, 4, 3), case(rng, 2, 3, 5, 4), with_zeros(rng)]


def perceiver_down_up(x, basis):
    """The reference."""
    (T, d), m = x.shape[1:], len(basis)
    reads = torch.ones(max(T, m), max(T, m), dtype=torch.bool, device=x.device).tril()
    down = (basis @ x.transpose(-2, -1) / math.sqrt(d)).masked_fill(~reads[:m, :T], -math.inf)  # (N, m, T)
    y = torch.softmax(down, dim=-1) @ x  # (N, m, d)
    up = (x @ y.transpose(-2, -1) / math.sqrt(d)).masked_fill(~reads[:T, :m], -math.inf)  # (N, T, m)
    return y, x + torch.softmax(up, dim=-1) @ y


def fused_with_masks(x, basis):
    """torch's kernel with masks of our own."""
    T, m = x.shape[1], len(basis)
    i, t = torch.arange(m, device=x.device), torch.arange(T, device=x.device)
    read = torch.nn.functional.scaled_dot_product_attention
    y = read(torch.stack([basis] * len(x)), x, x, attn_mask=i[:, None] >= t)
    return [y, read(x, y, y, attn_mask=t[:, None] >= i) + x]


def row_by_row(x, basis):
    """Each row gets only the inputs that it may attend to."""
    scale = x.shape[-1] ** -0.5
    y = torch.stack(
        [
            ((x[:, : i + 1] @ query) * scale).softmax(-1).unsqueeze(1).bmm(x[:, : i + 1])[:, 0]
            for i, query in enumerate(basis)
        ],
        1,
    )
    out = []
    for t in range(x.shape[1]):
        seen = y[:, : t + 1]
        weights = torch.einsum("nd,nid->ni", x[:, t], seen).mul(scale).log_softmax(-1).exp()
        out.append(x[:, t] + torch.einsum("ni,nid->nd", weights, seen))
    return y, torch.stack(out, dim=1)


def exponentials(x, basis):
    """Exponentials of what is allowed, divided by their sum."""
    down = torch.einsum("id,ntd->nit", basis, x) / x.shape[-1] ** 0.5
    late = torch.full_like(down, -math.inf).triu(1)
    powers = (down + late - (down + late).amax(-1, keepdim=True)).exp()
    y = powers @ x / powers.sum(-1, keepdim=True)
    up = torch.einsum("ntd,nid->nti", x, y) / x.shape[-1] ** 0.5
    up = up + torch.full_like(up, -math.inf).triu(1)
    powers = (up - up.amax(-1, keepdim=True)).exp()
    return y, torch.addcdiv(x, powers @ y, powers.sum(-1, keepdim=True))


def one_helper(x, basis):
    """A function for both directions."""

    def read(query, rows):
        scores = query @ rows.mT / query.shape[-1] ** 0.5
        late = torch.ones(scores.shape[-2:], dtype=torch.bool, device=x.device).triu(1)
        return scores.masked_fill(late, torch.finfo(x.dtype).min).softmax(-1) @ rows

    y = read(basis[None], x)
    return y, read(x, y).add(x)


def no_mask_down(x, basis):
    """The mask on the way down is missing: every row attends to the whole text,
    so every output depends on all of it.
    """
    y = torch.softmax(basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def no_mask_up(x, basis):
    """The mask on the way up is missing: position t attends to rows that contain inputs later than t."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    return y, x + torch.softmax(x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1]), dim=-1) @ y


def no_residual(x, basis):
    """x is not added to the output."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def basis_added(x, basis):
    """You add the basis to y: y is the average of inputs, without the basis."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = basis + torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def no_root(x, basis):
    """The logits are not divided by √d."""
    down = basis @ x.transpose(-2, -1)
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1)
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def root_of_m(x, basis):
    """You divide by √m, where m is the number of rows: divide by √d, the width of a query."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(len(basis))
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(len(basis))
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def root_of_m_up(x, basis):
    """On the way up you divide by √m. Divide by √d there, too."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(len(basis))
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def basis_is_read(x, basis):
    """On the way up you attend to the basis: attend to y, the rows that contain the text."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    rows = basis.expand(len(x), *basis.shape)
    up = x @ rows.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ rows


def without_itself(x, basis):
    """Your mask on the way up is too strict: position t may attend to row t,
    which contains no input later than t.
    """
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(0)
    late[0, 0] = False
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def over_the_rows(x, basis):
    """Your softmax runs over the queries. The weights of one query must add up to 1: dim=-1."""
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    reads = torch.ones(down.shape[1:], dtype=x.dtype, device=x.device).tril()
    y = (torch.softmax(down, dim=1) * reads) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    reads = torch.ones(up.shape[1:], dtype=x.dtype, device=x.device).tril()
    return y, x + (torch.softmax(up, dim=1) * reads) @ y


def last_inputs(x, basis):
    """Your mask on the way down is aligned to the lower right corner, so row i attends to inputs later than
    i: align it to the upper left.
    """
    down = basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(down.shape[1:], dtype=torch.bool, device=x.device).triu(
        1 + max(0, x.shape[1] - len(basis))
    )
    y = torch.softmax(down.masked_fill(late, -math.inf), dim=-1) @ x
    up = x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])
    late = torch.ones(up.shape[1:], dtype=torch.bool, device=x.device).triu(1)
    return y, x + torch.softmax(up.masked_fill(late, -math.inf), dim=-1) @ y


def zeros_masked(x, basis):
    """You set forbidden logits to 0, and then every 0 to minus infinity. An allowed logit may be exactly 0
    too, and its input is then left out: set forbidden logits to minus infinity with the mask.
    """
    down = (basis @ x.transpose(-2, -1) / math.sqrt(x.shape[-1])).tril()
    y = torch.softmax(down.masked_fill(down == 0, -math.inf), dim=-1) @ x
    up = (x @ y.transpose(-2, -1) / math.sqrt(x.shape[-1])).tril()
    return y, x + torch.softmax(up.masked_fill(up == 0, -math.inf), dim=-1) @ y


KEY = AnswerKey(
    id="perceiver_down_up",
    hidden=hidden,
    reference=perceiver_down_up,
    accepted=(fused_with_masks, row_by_row, exponentials, one_helper),
    rejected=(
        *(
            no_mask_down,
            no_mask_up,
            no_residual,
            basis_added,
            no_root,
            root_of_m,
            root_of_m_up,
            basis_is_read,
            without_itself,
        ),
        *(over_the_rows, last_inputs, zeros_masked),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Two attentions with two masks: on the way down the queries are the m rows of the basis, on the way"
        " up they are the T positions of the text. Both masks are lower triangles, of shape (m, T) and (T,"
        " m). With these masks no output depends on a later input, since row $i$ contains inputs up to $i$"
        " only and position $t$ attends to rows up to $t$ only. The price is that an input at position m or"
        " later is in no row. The common mistakes are to forget the mask on one of the ways, and to add x"
        " twice or not at all."
    ),
)
