"""Right and wrong ways to write the law of weight_law, put together at random:
what the property test feeds the checks.

A right form is a logit of w, written somehow; divided by beta, somehow; put through a normal distribution
function, somehow; and dressed up in a way that changes nothing. A wrong form has exactly one of these steps
replaced by a mistake.
"""

import math

import sympy as sp
from sympy.stats import Normal, cdf

HALF = sp.Rational(1, 2)
ROOT = sp.sqrt(2)

LOGITS = (
    lambda w: sp.log(w / (1 - w)),
    lambda w: sp.log(w) - sp.log(1 - w),
    lambda w: -sp.log((1 - w) / w),
    lambda w: -sp.log(1 / w - 1),
    lambda w: 2 * sp.atanh(2 * w - 1),
    lambda w: -2 * sp.atanh(1 - 2 * w),
    lambda w: sp.log(1 / (1 - w) - 1),
    lambda w: 2 * sp.asinh((2 * w - 1) / (2 * sp.sqrt(w * (1 - w)))),
    lambda w: 2 * (sp.log(sp.sqrt(w)) - sp.log(sp.sqrt(1 - w))),
    lambda w: sp.log(w**3 / (1 - w) ** 3) / 3,
    lambda w: sp.log(7 * w / (7 - 7 * w)),
    lambda w: sp.log(w) + sp.log(1 / (1 - w)),
    lambda w: 1 - sp.log(sp.E * (1 - w) / w),
    lambda w: sp.log(10) * (sp.log(w, 10) - sp.log(1 - w, 10)),
    lambda w: sp.log(w) - sp.re(sp.log(w - 1)),
)
SCALES = (
    lambda logit, beta: logit / beta,
    lambda logit, beta: (1 + logit / beta - 1) / (HALF * 2),
    lambda logit, beta: (logit / (beta / ROOT)) / ROOT,
    lambda logit, beta: (beta + logit) / beta - 1,
    lambda logit, beta: logit * sp.exp(-sp.log(beta)),
    lambda logit, beta: logit / sp.sqrt(beta**2),
    lambda logit, beta: logit / sp.sqrt(2 * (beta**2 / 2)),
    lambda logit, beta: logit / (beta * math.sqrt(0.5) * math.sqrt(2)),
    lambda logit, beta: 0.5 * logit / (beta / 2),
    lambda logit, beta: (logit**2 + beta * logit) / (beta * (logit + beta)),
)


def _stats(x):
    return cdf(Normal("epsilon", 1, sp.sqrt(HALF)))(1 + x)


def _under_the_density(x):
    t = sp.Symbol("t", real=True)
    return sp.Integral(sp.exp(-((t - 1) ** 2)) / sp.sqrt(sp.pi), (t, -sp.oo, 1 + x))


def _from_the_middle(x):
    t = sp.Dummy("t")
    return HALF + sp.Integral(sp.exp(-(t**2)), (t, 0, x)) / sp.sqrt(sp.pi)


def _from_the_right(x):
    t = sp.Symbol("t")
    return 1 - sp.Integral(sp.exp(-(t**2) / 2), (t, ROOT * x, sp.oo)) / sp.sqrt(2 * sp.pi)


NORMALS = (
    lambda x: (1 + sp.erf(x)) / 2,
    lambda x: sp.erfc(-x) / 2,
    lambda x: 1 - sp.erfc(x) / 2,
    lambda x: HALF - sp.erf(-x) / 2,
    lambda x: HALF + sp.erf2(0, x) / 2,
    lambda x: 0.5 * (1 + sp.erf(ROOT * x / 1.4142135623730951)),
    lambda x: sp.Piecewise((sp.erfc(-x) / 2, x < 0), (1 - sp.erfc(x) / 2, True)),
    lambda x: sp.Heaviside(x) - sp.sign(x) * sp.erfc(sp.Abs(x)) / 2,
    lambda x: 1 / (1 + sp.erfc(x) / sp.erfc(-x)),
    lambda x: HALF + sp.im(sp.erfi(sp.I * x)) / 2,
    _stats,
)
INTEGRALS = (_under_the_density, _from_the_middle, _from_the_right)
DRESSES = (
    lambda law, w, beta: law,
    lambda law, w, beta: law,
    lambda law, w, beta: sp.expand(law),
    lambda law, w, beta: sp.together(law),
    lambda law, w, beta: law.rewrite(sp.erfc) if law.has(sp.erf) else law.rewrite(sp.erf),
    lambda law, w, beta: sp.Piecewise((0, w <= 0), (1, w >= 1), (law, True)),
    lambda law, w, beta: law + sp.sin(beta) ** 2 + sp.cos(beta) ** 2 - 1,
    lambda law, w, beta: sp.exp(sp.log(law)),
    lambda law, w, beta: sp.Max(0, sp.Min(1, law)),
    lambda law, w, beta: (law**2 - 1) / (law + 1) + 1,
    lambda law, w, beta: law * (beta**2 - w**2) / ((beta - w) * (beta + w)),
)

WRONG_LOGITS = (
    lambda w: sp.log(w),
    lambda w: -sp.log(1 - w),
    lambda w: w / (1 - w),
    lambda w: sp.log(w / (1 + w)),
    lambda w: sp.log((1 - w) / w),
    lambda w: w - HALF,
    lambda w: 2 * w - 1,
    lambda w: sp.atanh(2 * w - 1),
    lambda w: sp.log(w / (1 - w), 10),
    lambda w: sp.log(w / (2 - 2 * w)),
    lambda w: sp.Abs(sp.log(w / (1 - w))),
)
WRONG_SCALES = (
    lambda logit, beta: logit / (ROOT * beta),
    lambda logit, beta: ROOT * logit / beta,
    lambda logit, beta: logit * beta,
    lambda logit, beta: logit,
    lambda logit, beta: logit / sp.sqrt(beta),
    lambda logit, beta: logit / beta**2,
    lambda logit, beta: logit / beta - 1,
    lambda logit, beta: logit / beta + 1,
    lambda logit, beta: logit / (2 * beta),
    lambda logit, beta: 2 * logit / beta,
    lambda logit, beta: logit / (beta * sp.sqrt(3)),
    lambda logit, beta: logit / (beta * 0.7071 * ROOT),
    lambda logit, beta: 1.00001 * logit / beta,
    lambda logit, beta: -logit / beta,
    lambda logit, beta: (logit - beta) / sp.sqrt(beta**2 + HALF),
    lambda logit, beta: logit / sp.sqrt(beta**2 + 1),
    lambda logit, beta: logit / beta + sp.Rational(1, 10**5),
)
WRONG_NORMALS = (
    lambda x: sp.erf(x),
    lambda x: (1 + sp.erf(x / ROOT)) / 2,
    lambda x: (1 - sp.erf(x)) / 2,
    lambda x: sp.erfc(x) / 2,
    lambda x: 1 + sp.erf(x),
    lambda x: (1 + sp.tanh(x)) / 2,
    lambda x: 1 / (1 + sp.exp(-1.702 * ROOT * x)),
    lambda x: HALF + sp.atan(x) / sp.pi,
    lambda x: sp.exp(-(x**2)) / sp.sqrt(sp.pi),
    lambda x: HALF + x / sp.sqrt(sp.pi),
    lambda x: HALF + (x - x**3 / 3 + x**5 / 10) / sp.sqrt(sp.pi),
    lambda x: (1 + sp.erf(x)) ** 2 / 4,
)


def right_form(rng, w, beta, integrals=False):
    """A random right way to write the law."""
    x = rng.choice(SCALES)(rng.choice(LOGITS)(w), beta)
    if integrals:
        return rng.choice(INTEGRALS)(x)
    return rng.choice(DRESSES)(rng.choice(NORMALS)(x), w, beta)


def wrong_form(rng, w, beta):
    """The same with one step gone wrong."""
    spoilt = rng.randrange(3)
    logit = rng.choice(WRONG_LOGITS if spoilt == 0 else LOGITS)(w)
    x = rng.choice(WRONG_SCALES if spoilt == 1 else SCALES)(logit, beta)
    return rng.choice(DRESSES)(rng.choice(WRONG_NORMALS if spoilt == 2 else NORMALS)(x), w, beta)
