"""The checks of notebook 08: what they allow, what they refuse, and how surely."""

import itertools
import math
import random

import pytest
import sympy as sp
import torch
from course_exercises._certainty import binned, curve, laid_out, levels
from course_exercises._heads import Case, patched, replaced
from course_exercises.mcnemar import fair_coin

from autograder.answer_key import find_checked
from kqa_core.check.exercise import NotYet
from kqa_core.check.local import LocalAnswer
from kqa_core.exercise_helpers.transformer_parts import apart


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
    # where the guess tells nothing, the hit rate is 1/k whatever a is
    assert sp.simplify(hit.subs(follow, 1 / k) - 1 / k) == 0


def tail(n, p, slack):
    """The exact chance that Binomial(n, p) is off its mean by more than `slack`."""
    logs = [
        math.lgamma(n + 1)
        - math.lgamma(m + 1)
        - math.lgamma(n - m + 1)
        + m * math.log(p)
        + (n - m) * math.log1p(-p)
        for m in range(n + 1)
        if abs(m - n * p) > slack
    ]
    return math.fsum(math.exp(each) for each in logs)


def test_neutral_names_raises_a_false_alarm_less_than_once_in_a_million():
    from course_exercises.neutral_names import PEOPLE, SIZES, room_for, slack

    regions, total = len(SIZES), sum(PEOPLE)
    whole = 2 * (regions + 1) * tail(total, 1 / regions, slack(total))
    cells = sum(regions * tail(count, 1 / regions, slack(count)) for count in PEOPLE)
    missing = sum(8 * (1 - 1 / (regions * size)) ** total for size in SIZES)
    each = [1 / (regions * size) for size in SIZES]
    single = sum(size * tail(total, p, room_for(total, p)) for size, p in zip(SIZES, each, strict=True))
    ends = 2 * tail(total, sum(each), room_for(total, sum(each)))
    known = (*PEOPLE, total // 2, total // 2, *[total // regions] * regions)
    quarters = sum(4 * regions * tail(count, 1 / (4 * regions), room_for(count, 1 / 16)) for count in known)
    repeated = tail(60, 1 / 2, 25) + 2 * tail(60, 924 / 4096, 45 - 60 * 924 / 4096)
    assert whole + cells + missing + single + ends + quarters + repeated < 1e-6


def models():
    """The cases of the hidden checks."""
    from course_keys.ablate_heads import MODELS
    from course_keys.patch_heads import MODELS as PATCHED

    return {*MODELS, *PATCHED}


@pytest.mark.parametrize("sizes", sorted(models(), key=repr), ids=str)
def test_the_written_out_pass_gives_the_logits_of_the_model(sizes):
    case = Case(random.Random(5), sizes)
    with torch.no_grad():
        assert apart(case.model(case.tokens)[0], case.plain()) <= 0.1


@pytest.mark.parametrize("sizes", sorted(models(), key=repr), ids=str)
def test_every_head_of_these_models_matters(sizes):
    case = Case(random.Random(6), sizes)
    for pair in itertools.product(range(sizes.n_layer), range(sizes.n_head)):
        without = case.logits(replaced({pair: case.vector(0.0)}))
        last = sizes.length - 1
        other = case.logits(patched(case, [pair], [last]))
        assert apart(without, case.plain()) > 50 and apart(other, case.plain()) > 50


def test_patching_all_heads_at_all_positions_leaves_only_the_tokens_themselves():
    case = Case(random.Random(7), max(models(), key=lambda sizes: sizes.n_layer))
    every = list(itertools.product(range(case.sizes.n_layer), range(case.sizes.n_head)))
    positions = range(case.sizes.length)
    case.tokens = torch.cat((case.source[:, :1], case.tokens[:, 1:]), dim=1)
    found = case.logits(patched(case, every, positions))
    with torch.no_grad():
        of_source = case.model(case.source)[0]
    # the first token is the same
    assert apart(found[:, 0], of_source[:, 0]) <= 1 < apart(found[:, 1:], of_source[:, 1:])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ablate_heads", "patch_heads"])
def test_a_hook_that_stays_is_found_although_the_first_logits_are_right(name):
    from course_exercises import ablate_heads, patch_heads

    check = {"ablate_heads": ablate_heads, "patch_heads": patch_heads}[name].EXERCISE.check
    left = next(answer for answer in find_checked(name).rejected if answer.__name__ == "hook_left_behind")
    with pytest.raises(NotYet, match=r"before: entry .* and then .*\. Possible cause: a hook is still there"):
        check(LocalAnswer(left), random.Random(0))
    check(LocalAnswer(find_checked(name).reference), random.Random(0))  # and the next attempt has a new model


def test_a_fair_coin_counts_all_equally_likely_results():
    for total in range(9):
        for lost in range(total + 1):
            results = [abs(2 * sum(flips) - total) for flips in itertools.product((0, 1), repeat=total)]
            lopsided = sum(each >= abs(2 * lost - total) for each in results)
            assert math.isclose(fair_coin(lost, total - lost), lopsided / 2**total)
