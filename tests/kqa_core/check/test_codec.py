"""The value codec: what crosses comes back the same,
what should not cross does not, and bad bytes are one kind of error.
"""

from __future__ import annotations

import math
import random
from collections import Counter, OrderedDict, defaultdict, namedtuple
from fractions import Fraction

import numpy as np
import pytest
import sympy
import torch
from hypothesis import given
from hypothesis import strategies as st

from kqa_core.check import codec as values
from kqa_core.check.answer import Build, Handle, Seeded
from kqa_core.check.array_codec import DTYPES as NUMPY_DTYPES
from kqa_core.check.codec import Handles, decode, encode
from kqa_core.check.codec_errors import BuildFailed, Foreign, Malformed, TooLarge
from kqa_core.check.torch_values import DTYPES

beta = sympy.Symbol("beta", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**200), 2**200),
    st.floats(),
    st.complex_numbers(),
    st.text(st.characters(codec=None), max_size=20),
)
keys = st.one_of(
    st.booleans(), st.integers(), st.text(max_size=5), st.tuples(st.integers(), st.text(max_size=3))
)
plain = st.recursive(
    scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.lists(inner, max_size=5).map(tuple),
        st.dictionaries(keys, inner, max_size=4),
        st.sets(keys, max_size=4),
        st.frozensets(keys, max_size=4),
    ),
    max_leaves=20,
)


def same(a, b):
    """Equal in value and in type throughout; nan is itself, and -0.0 is not 0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return (math.copysign(1, a) == math.copysign(1, b) and a == b) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, complex):
        return same(a.real, b.real) and same(a.imag, b.imag)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    return a == b


@pytest.mark.slow
@given(plain)
def test_plain_values_come_back_the_same_in_value_and_type(value):
    assert same(decode(encode(value)), value)


@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (2, 0, 3)])
def test_tensors_come_back_bit_for_bit(dtype, shape):
    tensor = (torch.rand(shape, generator=torch.Generator().manual_seed(0)) * 9 - 3).to(dtype)
    back = decode(encode(tensor))
    assert (
        type(back) is torch.Tensor
        and back.dtype is dtype
        and back.shape == tensor.shape
        and torch.equal(back, tensor)
    )


def test_tensors_in_odd_layouts_cross_as_what_they_show():
    tensor = torch.arange(12.0).reshape(3, 4)
    for odd in (
        tensor[:1, 0],
        tensor.T,
        tensor[:, ::2],
        tensor[0].expand(5, 4),
        torch.randn(2, 2, dtype=torch.complex64).conj().imag,
    ):
        assert torch.equal(decode(encode(odd)), odd)


@pytest.mark.parametrize("dtype", sorted(NUMPY_DTYPES))
@pytest.mark.parametrize("order", "<>")
def test_numpy_arrays_and_scalars_come_back(dtype, order):
    array = np.arange(6).reshape(2, 3).astype(np.dtype(dtype).newbyteorder(order))
    back = decode(encode(array))
    assert type(back) is np.ndarray and back.dtype == np.dtype(f"<{dtype}") and np.array_equal(back, array)
    scalar = array[1, 2]
    assert type(decode(encode(scalar))) is type(scalar) and decode(encode(scalar)) == scalar


EXPRESSIONS = [
    *(
        sympy.Integer(0),
        sympy.Integer(-(10**50)),
        sympy.Rational(-3, 7),
        sympy.Float("0.1", 40),
        sympy.Float(1e300),
        sympy.Float(0.0),
    ),
    *(
        sympy.pi,
        sympy.E,
        sympy.I,
        sympy.oo,
        -sympy.oo,
        sympy.zoo,
        sympy.nan,
        sympy.EulerGamma,
        sympy.true,
        sympy.false,
    ),
    *(beta, n, sympy.Symbol("x"), sympy.Symbol("k_{a,1}", commutative=False), sympy.Dummy("d")),
    *(
        (n - 2) / 4 * sympy.exp(-beta),
        sympy.sqrt(2),
        sympy.sqrt(1 + beta**2),
        2**beta,
        beta ** sympy.Rational(1, 3),
    ),
    *(
        sympy.log(beta) + sympy.sin(beta) * sympy.tanh(beta),
        sympy.erf(beta / 2),
        sympy.Abs(sympy.Symbol("x")),
        sympy.Max(1, beta),
    ),
    *(
        sympy.Piecewise((beta, beta < 3), (1, True)),
        sympy.Eq(beta, 1),
        sympy.And(beta > 1, beta < 2),
        sympy.factorial(n),
    ),
    *(
        sympy.gamma(beta),
        sympy.binomial(n, 2),
        sympy.Heaviside(beta - 1),
        sympy.conjugate(sympy.Symbol("z")),
    ),
    *(sympy.Matrix([[beta, 1], [0, sympy.pi]]), sympy.ImmutableMatrix([1, 2, 3]), sympy.zeros(0, 3)),
]


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=str)
def test_expressions_come_back_equal_and_of_their_type(expression):
    back = decode(encode(expression))
    assert (back == expression and type(back) is type(expression)) or (
        back is sympy.nan and expression is sympy.nan
    )


def test_sympys_tuple_comes_back_as_a_tuple_of_what_it_holds():
    back = decode(encode(sympy.Tuple(beta * sympy.Matrix([1, 2]), sympy.Tuple(beta, 1))))
    assert back == (sympy.Matrix([beta, 2 * beta]), (beta, 1)) and type(back) is type(back[1]) is tuple


leaves = st.one_of(
    st.integers(-9, 9).map(sympy.Integer),
    st.fractions(-5, 5, max_denominator=9).map(lambda q: sympy.Rational(q.numerator, q.denominator)),
    st.sampled_from([beta, n, sympy.pi, sympy.I, sympy.Symbol("x", real=True)]),
)
expressions = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
        st.tuples(inner, st.integers(-3, 3)).map(lambda pair: pair[0] ** pair[1]),
        inner.map(sympy.exp),
        inner.map(sympy.cos),
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(expressions)
def test_random_expressions_come_back_equal(expression):
    assert decode(encode(expression)) == expression


class Lying(tuple):  # it shows other items than it holds
    def __iter__(self):
        return iter((9, 9))

    def __len__(self):
        return 9


@pytest.mark.parametrize(
    ("relative", "copied"),
    [
        (torch.Size([2, 3]), (2, 3)),
        (namedtuple("P", "a b")(1, torch.Size([2])), (1, (2,))),
        (Lying((1, 2)), (1, 2)),
        (np.str_("memory"), "memory"),
        (Fraction(5, 7), sympy.Rational(5, 7)),
        (OrderedDict(a=1), {"a": 1}),
        (defaultdict(int, a=1), {"a": 1}),
        (Counter("aa"), {"a": 2}),
        (sympy.SparseMatrix([[1, 0]]), sympy.Matrix([[1, 0]])),
    ],
)
def test_near_relatives_cross_as_the_plain_type(relative, copied):
    back = decode(encode(relative))
    assert back == copied and type(back) is type(copied)


def test_a_parameter_comes_back_as_a_plain_tensor_and_goes_out_as_a_parameter():
    parameter = torch.nn.Parameter(torch.ones(2))
    back = decode(encode(parameter))
    assert type(back) is torch.Tensor and not back.requires_grad
    assert type(decode(encode(parameter, arguments=True), arguments=True)) is torch.nn.Parameter
    assert decode(encode(torch.ones(2, requires_grad=True), arguments=True), arguments=True).requires_grad


class AlwaysEqual:
    def __eq__(self, other):
        return True

    __hash__ = None  # type: ignore[assignment]


class SubInt(int):
    pass


class SubTensor(torch.Tensor):
    pass


FOREIGN = [
    *(
        AlwaysEqual(),
        SubInt(3),
        torch.ones(2).as_subclass(SubTensor),
        type("S", (str,), {})("x"),
        type("L", (list,), {})([1]),
    ),
    *(object(), len, lambda: 1, iter([]), range(3), b"bytes", torch.nn.Linear(1, 1), torch.float32),
    *(
        np.array(["a"]),
        np.array([None]),
        np.datetime64("2020"),
        torch.ones(2).to_sparse(),
        torch.ones(1, device="meta"),
    ),
    *(
        sympy.Sum(n, (n, 1, 3)),
        sympy.Function("f")(n),
        sympy.MatrixSymbol("M", 2, 2),
        sympy.Symbol("__import__('os')"),
        random.Random(0),
    ),
]


@pytest.mark.parametrize("value", FOREIGN, ids=lambda value: type(value).__name__)
def test_everything_else_crosses_as_a_handle_or_not_at_all(value):
    handles = Handles()
    back = decode(encode([value], handles))[0]
    assert type(back) is Handle and back.type_name == type(value).__name__
    assert handles.get(back.number) is value
    assert decode(encode(back, arguments=True), handles, arguments=True) is value
    with pytest.raises(Foreign):
        encode(value)


def test_markers_are_made_on_the_answers_side_and_are_arguments_only():
    drawn = decode(encode(Seeded(7), arguments=True), arguments=True)
    assert drawn.random() == random.Random(7).random()
    exercise = Build("kqa_core.errors:UserError", ("x",))
    assert str(decode(encode(exercise, arguments=True), arguments=True)) == "x"
    for marker in (Seeded(7), exercise):
        with pytest.raises(Foreign):
            encode(marker)
        with pytest.raises(Malformed):
            decode(encode(marker, arguments=True))


@pytest.mark.parametrize(
    "target",
    [
        "os:system",
        "kqa_core.errors:_x",
        "kqa_core:errors",
        "kqa_core.errors:a.b",
        "kqa_core.x",
        "",
        "autograder.answer_key:AnswerKey",
    ],
)
def test_only_public_names_of_kqa_core_are_built(target):
    with pytest.raises(Malformed):
        decode(encode(Build(target), arguments=True), arguments=True)


def test_a_build_that_fails_says_why():
    with pytest.raises(BuildFailed) as caught:
        decode(encode(Build("kqa_core.errors:NoSuchName"), arguments=True), arguments=True)
    assert isinstance(caught.value.__cause__, AttributeError)


def cyclic():
    loop: list[object] = []
    loop.append(loop)
    return loop


TOO_LARGE = [
    *(
        cyclic,
        lambda: "x" * (values.MAX_TEXT + 1),
        lambda: 2 ** (values.MAX_BITS + 1),
        lambda: [0] * (values.MAX_NODES + 1),
    ),
    *(
        lambda: torch.zeros(1).expand(10**12),
        lambda: np.broadcast_to(np.zeros(1), (10**10,)),
        lambda: ["x" * 10**6] * 200,
    ),
    *(
        lambda: sympy.Integer(2) ** 100_000,
        lambda: sympy.zeros(200, 200),
        lambda: sympy.Add(*(n**k for k in range(2, 8_000))),
    ),
    *(lambda: sympy.Symbol("x" * 300), lambda: sympy.Float("1e-99999999999999999999999")),
]


@pytest.mark.slow
@pytest.mark.parametrize("make", TOO_LARGE)
def test_what_passes_a_cap_is_refused(make):
    with pytest.raises(TooLarge):
        encode(make())
