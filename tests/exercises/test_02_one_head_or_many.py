"""The checks of notebook 02: what its keys and its text promise."""

import itertools
import math
import random

import numpy as np
import pytest
import sympy as sp
import torch
from course_exercises._gaussian_keys import (
    COUNT,
    DISTANCE,
    MEAN,
    TAILS,
    TAILS_TOGETHER,
    X,
    draw_means,
    drawn_anew,
    judge_keys,
    slack,
)
from course_exercises.two_head_failure import failures
from course_exercises.variance_ratio import slips
from course_keys import sample_keys as sample_key
from course_keys import two_head_failure as failure_key
from course_keys import variance_ratio as ratio_key
from judged_keys import keys_of, verdict
from mpmath import mp

from kqa_core.check.exercise import NotYet, Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import find, of_notebook
from kqa_core.check.run import run_check

NOTEBOOK = "02_one_head_or_many"
EXERCISES = of_notebook(NOTEBOOK)
KEYS = keys_of(NOTEBOOK)


def test_points_and_order_are_those_of_the_course():
    points = {exercise.id: exercise.points for exercise in EXERCISES}
    wanted = {
        "robust_query": 2,
        "why_robust_query": 1,
        "sample_keys": 1,
        "weight_law": 3,
        "two_heads": 1,
        "two_head_failure": 2,
    }
    assert (
        points == {**wanted, "variance_ratio": 1, "single_vs_multi": 2}
        and list(points)[-1] == "single_vs_multi"
    )


@pytest.mark.parametrize("period", [1, 2, 5, 29])
def test_a_sampler_whose_seeds_come_back_is_refused(period):
    calls = itertools.count()

    def seeded(means, a, sigma2, count):
        with torch.random.fork_rng():
            torch.manual_seed(next(calls) % period)
            return sample_key.sample_keys(means, a, sigma2, count)

    means = torch.eye(4, 5, dtype=torch.float64)
    with pytest.raises(NotYet, match="one repeats keys of another"):
        drawn_anew(LocalAnswer(seeded), means)
    drawn_anew(LocalAnswer(sample_key.sample_keys), means)


def test_head_zero_fails_as_often_as_a_normal_variable_falls_below_zero():
    exact = mp.quad(lambda e: mp.exp(-((e - 1) ** 2)) / mp.sqrt(mp.pi), [-mp.inf, -4, 0])
    assert abs(exact - mp.erfc(1) / 2) < 1e-12
    assert abs(failures() - float(exact)) < 1e-5
    assert abs(float(mp.ncdf(-mp.sqrt(2))) - 0.0786) < 1e-4


def test_where_head_zero_fails_the_output_is_half_the_mean_of_the_others_and_half_of_b():
    for n in (3, 4, 7):
        keys = np.eye(n)
        keys[0] *= -0.4  # key a turned round
        heads = []
        for query in (np.eye(n)[0], np.eye(n)[1]):
            exponentials = np.exp(300 * keys @ query - (300 * keys @ query).max())
            heads.append(exponentials / exponentials.sum())
        others = np.eye(n)[1:].mean(axis=0)
        np.testing.assert_allclose(sum(heads) / 2, (others + np.eye(n)[1]) / 2, atol=1e-12)


def test_in_the_plane_only_the_zero_query_keeps_two_logits_equal_and_it_does_not_exclude_the_third():
    epsilon, q = sp.symbols("epsilon q_0 q_1")[0], sp.symbols("q_0 q_1")
    difference = sp.Poly(epsilon * q[0] - q[1], epsilon)  # of the logits of keys (epsilon, 0) and (0, 1)
    assert sp.solve(difference.all_coeffs(), q, dict=True) == [{q[0]: 0, q[1]: 0}]
    weights = np.exp(np.zeros(3)) / 3  # keys (epsilon, 0), (0, 1) and (0, 0)
    assert weights @ [10, 20, 60] == pytest.approx(30)


@pytest.mark.parametrize("epsilon", [-1.0, 0.2, 1.0, 3.0])
def test_with_known_orthonormal_means_one_head_can_exclude_the_others(epsilon):
    """The way out that the notebook's fold describes: q = −γ(μ_c + μ_d)."""
    keys = np.eye(4) * [[epsilon], [1], [1], [1]]
    exponentials = np.exp(keys @ np.array([0.0, 0.0, -40.0, -40.0]))
    np.testing.assert_allclose(exponentials / exponentials.sum(), [0.5, 0.5, 0, 0], atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4, 10])
def test_the_derived_ratio_is_the_leading_order_of_the_exact_one(n):
    """Both spreads by quadrature over epsilon > 0; what is left out is of relative order 1/beta."""

    def exact(beta):
        def mean(function):
            cuts = [
                0,
                5 / beta,
                20 / beta,
                60 / beta,
                1 - 30 / beta,
                1 - 8 / beta,
                1,
                1 + 8 / beta,
                1 + 30 / beta,
                4,
                8,
            ]
            return mp.quad(lambda e: function(e) * mp.exp(-((e - 1) ** 2)) / mp.sqrt(mp.pi), cuts) / (
                1 - mp.erfc(1) / 2
            )

        def weight(e):
            return 1 / (1 + mp.exp(-beta * (e - 1)))

        def short(e):
            return (n - 1) / (n - 1 + mp.exp(beta * e))

        one = 2 * (mean(lambda e: weight(e) ** 2) - mean(weight) ** 2)
        two = mp.mpf(n) / (n - 1) / 4 * (mean(lambda e: short(e) ** 2) - mean(short) ** 2)
        return one / two

    p = mp.erfc(1) / 2
    h, f = 0.5 / (1 - p), mp.exp(-1) / mp.sqrt(mp.pi) / (1 - p)

    def derived(beta):
        return 2 * h * (1 - h) / (mp.mpf(n) / (n - 1) / 4 * f / beta * (mp.log(n) - 1 + mp.mpf(1) / n))

    errors = [abs(exact(beta) / derived(beta) - 1) for beta in (200, 2000)]
    assert errors[1] < 0.02 and errors[1] < errors[0] / 5


def test_the_integral_in_the_derivation():
    t, n = sp.symbols("t n", positive=True)
    for value in (3, 4, 9):
        found = sp.N(sp.Integral(((n - 1) / (n - 1 + sp.exp(t))) ** 2, (t, 0, sp.oo)).subs(n, value))
        assert abs(found - (math.log(value) - 1 + 1 / value)) < 1e-10


def test_the_false_alarm_rate_of_a_table_is_the_one_that_is_stated():
    columns = 30
    mean = columns * float(mp.erfc(MEAN / mp.sqrt(2)))
    squares = columns * 2 * math.exp(-X)
    products = (columns * (columns - 1) / 2 + 2 * columns) * 4 * math.exp(-X)
    normal = columns * 2 * math.exp(-2 * COUNT * DISTANCE**2)
    shares = (columns * len(TAILS) + len(TAILS_TOGETHER)) * 2 * math.exp(-X)
    together = 2 * math.exp(-X)
    assert mean + squares + products + normal + together + shares < 3.4e-8
    assert slack(COUNT) < 0.075  # what a variance may be off by


def test_a_sampler_with_a_covariance_of_its_own_making_is_told_what_is_wrong():
    means = draw_means(4, 5, random.Random(3))
    for change, word in (
        (lambda keys: keys + 0.1, "mean"),
        (lambda keys: keys * 1.2, "mean"),
        (lambda keys: keys.flip(2), "mean"),
    ):
        torch.manual_seed(1)
        with pytest.raises(NotYet, match=word):
            judge_keys(change(sample_key.sample_keys(means, 1, 0.2, COUNT)), means, 1, 0.2, "here")
    torch.manual_seed(1)
    twice = sample_key.sample_keys(means, 1, 0.2, COUNT // 2).repeat_interleave(2, dim=0)
    with pytest.raises(NotYet, match="an even number and the next one have a correlation of 1"):
        judge_keys(twice, means, 1, 0.2, "here")
    torch.manual_seed(1)
    halves = sample_key.sample_keys(means, 1, 0.2, COUNT // 2).repeat(2, 1, 1)
    with pytest.raises(NotYet, match="the one 10,000 later have a correlation of 1"):
        judge_keys(halves, means, 1, 0.2, "here")


def test_a_sampler_in_single_precision_is_accepted():
    def sampler(means, a, alpha, count):
        return sample_key.sample_keys(means, a, alpha, count).float()

    assert verdict(KEYS["sample_keys"], sampler, 3).outcome is Outcome.RIGHT


@pytest.mark.parametrize(
    "wrong", [sample_key.each_coordinate_on_its_own, sample_key.along_an_axis, sample_key.always_key_zero]
)
def test_the_student_s_own_check_refuses_a_sampler_that_is_right_only_for_means_along_the_axes(wrong):
    found = run_check(find("sample_keys").check, LocalAnswer(wrong, 1), 1)
    assert found.outcome is Outcome.NOT_YET and "not along the axes" in found.sentence


def sum_of_ratios(one, two, epsilon):
    """A ratio for each coordinate, added up."""
    return (one[epsilon > 0].var(dim=0) / two[epsilon > 0].var(dim=0)).sum().item()


@pytest.mark.parametrize("mistake", [*ratio_key.KEY.rejected, sum_of_ratios])
def test_the_student_s_own_check_names_the_cause_of_a_wrong_ratio(mistake):
    found = run_check(find("variance_ratio").check, LocalAnswer(mistake, 1), 1)
    some = torch.ones(3, 2)
    assert found.outcome is Outcome.NOT_YET and any(
        found.sentence.endswith(said) for said, _ in slips(some, some, some[:, 0])
    ), found.sentence


@pytest.mark.parametrize("mistake", ["half_as_deviation", "variance_one"])
def test_the_student_s_own_check_names_the_cause_of_a_wrong_probability(mistake):
    found = run_check(find("two_head_failure").check, LocalAnswer(getattr(failure_key, mistake), 1), 1)
    assert found.outcome is Outcome.NOT_YET and "½" in found.sentence, found.sentence


def test_a_random_number_for_each_entry_of_the_mean_is_named():
    """Also where the variance moves the mean of the draws."""
    answers = (sample_key.each_coordinate_on_its_own, True), (sample_key.along_an_axis, False)
    for (wrong, named), seed in itertools.product(answers, range(1, 5)):
        found = run_check(find("sample_keys").check, LocalAnswer(wrong, seed), seed)
        assert ("for each entry" in found.sentence) is named, found.sentence


@pytest.mark.parametrize("epsilon", [-2.0, -0.1, 0.1, 1.0, 3.0])
def test_a_pair_whose_heads_exchange_their_roles_works_for_negative_lengths(epsilon):
    """The pair of the notebook's fold, β²μ_a + βμ_b and −β²μ_a + βμ_b, at β = 400."""
    keys, (mu_a, mu_b) = np.eye(4) * [[epsilon], [1], [1], [1]], np.eye(4)[:2]
    logits = [keys @ (sign * 400**2 * mu_a + 400 * mu_b) for sign in (1, -1)]
    exponentials = [np.exp(each - each.max()) for each in logits]
    np.testing.assert_allclose(
        sum(each / each.sum() for each in exponentials) / 2, [0.5, 0.5, 0, 0], atol=1e-12
    )


@pytest.mark.parametrize("text", ["0.0786", "0.07865", "0.0786496"])
def test_a_rounded_probability_is_refused_as_such(text):
    for value in (float(text), sp.Float(text), sp.Rational(text)):
        found = verdict(KEYS["two_head_failure"], lambda value=value: value, 1)
        assert found.outcome is Outcome.NOT_YET and "at most 13 digits" in found.sentence
