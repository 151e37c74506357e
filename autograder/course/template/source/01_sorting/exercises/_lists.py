"""Helpers for the checks of this notebook. The leading underscore says that this file is not an exercise."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from kqa_core.check.exercise import NotYet, expect
from kqa_core.check.helpers.read_values import kind_of


def expect_sorted(value: object, wanted: Sequence[int], call: str) -> None:
    """Raise NotYet unless `value` is a sorted list of the numbers in `wanted`.
    `call` is the text of the call.
    """
    if not isinstance(value, list):
        raise NotYet(f"{call} must be a list; yours is {kind_of(value)}")
    expect(all(type(each) is int for each in value), f"{call} must hold whole numbers only; yours is {value}")
    missing, extra = Counter(wanted) - Counter(value), Counter(value) - Counter(wanted)
    expect(
        not missing,
        f"{call} must hold {wanted} in order; yours is {value}, so {list(missing.elements())} is missing",
    )
    expect(
        not extra,
        f"{call} must hold {wanted} in order; yours is {value}, so {list(extra.elements())} is too much",
    )
    expect(all(a <= b for a, b in itertools.pairwise(value)), f"{call} must be sorted; yours is {value}")
