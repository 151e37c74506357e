"""The builder's notebooks in nbgrader itself:
generate_assignment, validate, autograde, generate_feedback, formgrader.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from another_course import working_on
from exchange_course import NAME, one_exercise
from warm_python import python

from autograder.build.build import build, build_source
from autograder.build.release import release
from autograder.paths import COURSE, ROOT
from kqa_core.errors import UserError

POINTS = 2
TEXT = """\
# %% role="setup"
from kqa_core.check import check

# %% [markdown] exercise="insert_sorted" role="statement"
# Insert a number.

# %% exercise="insert_sorted" role="solution"
def insert_sorted(numbers, x):
    raise NotImplementedError("exercise insert_sorted: replace this line with your answer")


# %% exercise="insert_sorted" role="check"
check("insert_sorted", insert_sorted)

# %%
1 + 1
"""
STUB = 'raise NotImplementedError("exercise insert_sorted: replace this line with your answer")'
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("nbgrader")]  # one course directory, graded once
ANSWERS = {
    "ada": ("import sys; print('warning', file=sys.stderr); return sorted([*numbers, x])", POINTS),
    "bo": ("return sorted([*numbers, x])[:5]", 0),  # fits the visible cases only
    "cy": (STUB, 0),
}
# no exercise, and nothing to import
SHORT = """\
# %% role="setup"
number = 1

# %%
1 + 1
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course directory with one built notebook worth two points. It needs no torch, so its kernels start
    at once.
    """
    course = tmp_path_factory.mktemp("course")
    one_exercise(course)
    (course / "source" / NAME / f"{NAME}.py").write_text(TEXT, encoding="utf-8")
    with working_on(course):
        build([NAME], course=course, quiet=True)
    return course


def nbgrader(course: Path, *arguments: str) -> str:
    """What an instructor types in the course directory; its output.
    The environment is activated, as nbgrader itself expects.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    # where only notebooks lie, they are this course's
    checks = course if (course / "course.toml").is_file() else COURSE
    environment = {**os.environ, "PATH": path, "KQA_COURSE": str(checks)}
    done = python("-m", "nbgrader", *arguments, cwd=course, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout + done.stderr


def cells(path: Path) -> dict[str, dict[str, object]]:
    return {cell["id"]: cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]}


@pytest.fixture(scope="module")
def graded(course):
    nbgrader(course, "generate_assignment", NAME, "--force")
    given = (course / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    for student, (answer, _) in ANSWERS.items():
        target = course / "submitted" / student / NAME / f"{NAME}.ipynb"
        target.parent.mkdir(parents=True)
        assert json.dumps(STUB)[1:-1] in given
        target.write_text(given.replace(json.dumps(STUB)[1:-1], json.dumps(answer)[1:-1]), encoding="utf-8")
    nbgrader(course, "autograde", NAME)
    nbgrader(course, "generate_feedback", NAME)
    return course


def test_the_release_holds_a_named_stub_no_outputs_and_no_answers(graded):
    released = cells(graded / "release" / NAME / f"{NAME}.ipynb")
    assert "".join(released["insert_sorted"]["source"]).endswith(f"    {STUB}")
    assert "".join(released["check_insert_sorted"]["source"]) == 'check("insert_sorted", insert_sorted)'
    assert all(not cell.get("outputs") for cell in released.values())
    assert sorted(path.name for path in (graded / "release" / NAME).iterdir()) == [
        f"{NAME}.ipynb",
        "exercises",
    ]


def test_autograde_gives_each_student_their_mark(graded):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{graded / 'gradebook.db'}") as book:
        scores = {each.student.id: (each.score, each.max_score) for each in book.assignment_submissions(NAME)}
    assert scores == {student: (mark, POINTS) for student, (_, mark) in ANSWERS.items()}


def test_a_failure_is_our_line_also_in_the_autograded_notebook(graded):
    check = cells(graded / "autograded" / "bo" / NAME / f"{NAME}.ipynb")["check_insert_sorted"]
    [visible, output] = check["outputs"]
    assert visible["output_type"] == "stream" and output["output_type"] == "error"
    assert len(output["traceback"]) == 1 and output["traceback"][0].startswith(
        "insert_sorted: not yet on other inputs: "
    )


def test_feedback_is_written_for_everybody(graded):
    for student in ANSWERS:
        page = (graded / "feedback" / student / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        assert "insert_sorted" in page


def validated(course: Path, student: str) -> str:
    return nbgrader(course, "validate", str(course / "submitted" / student / NAME / f"{NAME}.ipynb"))


def test_validate_passes_a_right_answer_and_names_an_unattempted_one(graded):
    # The check cell is tagged raises-exception, so that Run All goes on: to nbgrader it has failed all the
    # same.
    assert "Success! Your notebook passes all the tests." in validated(graded, "ada")
    said = validated(graded, "cy")
    assert "VALIDATION FAILED ON 1 CELL(S)" in said
    assert "insert_sorted: unattempted" in said
    assert "Traceback" not in said and "student.py" not in said


def test_formgrader_lists_the_assignment_and_its_submissions(graded):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = [
        f"--ServerApp.port={port}",
        "--ServerApp.token=",
        "--ServerApp.password=",
        "--no-browser",
        "--allow-root",
        "--ServerApp.port_retries=0",
    ]
    extension = '--ServerApp.jpserver_extensions={"nbgrader.server_extensions.formgrader": True}'
    command = [sys.executable, "-m", "jupyter_server", *options, extension, f"--ServerApp.root_dir={graded}"]
    with (graded / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=graded, stdout=log, stderr=subprocess.STDOUT)
    try:
        assignments = _answer(
            f"http://127.0.0.1:{port}/formgrader/api/assignments", server, graded / "server.log"
        )
        [assignment] = [each for each in assignments if each["name"] == NAME]
        assert (assignment["max_score"], assignment["num_submissions"]) == (POINTS, len(ANSWERS))
    finally:
        server.terminate()
        server.wait()


def _answer(url: str, server: subprocess.Popen[bytes], log: Path) -> list[dict[str, object]]:
    for _ in range(480):
        assert server.poll() is None, log.read_text()[-3000:]
        try:
            with urllib.request.urlopen(url) as reply:
                return json.load(reply)
        except urllib.error.HTTPError:
            raise
        except OSError:  # not listening yet
            time.sleep(0.5)
    raise AssertionError(log.read_text()[-3000:])


@pytest.mark.nightly
def test_notebook_01_goes_all_the_way_through_plain_nbgrader(tmp_path):
    from nbgrader.api import Gradebook

    from kqa_core.check.registry import of_notebook

    name = "01_attention_as_a_lookup"
    shutil.copy(COURSE / "nbgrader_config.py", tmp_path)
    (tmp_path / "source" / name).mkdir(parents=True)
    shutil.copy(COURSE / "source" / name / f"{name}.ipynb", tmp_path / "source" / name)
    nbgrader(tmp_path, "generate_assignment", name)
    blank = json.loads((tmp_path / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    solutions = cells(COURSE / "source" / name / f"{name}.ipynb")
    solved = json.loads(json.dumps(blank))
    for cell in solved["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = solutions[cell["id"]]["source"]
    for student, work in {"blank": blank, "solved": solved}.items():
        target = tmp_path / "submitted" / student / name / f"{name}.ipynb"
        target.parent.mkdir(parents=True)
        target.write_text(json.dumps(work), encoding="utf-8")
    nbgrader(tmp_path, "autograde", name)
    nbgrader(tmp_path, "generate_feedback", name)
    checked = sum(exercise.points for exercise in of_notebook(name) if not exercise.written)
    written = sum(exercise.points for exercise in of_notebook(name) if exercise.written)
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        found = {each.student.id: each for each in book.assignment_submissions(name)}
        assert (found["solved"].score, found["solved"].max_score) == (checked, checked + written)
        assert found["solved"].needs_manual_grade  # a person reads what was written
        assert (found["blank"].score, found["blank"].needs_manual_grade) == (0, False)
    for student in ("blank", "solved"):
        assert (tmp_path / "feedback" / student / name / f"{name}.html").is_file()
    assert "Success!" in nbgrader(
        tmp_path, "validate", str(tmp_path / "submitted" / "solved" / name / f"{name}.ipynb")
    )


def test_a_notebook_runs_again_only_when_it_has_changed(course):
    path = course / "source" / NAME / f"{NAME}.ipynb"
    made = path.read_bytes()
    with working_on(course):
        assert not build_source(NAME, course, quiet=True)
        assert path.read_bytes() == made
        path.write_bytes(made.replace(b'"points": 2', b'"points": 3'))  # edited by hand
        assert path.read_bytes() != made and build_source(NAME, course, quiet=True)
        assert path.read_bytes() == made  # a second run gives the same bytes
        assert build_source(NAME, course, force=True, quiet=True)
    assert path.read_bytes() == made


def test_a_change_of_text_alone_runs_no_cell(tmp_path):
    source = tmp_path / "source" / "00_short" / "00_short.py"
    source.parent.mkdir(parents=True)
    source.write_text(f"# %% [markdown]\n# # Short\n\n{SHORT}", encoding="utf-8")
    assert build_source("00_short", tmp_path, quiet=True)
    path = source.with_suffix(".ipynb")
    path.write_text(path.read_text(encoding="utf-8").replace('"2"', '"kept"'), encoding="utf-8")
    source.write_text(f"# %% [markdown]\n# # Longer\n\n# %% [markdown]\n# More.\n\n{SHORT}", encoding="utf-8")
    assert not build_source("00_short", tmp_path, quiet=True)
    text = path.read_text(encoding="utf-8")
    assert "# Longer" in text and '"kept"' in text
    source.write_text(source.read_text(encoding="utf-8").replace("1 + 1", "1 + 2"), encoding="utf-8")
    assert build_source("00_short", tmp_path, quiet=True)
    text = path.read_text(encoding="utf-8")
    assert '"3"' in text and '"kept"' not in text


def test_a_release_into_another_folder_touches_no_gradebook(course, tmp_path):
    book = course / "gradebook.db"
    before = book.read_bytes()
    with working_on(course):
        [path] = release([NAME], course, out=tmp_path / "lab")
    assert path == tmp_path / "lab" / NAME / f"{NAME}.ipynb"
    assert STUB in "".join(cells(path)["insert_sorted"]["source"])
    assert book.read_bytes() == before


def test_the_working_copy_is_made_by_a_program_of_its_own(tmp_path):
    command = ("-m", "autograder.build.release", tmp_path / "lab")
    name = "00_start_here"
    done = python(*command, name, cwd=ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.ipynb")] == [
        f"lab/{name}/{name}.ipynb"
    ]
    done = python(*command, "99_none", cwd=ROOT)
    assert done.returncode == 1
    assert done.stderr.startswith("99_none: there is no executed notebook of that name")


def test_an_unknown_notebook_is_named(course):
    with pytest.raises(UserError, match=f"notebook '99': there is no such source; the notebooks are {NAME}"):
        build(["99"], course=course)


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero"),
        ("import sys; print('careful', file=sys.stderr)", "writes to stderr, 'careful'"),
        ("import os; os._exit(1)", "the kernel died"),
    ],
)
def test_a_cell_that_fails_is_named_and_nothing_is_written(tmp_path, cell, said):
    folder = tmp_path / "source" / "00_short"
    folder.mkdir(parents=True)
    (folder / "00_short.py").write_text(SHORT.replace("1 + 1", cell), encoding="utf-8")
    with pytest.raises(UserError) as problem:
        build_source("00_short", tmp_path, quiet=True)
    assert said in str(problem.value)
    assert "setup_1-1" in str(problem.value) or "kernel died" in said
    assert [path.name for path in folder.iterdir()] == ["00_short.py"]
