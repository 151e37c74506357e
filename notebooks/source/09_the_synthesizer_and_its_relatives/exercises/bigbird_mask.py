"""Exercise bigbird_mask: the mask of a window, some global positions and random links."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import torch
from torch import Tensor

from kqa_core.check.answer import Answer, Seeded
from kqa_core.check.exercise import POSSIBLE, Exercise, NotYet, Verdict, expect, right
from kqa_core.check.helpers.read_values import kind_of
from kqa_core.exercise_helpers.corrupted_rows import AGAIN, going_on

Case = tuple[int, int, int, int]  # T, window, n_global, n_random

MASKS = 800
EVEN = (12, 2, 1, 2)
ROWS = {11: range(1, 10), 7: range(1, 6)}
EXPONENT = math.log(88e6)
LONG, LONG_MASKS = (40, 2, 1, 2), 140


def allowed(mean: float, p: float) -> float:
    """The positive root of e² − (2/3)·x·e − 2·x·V with x = 18.29."""
    x, variance = EXPONENT, mean * (1 - p)
    return x / 3 + math.sqrt((x / 3) ** 2 + 2 * x * variance)


def mask_of(result: object, T: int) -> Tensor:
    """`result` as a BoolTensor (T, T). Raises NotYet unless it is one."""
    if not isinstance(result, Tensor):
        raise NotYet(f"the mask must be a torch tensor; yours is {kind_of(result)}")
    expect(
        tuple(result.shape) == (T, T),
        f"the mask must have shape ({T}, {T}); yours has shape {tuple(result.shape)}",
    )
    expect(result.dtype is torch.bool, f"the mask must have dtype torch.bool; yours is {result.dtype}")
    return result


def well_made(result: object, case: Case) -> Tensor:
    """Raise NotYet unless the mask has its window, global positions,
    all links that fit, and nothing else. Returns the mask.
    """
    T, window, n_global, n_random = case
    mask = mask_of(result, T)
    said = f"T = {T}, window = {window}, n_global = {n_global}, n_random = {n_random}"
    for t, row in enumerate(mask.tolist()):
        read = {s for s in range(T) if row[s]}
        late = sorted(s for s in read if s > t)
        expect(not late, f"{said}: position {t} attends to position {late[:1] and late[0]}, which is later")
        for s in range(t + 1):
            must = t - s < window or s < n_global
            expect(not must or s in read, f"{said}: position {t} must attend to position {s}; yours does not")
        between = range(n_global, max(n_global, t - window + 1))
        links, wanted = sorted(read & set(between)), min(n_random, len(between))
        expect(
            len(links) == wanted,
            f"{said}: besides window and global positions, position {t} must attend to {wanted} earlier "
            f"position{'s' * (wanted != 1)}; yours attends to {len(links)}"
            f"{': ' * bool(links)}{', '.join(map(str, links[:4]))}{', …' * (len(links) > 4)}",
        )
    return mask


def all_well_made(results: Sequence[object], case: Case) -> Tensor:
    """The masks (count, T, T). Raises NotYet unless each of them is as `well_made` says."""
    T, window, n_global, n_random = case
    masks = torch.stack([mask_of(result, T) for result in results])
    t, s = torch.arange(T)[:, None], torch.arange(T)
    must = (s <= t) & ((t - s < window) | (s < n_global))
    free = (s <= t) & ~must
    links = (masks & free).sum(dim=2)
    bad = (masks & (s > t)).any(2) | (must & ~masks).any(2) | (links != free.sum(1).clamp(max=n_random))
    for number in bad.any(dim=1).nonzero().flatten()[:1].tolist():
        well_made(results[number], case)
    return masks


def evenly(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless every link, and every pair of links, is about equally frequent in MASKS masks."""
    results = answer.map([(*EVEN, Seeded(rng.getrandbits(32))) for _ in range(MASKS)])
    masks = all_well_made(results, EVEN)  # (MASKS, 12, 12)
    total = masks.sum(dim=0)
    drawn = f"in {MASKS} masks with T = 12, window = 2, n_global = 1 and n_random = 2"
    for t, between in ROWS.items():
        p = 2 / len(between)
        for s in between:
            off = abs(float(total[t, s]) - MASKS * p)
            expect(
                off < allowed(MASKS * p, p),
                f"{drawn}, position {t} attends to position {s} {int(total[t, s])} times; if every link is"
                f" equally likely, about {MASKS * p:.0f} are expected",
            )
    for a, b in itertools.combinations(ROWS[7], 2):
        both = int((masks[:, 7, a] & masks[:, 7, b]).sum())
        expect(
            abs(both - MASKS / 10) < allowed(MASKS / 10, 1 / 10),
            f"{drawn}, the links of position 7 are {a} and {b} {both} times; if every pair of links is"
            f" equally likely, about {MASKS // 10} are expected",
        )
    common = int((masks[:, 10, 1:9] & masks[:, 11, 1:9]).any(dim=1).sum())
    expect(
        abs(common - MASKS * 5 / 12) < allowed(MASKS * 5 / 12, 5 / 12),
        f"{drawn}, positions 10 and 11 have a link in common in {common}; if each position draws for itself,"
        f" about {MASKS * 5 / 12:.0f} are expected",
    )


def other_sizes(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless every link is about equally frequent in masks of other sizes than before."""
    mean = MASKS / 8
    for case in ((9, 3, 0, 3), (3, 1, 0, 1)):  # the last position attends to half of the places that are left
        T, window, _, n_random = case
        calls = [(*case, Seeded(rng.getrandbits(32))) for _ in range(MASKS // 4)]
        total = all_well_made(answer.map(calls), case)[:, -1, : T - window].sum(dim=0)
        for s, count in enumerate(total.tolist()):
            expect(
                abs(count - mean) < allowed(mean, 1 / 2),
                f"in {MASKS // 4} masks with T = {T}, window = {window}, n_global = 0, n_random = {n_random},"
                f" position {T - 1} attends to position {s} {count} times; if every link is equally likely,"
                f" about {mean:.0f} are expected",
            )


def spread(answer: Answer, rng: random.Random) -> None:
    """Raise NotYet unless the links of long masks, all rows together, are spread as random ones are. Counted:
    links in each quarter of the free places, links beside one another, and links that two rows share.
    """
    calls = [(*LONG, Seeded(rng.getrandbits(32))) for _ in range(LONG_MASKS)]
    masks = all_well_made([*answer.map(calls[::2]), *answer.map(calls[1::2])], LONG).tolist()
    rows = range(6, 40)
    links = [{t: [s for s in range(1, t - 1) if mask[t][s]] for t in rows} for mask in masks]
    free = {t: t - 2 for t in rows}
    drawn = f"in {LONG_MASKS} masks with T = 40, window = 2, n_global = 1 and n_random = 2"
    for quarter, which in enumerate(("first", "second", "third", "last")):
        found = sum(4 * (s - 1) // free[t] == quarter for each in links for t in rows for s in each[t])
        places = {t: sum(4 * place // free[t] == quarter for place in range(free[t])) for t in rows}
        mean = LONG_MASKS * sum(2 * places[t] / free[t] for t in rows)
        expect(
            abs(found - mean) < allowed(mean, 0.0),
            f"{drawn}, {found} links are in the {which} quarter of the places that are left to their"
            f" position; if every link is equally likely, about {mean:.0f} are expected",
        )
    beside = sum(each[t][1] - each[t][0] == 1 for each in links for t in rows)
    mean = LONG_MASKS * sum(2 / free[t] for t in rows)
    expect(
        abs(beside - mean) < allowed(mean, 0.0),
        f"{drawn}, {beside} times the two links of a position are neighbours; if every pair of links is"
        f" equally likely, about {mean:.0f} are expected",
    )
    for lag in range(1, 9):
        pairs = [(t, t + lag) for t in rows if t + lag in rows]
        common = sum(len({*each[t]} & {*each[later]}) for each in links for t, later in pairs)
        mean = LONG_MASKS * sum(4 / free[later] for _, later in pairs)
        expect(
            abs(common - mean) < 2 * allowed(mean / 2, 0.0),
            f"{drawn}, positions t and t + {lag} have {common} links in common; if each position draws for"
            f" itself, about {mean:.0f} are expected",
        )


def check(answer: Answer, rng: random.Random) -> Verdict:
    """Window and global positions alone; then with links; and whether they come from rng."""
    cases: list[Case] = [
        (6, 2, 0, 0),
        (7, 1, 2, 0),
        (1, 3, 1, 2),
        (9, 2, 1, 2),
        (12, 3, 2, 3),
        (5, 9, 0, 3),
        (4, 1, 9, 1),
        (20, 2, 1, 9),
    ]
    calls = [(*case, Seeded(rng.getrandbits(32))) for case in cases]
    for case, result in zip(cases, answer.map(calls), strict=True):
        well_made(result, case)
    # two right masks of this shape agree with probability below 1e-15
    seeds = [rng.getrandbits(32) for _ in range(8)]
    first, second = (answer.map([(24, 2, 1, 2, Seeded(seed)) for seed in seeds]) for _ in range(2))
    same = [torch.equal(mask_of(a, 24), mask_of(b, 24)) for a, b in zip(first, second, strict=True)]
    expect(
        all(same),
        "two calls with T = 24, window = 2, n_global = 1, n_random = 2 and rng in the same state"
        " gave different"
        " masks; the mask should depend on these alone",
    )
    varied = any(not torch.equal(mask_of(first[0], 24), mask_of(other, 24)) for other in first[1:])
    expect(
        varied,
        "eight calls with T = 24, window = 2, n_global = 1, n_random = 2 and different rng gave the"
        " same mask."
        f" {POSSIBLE}the links are not drawn from rng, or rng is seeded anew",
    )
    masks = [mask_of(found, 24) for found in answer.map([(24, 2, 1, 2, going_on(seeds[0]))] * 20)]
    expect(any(not torch.equal(masks[0], other) for other in masks), AGAIN.format("mask"))
    evenly(answer, rng)
    spread(answer, rng)
    return right("window, global positions and links, each link as likely as any other")


EXERCISE = Exercise(
    id="bigbird_mask",
    title="The BigBird mask",
    order=11,
    points=3,
    difficulty=2,
    importance=2,
    extra=True,
    minutes=15,
    source="Zaheer et al. 2020, section 2, in a causal form",
    hints=(
        (
            "Draw one row on paper, say t = 9 with a window of 3 and 2 global positions. Which positions are"
            " left for links?"
        ),
        (
            "Window and global positions are comparisons of i with t and with n_global. The links of row t"
            " are drawn from n_global, …, t − window: all different, and as many as there are if that is"
            " fewer than n_random."
        ),
        (
            "between = range(n_global, max(n_global, t - window + 1)); rng.sample(between, min(n_random,"
            " len(between))) gives the links of one row."
        ),
    ),
    check=check,
)
