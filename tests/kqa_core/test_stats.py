"""Student's t against its closed forms and against published quantiles; both tests on worked figures."""

import math

import pytest

from kqa_core.stats import mcnemar, mean_sd, paired, t_beyond, t_quantile, welch


@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 2.5, 12.7, 300.0])
def test_one_degree_of_freedom_is_cauchys_law(t):
    assert t_beyond(t, 1) == pytest.approx(1 - 2 * math.atan(t) / math.pi, abs=1e-9)


@pytest.mark.parametrize("t", [0.0, 0.1, 1.0, 2.5, 12.7])
def test_two_degrees_of_freedom_have_a_closed_form(t):
    # its distribution function integrates exactly
    assert t_beyond(t, 2) == pytest.approx(1 - t / math.sqrt(2 + t * t), abs=1e-9)


def test_many_degrees_of_freedom_come_near_the_normal_law():
    assert t_beyond(1.5, 1e5) == pytest.approx(math.erfc(1.5 / math.sqrt(2)), abs=1e-5)


@pytest.mark.parametrize(
    ("degrees", "quantile"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (5, 2.571), (29, 2.045)]
)
def test_quantiles_are_those_of_the_printed_tables(degrees, quantile):
    assert t_quantile(0.975, degrees) == pytest.approx(quantile, abs=6e-4)
    assert t_beyond(t_quantile(0.975, degrees), degrees) == pytest.approx(0.05, abs=1e-8)


@pytest.mark.slow
def test_the_quantile_falls_as_degrees_are_added_fractions_too():
    quantiles = [t_quantile(0.975, degrees / 4) for degrees in range(4, 80)]
    assert quantiles == sorted(quantiles, reverse=True)


def test_the_lower_quantile_is_the_upper_one_with_the_other_sign():
    assert t_quantile(0.025, 7) == pytest.approx(-t_quantile(0.975, 7), rel=1e-12)
    assert t_quantile(0.5, 7) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("probability", "degrees"), [(0.0, 4), (1.0, 4), (0.9, 0.5)])
def test_what_is_no_question_is_refused(probability, degrees):
    with pytest.raises(ValueError, match="must"):
        t_quantile(probability, degrees)


def test_the_paired_test_on_worked_figures():
    # gaps 1, 2, 3: mean 2, s.d. 1, standard error 1/√3, t = 2√3 with 2 degrees of freedom; p = 1 − t/√(2 +
    # t²) = 1 − √(12/14)
    assert paired([2, 4, 6], [1, 2, 3]) == pytest.approx(1 - math.sqrt(12 / 14), abs=1e-9)


def test_welchs_test_on_worked_figures():
    # means 4 and 2, variances 4 and 1, n = 3: error √(5/3), t = 2/√(5/3); degrees (5/3)² / ((4/3)²/2 +
    # (1/3)²/2) = 50/17
    assert welch([2, 4, 6], [1, 2, 3]) == pytest.approx(t_beyond(2 / math.sqrt(5 / 3), 50 / 17), abs=1e-12)


def test_equal_figures_are_no_difference():
    assert paired([1, 2, 3], [1, 2, 3]) == 1.0 and welch([2, 2], [2, 2]) == 1.0
    assert paired([0, 0], [0, 0]) == 1.0


def test_a_gap_without_spread_has_the_p_value_of_its_signs_and_never_0():
    assert paired([2, 3, 4], [1, 2, 3]) == 2 / 2**3 and paired([2] * 10, [1] * 10) == 2 / 2**10
    assert paired([0.1 + 0.2, 1.3], [0.1, 1.1]) == 0.5, "0.2 and 0.2, but for rounding"
    # 2 of the C(6, 3) = 20 ways to divide six runs into two groups; 2 of C(4, 2) = 6
    assert welch([3, 3, 3], [2, 2, 2]) == 2 / 20 and welch([3, 3], [2, 2]) == 2 / 6


def test_mean_and_deviation_of_one_figure():
    mean, sd = mean_sd([3.0])
    assert mean == 3.0 and math.isnan(sd)


def test_mcnemar_is_the_sign_test_on_the_questions_that_differ():
    assert mcnemar(0, 0) == mcnemar(3, 3) == 1.0
    assert mcnemar(5, 0) == mcnemar(0, 5) == pytest.approx(2 / 32)
    assert mcnemar(10, 2) == pytest.approx(2 * (1 + 12 + 66) / 4096)
    assert mcnemar(900, 900) == 1.0 and 0 < mcnemar(1000, 900) < 0.05  # beyond the range of 2.0**n
