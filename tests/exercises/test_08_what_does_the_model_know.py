"""The checks of notebook 08: what they allow, what they refuse, and how surely."""

import math
import random

import sympy as sp
import torch
from course_exercises._certainty import binned, curve, laid_out, levels


def test_a_curve_is_what_counting_gives():
    rng = random.Random(3)
    for _ in range(20):
        what = levels(rng, rng.randint(1, 9))
        confidences, hits = laid_out(rng, what)
        for (coverage, risk), level in zip(curve(what), what, strict=True):
            given = [hit for c, hit in zip(confidences, hits, strict=True) if c >= level.confidence]
            assert coverage == len(given) / len(hits) and math.isclose(risk, given.count(False) / len(given))


def test_binned_answers_have_the_error_they_are_built_for():
    rng = random.Random(4)
    for bins in (1, 4, 10, 15):
        for _ in range(20):
            confidences, hits, error = binned(rng, bins, rng.sample(range(bins), max(1, bins // 2)))
            claimed = torch.tensor(confidences, dtype=torch.float64)
            number = (claimed * bins).long()
            gaps = torch.tensor(hits, dtype=torch.float64) - claimed
            by_bin = [abs(float(gaps[number == k].sum())) for k in range(bins)]
            assert number.max() < bins and math.isclose(error, sum(by_bin) / len(hits), abs_tol=1e-12)


def test_the_targets_of_abstention_are_met_or_missed_clearly():
    from course_keys.abstention_threshold import TARGETS

    shares = {hits / given for given in range(1, 61) for hits in range(given + 1)}
    assert min(abs(share - target) for share in shares for target in TARGETS) > 1e-5


def test_the_agreement_can_be_solved_for():
    follow, agreement, k = sp.symbols("g a k", positive=True)
    hit = follow * agreement + (1 - follow) * (1 - agreement) / (k - 1)
    assert sp.simplify(((k - 1) * hit - (1 - follow)) / (k * follow - 1) - agreement) == 0
    assert sp.simplify(hit.subs(follow, 1 / k) - 1 / k) == 0  # where the guess tells nothing, the hit rate is 1/k whatever a is


def tail(n, p, slack):
    """The exact chance that Binomial(n, p) is off its mean by more than `slack`."""
    logs = [
        math.lgamma(n + 1) - math.lgamma(m + 1) - math.lgamma(n - m + 1) + m * math.log(p) + (n - m) * math.log1p(-p)
        for m in range(n + 1)
        if abs(m - n * p) > slack
    ]
    return math.fsum(math.exp(each) for each in logs)


def test_neutral_names_raises_a_false_alarm_less_than_once_in_a_million():
    from course_exercises.neutral_names import PEOPLE, SIZES, slack

    regions, total = len(SIZES), sum(PEOPLE)
    whole = (regions + 1) * tail(total, 1 / regions, slack(total))
    cells = sum(regions * tail(count, 1 / regions, slack(count)) for count in PEOPLE)
    missing = sum(8 * (1 - 1 / (regions * size)) ** total for size in SIZES)
    assert whole + cells + missing < 1e-6
