"""Answer key of top_p_probabilities.

In the drawn cases, p is at least a quarter of a token's probability away from the sums at which the number of
tokens changes, and probabilities differ by more than 0.001, so rounding decides nothing.
"""

from __future__ import annotations

import random

import numpy as np
import torch
from course_exercises.top_p_probabilities import case, faint, judge, unusual

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.check.helpers.effects import steady
from kqa_core.exercise_helpers.transformer_parts import again


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Every number of kept tokens, float32, p = 1; one call many times."""
    for size in (2, 3, 5, 7, 10):
        for count in range(1, size + 1):
            logits, p = case(rng, size, count)
            judge(again(answer, logits, p), logits, p)
    logits, p = case(rng, 6, 3)
    judge(answer(logits.float(), p), logits.float(), p)
    for other in (logits, faint()):
        judge(answer(other, 1.0), other, 1.0)
    for other, share in unusual(rng):
        judge(again(answer, other, share), other, share)
    steady(answer, logits, p)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """One token, several, all."""
    return [*(case(rng, 6, count) for count in (1, 2, 3, 4, 6)), case(rng, 4, 2)]


def top_p_probabilities(logits, p):
    """The reference."""
    shares, order = torch.sort(torch.softmax(logits, dim=-1), descending=True)
    before = torch.cumsum(shares, dim=-1) - shares  # what the more likely tokens hold
    shares = torch.where(before < p, shares, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, shares / shares.sum())


def by_a_loop(logits, p):
    """Token after token."""
    shares = logits.softmax(-1)
    out, held = torch.zeros_like(shares), 0.0
    for i in shares.argsort(descending=True).tolist():
        out[i] = shares[i]
        held += float(shares[i])
        if held >= p:
            break
    return out / held


def masked_logits(logits, p):
    """The others get the logit −inf."""
    order = torch.argsort(logits, descending=True)
    sums = logits.softmax(0)[order].cumsum(0)
    count = int((sums < p).sum()) + 1
    masked = logits.clone()
    masked[order[count:]] = float("-inf")
    return torch.softmax(masked, dim=0)


def without_sorting(logits, p):
    """What is more likely than a token is added up for each token."""
    shares = torch.softmax(logits, -1)
    more = shares[None, :] > shares[:, None]
    before = (more * shares[None, :]).sum(1)
    kept = shares * (before < p)
    return kept / kept.sum()


def with_numpy(logits, p):
    """numpy's sort and searchsorted."""
    shares = torch.softmax(logits, -1)
    values = shares.numpy()
    order = np.argsort(values)[::-1]
    count = min(int(np.searchsorted(np.cumsum(values[order]), p)) + 1, len(values))
    result = np.zeros_like(values)
    result[order[:count]] = values[order[:count]]
    return torch.from_numpy(result / result.sum())


def with_a_threshold(logits, p):
    """The probability of the last kept token is a threshold."""
    shares = logits.softmax(-1)
    ordered = shares.sort(descending=True)[0]
    reached = (ordered.cumsum(0) >= p).nonzero()
    last = ordered[reached[0, 0]] if len(reached) else ordered[-1]
    kept = torch.where(shares >= last, shares, torch.zeros_like(shares))
    return kept / kept.sum()


def growing(logits, p):
    """Tries one token, two tokens, … until they hold enough."""
    shares = logits.softmax(-1)
    for count in range(1, len(shares) + 1):
        top = shares.topk(count)
        if top.values.sum() >= p or count == len(shares):
            return torch.zeros_like(shares).index_copy(0, top.indices, top.values / top.values.sum())
    return shares


def one_too_few(logits, p):
    """The token with which the sum reaches p is left out. Together the kept ones hold p at least."""
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    kept = torch.where(shares.cumsum(-1) <= p, shares, 0.0)
    if kept.sum() == 0:
        kept[0] = shares[0]
    return torch.zeros_like(logits).scatter(-1, order, kept / kept.sum())


def one_too_many(logits, p):
    """One token more than is needed is kept: stop as soon as the sum reaches p."""
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    count = min(int((shares.cumsum(-1) < p).sum()) + 2, len(shares))
    kept = torch.where(torch.arange(len(shares)) < count, shares, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, kept / kept.sum())


def not_renormalised(logits, p):
    """Your probabilities do not add up to 1: divide the kept ones by their sum."""
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, kept)


def least_likely(logits, p):
    """You begin with the least likely tokens. Begin with the most likely ones."""
    shares, order = torch.softmax(logits, -1).sort()
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, kept / kept.sum())


def not_sorted(logits, p):
    """The probabilities are added up in the order of the tokens. Begin with the most likely one."""
    shares = torch.softmax(logits, -1)
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return kept / kept.sum()


def a_fixed_threshold(logits, p):
    """You compare each probability with 1 − p. What counts is how much the kept tokens hold together."""
    shares = torch.softmax(logits, -1)
    kept = torch.where(shares >= 1 - p, shares, 0.0)
    kept[shares.argmax()] = shares.max()
    return kept / kept.sum()


def share_of_the_largest(logits, p):
    """The tokens are kept whose probability is at least p times the largest one. That is min-p sampling."""
    shares = torch.softmax(logits, -1)
    kept = torch.where(shares >= p * shares.max(), shares, 0.0)
    return kept / kept.sum()


def share_of_the_tokens(logits, p):
    """You keep a share p of all tokens. p is a probability that the kept tokens should hold together."""
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    count = max(1, round(p * len(shares)))
    kept = torch.where(torch.arange(len(shares)) < count, shares, 0.0)
    return torch.zeros_like(logits).scatter(-1, order, kept / kept.sum())


def left_sorted(logits, p):
    """You return the probabilities in sorted order. Each token keeps its place."""
    shares, _ = torch.softmax(logits, -1).sort(descending=True)
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return kept / kept.sum()


def gathered_back(logits, p):
    """The probabilities are put back in a wrong order, as with kept[order], which sorts once more: use
    scatter, or order.argsort().
    """
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, 0.0)
    return (kept / kept.sum())[order]


def logits_summed(logits, p):
    """You add up logits. Take the softmax first."""
    values, order = logits.sort(descending=True)
    kept = torch.where(values.cumsum(-1) - values < p, values, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, order, torch.softmax(kept, -1))


def softmax_of_softmax(logits, p):
    """A second softmax is taken, of the probabilities. Divide the kept ones by their sum."""
    shares, order = torch.softmax(logits, -1).sort(descending=True)
    kept = torch.where(shares.cumsum(-1) - shares < p, shares, -torch.inf)
    return torch.zeros_like(logits).scatter(-1, order, torch.softmax(kept, -1))


def most_likely(logits, p):
    """One token is always kept. Keep as many as it takes to hold p."""
    shares = torch.softmax(logits, -1)
    return (shares == shares.max()).to(logits)


KEY = AnswerKey(
    id="top_p_probabilities",
    hidden=hidden,
    reference=top_p_probabilities,
    accepted=(by_a_loop, masked_logits, without_sorting, with_numpy, with_a_threshold, growing),
    rejected=(
        one_too_few,
        one_too_many,
        not_renormalised,
        least_likely,
        not_sorted,
        a_fixed_threshold,
        share_of_the_largest,
        share_of_the_tokens,
        left_sorted,
        gathered_back,
        logits_summed,
        softmax_of_softmax,
        most_likely,
    ),
    fingerprint=fingerprint,
    commentary="""
Token after token is kept, from the most likely one on, until together they hold at least p. So a token is
kept if those before it hold less than p: the token that reaches p belongs to the kept ones, and the most
likely token is always among them.

The commonest mistake is to keep the tokens whose running sum is at most p. That leaves out the token that
reaches p, and can leave no token at all.
""",
)
