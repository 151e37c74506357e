"""Values of torch and sympy are known only where the course uses them; and which values are the same
behaviour.
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st

from kqa_core.check import value_kinds
from kqa_core.check.answer import AnswerDied, AnswerRaised, AnswerTimeout, Handle
from kqa_core.check.codec import Handles, decode, encode
from kqa_core.check.codec_errors import Foreign, Malformed
from kqa_core.check.exercise import Outcome, expect, right
from kqa_core.check.helpers.read_values import kind_of, number
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check
from kqa_core.check.same_behaviour import same_behaviour
from kqa_core.errors import UserError

TENSOR, ROOT = torch.ones(2), sympy.sqrt(2)
WITHOUT = """
import random, sys
from fractions import Fraction
import numpy as np
from kqa_core.check.codec import decode, encode
from kqa_core.check.exercise import expect, right
from kqa_core.check.helpers.effects import leaves_alone, steady
from kqa_core.check.helpers.read_values import number
from kqa_core.check.helpers.repeated import every_time
from kqa_core.check.local import LocalAnswer
from kqa_core.check.run import run_check
from kqa_core.check.same_behaviour import same_behaviour


def check(answer, rng):
    values = [rng.random() for _ in range(3)]
    leaves_alone(answer, ["values"], values)
    steady(answer, values)
    every_time(answer, [values], lambda answer: expect(number(answer(values), "it") > 0, "no"))
    return right()


print(run_check(check, LocalAnswer(lambda values: np.sum(values)), 1).outcome)
print(decode(encode([np.arange(3), Fraction(1, 3)])), same_behaviour(Fraction(1, 2), 0.5))
print(sorted({"torch", "sympy"} & {name.partition(".")[0] for name in sys.modules}))
"""


@pytest.fixture
def course_of(monkeypatch):
    """Make this process one that grades a course with these packages."""

    def use(*packages):
        monkeypatch.setattr(value_kinds, "_fixed", None)  # put back at the end
        value_kinds.use(lambda: packages)

    yield use
    value_kinds._named.cache_clear()


def test_checks_and_their_helpers_import_neither_torch_nor_sympy():
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["right", "[array([0, 1, 2]), Fraction(1, 3)] True", "[]"]


@pytest.mark.parametrize("value", [TENSOR, ROOT, [TENSOR], {"a": ROOT}])
def test_in_a_course_without_the_package_its_values_are_objects_like_any_other(course_of, value):
    message = encode(value)
    course_of("numpy", "matplotlib.pyplot")
    with pytest.raises(Foreign):
        encode(value)
    assert b"handle" in encode(value, Handles())
    with pytest.raises(Malformed, match="unknown tag"):
        decode(message)


def test_a_course_knows_the_packages_that_it_declares_and_no_others(course_of):
    tensor, root = encode(TENSOR), encode(ROOT)
    course_of("torch.nn.functional")  # a module of the package will do
    assert torch.equal(decode(tensor), TENSOR)
    with pytest.raises(Malformed):
        decode(root)
    course_of("sympy")
    assert decode(root) == ROOT
    with pytest.raises(Malformed):
        decode(tensor)


def test_a_package_that_is_declared_and_not_installed_is_one_clear_line(course_of, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "kqa_core.check.torch_values", raising=False)
    value_kinds._kind.cache_clear()
    course_of("torch")
    with pytest.raises(UserError, match=r"course.toml: packages names torch, which is not installed here"):
        decode(encode(1))
    value_kinds._kind.cache_clear()


def test_a_fraction_is_a_value_and_arrives_as_sympys_where_sympy_is_known(course_of):
    course_of("sympy")
    assert decode(encode(Fraction(2, 3))) == sympy.Rational(2, 3)
    course_of()
    assert (
        decode(encode(Fraction(2, 3))) == Fraction(2, 3) and type(decode(encode(Fraction(2, 3)))) is Fraction
    )
    assert same_behaviour(Fraction(2, 3), Fraction(4, 6)) and same_behaviour(Fraction(1, 2), 0.5)
    assert not same_behaviour(Fraction(1, 2), Fraction(1, 3)) and not same_behaviour(Fraction(1, 2), "1/2")
    assert number(Fraction(1, 4), "it") == 0.25 and kind_of(Fraction(1, 4)) == "a Fraction"
    for bad in ('["fraction", 1, 0]', '["fraction", 1, -2]', '["fraction", 1.5, 2]', '["fraction", true, 2]'):
        text = f"[{bad}, []]".encode()
        with pytest.raises(Malformed):
            decode(len(text).to_bytes(4, "big") + text)


def test_the_generators_of_known_packages_are_seeded_and_restored(course_of):
    course_of("torch")
    before = torch.get_rng_state()
    answer = LocalAnswer(lambda: float(torch.rand(())), seed=3)
    first = answer()
    assert torch.equal(torch.get_rng_state(), before)
    answer.rewind(1)

    def check(answer, rng):
        expect(answer() == first, "another number")
        return right()

    assert run_check(check, answer, 1).outcome is Outcome.RIGHT


beta = sympy.Symbol("beta", positive=True)
x, y = sympy.symbols("x y")
SAME = [
    (1, 1.0),
    (3, torch.tensor(3)),
    (np.float32(0.5), sympy.Rational(1, 2)),
    (float("nan"), float("nan")),
    (float("inf"), float("inf")),
    ([1, (2,)], (1, [2])),
    ({"a": torch.ones(2)}, {"a": np.ones(2)}),
    (torch.full((2,), 0.1), torch.full((2,), 0.1) * (1 + 1e-6)),
    (torch.tensor([1.0, float("nan")]), torch.tensor([1.0, float("nan")])),
    (torch.ones(2, dtype=torch.bfloat16), torch.ones(2)),
    ((x + 1) ** 2, x**2 + 2 * x + 1),
    (sympy.exp(-beta) * sympy.exp(-beta), sympy.exp(-2 * beta)),
    (sympy.Matrix([beta, sympy.sin(x) ** 2]), sympy.ImmutableMatrix([beta, 1 - sympy.cos(x) ** 2])),
    ([float(np.float32(2.4080968))], [float(np.float32(2.4080975))]),  # one training, on two processors
    (None, None),
    ("a", "a"),
    (AnswerRaised("KeyError", "one"), AnswerRaised("KeyError", "two")),
    (Handle(1, "Box"), Handle(2, "Box")),
    (sympy.zoo, sympy.zoo),
]
DIFFERENT = [
    (1, 2),
    (1, True),
    (0, None),
    (1, "1"),
    (float("inf"), -float("inf")),
    (float("nan"), 0.0),
    (2.4080968, 2.4080975),
    (float(np.float32(2.4080968)), 2.4080975),
    (20_000.0, 20_001.0),
    (float(np.float32(2.408)), float(np.float32(2.409))),
    ([1], [1, 1]),
    ([1], 1),
    (10**4000, 10**4000 + 1),
    (10**4000, 1.5),
    (-(10**4000), 10**4000),
    ({"a": 1}, {"b": 1}),
    (torch.ones(2), torch.ones(1, 2)),
    (torch.ones(2), torch.ones(2, dtype=torch.long)),
    (torch.ones(2, dtype=torch.float64), torch.full((2,), 1.001, dtype=torch.float64)),
    (torch.ones(2, dtype=torch.bool), torch.ones(2, dtype=torch.long)),
    (x, y),
    (beta, sympy.Symbol("beta")),
    ((n := sympy.Symbol("n")) / 2, n / 3),
    (sympy.Matrix([1, 2]), sympy.Matrix([[1, 2]])),
    (sympy.Matrix([1, 2]), [1, 2]),
    (sympy.oo, -sympy.oo),
    (AnswerRaised("KeyError"), AnswerRaised("ValueError")),
    (AnswerRaised("KeyError"), None),
    (AnswerTimeout(), AnswerDied()),
    (Handle(1, "Box"), Handle(1, "Bag")),
]


@pytest.mark.parametrize(("a", "b"), SAME)
def test_these_are_the_same_behaviour(a, b):
    assert same_behaviour(a, b) and same_behaviour(b, a)


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_these_are_not(a, b):
    assert not same_behaviour(a, b) and not same_behaviour(b, a)


@pytest.mark.slow
@given(
    st.recursive(
        st.one_of(st.none(), st.integers(), st.floats(), st.text()),
        lambda inner: st.lists(inner, max_size=4),
        max_leaves=10,
    )
)
def test_everything_behaves_like_itself(value):
    assert same_behaviour(value, value)
