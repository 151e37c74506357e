"""weight_law accepts every way to write the law that was thought of, and no other law.

An eighth of the forms is judged here, and another eighth after every change of the check; all of them with
KQA_ALL=1.
"""

import random

import pytest
import sympy as sp
from course_exercises import _gaussian, weight_law
from course_exercises._gaussian import Values
from course_exercises.weight_law import KNOWN, SLIPS, W
from course_keys import weight_law as law_key
from equivalents_02 import right_form, wrong_form
from judged_keys import keys_of, verdict
from mpmath import mp
from portions import portion
from sympy.stats import Normal, P

from kqa_core.check.exercise import Outcome
from kqa_core.symbolic.attention import BETA

KEY = keys_of("02_one_head_or_many")["weight_law"]
BATCHES, FORMS = 20, 14  # 280 of each kind, more than 200 of them different
SOME = portion(range(BATCHES), 20, weight_law.__file__, _gaussian.__file__, law_key.__file__)


def judged(expression, seed=1):
    def law(w, beta):
        same = beta == BETA or not isinstance(expression, sp.Basic)
        return expression if same else expression.xreplace({W: w, BETA: beta})

    return verdict(KEY, law, seed)


@pytest.mark.slow
@pytest.mark.parametrize("batch", SOME)
def test_every_equivalent_form_is_right(batch):
    rng = random.Random(batch)
    for number in range(FORMS):
        form = right_form(rng, W, BETA, integrals=number < 3)
        found = judged(form, seed=100 * batch + number)
        assert found.outcome is Outcome.RIGHT, (form, found.sentence)


@pytest.mark.slow
@pytest.mark.parametrize("batch", SOME)
def test_every_other_law_is_refused(batch):
    rng = random.Random(1000 + batch)
    for number in range(FORMS):
        form = wrong_form(rng, W, BETA)
        found = judged(form, seed=100 * batch + number)
        assert found.outcome is Outcome.NOT_YET, (form, found.sentence)


@pytest.mark.nightly
def test_the_forms_are_many_and_different():
    rng = random.Random(5)
    right = {right_form(rng, W, BETA) for _ in range(BATCHES * FORMS)}
    wrong = {wrong_form(rng, W, BETA) for _ in range(BATCHES * FORMS)}
    assert len(right) > 200 and len(wrong) > 200 and not right & wrong


def test_the_known_values_follow_from_the_density_of_epsilon():
    for w, beta, wanted in KNOWN:
        w, beta = sp.Rational(w), sp.Rational(beta)
        with mp.workdps(30):
            # epsilon where the weight is w
            top = 1 + mp.log(mp.mpf(int(w.p)) / int(w.q - w.p)) * int(beta.q) / int(beta.p)
            found = mp.quad(lambda e: mp.exp(-((e - 1) ** 2)) / mp.sqrt(mp.pi), [-mp.inf, -4, top])
            assert abs(found - mp.mpf(wanted)) < 1e-12
            assert abs(law_key.probability(w, beta) - found) < 1e-20


def test_the_law_is_that_of_the_attention_weight():
    """A million lengths: a share's standard error is at most 5e-4, so 0.003 is six of them."""
    import numpy as np

    epsilon = np.random.default_rng(1).normal(1, np.sqrt(0.5), 1_000_000)
    for w, beta in ((0.9, 3), (0.2, 1), (0.6, 20)):
        weight = 1 / (1 + np.exp(-beta * (epsilon - 1)))
        exact = float(law_key.probability(sp.Rational(str(w)), sp.Integer(beta)))
        assert abs((weight <= w).mean() - exact) < 0.003


def test_the_course_s_formula_for_nine_tenths_and_its_limit():
    for beta in (1, 10, 1000):
        phi = float(sp.N((1 + sp.erf(sp.log(9) / (beta * sp.sqrt(sp.Rational(1, 2))) / sp.sqrt(2))) / 2))
        assert 1 - float(law_key.probability(sp.Rational(9, 10), sp.Integer(beta))) == pytest.approx(
            1 - phi, abs=1e-14
        )
    assert abs(law_key.probability(sp.Rational(9, 10), sp.Integer(10) ** 9) - 0.5) < 1e-8


@pytest.mark.slow
def test_the_library_s_probability_has_the_wrong_sign_and_the_check_says_so():
    epsilon = Normal("epsilon", 1, sp.sqrt(sp.Rational(1, 2)))
    found = judged(P(epsilon <= 1 + (sp.log(W) - sp.log(1 - W)) / BETA))
    assert found.outcome is Outcome.NOT_YET and "sympy.stats.P" in found.sentence


def test_a_law_of_two_varying_keys_is_refused_by_its_own_sentence():
    from autograder.judge.diagnose import diagnose
    from kqa_core.check.local import LocalAnswer

    def theirs(w, beta):
        """Not the key's own code: the difference of the lengths has variance ½ + ½."""
        return sp.erfc((sp.log(1 - w) - sp.log(w)) / (beta * sp.sqrt(2))) / 2

    found = verdict(KEY, theirs, 1)
    said, name = diagnose(KEY, LocalAnswer(theirs, 1), found.sentence)
    assert found.outcome is Outcome.NOT_YET and name == "both_keys_vary" and "Only key a varies" in said


def test_the_check_names_the_cause_of_the_commonest_mistakes():
    mistakes = ("half_as_deviation", "both_keys_vary", "key_b_left_out", "no_logit", "missing_half")
    for name, (_, said) in zip(mistakes, SLIPS, strict=True):
        found = judged(getattr(law_key, name)(W, BETA))
        assert found.outcome is Outcome.NOT_YET and said[1:] in found.sentence


def test_a_law_with_rounded_numbers_is_called_close_and_a_wrong_one_is_not():
    rounded = judged((1 + sp.erf(sp.log(W / (1 - W)) / (BETA * 0.707 * 1.414))) / 2)
    assert rounded.outcome is Outcome.NOT_YET and "close, but not exact" in rounded.sentence
    assert "close, but not exact" not in judged(law_key.both_keys_vary(W, BETA)).sentence


TOWER = sp.exp(sp.exp(sp.exp(50 * BETA)))
X, Y = sp.symbols("x y", real=True)
HEAVY = {  # made in their tests: a thousand error functions take a second
    "a tower": lambda: TOWER / (1 + TOWER),
    "an integral in an integral": lambda: sp.Integral(
        sp.Integral(sp.exp(-((X * Y) ** 2)), (X, 0, Y)), (Y, 0, W)
    ),
    "an integral that swings": lambda: sp.Integral(sp.sin(sp.exp(X)) * sp.cos(sp.exp(2 * X)), (X, 0, 40 / W)),
    "an integral with a pole": lambda: sp.Integral(1 / (X - W / 2), (X, 0, W)),
    "a thousand error functions": lambda: sp.Add(*(sp.erf(W * BETA + n) for n in range(1000))) / 2000,
    "factorials": lambda: sp.factorial(1000 * BETA) / sp.gamma(1000 * BETA + 1),
    "a power of a power": lambda: W ** (BETA ** (BETA**BETA)),
    "inverses": lambda: sp.Add(*(sp.erfinv(W / (n + 1)) for n in range(200))),
    "a sine of something huge": lambda: sp.sin(sp.exp(sp.exp(9 + BETA))),
    "cases without end": lambda: sp.Piecewise((1, W < 0), (sp.Rational(1, 2), W > 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("expression", HEAVY.values(), ids=HEAVY)
def test_what_cannot_be_evaluated_is_refused_in_words_and_on_a_budget(expression):
    found = judged(expression())
    assert found.outcome is Outcome.NOT_YET and len(found.sentence) < 400


@pytest.mark.parametrize("kind", ["Pow", "Mul", "Integral", "factorial"])
def test_an_object_that_claims_to_be_an_expression_is_not_computed(kind):
    """A handle is read by the name of its type, which anybody can choose:
    the numbers in it stay under the codec's guards.
    """
    fake = type(kind, (), {"args": (10, 10**10)})()
    found = judged(fake)
    assert found.outcome is Outcome.NOT_YET and len(found.sentence) < 400


def test_values_are_exact_where_terms_cancel_and_none_where_there_is_no_value():
    cancelling = (1 + sp.Rational(1, 10**60)) - sp.cos(sp.Rational(1, 10**40))
    assert abs(Values(cancelling * 10**60).at({}) - 1) < 1e-12
    assert Values(1 / (W - sp.Rational(1, 2))).at({W: sp.Rational(1, 2)}) is None
    assert Values(sp.log(W - 1)).at({W: sp.Rational(1, 2)}).imag != 0


def test_a_point_is_never_where_the_law_is_flat():
    for seed in range(20):
        for w, beta in law_key.draw(random.Random(seed)):
            assert 0.005 < law_key.probability(w, beta) < 0.995
