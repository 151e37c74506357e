"""Answer key of weight_law.

With k_a = ε·mu_a, ε ~ N(1, ½), and k_b = mu_b, the weight is W = σ(β(ε − 1)). It is at most w where β(ε − 1)
is at most the logit L(w) = log(w / (1 − w)), and β(ε − 1) ~ N(0, β²/2): P(W ≤ w) = Φ(L / (β/√2)) = ½·(1 +
erf(L / β)). In particular P(W > 0.9) = 1 − Φ(ln 9 / (β√½)), which tends to ½: the output flips between the
two values.
"""

from __future__ import annotations

import math
import random
from typing import Any

import sympy as sp
from course_exercises.weight_law import W, same_law
from mpmath import mp  # type: ignore[import-untyped] # mpmath ships no types

from autograder.answer_key import AnswerKey
from kqa_core.check.answer import Answer
from kqa_core.check.exercise import Verdict, right
from kqa_core.exercise_helpers.queries import Renamed
from kqa_core.symbolic.attention import BETA

POINTS = 8


def probability(w: Any, beta: Any) -> Any:
    """P(W ≤ w) by the derivation above, for rational numbers."""
    odds = mp.mpf(int(w.p)) / int(w.q - w.p)
    return (1 + mp.erf(mp.log(odds) * int(beta.q) / int(beta.p))) / 2


def draw(rng: random.Random) -> list[tuple[Any, Any]]:
    """Points (w, beta) at which the law is neither 0 nor 1: the logit is 0.15 to 1.8 times beta.

    The last two have a tiny w, and so a beta of up to a hundred, far above what anybody tries by hand.
    """
    points: list[tuple[Any, Any]] = []
    while len(points) < POINTS:
        w = sp.Rational(rng.randint(20, 980), 1000)
        if len(points) >= POINTS - 2:
            w = sp.Rational(rng.randint(1, 9), 10 ** rng.randint(4, 8))
        logit = math.log(w / (1 - w))
        beta = sp.Rational(round(1000 * abs(logit) / rng.uniform(0.15, 1.8)), 1000)
        if abs(w - sp.Rational(1, 2)) > sp.Rational(1, 50):  # else beta would be a tiny number, rounded
            points.append((w, beta))
    return points


def hidden(answer: Answer, rng: random.Random) -> Verdict:
    """Fresh points on both sides of one half, near 0, near 1, and one half itself; other symbols."""
    points = draw(rng)
    points += [(1 - w, beta + 1) for w, beta in points[-2:]]
    points += [
        (sp.S.Half, sp.Rational(rng.randint(2, 9))),
        (sp.Rational(501, 1000), sp.Rational(1, rng.randint(100, 300))),
        (sp.Rational(1, 10**9), sp.Rational(rng.randint(300, 3000))),
    ]
    cases = [(w, beta, probability(w, beta)) for w, beta in points]
    same_law(answer, cases)
    same_law(Renamed(answer, W, BETA), cases[:2])
    return right()


def fingerprint(rng: random.Random) -> list[tuple[object, ...]]:
    """Numbers, since a weight lies between 0 and 1, which no assumption on a symbol says."""
    return [(w, beta) for w, beta in draw(rng)[:5]]


def weight_law(w, beta):
    """The reference."""
    return (1 + sp.erf(sp.log(w / (1 - w)) / beta)) / 2


def from_the_library(w, beta):
    """The distribution function of N(1, 1/2) where epsilon reaches the weight w."""
    from sympy.stats import Normal, cdf

    return cdf(Normal("epsilon", 1, sp.sqrt(sp.Rational(1, 2))))(1 + sp.log(w / (1 - w)) / beta)


def complement(w, beta):
    """By the complementary error function, odds the other way up."""
    return sp.erfc(sp.log((1 - w) / w) / beta) / 2


def under_an_integral(w, beta):
    """The density of the logit, not integrated."""
    x = sp.Symbol("x", real=True)
    density = sp.exp(-((x / beta) ** 2)) / (beta * sp.sqrt(sp.pi))
    return sp.Integral(density, (x, -sp.oo, sp.log(w) - sp.log(1 - w)))


def density_of_the_weight(w, beta):
    """The density of the weight itself, between 0 and w."""
    u = sp.Symbol("u", positive=True)
    logit = sp.log(u / (1 - u))
    return sp.Rational(1, 2) + sp.Integral(
        sp.exp(-((logit / beta) ** 2)) / (sp.sqrt(sp.pi) * beta * u * (1 - u)), (u, sp.Rational(1, 2), w)
    )


def hyperbolic(w, beta):
    """The logit as 2·artanh(2w − 1), by cases."""
    inside = sp.Rational(1, 2) + sp.erf(2 * sp.atanh(2 * w - 1) / beta) / 2
    return sp.Piecewise((0, w <= 0), (1, w >= 1), (inside, True))


def in_decimals(w, beta):
    """Decimal numbers, and a standard score."""
    score = (1 + sp.log(w / (1 - w)) / beta - 1) / math.sqrt(0.5)
    return 0.5 * (1 + sp.erf(score / 2**0.5))


def both_keys_vary(w, beta):
    """The difference of the logits has the variance β², as if both keys varied, or without the standard
    deviation √½ of ε. Only key a varies and key b stays at its mean, so the variance is β²/2.
    """
    return (1 + sp.erf(sp.log(w / (1 - w)) / (sp.sqrt(2) * beta))) / 2


def half_as_deviation(w, beta):
    """This is the distribution for a standard deviation of ½; ½ is the variance of ε. (It also comes out if
    the √2 between erf and the normal distribution function is left out.)
    """
    return (1 + sp.erf(sp.sqrt(2) * sp.log(w / (1 - w)) / beta)) / 2


def weight_above(w, beta):
    """This is the probability of a weight above w. The exercise asks for at most w."""
    return (1 - sp.erf(sp.log(w / (1 - w)) / beta)) / 2


def key_b_left_out(w, beta):
    """Logit a is compared with 0. Key b has the logit β, and only the difference of the two logits
    matters.
    """
    return (1 + sp.erf(sp.log(w / (1 - w)) / beta - 1)) / 2


def no_logit(w, beta):
    """The difference of the logits is compared with w itself. The weight is the sigmoid of the difference, so
    it is compared with log(w/(1 − w)).
    """
    return (1 + sp.erf(w / beta)) / 2


def centred_weight(w, beta):
    """The weight itself is normal around ½ here. The difference of the logits is normal; the weight is its
    sigmoid.
    """
    return (1 + sp.erf((w - sp.Rational(1, 2)) / beta)) / 2


def times_beta(w, beta):
    """β multiplies where it should divide: a query of larger norm spreads the logits more."""
    return (1 + sp.erf(beta * sp.log(w / (1 - w)))) / 2


def without_beta(w, beta):
    """The result does not depend on β, but the difference of the logits is β(ε − 1)."""
    return (1 + sp.erf(sp.log(w / (1 - w)))) / 2


def root_of_beta(w, beta):
    """The standard deviation of the difference of the logits is √(β/2) here. It should be β/√2."""
    return (1 + sp.erf(sp.log(w / (1 - w)) / sp.sqrt(beta))) / 2


def density_instead(w, beta):
    """This is the density of the weight at w. The exercise asks for the probability of at most w."""
    return sp.exp(-((sp.log(w / (1 - w)) / beta) ** 2)) / (sp.sqrt(sp.pi) * beta * w * (1 - w))


def no_jacobian(w, beta):
    """This is the density of the logit. The exercise asks for the probability
    that the weight is at most w.
    """
    return sp.exp(-((sp.log(w / (1 - w)) / beta) ** 2)) / (sp.sqrt(sp.pi) * beta)


def missing_half(w, beta):
    """This is erf itself, which rises from −1 to 1. The probability is ½(1 + erf(…)). The argument stays."""
    return sp.erf(sp.log(w / (1 - w)) / beta)


def noise_added(w, beta):
    """ε has the variance 3/2 here. It should have ½ in all."""
    return (1 + sp.erf(sp.log(w / (1 - w)) / (sp.sqrt(3) * beta))) / 2


def logistic(w, beta):
    """ε has a logistic distribution here, which gives a power of the odds. ε should be normal."""
    return 1 / (1 + ((1 - w) / w) ** (sp.pi / (sp.sqrt(sp.Rational(3, 2)) * beta)))


def always_half(w, beta):
    """This is the limit for large β. The exercise asks for the probability at every β."""
    return sp.Rational(1, 2) + 0 * w * beta


KEY = AnswerKey(
    id="weight_law",
    hidden=hidden,
    reference=weight_law,
    accepted=(
        from_the_library,
        complement,
        under_an_integral,
        density_of_the_weight,
        hyperbolic,
        in_decimals,
    ),
    rejected=(
        *(
            both_keys_vary,
            half_as_deviation,
            weight_above,
            key_b_left_out,
            no_logit,
            centred_weight,
            times_beta,
            without_beta,
        ),
        *(root_of_beta, density_instead, no_jacobian, missing_half, noise_added, logistic, always_half),
    ),
    fingerprint=fingerprint,
    commentary=r"""
    The two logits are $\beta\varepsilon$ and $\beta$, so the weight on $v_a$ is the sigmoid of their
    difference $D = \beta(\varepsilon - 1)$. The sigmoid grows with $D$, so the weight is at most $w$ exactly
    when $D \le \ln\frac{w}{1-w}$. $D$ is normal with mean 0 and standard deviation $\beta/\sqrt2$, so the
    probability is $\Phi\big(\ln\frac{w}{1-w} \cdot \sqrt2/\beta\big) = \tfrac12\big(1 +
    \operatorname{erf}(\tfrac1\beta\ln\frac{w}{1-w})\big)$. Common mistakes: ½ as a standard deviation, the
    logit $\beta$ of key b forgotten, or a normal distribution for the weight itself.
    """,
)
