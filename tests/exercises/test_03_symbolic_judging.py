"""What the symbolic checks promise: no limit routine that may hang,
no form refused, no wrong pair of Q and K let through.
"""

import importlib
import itertools
import random
import sys

import pytest
import sympy as sp
from course_exercises._tokens import random_tokens, standard_tokens
from equivalents_03 import MORE
from judged_keys import keys_of, verdict
from mpmath import mp
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.symbolic import attention, limits
from kqa_core.symbolic.attention import BETA, limit_gaps, projected_scores, self_attention

pytestmark = pytest.mark.slow

NAMES = ("copy_one", "average_two", "average_two_rate", "robust_query", "two_heads")
NAMES = (*NAMES, "plain_limit", "add_and_see", "hull_proof", "value_matrix", "key_query")
KEYS = {name: key for name, key in keys_of().items() if name in NAMES}
MOST_CALLS = 10_000_000  # of Python functions in one check; the same on every machine, as seconds are not


def right(name, function, seed=1):
    return verdict(KEYS[name], function, seed).outcome is Outcome.RIGHT


@pytest.mark.parametrize("name", NAMES)
def test_no_general_limit_routine_is_called(name, monkeypatch):
    def never(*_, **__):
        pytest.fail("a general limit routine may never end")

    # the module, not the function
    monkeypatch.setattr(importlib.import_module("sympy.series.gruntz"), "limitinf", never)
    monkeypatch.setattr(sp.Limit, "doit", never)
    monkeypatch.setattr(sp.Expr, "series", never)
    assert right(name, KEYS[name].reference)
    assert not right(name, KEYS[name].rejected[0])


def tower(height):
    return BETA if height == 0 else sp.exp(tower(height - 1))


HEAVY = {
    "towers": tower(6) - tower(5),
    "gamma of gamma": sp.gamma(sp.gamma(BETA)) - sp.gamma(BETA),
    "powers of powers": BETA ** (BETA**BETA) - BETA**BETA,
    "error function": sp.exp(BETA**2) * (1 - sp.erf(BETA)),
    "for Gruntz": sp.exp(BETA) * (sp.sin(1 / BETA + sp.exp(-BETA)) - sp.sin(1 / BETA + sp.exp(-(BETA**2)))),
    "swinging": BETA * sp.sin(sp.exp(BETA)) + sp.exp(BETA) * sp.cos(BETA**2),
    "slow": sp.log(sp.log(sp.log(BETA + 20))) - sp.log(sp.log(sp.log(BETA + 21))),
    "many fractions": sp.Add(*(sp.exp(BETA) / (BETA + k) for k in range(1, 20))),
}
QUERIES = {
    "average_two": lambda e: lambda keys, a, b, beta: e * (keys[a] + keys[b]) + beta * keys[0],
    "average_two_rate": lambda e: lambda n, beta: (e, e),
    "value_matrix": lambda e: (
        lambda u_a, u_b, u_c, u_d, beta: (u_b * u_b.T - u_c * u_c.T) / beta**2 + e * u_a * u_b.T
    ),
    "key_query": lambda e: (
        lambda u_a, u_b, u_c, u_d, beta: (u_b * u_d.T + u_a * u_a.T, e * u_a * u_d.T + u_b * u_c.T)
    ),
}


# counted calls take long
ENDLESS = portion(list(itertools.product(QUERIES, HEAVY)), 3, attention.__file__, limits.__file__)


@pytest.mark.parametrize(("name", "heavy"), ENDLESS, ids=str)
def test_a_check_ends_whatever_it_is_given(name, heavy):
    calls = itertools.count(1)

    def counted(_frame, event, _argument):
        if event == "call" and next(calls) > MOST_CALLS:
            sys.setprofile(None)
            pytest.fail(f"the check of {name} calls more than {MOST_CALLS:,} functions")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        said = verdict(KEYS[name], QUERIES[name](HEAVY[heavy]), 1)
    finally:
        sys.setprofile(before)
    assert 0 < len(said.sentence) < 400


def test_with_u_d_added_the_output_is_the_new_token_and_not_the_first():
    """At β = 8, in numbers: c₂ is less than 1e-26 lengths away from u_a + u_d, and √2 from x₁."""
    u_a, u_b, u_c, u_d = random_tokens(5, random.Random(1))
    first, new, one = u_d + u_b, u_a + u_d, sp.eye(5)
    output = self_attention([first, new, u_c + u_b], one, one, one)[1].subs(BETA, 8).evalf(60)
    away = [((output - limit.subs(BETA, 8)) / 8).norm().evalf(30) for limit in (new, first)]
    assert away[0] < 1e-26 and abs(away[1] - sp.sqrt(2)) < 1e-9
    assert right("add_and_see", lambda u_a, u_b, u_c, u_d: (u_a + u_d, u_a + u_c))
    assert not right("add_and_see", lambda u_a, u_b, u_c, u_d: (u_d + u_b, u_c + u_b))


@pytest.mark.parametrize("signs", list(itertools.product((1, -1), repeat=4)), ids=str)
def test_a_flipped_sign_is_refused_unless_another_takes_it_back(signs):
    """L₁₃ = s·t and L₂₁ = r·v times β²: both must be positive."""
    r, s, t, v = signs

    def key_query(u_a, u_b, u_c, u_d, beta):
        return (t * u_c * u_d.T + v * u_d * u_a.T) / beta**2, (r * u_d * u_d.T + s * u_c * u_c.T) / beta**2

    assert right("key_query", key_query) == (s * t > 0 and r * v > 0)
    if signs.count(-1) == 1:
        assert not right("key_query", key_query)


def exchanged(function):
    return lambda *given: tuple(reversed(function(*given)))


def test_exchanging_q_and_k_does_not_work_in_general_and_the_check_names_the_exchange():
    answers = (KEYS["key_query"].reference, *KEYS["key_query"].accepted, *MORE)
    pairs = [f for f in answers if len(f(*standard_tokens(), BETA)) == 2]
    survive = {f.__name__ for f in pairs if right("key_query", exchanged(f))}
    assert survive == {"a_symmetric_table", "one_matrix_for_both"} < {f.__name__ for f in pairs}
    said = [verdict(KEYS["key_query"], exchanged(f), 1).sentence for f in pairs if f.__name__ not in survive]
    ending = (
        "exchanged it would be right. Possible cause: W_K is returned first and W_Q second, or, if one of"
        " them is the identity, the other one is transposed"
    )
    assert all(sentence.endswith(ending) for sentence in said)
    others = [f for f in KEYS["key_query"].rejected if f.__name__ != "k_and_q_exchanged"]
    assert not any("exchanged it" in verdict(KEYS["key_query"], f, 1).sentence for f in others)


@pytest.mark.parametrize("name", ["value_matrix", "key_query"])
def test_what_works_in_the_standard_basis_of_four_dimensions_only_is_refused(name):
    by_name = {f.__name__: f for f in KEYS[name].rejected}
    seen = set()
    for wrong in ("only_the_standard_basis", "four_by_four"):
        said = verdict(KEYS[name], by_name[wrong], 1)
        assert said.outcome is Outcome.NOT_YET
        seen.add(said.sentence)
    assert any("not the standard basis" in sentence for sentence in seen)


@pytest.mark.parametrize("dimension", [4, 5, 6])
def test_the_verdict_is_that_of_plain_arithmetic_in_high_precision(dimension):
    """Every answer of the key at β = 30: where all margins pass 4 there,
    and not before, the pair is one of the right ones.
    """
    tokens = random_tokens(dimension, random.Random(dimension))
    for function in (*KEYS["key_query"].accepted, *MORE, *KEYS["key_query"].rejected):
        parts = function(*tokens, BETA)
        if not isinstance(parts, tuple) or len(parts) != 2 or parts[0].shape[1] != dimension:
            continue
        for row, winner in ((0, 2), (1, 0)):
            gaps = limit_gaps(projected_scores(tokens.inputs, *parts, row), BETA, first=winner)
            assert gaps is not None
            with mp.workdps(40):
                queries, keys = (
                    [(matrix * x).subs(BETA, 30).evalf(40) for x in tokens.inputs] for matrix in parts
                )
                logits = [mp.mpf(str(key.dot(queries[row]).evalf(40))) for key in keys]
                for gap, logit in zip(gaps, logits, strict=True):
                    behind = logit - logits[gaps.index(max(gaps))]
                    assert (behind < -3) == (gap < -3), (function.__name__, row, gap, behind)
