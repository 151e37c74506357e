"""Answer key of layers_reach. The oracle follows links one by one (`paths`);
the answers multiply matrices.
"""

from __future__ import annotations

import random

import torch
from course_exercises.layers_reach import draw_mask, judged

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady


def cases(rng: random.Random) -> list[tuple[torch.Tensor, int]]:
    """Random masks, causal and not, of one position and many;
    and many layers, where paths are too many to be counted.
    """
    many, dense = draw_mask(rng, 16, 0.6, causal=False), draw_mask(rng, 8, 0.9, causal=False)
    chain = torch.ones(24, 24, dtype=torch.bool).tril() & torch.ones(24, 24, dtype=torch.bool).triu(-1)
    return [
        *(
            (draw_mask(rng, T, share), layers)
            for T, share, layers in ((1, 0.5, 1), (2, 1.0, 3), (12, 0.1, 2), (15, 0.1, 3))
        ),
        *((draw_mask(rng, 11, 0.08, causal=False), layers) for layers in (1, 2, 3, 4)),
        *(
            (chain, 5),
            (chain.T.contiguous(), 3),
            (chain, 23),
            *((draw_mask(rng, 24, 0.6), 15) for _ in range(3)),
            (many, 50),
            (dense, 100),
            (many, 99),
            (draw_mask(rng, 70, 0.03), 2),  # more positions than an integer has bits
            (torch.ones(53, 53, dtype=torch.bool).tril().triu(-1), 51),
            (torch.ones(48, 48, dtype=torch.bool).tril(2).triu(), 21),
        ),
    ]


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """All cases, by following links."""
    before: list[torch.Tensor] = []
    for mask, layers in cases(rng):
        judged(answer, mask, layers, before)
    steady(answer, draw_mask(rng, 8, 0.3), 3)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Sparse masks, in which every number of layers makes a difference."""
    chain = torch.ones(12, 12, dtype=torch.bool).tril() & torch.ones(12, 12, dtype=torch.bool).triu(-1)
    wide = draw_mask(rng, 40, 0.6)  # so many paths that counts overflow
    return [
        (chain, 4),
        (wide, 70),
        *(
            (draw_mask(rng, 10, 0.1, causal=causal), layers)
            for causal in (True, False)
            for layers in (1, 2, 3)
        ),
    ]


def layers_reach(mask, layers):
    """The reference."""
    reached = mask
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.float()) > 0  # (T, T)
    return reached


def from_the_identity(mask, layers):
    """Before the first layer each position depends on itself alone."""
    reached = torch.eye(len(mask), dtype=torch.double)
    for _ in range(layers):
        reached = (reached @ mask.double()).clamp(max=1)
    return reached.bool()


def by_sets(mask, layers):
    """Sets of inputs, collected layer by layer."""
    seen = [{t} for t in range(len(mask))]
    for _ in range(layers):
        seen = [set.union(*(seen[i] for i in range(len(mask)) if mask[t, i])) for t in range(len(mask))]
    return torch.tensor([[i in row for i in range(len(mask))] for row in seen])


def by_or(mask, layers):
    """No product: row t is the `any` of the rows that it attends to."""
    reached = mask.clone()
    for _ in range(layers - 1):
        reached = torch.stack([reached[row].any(dim=0) for row in mask])
    return reached


def by_shares(mask, layers):
    """Even weights instead of ones: they stay between 0 and 1, so nothing overflows."""
    weights = mask.double() / mask.sum(dim=1, keepdim=True)
    reached = weights
    for _ in range(min(layers, len(mask)) - 1):
        reached = (weights @ reached > 0).double()
    return reached > 0


def one_layer(mask, layers):
    """You return what one layer reaches: each further layer adds a step, because the positions that t attends
    to have already collected something.
    """
    return mask.clone()


def one_too_many(mask, layers):
    """Your table is one layer ahead: after one layer the answer is the mask itself."""
    reached = mask
    for _ in range(layers):
        reached = (mask.float() @ reached.float()) > 0
    return reached


def one_too_few(mask, layers):
    """Your table is one layer behind: after one layer the answer is the mask itself, not the identity."""
    reached = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.float()) > 0
    return reached


def everything_in_the_end(mask, layers):
    """You follow the links until nothing new is found: each layer adds one step only."""
    reached = mask
    for _ in range(len(mask)):
        reached = (reached.float() @ reached.float()) > 0
    return reached


def squared_each_time(mask, layers):
    """You multiply the table by itself, so the number of steps doubles with each layer:
    multiply it by the mask.
    """
    reached = mask
    for _ in range(layers - 1):
        reached = (reached.float() @ reached.float()) > 0
    return reached


def counts_overflow(mask, layers):
    """Your products count paths, and with many layers the counts become too large for their dtype. Turn them
    into True and False after each layer.
    """
    return torch.linalg.matrix_power(mask.long(), layers) > 0


def bytes_overflow(mask, layers):
    """Your counts have 8 bits, so 256 paths become 0:
    use float, and turn the counts into True and False after each layer.
    """
    reached = mask.to(torch.uint8)
    for _ in range(layers - 1):
        reached = mask.to(torch.uint8) @ reached
    return reached > 0


def counts(mask, layers):
    """You return the number of paths: return whether there is one, a tensor of bools."""
    return torch.linalg.matrix_power(mask.double(), layers)


def transposed(mask, layers):
    """Your table is transposed: [t, i] should say whether the output at t depends on the input at i."""
    reached = mask
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.float()) > 0
    return reached.T.contiguous()


def wider_window(mask, layers):
    """You widen the window, which is right only if every position attends to its neighbours alone:
    follow this mask's links.
    """
    T = len(mask)
    width = int(mask.sum(dim=1).max()) - 1
    t, i = torch.arange(T)[:, None], torch.arange(T)
    return (t >= i) & (t - i <= layers * width)


def rows_overwritten(mask, layers):
    """You overwrite rows that later rows still use, so these are a layer ahead:
    make a new table in each layer.
    """
    reached = mask.clone()
    for _ in range(layers - 1):
        for t in range(len(mask)):
            reached[t] = reached[mask[t]].any(dim=0)
    return reached


def made_causal(mask, layers):
    """You remove what is later than t. This mask may allow later positions,
    and then the output depends on them.
    """
    reached = mask
    for _ in range(layers - 1):
        reached = (mask.float() @ reached.float()) > 0
    return reached.tril()


KEY = AnswerKey(
    id="layers_reach",
    hidden=hidden,
    reference=layers_reach,
    accepted=(from_the_identity, by_sets, by_or, by_shares),
    rejected=(
        *(
            one_layer,
            one_too_many,
            one_too_few,
            everything_in_the_end,
            squared_each_time,
            counts_overflow,
            bytes_overflow,
        ),
        *(counts, transposed, wider_window, rows_overwritten, made_causal),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Position $t$ depends on input $i$ after $\\ell$ layers if it attends to some position $j$ that"
        " depends on $i$ after $\\ell-1$ layers. Entry $(t, i)$ of the product of the mask with the table"
        " counts these positions $j$, and `> 0` asks whether there is one. Comparing after each layer keeps"
        " the numbers small: the number of paths grows exponentially, and a matrix power without it overflows"
        " in a deep model. The common mistakes are to be one layer ahead or behind, and to multiply the table"
        " by itself, which doubles the number of steps instead of adding one."
    ),
)
