"""The report's figures, against numbers worked out by hand."""

from __future__ import annotations

from statistics import NormalDist

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reported_course import everything, said, submission

from autograder.judge.results import Status
from autograder.report.facts import exercise_facts, mistakes
from autograder.report.item_analysis import MIN_EACH, MIN_STUDENTS, discrimination, tenths
from kqa_core.show.kit.templates import environment


def test_discrimination_is_the_correlation_with_the_rest():
    # For two yes-or-no columns the correlation is phi = (ad - bc) / sqrt(the four margins' product). Right
    # and strong 12, right and weak 4, wrong and strong 4, wrong and weak 12: (144 - 16) / sqrt(16 ** 4) = 128
    # / 256 = 0.5.
    right = [True] * 16 + [False] * 16
    rest = [7.0] * 12 + [3.0] * 4 + [7.0] * 4 + [3.0] * 12
    found = discrimination(right, rest)
    assert found.value == pytest.approx(0.5) and str(found) == "0.50 (n = 32)"


def test_it_is_negative_where_the_weak_are_right():
    found = discrimination([True] * 20 + [False] * 20, [0.0] * 20 + [1.0] * 20)
    assert found.value == pytest.approx(-1.0)


def test_enough_students_is_where_a_good_exercise_seldom_looks_bad():
    # atanh(0.3) = 0.3095 lies 0.3095 * sqrt(n - 3) standard errors above 0: 1.667 for n = 32, below 1.645 (5
    # %) from n = 31 down.
    def looks_bad(students):
        return NormalDist().cdf(-0.3095 * (students - 3) ** 0.5)

    assert looks_bad(MIN_STUDENTS) <= 0.05 < looks_bad(MIN_STUDENTS - 1)


@pytest.mark.parametrize(
    ("right", "rest", "why"),
    [
        (
            [True] * 15 + [False] * (MIN_STUDENTS - 16),
            [float(i) for i in range(MIN_STUDENTS - 1)],
            "too few: 32 needed",
        ),
        ([True] * (MIN_EACH - 1) + [False] * 40, [float(i) for i in range(39 + MIN_EACH)], "too few right"),
        ([False] * (MIN_EACH - 1) + [True] * 40, [float(i) for i in range(39 + MIN_EACH)], "too few wrong"),
        ([True] * 20 + [False] * 20, [3.0] * 40, "the same"),
    ],
)
def test_where_nothing_can_be_said_it_says_why(right, rest, why):
    found = discrimination(right, rest)
    assert found.value is None and why in str(found)


def test_columns_of_different_lengths_are_refused():
    with pytest.raises(ValueError, match="got 2 and 1"):
        discrimination([True, False], [1.0])


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 20)), min_size=40, max_size=60),
    st.integers(1, 9),
    st.integers(-50, 50),
)
def test_discrimination_is_a_correlation_whatever_the_marks_are_counted_in(students, scale, shift):
    right = [each for each, _ in students]
    found = discrimination(right, [float(rest) for _, rest in students])
    other = discrimination(right, [float(scale * rest + shift) for _, rest in students])
    assert (found.value is None) == (other.value is None)
    if found.value is not None:
        assert -1 - 1e-9 <= found.value <= 1 + 1e-9 and other.value == pytest.approx(found.value, abs=1e-9)


def test_tenths_begin_where_they_say():
    # 1 - 0.9 is the awkward one: 0.09999999999999998, a tenth in all but the last bit
    assert tenths([0.0, 0.0999, 0.1, 1 - 0.9, 0.3, 0.7, 0.95, 1.0, 1.2]) == [2, 2, 0, 1, 0, 0, 0, 1, 0, 3]


@pytest.mark.slow
@given(st.lists(st.floats(0, 2)))
def test_every_share_falls_in_one_tenth(shares):
    assert sum(tenths(shares)) == len(shares)


def test_who_did_not_try_and_whom_we_could_not_judge_is_in_no_rate():
    broken = said("average_all", "error", marks=None, status=Status.BROKEN)
    found = exercise_facts(
        [
            submission("a", everything()),
            submission("b", everything("unattempted")),
            submission("c", [broken, *everything()[1:]]),
        ],
        {},
    )
    one = found[0]
    assert (one.success.hits, one.success.total, one.unattempted, one.not_judged, one.submissions) == (
        1,
        1,
        1,
        1,
        3,
    )


def test_discrimination_is_against_the_other_exercises_alone():
    # right in the first by turns; the second is right for the first 20 alone: no correlation, whatever the
    # first one's own marks
    results = [
        submission(
            f"s{i}",
            [
                said("average_all", "right" if i % 2 else "not yet"),
                said("select_first", "right" if i < 20 else "not yet"),
            ],
        )
        for i in range(40)
    ]
    assert exercise_facts(results, {})[0].discrimination.value == pytest.approx(0.0, abs=1e-9)


def test_sentences_that_differ_in_a_number_are_one_mistake():
    tried = [
        ("a", said("average_all", "not yet", "for n = 3 expected -0.25")),
        ("b", said("average_all", "not yet", "for n = 4 expected 1.5e-3")),
        ("c", said("average_all", "not yet", "the shape is wrong")),
        ("d", said("average_all", "error", "too long", incident="time")),
    ]
    found = mistakes(tried)
    assert [each.students for each in found] == [("a", "b"), ("c",), ("d",)] and found[
        2
    ].name == "stopped: time"


def test_the_histogram_says_in_words_what_it_draws():
    charts = environment("autograder").get_template("report/templates/charts.html.j2").module
    text = charts.histogram([0, 0, 3, 0, 0, 0, 0, 0, 0, 12])
    assert "20 to 30 %: 3;" in text and "90 to 100 %: 12" in text and text.count("<rect") == 10
