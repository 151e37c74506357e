"""Answer key of induction_score."""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.induction_score import case, judge

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Other sizes, dense and sparse masks, float32; one call many times."""
    for share in (0.05, 0.3, 0.8):
        for sizes in ((2, 3, 2, 7), (5, 1, 4, 4), (1, 2, 2, 9)):
            given = case(rng, *sizes, share=share)
            judge(again(answer, *given), given)
    weights, mask = case(rng, 2, 2, 3, 5)
    judge(answer(weights.float(), mask), (weights.float(), mask))
    steady(answer, weights, mask)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Several rows and one row."""
    return [case(rng, 3, 2, 4, 6), case(rng, 1, 3, 2, 5), case(rng, 2, 1, 3, 7, share=0.1)]


def induction_score(weights, mask):
    """The reference."""
    inside = (weights * mask[:, None, None]).sum(dim=-1)  # (B, L, H, T)
    counted = mask.any(dim=-1)  # (B, T)
    return inside.sum(dim=(0, 3)) / counted.sum()


def by_einsum(weights, mask):
    """One einsum over rows, queries and keys."""
    total = torch.einsum("blhti,bti->lh", weights, mask.to(weights.dtype))
    return total / mask.any(2).sum()


def query_by_query(weights, mask):
    """A loop over the queries."""
    scores = []
    for b in range(mask.shape[0]):
        for t in range(mask.shape[1]):
            if mask[b, t].any():
                scores.append(weights[b, :, :, t, mask[b, t]].sum(-1))
    return sum(scores) / len(scores)


def by_selection(weights, mask):
    """The queries stand in front, and those that count are selected."""
    inside = weights.masked_fill(~mask[:, None, None], 0.0).sum(-1)  # (B, L, H, T)
    return inside.permute(0, 3, 1, 2)[mask.any(-1)].mean(0)


def head_by_head(weights, mask):
    """A loop over the heads."""
    L, H = weights.shape[1:3]
    counted = mask.any(-1)
    out = torch.empty(L, H, dtype=weights.dtype)
    for layer in range(L):
        for head in range(H):
            sums = torch.where(mask, weights[:, layer, head], 0.0).sum(-1)
            out[layer, head] = sums[counted].mean()
    return out


def with_numpy(weights, mask):
    """numpy."""
    w, m = weights.numpy(), mask.numpy()
    sums = np.where(m[:, None, None], w, 0).sum(axis=-1)
    return torch.from_numpy(np.asarray(sums.sum(axis=(0, 3)) / m.any(axis=-1).sum(), dtype=w.dtype))


def at_the_entries(weights, mask):
    """Only the entries of the mask are read."""
    rows, queries, keys = mask.nonzero(as_tuple=True)
    total = weights[rows, :, :, queries, keys].sum(0)  # (L, H)
    return total / len({(int(b), int(t)) for b, t in zip(rows, queries, strict=True)})


def all_queries(weights, mask):
    """The sum is divided by the number of all queries. Those without a target cannot look anywhere: leave
    them out.
    """
    return (weights * mask[:, None, None]).sum(-1).mean((0, 3))


def per_entry(weights, mask):
    """The sum is divided by the number of True entries. A query with two targets counts once: add its
    weights up.
    """
    return (weights * mask[:, None, None]).sum((0, 3, 4)) / mask.sum()


def mean_of_means(weights, mask):
    """Each row is averaged first. All queries of all rows count alike, also if a row has more of them."""
    inside, used = (weights * mask[:, None, None]).sum(-1), mask.any(-1)
    rows = [inside[b][..., used[b]].mean(-1) for b in range(len(mask)) if used[b].any()]
    return torch.stack(rows).mean(0)


def summed(weights, mask):
    """The queries are added up. Take their mean."""
    return (weights * mask[:, None, None]).sum((0, 3, 4))


def the_largest(weights, mask):
    """Only the largest weight among the targets counts. Add the weights of all targets up."""
    inside = (weights * mask[:, None, None]).amax(-1)
    return inside.sum((0, 3)) / mask.any(-1).sum()


def mean_inside(weights, mask):
    """The weights are averaged over the targets of a query. Add them up: together they are what the head
    gives to targets.
    """
    inside = (weights * mask[:, None, None]).sum(-1) / mask.sum(-1).clamp(min=1)[:, None, None]
    return inside.sum((0, 3)) / mask.any(-1).sum()


def keys_and_queries(weights, mask):
    """Queries and keys are exchanged: weights[…, t, i] belongs to mask[t, i]."""
    return torch.einsum("blhit,bti->lh", weights, mask.to(weights)) / mask.any(-1).sum()


def first_row_only(weights, mask):
    """The mask of the first row is used for all rows. Each row has its own."""
    return (weights * mask[0]).sum((0, 3, 4)) / (mask[0].any(-1).sum() * len(mask))


def argmax_share(weights, mask):
    """Your score counts how often the largest weight is on a target. Average the weights themselves."""
    L, H = weights.shape[1:3]
    wide = mask[:, None, None].expand(-1, L, H, -1, -1)
    hit = wide.gather(-1, weights.argmax(-1, keepdim=True))[..., 0]  # (B, L, H, T)
    return hit.to(weights).sum((0, 3)) / mask.any(-1).sum()


def heads_first(weights, mask):
    """You return (H, L). Return (L, H)."""
    return ((weights * mask[:, None, None]).sum((0, 3, 4)) / mask.any(-1).sum()).T.contiguous()


def per_row(weights, mask):
    """You return a score for each row. Average over the rows as well."""
    return (weights * mask[:, None, None]).sum((3, 4)) / mask.any(-1).sum(-1).clamp(min=1)[:, None, None]


def layers_averaged(weights, mask):
    """The heads of a layer are averaged. Each head has its own score."""
    score = (weights * mask[:, None, None]).sum((0, 3, 4)) / mask.any(-1).sum()
    return score.mean(1, keepdim=True).expand_as(score).clone()


KEY = AnswerKey(
    id="induction_score",
    hidden=hidden,
    reference=induction_score,
    accepted=(by_einsum, query_by_query, by_selection, head_by_head, with_numpy, at_the_entries),
    rejected=(
        all_queries,
        per_entry,
        mean_of_means,
        summed,
        the_largest,
        mean_inside,
        keys_and_queries,
        first_row_only,
        argmax_share,
        heads_first,
        per_row,
        layers_averaged,
    ),
    fingerprint=fingerprint,
    commentary="""
For each query that has a target, the weights on its targets are added up: that is the share of the head's
attention that goes where an ideal induction head looks. The score is the mean over these queries. A query
whose token is new has no target, and would only pull the mean towards 0.

The commonest mistake is to divide by all queries, or by all True entries of the mask.
""",
)
