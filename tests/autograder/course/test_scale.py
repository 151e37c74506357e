"""A class of twice the size takes twice the work, counted in operations;
and `kqa bench scale` prints what it measured.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

from autograder.course.publisher import reconcile
from autograder.export.export import _plain
from autograder.export.marks import Marks, Target
from autograder.export.roster_file import filled
from autograder.gradebook.gradebook import Mark
from autograder.judge.results import Status, SubmissionResult
from autograder.paths import ROOT
from autograder.report.facts import NotebookFacts
from autograder.report.report import class_row
from autograder.report.student_page import student_notebooks
from autograder.submissions.store import Submission
from benchmarks import scale
from benchmarks._made_class import NEIGHBOUR

NOTEBOOKS, SIZES = 2, (10, 20, 40)
COUNTING = """
import json, sys
from pathlib import Path
sys.path.insert(0, {root!r})
from benchmarks._scale_stages import STAGES, Class, operations
made, counts = Class(Path({folder!r}), {students}, {notebooks}), {{}}
found = STAGES["make"](made)
for stage in ("receive", "grade", "grade again", "report", "export", "similar"):
    with operations() as counted:
        found |= STAGES[stage](made)
    counts[stage] = counted
print(json.dumps([counts, found]))
"""


@pytest.fixture(scope="module")
def classes(tmp_path_factory):
    """The operations of each stage, the sizes of the report, and the folder, by the size of the class."""
    made = {}
    for students in SIZES:
        folder = tmp_path_factory.mktemp(f"class_{students}")
        code = COUNTING.format(root=str(ROOT), folder=str(folder), students=students, notebooks=NOTEBOOKS)
        env = {**os.environ, "KQA_COURSE": str(folder / "course")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        made[students] = (*json.loads(done.stdout.splitlines()[-1]), folder)
    return made


@pytest.mark.nightly
@pytest.mark.xdist_group("scale")
@pytest.mark.parametrize("stage", ["receive", "grade", "grade again", "report", "export", "similar"])
@pytest.mark.parametrize("what", ["calls", "sqlite"])
def test_no_stage_is_quadratic(classes, stage, what):
    few, more, many = (classes[students][0][stage].get(what, 0) for students in SIZES)
    # what does not depend on the size drops out: the second step is twice the first if all is linear, four
    # times if quadratic; without our indexes, the gradebook's steps are 2.4 to 3.3 times as many
    assert many - more <= 2.2 * (more - few) + 20, (few, more, many)


@pytest.mark.nightly
@pytest.mark.xdist_group("scale")
def test_the_index_has_a_row_a_student_and_every_page_is_linked(classes):
    for students, (_, found, folder) in classes.items():
        report = folder / "report"
        assert found["pages"] == 1 + NOTEBOOKS + 2 * students
        index = (report / "index.html").read_text(encoding="utf-8")
        for page in [*report.glob("answers/*"), *report.glob("notebooks/*")]:
            assert index.count(f'href="{page.relative_to(report)}"') == 1
        assert found["pairs"] >= NOTEBOOKS * (students // NEIGHBOUR)
    size = {students: found["index_mb"] for students, (_, found, _) in classes.items()}
    a_student = (size[SIZES[2]] - size[SIZES[0]]) / (SIZES[2] - SIZES[0])
    twelve = a_student + (12 - NOTEBOOKS) * len("<td>100.25+!</td>") / 1e6
    assert size[SIZES[0]] + 5000 * twelve < 2, "megabytes of the index of 5,000 students and 12 notebooks"


class Name(str):
    """A student's name that counts how often it is compared or hashed."""

    used = 0
    __slots__ = ()

    def __eq__(self, other):
        Name.used += 1
        return str.__eq__(self, other)

    def __hash__(self):
        Name.used += 1
        return str.__hash__(self)


def reconciled(names):
    results = [SubmissionResult(name, "n", Status.MISSING) for name in names]
    assert reconcile([Submission(name, "n") for name in names], results) == []


def facts_of(names):
    return [NotebookFacts("n", {name: SubmissionResult(name, "n", Status.GRADED) for name in names}, {}, {})]


def shown(names):
    facts = facts_of(names)
    assert all(student_notebooks(name, facts) and class_row(name, facts) for name in names)


def marks_of(names):
    marks = {(name, each): Mark(1.0, 2.0, False, 0.0) for each in ("m", "n") for name in names}
    return Marks(["m", "n"], list(names), marks, {})


def listed(names):
    assert len(_plain(marks_of(names))) == 1 + 2 * len(names)


def in_a_roster(names):
    rows = [["username", "m", "n"], *([name, "", ""] for name in names)]
    made = filled(rows, scale.STAGES, Target.MOODLE, marks_of(names))
    assert made.differences == [] and made.text.count(",1,1") == len(names)


@pytest.mark.parametrize("do", [reconciled, shown, listed, in_a_roster])
def test_a_name_is_compared_as_often_in_a_large_class(do):
    used = {}
    for students in (50, 200):
        names = [Name(f"s{number:03}") for number in range(students)]
        Name.used = 0
        do(names)
        used[students] = Name.used / students
    assert used[200] < 1.5 * used[50], "log n of sorting is allowed, n is not"


def figures(seconds, pages):
    return {
        "sqlite": {
            "make": {"seconds": 1.0, "peak_mb": 100.0, "before_mb": 90.0},
            "report": {
                "seconds": seconds,
                "peak_mb": 90.0 + seconds,
                "before_mb": 90.0,
                "index_mb": pages,
                "largest_mb": 0.1,
            },
            "open": {"seconds": 0.5, "nodes": 10},
        },
        "postgresql": None,
    }


def test_the_table_tells_each_size_and_how_time_and_memory_grow():
    text = scale.table({"10": figures(1.0, 0.2), "20": figures(4.0, 0.4)})
    assert "make" not in text and "PostgreSQL's server is not installed" in text
    (line,) = (line.split() for line in text.splitlines() if line.startswith("sqlite"))
    # twice the class, four times the time
    assert line == ["sqlite", "report", "100.0,", "1", "200.0,", "4", "2.00", "2.00"]
    assert "20 students: index 0.40 MB, largest other page 0.10 MB; Chromium shows the index in 0.5 s" in text


def test_an_exponent_is_of_the_two_largest_sizes():
    assert (
        scale.exponent({1: 7.0, 10: 1.0, 20: 2.0}) == pytest.approx(1.0)
        and str(scale.exponent({10: 1.0})) == "nan"
    )


def test_every_benchmarked_stage_exists():
    from benchmarks._scale_stages import STAGES

    asked = Counter((*scale.BEFORE, *scale.OF_GRADEBOOK, "similar"))
    assert set(asked) == set(STAGES)
