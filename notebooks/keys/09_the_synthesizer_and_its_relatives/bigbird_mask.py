"""Answer key of bigbird_mask.

Every link must be equally likely. We draw M = 800 masks with T = 12, window 2, one global position and two
links. Position 11 attends to each of 1 … 9 with probability p = 2/9, position 7 to each of 1 … 5 with p =
2/5: 14 counts. The two links of position 7 are each of 10 pairs with p = 1/10. Positions 10 and 11 draw from
8 and 9 places. They have at least one link in common with p = 1 − C(7, 2)/C(9, 2) = 5/12. These are 11 more
counts. By Bernstein's inequality a count of mean Mp and variance V = Mp(1 − p) is off by e or more with
probability at most 2·exp(−e²/(2(V + e/3))). For 44 counts and a false alarm in at most one of a million
judgements, e²/(2(V + e/3)) ≥ ln(88·10⁶) = 18.29: e = 78 for position 11 (mean 178), 90 for position 7 (mean
320), 58 for a pair (mean 80), 91 for a link in common (mean 333). Six counts are of 200 masks with T = 9,
window 3, no global position and three links, in the hidden check alone: e = 49 (mean 100). The other 13
counts, in the visible check alone, are of all rows of 140 masks with T = 40 (`spread`): links in a quarter
of the free places (a biased shuffle puts a fifth too few into the last one); links side by side; links in
common with the row 1 … 8 places later, two at most. There V is taken as the mean, which is larger.
"""

from __future__ import annotations

import random

import torch
from course_exercises.bigbird_mask import other_sizes, well_made

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import Verdict, right

CASES = (
    (1, 1, 0, 0),
    (2, 1, 0, 1),
    (16, 3, 2, 2),
    (10, 1, 0, 4),
    (11, 4, 3, 1),
    (8, 8, 1, 1),
    (13, 2, 0, 20),
    (6, 1, 1, 0),
    (70, 3, 2, 60),
)


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """More shapes, some with fewer places than links; then how often each link is drawn."""
    for case, result in zip(
        CASES, answer.map([(*case, Seeded(rng.getrandbits(32))) for case in CASES]), strict=True
    ):
        well_made(result, case)
    other_sizes(answer, rng)
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """With and without links."""
    return [(*case, Seeded(rng.getrandbits(32))) for case in ((8, 3, 2, 0), (12, 2, 1, 2), (16, 3, 2, 3))]


def bigbird_mask(T, window, n_global, n_random, rng):
    """The reference."""
    t, s = torch.arange(T)[:, None], torch.arange(T)  # (T, 1), (T,)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def as_sets(T, window, n_global, n_random, rng):
    """Row by row, as sets of numbers."""
    rows = []
    for t in range(T):
        read = {s for s in range(t + 1) if s > t - window or s < n_global}
        rest = [s for s in range(t + 1) if s not in read]
        rng.shuffle(rest)
        read |= set(rest[:n_random])
        rows.append([s in read for s in range(T)])
    return torch.tensor(rows)


def by_bands(T, window, n_global, n_random, rng):
    """Triangles make the window, and random numbers, ranked, the links."""
    ones = torch.ones(T, T, dtype=torch.bool)
    mask = ones.tril() & ~ones.tril(-window)
    mask[:, :n_global] |= ones.tril()[:, :n_global]
    free = ones.tril() & ~mask
    rank = torch.tensor([[rng.random() for _ in range(T)] for _ in range(T)]).masked_fill(~free, 2.0)
    chosen = rank.argsort(dim=1).argsort(dim=1) < n_random
    return mask | (chosen & free)


def by_a_generator(T, window, n_global, n_random, rng):
    """A torch generator, seeded by rng, permutes."""
    generator = torch.Generator().manual_seed(rng.getrandbits(40))
    mask = torch.zeros(T, T, dtype=torch.bool)
    for t in range(T):
        mask[t, max(0, t - window + 1) : t + 1] = True
        mask[t, : min(n_global, t + 1)] = True
        free = (~mask[t, : t + 1]).nonzero().flatten()
        mask[t, free[torch.randperm(len(free), generator=generator)[:n_random]]] = True
    return mask


def until_full(T, window, n_global, n_random, rng):
    """Draws until there are enough."""
    mask = torch.eye(T) > 2
    for t in range(T):
        for s in range(t + 1):
            mask[t, s] = t - s < window or s < n_global
        missing = min(n_random, t + 1 - int(mask[t].sum()))
        while missing > 0:
            s = rng.randint(0, t)
            missing -= int(not mask[t, s])
            mask[t, s] = True
    return mask


def window_both_ways(T, window, n_global, n_random, rng):
    """Your window goes forward too, as in the paper: in a causal model it should go back only."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = ((t - s).abs() < window) | ((s < n_global) & (s <= t))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def globals_read_all(T, window, n_global, n_random, rng):
    """Your global positions attend to the whole row, as in the paper: in a causal model they should attend to
    earlier positions only.
    """
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = ((s <= t) & ((t - s < window) | (s < n_global))) | (t < n_global)
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def globals_seen_early(T, window, n_global, n_random, rng):
    """Your global positions are allowed for positions before them, which makes them look into the future."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = ((s <= t) & (t - s < window)) | (s < n_global)
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def window_one_too_wide(T, window, n_global, n_random, rng):
    """Your window is one too wide: it should have `window` positions, t included, so t − i < window."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s <= window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def window_without_itself(T, window, n_global, n_random, rng):
    """Position t is not in its own window: it should have t and the `window` − 1 positions before it."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s < t) & ((t - s <= window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def no_global_positions(T, window, n_global, n_random, rng):
    """The global positions are missing: every position attends to the first n_global."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & (t - s < window)
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def no_links(T, window, n_global, n_random, rng):
    """The random links are missing."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    return (s <= t) & ((t - s < window) | (s < n_global))


def links_into_the_future(T, window, n_global, n_random, rng):
    """Your links are drawn from the whole row, the future included: draw them from earlier positions."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        for link in rng.sample(range(T), min(n_random, T)):
            mask[row, link] = True
    return mask


def links_that_are_read_already(T, window, n_global, n_random, rng):
    """Some of your links are positions in the window or global ones, which are allowed already:
    draw from the others.
    """
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        for link in rng.sample(range(row + 1), min(n_random, row + 1)):
            mask[row, link] = True
    return mask


def links_drawn_twice(T, window, n_global, n_random, rng):
    """Your links can repeat, so that some positions get fewer than they should: draw without replacement."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for _ in range(n_random if between else 0):
            mask[row, rng.choice(between)] = True
    return mask


def nearest_links(T, window, n_global, n_random, rng):
    """Your links are the nearest positions before the window, so they only make it wider:
    draw them at random.
    """
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        for link in range(max(n_global, row - window + 1 - n_random), max(n_global, row - window + 1)):
            mask[row, link] = True
    return mask


def a_run_of_links(T, window, n_global, n_random, rng):
    """You draw a start and take its neighbours, so positions at the ends are drawn less often:
    all must be equally likely.
    """
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        k = min(n_random, len(between))
        start = min(rng.randint(0, len(between) - k), rng.randint(0, len(between) - k))
        for link in between[start : start + k]:
            mask[row, link] = True
    return mask


def the_same_every_time(T, window, n_global, n_random, rng):
    """Every mask has the same links, as from a fixed seed, of rng or of an own generator: draw from rng."""
    rng = random.Random(0)
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return mask


def inverted(T, window, n_global, n_random, rng):
    """Your mask is inverted: True should mean that t may attend to i."""
    t, s = torch.arange(T)[:, None], torch.arange(T)
    mask = (s <= t) & ((t - s < window) | (s < n_global))
    for row in range(T):
        between = range(n_global, max(n_global, row - window + 1))
        for link in rng.sample(between, min(n_random, len(between))):
            mask[row, link] = True
    return ~mask


KEY = AnswerKey(
    id="bigbird_mask",
    hidden=hidden,
    reference=bigbird_mask,
    accepted=(as_sets, by_bands, by_a_generator, until_full),
    rejected=(
        *(window_both_ways, globals_read_all, globals_seen_early, window_one_too_wide, window_without_itself),
        *(
            no_global_positions,
            no_links,
            links_into_the_future,
            links_that_are_read_already,
            links_drawn_twice,
            nearest_links,
        ),
        *(a_run_of_links, the_same_every_time, inverted),
    ),
    fingerprint=fingerprint,
    commentary=(
        "Two comparisons give the window ($i$ with $t$) and the global positions ($i$ with `n_global`). What"
        " is left for links are the positions `n_global`, …, $t$ − `window`, and `rng.sample` draws different"
        " ones, all equally likely. `min` covers the rows with fewer positions than links, and `max` the rows"
        " where the window overlaps the global positions. The common mistakes are a window that is one too"
        " wide, and links that may fall on positions that are allowed already."
    ),
)
