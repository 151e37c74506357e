"""Junk that is returned into any check is refused in words: never right, never a crash of the check.

One in 25 values of the general junk and a third of the wrappings are tried on each exercise, and others after
each change of the exercise or of its key; all of it with KQA_ALL=1. What looks like an answer of the
exercise's notebook is always tried.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import fractions
import math
from importlib import import_module

import numpy as np
import pytest
import sympy as sp
import torch
from portions import portion
from shaped_junk import SHAPED

from autograder.answer_key import AnswerKey, find_key
from autograder.judge.clock import OutOfTime, clock
from autograder.paths import KEYS_PACKAGE
from kqa_core.check.exercise import Outcome
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import PACKAGE, all_exercises, find
from kqa_core.check.run import run_check

BETA = sp.Symbol("beta", positive=True)
NAMES = [exercise.id for exercise in all_exercises() if not exercise.written]
SECONDS = 60.0  # the worker's clock; what takes for ever ends as an incident there, and is no mark


def nested(depth, of=list):
    value = of()
    for _ in range(depth):
        value = of([value])
    return value


def tower(height):
    tree = BETA
    for _ in range(height):
        tree = sp.sin(sp.exp(tree, evaluate=False), evaluate=False)
    return tree


class Anything:
    """An object of no value."""

    def __eq__(self, other):
        return True

    __hash__ = None


PLAIN = {
    "none": None,
    "nan": math.nan,
    "infinity": math.inf,
    "minus infinity": -math.inf,
    "minus zero": -0.0,
    "huge int": 10**4000,
    "too huge int": 1 << 70_000,
    "huge float": 1e308,
    "smallest float": 5e-324,
    "minus one": -1,
    "complex": 1j,
    "complex nan": complex(math.nan, 1),
    "text": "junk",
    "empty text": "",
    "number as text": "0.5",
    "huge text": "x" * 1_000_000,
    "half a character": "\ud800",
    "zero byte": "\0",
    "bytes": b"junk",
    "list": [],
    "tuple": (),
    "dict": {},
    "set": set(),
    "frozen set": frozenset({1}),
    "list of none": [None] * 12,
    "list of nan": [math.nan] * 12,
    "mixed list": [1, "a", None, [], {}, math.nan],
    "pair of none": (None, None),
    "pair of nan": (math.nan, math.nan),
    "pair of junk": ("a", [1]),
    "triple": (1, 2, 3),
    "nested": nested(50),
    "nested pairs": nested(50, tuple),
    "nested too deep": nested(200),
    "long list": [0] * 20_000,
    "too long list": [0] * 600_000,
    "dict of junk": {None: math.nan, (1, 2): [], "": {}},
    "dict of tensors": {"head.weight": torch.zeros(2), "x": None},
    "ordered dict": collections.OrderedDict(a=1),
    "counter": collections.Counter("aab"),
}
OBJECTS = {
    "a class": Anything,
    "an instance": Anything(),
    "a generator": (n for n in range(3)),
    "an iterator": iter([1, 2]),
    "a function": len,
    "a lambda": lambda *a: 0,
    "a module": math,
    "an exception": ValueError("x"),
    "a type": int,
    "ellipsis": ...,
    "not implemented": NotImplemented,
    "a range": range(12),
    "a fraction": fractions.Fraction(1, 3),
    "a decimal": decimal.Decimal("nan"),
    "a date": datetime.date(2021, 1, 1),
    "a named tuple": collections.namedtuple("Pair", "a b")(1, 2),
    "a model": torch.nn.Linear(2, 2),
}
TENSORS = {
    "empty tensor": torch.zeros(0),
    "scalar tensor": torch.tensor(math.nan),
    "tensor of nan": torch.full((3,), math.nan, dtype=torch.float64),
    "tensor of infinity": torch.full((4, 3), math.inf),
    "tensor of huge": torch.full((3,), 1e308, dtype=torch.float64),
    "tensor of bools": torch.ones(3, dtype=torch.bool),
    "tensor of ints": torch.full((3,), 2**62),
    "tensor of bytes": torch.full((3,), 255, dtype=torch.uint8),
    "complex tensor": torch.full((3,), 1j),
    "half tensor": torch.full((3,), 60000.0, dtype=torch.float16),
    "bfloat tensor": torch.full((4, 3), 1e38, dtype=torch.bfloat16),
    "six axes": torch.ones(1, 2, 1, 2, 1, 2),
    "no rows": torch.zeros(0, 3),
    "wrong shape": torch.ones(7, 5),
    "with gradient": torch.ones(3, requires_grad=True),
    "parameter": torch.nn.Parameter(torch.ones(4, 3)),
    "sparse": torch.eye(3).to_sparse(),
    "meta": torch.ones(3, device="meta"),
    "expanded": torch.ones(1).expand(10**12),
    "conjugate": torch.full((3,), 1j).conj(),
    "pair of tensors": (torch.full((127,), math.nan), torch.zeros(127, dtype=torch.int64)),
    "list of tensors": [torch.zeros(0)] * 12,
}
ARRAYS = {
    "array": np.full(3, np.nan),
    "array of objects": np.array([None, "a", 1], dtype=object),
    "array of text": np.array(["a", "b"]),
    "array of dates": np.array(["2021-01-01"], dtype="datetime64[D]"),
    "records": np.zeros(2, dtype=[("a", "f8"), ("b", "i4")]),
    "masked": np.ma.masked_array([1.0, 2.0], mask=[True, False]),
    "long double": np.longdouble(1),
    "numpy nan": np.float32("nan"),
    "numpy bool": np.bool_(True),
    "numpy date": np.datetime64("NaT"),
    "big endian": np.ones(3, dtype=">f8"),
    "no axes": np.array(7),
}
EXPRESSIONS = {
    "sympy nan": sp.nan,
    "zoo": sp.zoo,
    "sympy infinity": sp.oo,
    "sympy true": sp.true,
    "symbol": sp.Symbol("x"),
    "beta": BETA,
    "another beta": sp.Symbol("beta"),
    "unit": sp.I,
    "huge tree": tower(60),
    "long sum": sp.Add(*(sp.Symbol(f"x{n}") for n in range(500))),
    "power tower": sp.Pow(10, sp.Pow(10, 10, evaluate=False), evaluate=False),
    "division by zero": sp.Mul(1, sp.Pow(0, -1, evaluate=False), evaluate=False),
    "empty matrix": sp.zeros(0, 0),
    "matrix of nan": sp.Matrix([sp.nan] * 3),
    "matrix of zoo": sp.Matrix(3, 1, [sp.zoo] * 3),
    "matrix of units": sp.Matrix([sp.I] * 3),
    "wide matrix": sp.ones(1, 40),
    "matrix symbol": sp.MatrixSymbol("k", 3, 1),
    "sympy set": sp.Interval(0, 1),
    "relation": BETA > 1,
    "piecewise": sp.Piecewise((1, BETA > 1), (sp.nan, True)),
    "integral": sp.Integral(sp.exp(-(BETA**2)), BETA),
    "unknown function": sp.Function("f")(BETA),
    "random big integer": sp.Integer(10) ** 3000,
    "pair of nans": (sp.nan, sp.nan),
    "pair of towers": (tower(60), tower(60)),
    "list of zoos": [sp.zoo] * 3,
    "true and junk": (True, sp.zeros(3, 1), sp.nan),
}
JUNK = {**PLAIN, **OBJECTS, **TENSORS, **ARRAYS, **EXPRESSIONS}
AROUND = {  # what a student does to a right answer so that it is none
    "as text": lambda right: f"answer: {right}",
    "as code": repr,
    "in a list": lambda right: [right],
    "in a dict": lambda right: {"answer": right},
    "in a function": lambda right: lambda: right,
    "twice": lambda right: (right, right, right, right, right),
}


def files_of(name):
    """The two files of an exercise."""
    return [import_module(f"{package}.{name}").__file__ for package in (PACKAGE, KEYS_PACKAGE)]


def outcomes(name, function):
    """What both checks say: the outcome, or why there is none."""
    key = find_key(name)
    assert isinstance(key, AnswerKey)
    said = []
    for check in (find(name).check, key.hidden):
        try:
            with clock(SECONDS):
                verdict = run_check(check, LocalAnswer(function, 5), 5)
            assert 0 < len(verdict.sentence.strip()) < 400
            said.append(verdict.outcome)
        except OutOfTime:
            said.append(Outcome.ERROR)
    return said


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_junk_is_never_right_and_never_breaks_a_check(name):
    wrong = []
    junk = portion(list(JUNK.items()), 25, *files_of(name))
    shaped = {f"{number}. of its notebook": value for number, value in enumerate(SHAPED[find(name).notebook])}
    for what, value in [*junk, *shaped.items()]:
        try:
            found = outcomes(name, lambda *given, value=value: value)
        except Exception as error:  # every junk of an exercise is told, not the first alone
            wrong.append(f"{what}: {type(error).__name__}: {error}")
            continue
        allowed = {Outcome.NOT_YET} if what in shaped else {Outcome.NOT_YET, Outcome.ERROR}
        if not set(found) <= allowed:
            wrong.append(f"{what}: {found}")
    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_right_answer_in_a_wrong_wrapping_is_not_right_and_breaks_no_check(name):
    reference = find_key(name).reference
    wrong = []
    for what, wrap in portion(list(AROUND.items()), 3, *files_of(name)):
        try:
            found = outcomes(name, lambda *given, wrap=wrap: wrap(reference(*given)))
        except Exception as error:
            wrong.append(f"{what}: {type(error).__name__}: {error}")
            continue
        if not set(found) <= {Outcome.NOT_YET, Outcome.ERROR}:
            wrong.append(f"{what}: {found}")
    assert wrong == []
