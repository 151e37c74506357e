"""`kqa course similar`: copies are found through their disguise, and honest classes are left alone."""

from __future__ import annotations

import functools
import random

import pytest
from portions import portion
from reported_course import everything, graded_course, submission
from small_course import NAME, write_course

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.build.release import notebook_names
from autograder.paths import COURSE
from autograder.report import similarity, winnowing
from autograder.report.answers import EXTRA_CELLS
from autograder.report.similarity import Baseline, baseline, baselines, compare, find_similar, similarity_page
from autograder.report.winnowing import SurpriseModel, code, prose
from autograder.submissions.skeleton import load_skeleton
from kqa_core.errors import UserError

pytestmark = pytest.mark.slow  # each answer is compared with those of a whole class
LONG = '''def exact_logits(weights):
    """One by one."""
    total, found = 0.0, []
    for number, each in enumerate(weights.tolist()):
        # the tiny ones first
        if each < 1e-12:
            found.append(-745.0)
            continue
        found.append(math.log(each) + 3)
        total += found[-1] ** 2
    while total > 1000:
        total = total / 2
    shifted = sorted(range(len(found)), key=lambda place: found[place])
    answer = torch.zeros(len(found))
    for place in shifted:
        answer[place] = found[place] - found[shifted[-1]]
    return answer
'''
RENAMED = {
    "number": "i",
    "each": "w",
    "found": "logs",
    "place": "k",
    "shifted": "order",
    "1e-12": "1e-9",
    "745.0": "99.5",
    "1000": "50",
}
REPLY = """When the scale is small the softmax hardly moves away from uniform, so every value gets nearly
one fifth of the whole, and only a scale as large as the gap between two rows lets a single row win over all
of its neighbours in the table."""


def disguised(source):
    """Names and constants changed, comments moved, lines broken anew."""
    for old, new in RENAMED.items():
        source = source.replace(old, new)
    lines = [line for line in source.splitlines() if "#" not in line and '"""' not in line]
    return "\n".join(["# entirely my own", *lines[:4], "", "        # now the logs", *lines[4:]]).replace(
        ", ", " ,  "
    )


@pytest.fixture(scope="module")
def skeletons():
    return [load_skeleton(COURSE / "source" / name / f"{name}.ipynb") for name in notebook_names()]


def first(skeletons):
    return next(each for each in skeletons if each.name == NAME)


@functools.cache  # the same for every class
def baselines_of(skeleton):
    return baselines(skeleton)


@functools.cache  # to find a function's source and to read it costs more than all comparisons
def right_answers(name):
    key = find_key(name)
    return tuple(answer_source(name, each) for each in (key.reference, *key.accepted))


def honest_class(skeleton, students, seed, answers=None):
    """Everybody picks one right answer of the key for each exercise (of the first `answers`, if given), by
    themselves, and comments it in one of five ways.
    """
    rng = random.Random(seed)
    names = [each.id for each in skeleton.exercises if not each.written]
    return {
        f"s{i}": {
            name: f"{rng.choice(right_answers(name)[:answers])}# {rng.randrange(5)}\n" for name in names
        }
        for i in range(students)
    }


def found(skeleton, **answers):
    """Who is paired with whom, in a class of 30 that wrote nothing else."""
    everybody = {f"s{i}": {} for i in range(30 - len(answers))} | answers
    return compare(skeleton.name, everybody, baselines_of(skeleton))


def test_notebooks_of_which_all_answers_are_the_same_are_one_line_whatever_they_hold():
    stubs = {"a": "def a():\n    raise", "b": "def b():\n    raise", "why": "YOUR ANSWER HERE"}
    copied = {"a": "def a(): return 1", "b": "def b(): return 2", "why": "Because."}
    answers = {
        "ada": copied,
        "bo": {**copied, "a": "def a():  return 1\n"},
        "cy": {**copied, "why": "Therefore."},
        "dee": {"a": "def a(): return 1"},
        "eli": {"a": "def a(): return 1", "b": stubs["b"]},
        "fay": dict(stubs),
        "gil": dict(stubs),
        "hal": copied,
    }
    assert similarity.identical(answers, stubs) == [(("ada", "bo", "hal"), 3)]


def pairs(result):
    return [(pair.exercise, pair.first.student, pair.second.student) for pair in result.pairs]


def some(skeletons):
    """A sixth of the notebooks."""
    keys = sorted((COURSE / "keys").glob("*/*.*"))
    return portion(skeletons, 6, similarity.__file__, winnowing.__file__, *keys)


@pytest.mark.parametrize("students", [5, 30, pytest.param(120, marks=pytest.mark.nightly)])
def test_in_an_honest_class_no_pair_is_flagged(skeletons, students):
    for skeleton in some(skeletons):
        assert (
            compare(skeleton.name, honest_class(skeleton, students, students), baselines_of(skeleton)).pairs
            == []
        )


def test_nor_where_the_key_knows_only_the_reference_for_popular_answers_are_common(skeletons):
    for skeleton in some(skeletons):
        keys = {each.id: find_key(each.id) for each in skeleton.exercises if not each.written}
        only = {
            name: baseline([code(skeleton.stub(name)), code(answer_source(name, key.reference))], False)
            for name, key in keys.items()
        }
        result = compare(skeleton.name, honest_class(skeleton, 120, 1, answers=5), only)
        assert result.pairs == [] and (not only or sum(each.common for each in result.exercises) > 100)


def test_two_different_right_answers_of_a_key_are_far_from_alike(skeletons):
    # what the threshold is argued from: all pairs of a key's accepted answers, as if the key knew the
    # reference alone
    for skeleton in skeletons:
        for exercise in skeleton.exercises:
            key = find_key(exercise.id)
            if isinstance(key, AnswerKey):
                given = baseline(
                    [code(skeleton.stub(exercise.id)), code(answer_source(exercise.id, key.reference))], False
                ).given
                own = [
                    set(code(answer_source(exercise.id, each)).fingerprints()) - given
                    for each in key.accepted
                ]
                alike = [
                    2 * len(a & b) / (len(a) + len(b)) for i, a in enumerate(own) for b in own[:i] if a and b
                ]
                assert max(alike, default=0) < 0.4, exercise.id


def test_a_disguised_copy_of_a_long_answer_is_flagged(skeletons):
    result = found(
        first(skeletons),
        cid={"exact_logits": LONG},
        dan={"exact_logits": disguised(LONG)},
        eve={"exact_logits": "pass"},
    )
    assert pairs(result) == [("exact_logits", "cid", "dan")]
    assert result.pairs[0].similarity == 1.0 and result.pairs[0].bits > result.min_bits


def test_a_copy_that_python_cannot_read_is_flagged_too(skeletons):
    broken = disguised(LONG).replace("weights):", "weights)") + "\n'''"
    assert pairs(found(first(skeletons), cid={"exact_logits": LONG}, dan={"exact_logits": broken}))


def test_a_copied_helper_in_a_cell_of_its_own_is_flagged(skeletons):
    helper, copy = LONG.replace("exact_logits", "helper"), disguised(LONG).replace("exact_logits", "mine")
    assert pairs(found(first(skeletons), cid={EXTRA_CELLS: helper}, dan={EXTRA_CELLS: copy})) == [
        (EXTRA_CELLS, "cid", "dan")
    ]


def test_a_copied_written_answer_is_flagged_and_the_model_answer_is_not(skeletons):
    copied = {"why_select": REPLY.replace("hardly", "barely").upper()}
    assert pairs(found(first(skeletons), cid={"why_select": REPLY}, dan=copied)) == [
        ("why_select", "cid", "dan")
    ]
    model = {"why_select": find_key("why_select").model_answer}
    assert pairs(found(first(skeletons), cid=model, dan=model)) == []


def test_a_short_answer_is_left_out_however_rare(skeletons):
    short = {"exact_logits": "def exact_logits(w):\n    return (w + 1e-9).double().log().relu().neg()\n"}
    result = found(first(skeletons), cid=short, dan=short)
    assert pairs(result) == [] and [(each.answers, each.compared) for each in result.exercises] == [(2, 0)]


def test_what_many_wrote_is_common_and_what_a_few_share_is_not(skeletons):
    # up to 3 others beside oneself are few, in a class of 30; from 20 students on, what a quarter wrote is
    # not even compared
    few = found(first(skeletons), **{f"x{i}": {"exact_logits": LONG} for i in range(4)})
    many = found(first(skeletons), **{f"x{i}": {"exact_logits": LONG} for i in range(5)})
    most = found(first(skeletons), **{f"x{i}": {"exact_logits": LONG} for i in range(8)})
    assert len(few.pairs) == 6 and few.pairs[0].others == 2
    assert many.pairs == [] and many.exercises[0].common == 10
    assert most.pairs == [] and most.exercises[0].compared == 0


def test_what_hardly_surprises_is_not_flagged():
    everybody = {f"s{i}": {} for i in range(28)} | {"cid": {"e": REPLY}, "dan": {"e": REPLY}}
    # a model that has seen this very text often enough to expect each next word of it
    expected = compare("n", everybody, {"e": Baseline(frozenset(), SurpriseModel([prose(REPLY)] * 50), True)})
    novel = compare("n", everybody, {"e": Baseline(frozenset(), SurpriseModel([]), True)})
    assert expected.pairs == [] and expected.exercises[0].expected == 1 and len(novel.pairs) == 1


def test_the_bar_rises_with_the_class():
    # 4 * log2(comparisons / 0.1): for 2 students and one exercise 4 * log2(10) = 13.3 bits, for 30 students 4
    # * log2(4350) = 48.3
    for students, bits in ((2, 13.3), (30, 48.3)):
        result = compare("n", {f"s{i}": {} for i in range(students)}, {"e": baseline([], False)})
        assert result.min_bits == pytest.approx(bits, abs=0.05)


def test_a_looser_threshold_finds_what_a_stricter_one_leaves(skeletons):
    half = disguised(LONG).splitlines()
    other = "\n".join(
        [*half[:-6], "    q = [max(p, 0) for p in logs if p != 4]", "    return torch.tensor(q).cumsum(0)"]
    )
    everybody = {"cid": {"exact_logits": LONG}, "dan": {"exact_logits": other}}
    what = baselines_of(first(skeletons))
    strict, loose = compare("n", everybody, what, 0.95), compare("n", everybody, what, 0.4)
    assert strict.pairs == [] and len(loose.pairs) == 1


def test_the_page_shows_both_answers_escaped_and_says_what_it_is_not(skeletons):
    scripted = LONG.replace("One by one.", "<script>alert(1)</script>")
    text = similarity_page(
        found(first(skeletons), cid={"exact_logits": scripted}, dan={"exact_logits": disguised(LONG)})
    )
    assert "Similarity is not proof" in text and "<script" not in text and "&lt;script&gt;" in text
    assert (
        '<span class="line mark">        total += found[-1] ** 2</span>' in text and "logs[-1] ** 2" in text
    )
    assert '<span class="line">        # the tiny ones first</span>' in text
    assert "fewer than 20 students" not in text


def test_a_small_class_is_told_that_a_pair_says_less(skeletons):
    assert "fewer than 20 students" in similarity_page(
        compare("n", {"a": {}, "b": {}}, baselines_of(first(skeletons)))
    )


def test_answers_are_read_from_the_ledger(tmp_path):
    helper = LONG.replace("exact_logits", "helper")
    results = [submission(name, everything()) for name in ("ann", "ben", "cay")]
    answers = {"ann": {"why_select": REPLY}, "ben": {"why_select": REPLY}}
    course = graded_course(
        tmp_path / "notebooks", results, answers, own={"ann": helper, "cay": disguised(helper)}
    )
    (course / "source" / NAME / f"{NAME}.py").write_text("")  # `chosen` goes by the text sources
    for copy in (course / "autograded").rglob("*.ipynb"):
        copy.write_text('{"cells": [3')
    assert pairs(find_similar("01", course)) == [(EXTRA_CELLS, "ann", "cay"), ("why_select", "ann", "ben")]


def test_nothing_graded_is_one_line(tmp_path):
    course = write_course(tmp_path)
    (course / "source" / NAME / f"{NAME}.py").write_text("")
    with pytest.raises(UserError, match="kqa course grade"):
        find_similar("01", course)


def test_lines_of_prose_are_counted_like_those_of_code():
    assert prose("one two\n\nthree").lines == (0, 0, 2)
