"""A course on another subject, from `kqa course new` to the marks, and one exercise more in mid-term.

Every command runs in a process of its own, as an instructor types it, and in a folder that is neither the
course nor this clone.
"""

from __future__ import annotations

import csv
import html
import json
import os
import re
import shlex
import shutil
import zipfile

import pytest
from warm_python import python

from autograder.course.new_course import TEMPLATE
from autograder.paths import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("new course")]  # one course, made once
NAME = "01_sorting"
PAGE = (ROOT / "docs" / "new_course.md").read_text(encoding="utf-8")
BLOCK = "^```{}\n(.*?)^```$"
EXERCISE, KEY, CELLS = re.findall(BLOCK.format("python"), PAGE, re.MULTILINE | re.DOTALL)  # as it says
WRITTEN, WRITTEN_KEY = re.findall(BLOCK.format("toml"), PAGE, re.MULTILINE | re.DOTALL)
(WRITTEN_CELLS,) = re.findall(r"^```\n(# %%.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)

SCAN = """
import sys
from pathlib import Path
from autograder.build.leak_scan import scan
print(*scan([Path(sys.argv[1])]), sep="\\n")
"""


def run(*words, cwd, **environment):
    """A command with nothing of this process's course in its environment."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("KQA_")}
    return python(*words, cwd=cwd, env=clean | environment)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return tmp_path_factory.mktemp("another subject")


@pytest.fixture(scope="module")
def kqa(place):
    """`kqa course WORDS`; what it printed. It must succeed.

    It is typed in another clone, in the course that lies there, and names the course it works on.
    """
    clone, course = place / "elsewhere", place / "elsewhere" / "notebooks"
    for folder in (clone / "kqa_core", clone / "autograder", course / "source"):
        folder.mkdir(parents=True)
    for file in (clone / "autograder" / "paths.py", course / "course.toml", course / "nbgrader_config.py"):
        file.touch()
    before = {file: file.stat().st_mtime_ns for file in clone.rglob("*")}

    def typed(*words):
        done = run("-m", "kqa_core.cli", "course", *words, cwd=course)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        if words[0] not in ("new", "prove"):
            assert done.stderr.startswith(f"course {words[words.index('--course') + 1]}\n"), done.stderr
        assert {file: file.stat().st_mtime_ns for file in clone.rglob("*")} == before
        return done.stdout

    return typed


@pytest.fixture(scope="module")
def course(place, kqa):
    """The new course, built."""
    folder = place / "sorting"
    assert kqa("new", folder).startswith(f"course {folder}\n")
    said = kqa("build", "--course", folder)
    assert (
        said == f"{NAME}: executed\nreleased {folder}/release/{NAME}/{NAME}.ipynb\nbundle"
        f" {folder}/dist/sorting.zip\n"
    )
    return folder


@pytest.fixture(scope="module")
def graded(course, kqa):
    """The same, proved and with its sample class graded."""
    proof = kqa("prove", "--course", course, "--workers", 1)
    assert "0 deviations; leak scan: empty" in proof and "19/19" in proof
    kqa(
        "grade", "--all", "--class", course / "sample_class" / "submitted", "--course", course, "--workers", 1
    )
    return course


def test_the_sample_class_gets_the_marks_that_its_table_expects(graded, kqa):
    found = list(csv.DictReader(kqa("export", "--course", graded).splitlines()))
    expected = list(
        csv.DictReader((graded / "sample_class" / "expected.tsv").read_text().splitlines(), delimiter="\t")
    )
    assert len(expected) == 5
    columns = {
        "student": "student",
        "notebook": "notebook",
        "status": "status",
        "score": "marks",
        "maximum": "of",
    }
    assert [{ours: row[ours] for ours in columns} for row in found] == [
        {ours: row[theirs] for ours, theirs in columns.items()} for row in expected
    ]


def test_a_mistake_is_named_in_the_feedback_by_the_docstring_of_the_rejected_answer(graded):
    feedback = (graded / "feedback" / "eve" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "You put x at the end. It belongs before the first number that is larger." in feedback


def test_the_report_is_in_the_course_and_bears_its_title(graded, kqa):
    assert kqa("report", "--course", graded) == f"report {graded}/report/index.html\n"
    assert "Sorting: report" in (graded / "report" / "index.html").read_text(encoding="utf-8")
    assert "Keys, Queries" not in (graded / "report" / "students" / "ada.html").read_text(encoding="utf-8")


def test_the_sample_class_is_what_the_command_makes_now(course, tmp_path):
    again = shutil.copytree(course, tmp_path / "again")
    done = run("-m", "autograder.course.sample_class", cwd=tmp_path, KQA_COURSE=str(again))
    assert done.returncode == 0, done.stderr
    for path in (TEMPLATE / "sample_class").rglob("*"):
        if path.is_file():
            assert (again / path.relative_to(TEMPLATE)).read_bytes() == path.read_bytes(), path


def test_the_released_assignment_is_complete_and_holds_no_text_source_and_no_key(course):
    released = course / "release" / NAME
    assert sorted(str(path.relative_to(released)) for path in released.rglob("*") if path.is_file()) == [
        f"{NAME}.ipynb",
        f"{NAME}_locked.json",
        *("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
        *(f"exercises/{name}.py" for name in ("_lists", "insert_sorted", "merge_sorted")),
    ]
    assert "heapq" not in "".join(path.read_text() for path in released.rglob("*") if path.is_file())


def test_a_released_notebook_says_what_it_needs_and_the_line_that_installs_it_is_right(course):
    notebook = json.loads((course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    first = "".join(notebook["cells"][0]["source"])
    assert first.startswith("# Sorting\n") and "<details><summary>If an import fails" in first
    assert "`sorting.zip`" in first and f"`%cd sorting/{NAME}`" in first
    (line,) = re.findall(r"^`%pip install -q (.*)`$", first, re.MULTILINE)
    with zipfile.ZipFile(course / "dist" / "sorting.zip") as archive:
        inside = archive.namelist()
        assert json.loads(archive.read(f"sorting/{NAME}/{NAME}.ipynb")) == notebook
    (package,) = shlex.split(line)
    assert os.path.normpath(f"sorting/{NAME}/{package}") in inside


def shown(python, at):
    """What a student's code prints in the folder `at`, with `solution` imported."""
    done = run("-c", f"from kqa_core.check import check, solution\n{python}", cwd=at)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def code_line(graded, student, exercise):
    """The line under an exercise of a feedback page that opens its model answer; None if there is none."""
    page = html.unescape((graded / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8"))
    found = re.search(rf'<code>(solution\("{exercise}", code="[^"]+"\))</code>', page)
    return found and found[1]


def test_a_graded_right_answer_brings_the_code_that_opens_its_model_answer_and_no_other(graded, tmp_path):
    mine = shutil.copytree(graded / "release" / NAME, tmp_path / NAME)
    assert "the model answer is locked" in shown('solution("insert_sorted")', mine)
    assert (
        code_line(graded, "eve", "insert_sorted") is None
        and code_line(graded, "cleo", "merge_sorted") is None
    )
    line = code_line(graded, "cleo", "insert_sorted")
    wrong = shown(line.replace("insert_sorted", "merge_sorted"), mine)
    assert wrong.endswith(
        "solution: merge_sorted: this code does not open it: copy the whole line from your feedback page"
    )
    assert "is locked" in shown('solution("merge_sorted")', mine)
    answer = shown(line, mine)
    assert (
        answer.startswith("**Model answer: `insert_sorted`**")
        and "smaller = [number for number in numbers" in answer
    )
    assert "The common mistake is `numbers.insert(…)`" in " ".join(answer.split())
    assert shown('solution("insert_sorted")', mine) == answer, "a code is given once"


def test_from_the_instructors_date_on_everybody_reads_them(graded, kqa, tmp_path):
    mine = shutil.copytree(graded / "release" / NAME, tmp_path / NAME)
    said = kqa("solutions", "-n", "01", "--from", "2999-01-01", "--course", graded)
    assert (
        said == f"{NAME}: locked until 2999-01-01; nothing is written\n"
        and not (graded / "solutions").exists()
    )
    said = kqa("solutions", "-n", "01", "--from", "2020-01-01", "--course", graded)
    assert said == f"open {graded}/solutions/{NAME}/{NAME}_answers.json\n"
    shutil.copy(graded / "solutions" / NAME / f"{NAME}_answers.json", mine)
    for exercise, words in (
        ("insert_sorted", "smaller = ["),
        ("merge_sorted", "The common mistake is to forget that rest"),
    ):
        assert words in shown(f'solution("{exercise}")', mine)


def test_the_open_file_would_be_found_in_what_students_receive_and_the_locked_one_holds_nothing(graded):
    places = (graded / "solutions", graded / "release" / NAME, graded / "dist" / "sorting.zip")
    opened, released, bundle = (
        run("-c", SCAN, place, cwd=graded, KQA_COURSE=str(graded)).stdout.split("\n") for place in places
    )
    where, told = (f"{NAME}/{NAME}_{kind}.json" for kind in ("locked", "answers"))
    assert {f"{told}: the {what} of insert_sorted" for what in ("reference answer", "commentary")} <= set(
        opened
    )
    assert {f"{told}: the {what} of merge_sorted" for what in ("reference answer", "commentary")} <= set(
        opened
    )
    assert released == bundle == ["", ""]
    with zipfile.ZipFile(graded / "dist" / "sorting.zip") as archive:
        locked = archive.read(f"sorting/{where}").decode()
    assert "insert_sorted" in locked and "common mistake" not in locked


def test_in_the_courses_own_folder_a_right_answer_is_enough(graded, tmp_path):
    own = shutil.copytree(graded, tmp_path / "clone") / "source" / NAME
    assert "not solved yet" in shown('solution("merge_sorted")', own)
    answer = shown('check("merge_sorted", lambda a, b: sorted(a + b))\nsolution("merge_sorted")', own)
    assert "**Model answer: `merge_sorted`**" in answer and "def merge_sorted(left, right):" in answer
    both = 'solution("merge_sorted")\ncheck("insert_sorted", lambda a, b: sorted([*a, b]))'
    assert "insert_sorted: right" in shown(both, own), "the exercises are still this course's"


def test_an_existing_folder_with_something_in_it_is_refused_in_one_line(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    done = run("-m", "kqa_core.cli", "course", "new", tmp_path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (
        2,
        "",
        1,
    ) and "is not empty" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_folder_that_holds_no_course_is_refused_in_one_line(tmp_path):
    done = run("-m", "kqa_core.cli", "course", "prove", "--course", tmp_path, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (
        2,
        "",
        1,
    ) and "is not a course folder" in done.stderr


def test_no_check_and_no_key_is_taken_from_the_working_directory_and_the_courses_data_is_in_the_sandbox(
    course, tmp_path
):
    """A student's folder that looks like a course whose checks and keys are generous changes nothing."""
    student = shutil.copytree(course, tmp_path / "student" / NAME)
    for half in (student / "source" / NAME / "exercises", student / "keys" / NAME, student / "exercises"):
        half.mkdir(exist_ok=True)
        (half / "insert_sorted.py").write_text(
            EXERCISE.replace("count_swaps", "insert_sorted") + KEY.replace("count_swaps", "insert_sorted")
        )
    (course / "data" / "numbers").mkdir(parents=True)
    (course / "data" / "numbers" / "seven.txt").write_text("7")
    (student / "wrong.py").write_text("def insert_sorted(numbers, x):\n    return 0\n")
    reads = "from kqa_core.text.packaged import shipped\n\n\ndef insert_sorted(numbers, x):\n"
    reads += (
        "    assert (shipped('numbers') / 'seven.txt').read_text() == '7'\n    return sorted([*numbers, x])\n"
    )
    (student / "reads.py").write_text(reads)
    for answer, code, outcome in (("wrong.py", 1, "not yet"), ("reads.py", 0, "right")):
        done = run(
            "-m",
            "kqa_core.cli",
            "course",
            "try",
            "insert_sorted",
            answer,
            "--json",
            "--course",
            course,
            cwd=student,
        )
        assert done.returncode == code, done.stdout + done.stderr
        assert json.loads(done.stdout)["outcome"] == outcome


def test_a_new_exercise_in_mid_term_takes_a_student_one_file(graded, kqa, tmp_path):
    """The student's folder was fetched before the exercise was there;
    the package they have installed is the same as ever.
    """
    course = graded
    mine = shutil.copytree(course / "release" / NAME, tmp_path / NAME)
    check = (
        "from kqa_core.check import check; check('count_swaps', lambda xs: sum(a > b for a, b in zip(xs,"
        " xs[1:])))"
    )
    before = run("-c", check, cwd=mine)
    assert before.returncode != 0 and "no exercise is called 'count_swaps'" in before.stderr

    source = course / "source" / NAME
    (source / "exercises" / "count_swaps.py").write_text(EXERCISE)
    (source / "exercises" / "written.toml").write_text(WRITTEN)
    (course / "keys" / NAME / "count_swaps.py").write_text(KEY)
    (course / "keys" / NAME / "written.toml").write_text(WRITTEN_KEY)
    with (source / f"{NAME}.py").open("a") as text:
        text.write(f"{CELLS}\n{WRITTEN_CELLS}")
    kqa("build", "-n", "01", "--course", course)
    proof = kqa("prove", "--course", course, "--workers", 1)
    assert "count_swaps" in proof and "20/20" in proof and "0 deviations; leak scan: empty" in proof

    for name in ("count_swaps.py", "written.toml"):
        shutil.copy(course / "release" / NAME / "exercises" / name, mine / "exercises")
    check += "; from kqa_core.check import hint; hint('why_insertion')"
    after = run("-c", check, cwd=mine)
    assert after.stdout.startswith("count_swaps: right (1 point): counted\n"), after.stderr
    assert "why_insertion, hint 1 of 3 (nudge): Count the comparisons." in after.stdout


def test_after_it_the_class_is_graded_with_the_new_exercise(graded, kqa):
    """The class had submitted before the exercise was there, so it is unattempted for all of them."""
    kqa(
        "grade", "--all", "--class", graded / "sample_class" / "submitted", "--course", graded, "--workers", 1
    )
    found = {row["student"]: row for row in csv.DictReader(kqa("export", "--course", graded).splitlines())}
    assert (found["ada"]["score"], found["ada"]["maximum"]) == ("5", "8")


def test_a_zip_in_which_something_is_found_never_gets_to_its_place(course, place):
    bundle, planted = course / "dist" / "sorting.zip", course / "data" / "notes.txt"
    before = bundle.read_bytes()
    planted.parent.mkdir(exist_ok=True)  # another test's data may be there
    planted.write_text("### BEGIN SOLUTION\n")
    for out in (None, place / "new folder"):
        words = ("--out", out) if out else ()
        done = run("-m", "kqa_core.cli", "course", "build", "--course", course, *words, cwd=place)
        assert done.returncode == 1 and "LEAK" in done.stderr and "data/notes.txt" in done.stderr
        assert "no bundle was written" in done.stderr and "bundle " not in done.stdout
    assert bundle.read_bytes() == before and not (place / "new folder").exists()
    planted.unlink()
