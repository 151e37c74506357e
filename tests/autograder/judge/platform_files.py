"""A class of five, and the archives of its submissions as Canvas, Moodle and Gradescope make them.

How they were made: the names are those of Canvas's *Download Submissions* (as users of canvas-unzipper list
them), of Moodle's `mod/assign/classes/downloader.php`, and of Gradescope's *Export Submissions* with the keys
that readers of its `submission_metadata.yml` use.
"""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from autograder.course.receive_archive import FromArchive, receive_archive
from autograder.people.roster import import_roster
from autograder.sandbox.timeout_and_memory_limits import Limits

NAME = "01_doubling"
FILE = f"{NAME}.ipynb"
PEOPLE = {  # student → first and last name, number on Canvas, number of the participant on Moodle
    "ada": ("Ada", "Lovelace", 1001, 501),
    "anne": ("Änne", "Müller", 1002, 502),
    "sean": ("Seán", "O'Neil", 1003, 503),
    "jose": ("José", "García Díaz", 1004, 504),
    "wei": ("Wei", "Zhang", 1005, 505),
}
STUDENTS = tuple(PEOPLE)
CANVAS_ROSTER = "Student,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,\n" + "".join(
    f'"{last}, {first}",{number},S{number},{student},One\n'
    for student, (first, last, number, _) in PEOPLE.items()
)
MOODLE_ROSTER = "Identifier,Full name,Email address,Status,Grade,Last modified (submission)\n" + "".join(
    f"Participant {number},{first} {last},{student}@x.edu,Submitted,,"
    f'"Friday, 20 November 2026, 10:{number - 460} PM"\n'
    for student, (first, last, _, number) in PEOPLE.items()
)
DUE = datetime(2026, 11, 20, 23, tzinfo=UTC).timestamp()
Members = Sequence[tuple[str, bytes]]


def archive(path: Path, members: Members) -> Path:
    """A zip with these members, in this order."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in members:
            made.writestr(name, data)
    return path


def on_canvas(files: Mapping[str, bytes]) -> Members:
    """One file of each student, named in all the ways of Canvas: as it is, as a second upload, late, beside
    an earlier upload, and with the browser's number.
    """
    ada, anne, sean, jose, wei = (files[student] for student in STUDENTS)
    return [
        (f"lovelaceada_1001_90001_{FILE}", ada),
        (f"mülleränne_1002_90002_{NAME}-1.ipynb", anne),
        (f"oneilseán_LATE_1003_90003_{NAME}-2.ipynb", sean),
        (f"garcíadíazjosé_1004_90009_{NAME}-1.ipynb", jose),
        (f"garcíadíazjosé_1004_90004_{FILE}", b"an earlier upload"),
        (f"zhangwei_1005_90005_{NAME} (1).ipynb", wei),
    ]


def on_moodle(files: Mapping[str, bytes]) -> Members:
    """The same with the names of Moodle: a folder each, with and without the underscore at its end, all in
    one folder, and folders within.
    """
    ada, anne, sean, jose, wei = (files[student] for student in STUDENTS)
    return [
        (f"Ada Lovelace_501_assignsubmission_file_/{FILE}", ada),
        (f"Änne Müller_502_assignsubmission_file/{FILE}", anne),
        (f"Seán O'Neil_503_assignsubmission_file_{FILE}", sean),
        (f"José García Díaz_504_assignsubmission_file_/{NAME} (1).ipynb", jose),
        (f"Wei Zhang_505_assignsubmission_file_/mine/{FILE}", wei),
    ]


METADATA = """---
submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: ada
    :email: ada@x.edu
  :created_at: 2026-11-20 22:58:01.123456789 Z
  :score: 3.0
  :results:
    output: |
      submission_9:
        :submitters:
        - :name: Somebody Else
  :history:
  - :created_at: 2026-11-01 08:00:00.000000000 Z
submission_2:
  :submitters:
  - :name: "\\u00C4nne M\\xFCller"
    :sid:
    :email: Anne@X.edu
  :created_at: 2026-11-20 23:30:00.000000000 Z
submission_3:
  :submitters:
  - :name: 'Seán O''Neil'
    :sid: ''
    :email: sean.private@example.org
  :created_at: 2026-11-20 20:00:00.000000000 Z
submission_4:
  :submitters:
  - :name: José García Díaz
    :sid: jose
    :email: jose@x.edu
  - :name: Wei Zhang
    :sid: wei
    :email: wei@x.edu
  :created_at: 2026-11-20 21:00:00.000000000 Z
submission_5:
  :submitters:
  - :name: Wei Zhang
    :sid: wei
    :email: wei@x.edu
  :created_at: 2026-11-20 22:00:00.000000000 Z
"""


def on_gradescope(files: Mapping[str, bytes]) -> Members:
    """The same as Gradescope exports them: with times, a pair of whom one submitted again alone, an address
    that nobody knows, and a name in each way of writing it.
    """
    return [
        ("assignment_7_export/submission_metadata.yml", METADATA.encode()),
        *(
            (f"assignment_7_export/submission_{number}/{FILE}", files[student])
            for number, student in enumerate(STUDENTS, 1)
        ),
    ]


ARCHIVES = {
    "canvas": (on_canvas, CANVAS_ROSTER),
    "moodle": (on_moodle, MOODLE_ROSTER),
    "gradescope": (on_gradescope, None),
}


@pytest.fixture(scope="module")
def empty_course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    course = tmp_path_factory.mktemp("archives") / "course"
    course.mkdir()
    lines = [f"{who},{first},{last},{who}@x.edu" for who, (first, last, *_) in PEOPLE.items()]
    path = course.parent / "people.csv"
    path.write_text("\n".join(["id,first name,last name,email", *lines]) + "\n")
    import_roster(path, course)
    return course


@pytest.fixture(name="course")
def class_course(empty_course: Path, tmp_path: Path) -> Path:
    """A course with the five students, and nothing submitted."""
    return Path(shutil.copytree(empty_course, tmp_path / "course"))


def receive(
    course: Path, platform: str, members: Members, roster: str | None = None, **more: object
) -> FromArchive:
    path = archive(course.parent / f"{platform}.zip", members)
    listed = None
    if roster is not None:
        listed = course.parent / "roster.csv"
        listed.write_text(roster)
    return receive_archive(course, path, platform, [NAME], Limits(), roster=listed, **more)  # type: ignore[arg-type]
