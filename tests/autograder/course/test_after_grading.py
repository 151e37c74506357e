"""After our recording nbgrader goes on by itself:
formgrader, a person's marks, generate_feedback, its own export.
"""

from __future__ import annotations

import contextlib
import csv
import json
import shutil
import socket
import subprocess
import sys
import urllib.request
from dataclasses import replace
from pathlib import Path

import pytest
from small_course import NAME, write_course
from test_plain_nbgrader import _answer, nbgrader

from autograder.export.export import export
from autograder.export.marks import Target
from autograder.gradebook.gradebook import gradebook_marks
from autograder.gradebook.recorder import Recorder
from autograder.judge.results import ExerciseResult, Judged, Status, SubmissionResult
from autograder.paths import COURSE
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import load_skeleton

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("nbgrader")]
STUDENTS = {"ann": True, "bo": False, "O'Neill, Zoë": True}  # whether average_all is right
COMMENT = "Say *why* it is so."


def judged(skeleton, student, right):
    """A result as the judge makes it: one answer right or not, one untouched, one for a person."""
    written = next(cell for cell in skeleton.cells if cell.role == "written")
    cells = [SubmittedCell(cell.kind, cell.source, cell.grade_id, cell.id) for cell in skeleton.cells]
    answer = "Because <img src=x onerror=f()> it *is*."
    cells = [replace(cell, source=answer) if cell.grade_id == written.grade_id else cell for cell in cells]
    points = {exercise.id: exercise.points for exercise in skeleton.exercises}
    results = (
        decided(
            "average_all",
            points,
            float(points["average_all"]) if right else 0.0,
            "right" if right else "not yet",
        ),
        decided("select_first", points, 0.0, "unattempted", Status.UNATTEMPTED),
        replace(decided("why_select", points, None, "written", Status.PERSON), written=True),
    )
    shown = graft(skeleton, tuple(cells)).cells
    return Judged(
        SubmissionResult(student, NAME, Status.GRADED, results, None, (), "digest", 1.7e9, 1), shown
    )


def decided(name, points, marks, outcome, status=Status.GRADED):
    return ExerciseResult(name, status, outcome, marks, points[name], f"our sentence on {name}")


def record(course, changed=True):
    skeleton = load_skeleton(course / "source" / NAME / f"{NAME}.ipynb")
    with Recorder(course) as recorder:
        recorder.prepare(skeleton)
        for student, right in STUDENTS.items():
            recorder.record(judged(skeleton, student, right), changed)


class Formgrader:
    """The real server on a course directory, asked over HTTP as its own pages ask it."""

    def __init__(self, course: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{port}/formgrader"
        self.log = course / "server.log"
        settings = [
            f"ServerApp.port={port}",
            "ServerApp.token=",
            "ServerApp.password=",
            "ServerApp.port_retries=0",
        ]
        settings += ["ServerApp.disable_check_xsrf=True", f"ServerApp.root_dir={course}"]
        settings += ['ServerApp.jpserver_extensions={"nbgrader.server_extensions.formgrader": True}']
        command = [
            sys.executable,
            "-m",
            "jupyter_server",
            "--no-browser",
            "--allow-root",
            *(f"--{each}" for each in settings),
        ]
        with self.log.open("w") as log:
            self.server = subprocess.Popen(command, cwd=course, stdout=log, stderr=subprocess.STDOUT)

    def get(self, path: str):
        return _answer(f"{self.address}/api/{path}", self.server, self.log)

    def put(self, path: str, **facts: object) -> None:
        request = urllib.request.Request(
            f"{self.address}/api/{path}", json.dumps(facts).encode(), method="PUT"
        )
        urllib.request.urlopen(request).close()

    def page(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.address}/{path}") as reply:
            return reply.read().decode()


@contextlib.contextmanager
def formgrader(course):
    made = Formgrader(course)
    try:
        yield made
    finally:
        made.server.terminate()
        made.server.wait()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A small course that we graded, whose first student's written answer a person marked in
    formgrader, graded by us again.
    """
    course = write_course(tmp_path_factory.mktemp("course"))
    shutil.copy(COURSE / "nbgrader_config.py", course)
    record(course)
    with formgrader(course) as server:
        listed = {each["student"]: each for each in server.get(f"submissions/{NAME}")}
        ours = gradebook_marks(course, NAME)
        facts = ("score", "max_score", "needs_manual_grade")
        assert {student: tuple(each[fact] for fact in facts) for student, each in listed.items()} == ours
        assert len(ours) == len(STUDENTS) and ours["ann"][0] > ours["bo"][0] == 0
        submission = next(
            each for each in server.get(f"submitted_notebooks/{NAME}/{NAME}") if each["student"] == "ann"
        )
        page = server.page(f"submissions/{submission['id']}/")
        assert "our sentence on average_all" in page and "Rubric" in page and "<img src=x" not in page
        # without a network: a formula is drawn, and nothing is fetched
        assert "<msub>" in page and "$" not in page.partition("What is asked")[2].partition("</div>")[0]
        assert "https://" not in page.partition("<body>")[0]
        [grade] = [
            each
            for each in server.get(f"grades?submission_id={submission['id']}")
            if each["name"] == "why_select"
        ]
        [comment] = [
            each
            for each in server.get(f"comments?submission_id={submission['id']}")
            if each["name"] == "why_select"
        ]
        server.put(f"grade/{grade['id']}", manual_score=0.5)
        server.put(f"comment/{comment['id']}", manual_comment=COMMENT)
        record(course, changed=False)  # beside the open server
        [kept] = [
            each
            for each in server.get(f"grades?submission_id={submission['id']}")
            if each["name"] == "why_select"
        ]
        assert (kept["manual_score"], kept["needs_manual_grade"]) == (0.5, False)
    return course


def test_a_persons_mark_and_comment_survive_a_regrade(course):
    score, _, waits = gradebook_marks(course, NAME)["ann"]
    others = gradebook_marks(course, NAME)["O'Neill, Zoë"]
    assert (score, waits) == (others[0] + 0.5, False) and others[2]
    page = (course / "feedback" / "ann" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert f"Your grader: {COMMENT}" in page and "0.5 of" in page


def test_nbgraders_export_writes_our_marks(course):
    nbgrader(course, "export", "--to", "theirs.csv")
    with (course / "theirs.csv").open(encoding="utf-8", newline="") as file:
        text = file.read().replace("O'Neill, Zoë", "O'Neill Zoë")  # it quotes nothing
    theirs = {line["student_id"]: float(line["score"]) for line in csv.DictReader(text.splitlines())}
    ours = {
        line["student"]: line
        for line in csv.DictReader(export([NAME], Target.CSV, course=course).text.splitlines())
    }
    assert {student.replace(",", ""): float(line["score"]) for student, line in ours.items()} == theirs
    assert theirs == {
        student.replace(",", ""): mark[0] for student, mark in gradebook_marks(course, NAME).items()
    }


def test_nbgraders_own_feedback_takes_over_and_shows_no_rubric(course):
    nbgrader(course, "generate_feedback", NAME, "--force")
    for student in STUDENTS:
        page = (course / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        assert "our sentence on average_all" in page and "Rubric" not in page and "<img src=x" not in page
    page = (course / "feedback" / "ann" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "Say <em>why</em> it is so." in page
