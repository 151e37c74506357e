"""A wrong answer in numbers too coarse to tell it from the right one is not right."""

from __future__ import annotations

import numpy as np
import pytest
import sympy
import torch
from judged_keys import checked, verdict
from portions import portion

from kqa_core.check.exercise import Outcome
from kqa_core.check.same_behaviour import same_behaviour

BITS = {torch.bfloat16: 2, torch.float16: 8}  # of a sympy Float that stands for one of this type


def coarse(value, dtype):
    """A value with all its numbers in a coarse type."""
    if isinstance(value, torch.Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, np.ndarray):
        return value.astype(np.float16) if value.dtype.kind == "f" else value
    if type(value) is float:
        return float(torch.tensor(value).to(dtype))
    if isinstance(value, sympy.Basic | sympy.MatrixBase):
        numbers = {n: sympy.Float(n, precision=BITS[dtype]) for n in value.atoms(sympy.Number) if n.is_finite}
        return value.xreplace(numbers)
    if isinstance(value, list | tuple):
        return type(value)(coarse(each, dtype) for each in value)
    return {name: coarse(each, dtype) for name, each in value.items()} if type(value) is dict else value


CASES = [(key, function) for key in checked() for function in key.rejected]


@pytest.mark.slow
@pytest.mark.parametrize("dtype", BITS, ids=str)
@pytest.mark.parametrize(
    ("key", "function"),
    [pytest.param(*each, id=f"{each[0].id}-{each[1].__name__}") for each in portion(CASES, 20, __file__)],
)
def test_no_rejected_answer_is_right_in_a_coarse_type(key, function, dtype):
    found = verdict(key, lambda *args, **more: coarse(function(*args, **more), dtype), 3)
    assert found.outcome is not Outcome.RIGHT
    assert found.right_parts <= verdict(key, function, 3).right_parts


def test_a_coarse_type_does_not_widen_the_tolerance_beyond_single_precision():
    right = torch.tensor([1.0, 0.5], dtype=torch.float64)
    for off, single, half in ((1e-5, True, True), (0.02, False, False)):
        near = right * (1 + off)
        assert same_behaviour(near.float(), right) is single
        assert same_behaviour(near.bfloat16().double().add(0.02 * (off > 1e-3)).bfloat16(), right) is half
    assert same_behaviour(right.bfloat16(), right)  # these numbers are the same in every type
    third = torch.tensor([1 / 3], dtype=torch.float64)
    assert not same_behaviour(third.bfloat16(), third) and same_behaviour(third.float(), third)
    assert same_behaviour(third.bfloat16(), (third * 1.004).bfloat16())  # both are as coarse
