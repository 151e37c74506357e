"""Similar sets: the same pairs as by comparing each with each, and far fewer comparisons."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report.set_join import similar_sets


def dice(a, b):
    return 2 * len(a & b) / (len(a) + len(b))


@given(
    st.lists(st.frozensets(st.integers(0, 12), min_size=1), max_size=12),
    st.sampled_from([0.05, 0.3, 0.5, 2 / 3, 0.8, 0.95, 1.0]),
)
def test_no_pair_is_missed_and_none_is_added(sets, threshold):
    pairs = itertools.combinations(range(len(sets)), 2)
    similar = [(i, j, dice(sets[i], sets[j])) for i, j in pairs if dice(sets[i], sets[j]) >= threshold]
    assert sorted(similar_sets(sets, threshold)) == similar


class Counted(frozenset):
    """A set that counts how often it is compared with another."""

    compared = 0

    def __and__(self, other):
        Counted.compared += 1
        return frozenset.__and__(self, other)


@pytest.mark.parametrize("size", [100, 400])
def test_the_number_of_comparisons_grows_with_the_class_and_not_with_its_pairs(size):
    rng, Counted.compared = random.Random(0), 0
    sets = [Counted(rng.sample(range(10**6), 40)) for _ in range(size)]
    sets += [Counted({*list(each)[:38], -1}) for each in sets[:: size // 10]]  # ten copies, slightly changed
    assert len(list(similar_sets(sets, 0.8))) == 10
    assert Counted.compared < size / 5, "each with each would be size * size / 2"
