"""Tokens, winnowing and surprise: what a copyist can change without leaving the fingerprints, and what not;
and similar sets: the same pairs as by comparing each with each, and far fewer comparisons.
"""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.report.set_join import similar_sets
from autograder.report.winnowing import K_CODE, WINDOW, SurpriseModel, Tokens, code, grams, prose, winnow

PLAIN = """def mean(values):
    total = 0.0
    for value in values:
        total += value
    return total / len(values)
"""
DISGUISED = '''# my own work


def mean( numbers ):
    """The middle."""
    s = 1.5   # start
    for n in numbers :
        s += n

    return s / len(numbers)  # done
'''


def test_names_constants_comments_docstrings_and_layout_leave_no_trace():
    assert code(DISGUISED).tokens == code(PLAIN).tokens


def test_what_a_renamer_cannot_change_is_kept():
    assert code("x = torch.sum(y, dim=0)").tokens == (
        "v",
        "=",
        "v",
        ".",
        "sum",
        "(",
        "v",
        ",",
        "v",
        "=",
        "n",
        ")",
    )
    assert "len" in code(PLAIN).tokens and code("a.mean()").tokens != code("a.sum()").tokens


@pytest.mark.parametrize("literal", ["'text'", '"x" "y"', "f'{1 + 1}'[:0]", "'''a\nb'''", "b'\\x00'"])
def test_a_string_is_a_string_however_it_is_written(literal):
    assert code(f"x = {literal}").tokens[:3] == ("v", "=", "s")


@pytest.mark.parametrize(
    "broken",
    ["def f(x:\n  return 'unclosed\n    y = (1,\n", "\t if ] 3 $ ?\x00", "'''never closed", "é = ∑(x", ""],
)
def test_broken_python_is_read_as_far_as_it_goes(broken):
    assert len(code(broken).tokens) == len(code(broken).lines)
    assert set(code(PLAIN).fingerprints()) <= set(code(PLAIN + "\n" * 2 + broken).fingerprints()) | set(
        grams(code(PLAIN).tokens, K_CODE)
    )


def test_a_slip_in_one_line_leaves_the_others_fingerprints():
    slip = PLAIN.replace("values):", "values)")  # no Python any more
    shared = set(code(PLAIN).fingerprints()) & set(code(slip).fingerprints())
    assert len(shared) >= len(code(PLAIN).fingerprints()) - WINDOW


def test_each_token_knows_its_line():
    text = code("'''one\ntwo'''\n\nx = 1\ny = [\n 2]")
    assert text.lines == (3, 3, 3, 4, 4, 4, 5, 5)


def test_words_are_the_same_in_any_case_and_with_any_marks():
    assert (
        prose("The Scale, β, *grows*!").tokens
        == prose("the scale β grows").tokens
        == ("the", "scale", "β", "grows")
    )


def test_of_each_window_the_smallest_is_kept_the_rightmost_of_equals():
    # the example of Schleimer, Wilkerson and Aiken (2003), figure 2, "adorunrunrunadorunrun" with 5-grams and
    # windows of 4
    hashes = [77, 74, 42, 17, 98, 50, 17, 98, 8, 88, 67, 39, 77, 74, 42, 17, 98]
    assert winnow(hashes, 4) == [(3, 17), (6, 17), (8, 8), (11, 39), (15, 17)]
    assert winnow([5, 5, 5], 4) == [(2, 5)] and winnow([]) == []


TOKENS = st.lists(st.sampled_from("abcdef"), max_size=30)


@pytest.mark.slow
@given(
    TOKENS,
    TOKENS,
    TOKENS,
    TOKENS,
    st.lists(st.sampled_from("abcdef"), min_size=K_CODE + WINDOW - 1, max_size=30),
)
def test_a_shared_run_of_the_guaranteed_length_is_always_found(before, after, other_before, other_after, run):
    first, second = [*before, *run, *after], [*other_before, *run, *other_after]
    assert {value for _, value in winnow(grams(first, K_CODE))} & {
        value for _, value in winnow(grams(second, K_CODE))
    }


@given(TOKENS)
def test_nothing_shorter_than_a_gram_is_found(tokens):
    assert (len(tokens) < K_CODE) == (not grams(tokens, K_CODE))


def plain(words):
    return Tokens(tuple(words.split()), (0,) * len(words.split()))


def test_what_is_known_surprises_little_and_what_is_not_a_lot():
    known = plain("a b c d e f g h")
    model = SurpriseModel([known])
    # Each context of `known` was seen once, with one continuation: Witten-Bell gives it a half, and half of
    # what the shorter context gives. That is more than 1/8. What was never seen has half of half of ...
    # 1/100: log2(100) = 6.6 bits and more.
    assert max(model.bits(known)) < 3 and min(model.bits(plain("x y z x y z"))) > 6.6


def test_probabilities_of_all_tokens_add_up_to_one():
    model = SurpriseModel([plain("a b a c a b")], vocabulary=3)
    for context in ("a", "a b", "b a", "c c"):
        assert sum(2 ** -model.bits(plain(f"{context} {token}"))[-1] for token in "abc") == pytest.approx(1.0)


def dice(a, b):
    return 2 * len(a & b) / (len(a) + len(b))


@pytest.mark.slow
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
