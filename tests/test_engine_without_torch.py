"""A course that uses neither torch nor sympy, in an environment that has neither: everything from the new
course to the marks, and what its students install.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
import zipfile

import pytest
from environments import BASE, ROOT, environment_with, install, instructors_environment, run

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("without torch")]  # one environment, one course
NAME = "01_sorting"
LIBRARY = ("torch", "sympy", "matplotlib", "anywidget", "safetensors", "transformers")
FOUND = """
import importlib.util, sys
print([name for name in sys.argv[1].split() if importlib.util.find_spec(name)])
"""
LOADED = """
import sys
from kqa_core.cli import main
names, sys.argv[:] = sys.argv[1].split(), ["kqa", *sys.argv[2:]]
try:
    main()
except SystemExit as ended:
    assert not ended.code, ended.code
print([name for name in names if name in sys.modules])
"""
MOST = 150_000  # bytes of the students' wheel: 100,582 when this was written, and 6,004,461 with the library


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The Python of an instructor who has not installed the library."""
    return instructors_environment(tmp_path_factory.mktemp("instructor") / "venv")


@pytest.fixture(scope="module")
def kqa(python, tmp_path_factory):
    """`kqa WORDS` in that environment; what it printed. It must succeed."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")

    def typed(*words):
        done = run(python, "-m", "kqa_core.cli", *map(str, words), cwd=elsewhere)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    return typed


@pytest.fixture(scope="module")
def course(kqa, tmp_path_factory):
    """A new course, built."""
    folder = tmp_path_factory.mktemp("course") / "sorting"
    kqa("course", "new", folder)
    kqa("course", "build", "--course", folder)
    return folder


@pytest.mark.nightly  # another course goes the same way below; test_one_file.py makes this one
def test_a_course_in_one_file_is_built_and_proved_there(kqa, tmp_path):
    kqa("course", "new", tmp_path / "shop", "--like", "sql")
    kqa("course", "build", "--course", tmp_path / "shop")
    proof = kqa("course", "prove", "--course", tmp_path / "shop", "--workers", 1)
    assert "0 deviations; leak scan: empty" in proof
    assert "recommended are 4 accepted and 8 rejected answers; fewer: in_stock (1 and 2)" in proof


def test_the_environment_has_nothing_of_the_library(python, tmp_path):
    assert run(python, "-c", FOUND, " ".join(LIBRARY), cwd=tmp_path).stdout == "[]\n"


def test_the_checks_are_proved(kqa, course):
    proof = kqa("course", "prove", "--course", course, "--workers", 1)
    assert "0 deviations; leak scan: empty" in proof and re.search(r"all .* 2/2 .* 8/8 .* 19/19 ", proof)


def test_the_class_is_graded_reported_exported_and_can_be_read(kqa, course):
    kqa(
        *("course", "grade", "--all", "--class", course / "sample_class" / "submitted"),
        *("--course", course, "--workers", 1),
    )
    rows = {
        row["student"]: row
        for row in csv.DictReader(kqa("course", "export", "--course", course).splitlines())
    }
    assert {name: row["score"] for name, row in rows.items()} == {
        "ada": "5", "bo": "5", "cleo": "2", "dan": "0", "eve": "0",
    }  # fmt: skip
    kqa("course", "report", "--course", course)
    assert "ada" in (course / "report" / "index.html").read_text(encoding="utf-8")
    kqa("course", "site", "--course", course)
    assert "Sorting" in (course / "site" / f"{NAME}.html").read_text(encoding="utf-8")


def test_an_answer_is_tried_in_the_sandbox(kqa, course, tmp_path):
    answer = tmp_path / "answer.py"
    answer.write_text("def insert_sorted(numbers, x):\n    return sorted([*numbers, x])\n")
    assert "answer.py: right, 2 of 2" in kqa("course", "try", "insert_sorted", answer, "--course", course)


def test_an_answer_that_imports_torch_is_wrong_and_stops_nothing(course, tmp_path):
    """In an environment that has torch, as a university's server may: the course does not declare it, so a
    tensor is an object like any other.
    """
    answer = tmp_path / "answer.py"
    answer.write_text(
        "import torch\n\n\ndef insert_sorted(numbers, x):\n    return torch.tensor([*numbers, x])\n"
    )
    done = run(
        *(sys.executable, "-m", "kqa_core.cli", "course", "try", "insert_sorted", answer, "--course", course),
        cwd=tmp_path,
    )
    assert done.returncode == 1 and "answer.py: not yet" in done.stdout, done.stdout + done.stderr
    assert "an object of type Tensor" in done.stdout


@pytest.fixture(scope="module")
def unpacked(course, tmp_path_factory):
    """What a student of the course gets."""
    folder = tmp_path_factory.mktemp("student")
    with zipfile.ZipFile(course / "dist" / "sorting.zip") as archive:
        archive.extractall(folder)
    return folder / "sorting"


def test_the_students_wheel_holds_what_checks_an_answer_and_is_small(unpacked):
    (wheel,) = (unpacked / "wheel").glob("*.whl")
    assert wheel.stat().st_size < MOST and "+engine-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.split("/")[1] for name in names if name.count("/") > 1} == {
        "check", "commands", "lab", "show", "text",
    }  # fmt: skip
    assert not any(
        re.search(r"figures|explorer|walk|world|\.(json|txt|safetensors)$", name)
        for name in names
        if "lab/" not in name
    )
    assert "torch" not in (unpacked / "environment.yml").read_text(encoding="utf-8")
    assert "torch" not in (unpacked / "START_HERE.txt").read_text(encoding="utf-8")


def test_a_student_installs_it_and_checks_an_answer(unpacked, tmp_path):
    python = environment_with(BASE, tmp_path / "venv")
    foreign = " ".join((*LIBRARY, "jupytext", "hatchling", "canvasapi", "psycopg2"))
    assert run(python, "-c", FOUND, foreign, cwd=tmp_path).stdout == "[]\n"
    assert not any(line.startswith("rich") for line in BASE)  # typer brings it, for its own sake
    install(python, "-r", "requirements.txt", cwd=unpacked)
    check = "from kqa_core.check import check; check('insert_sorted', lambda xs, x: sorted([*xs, x]))"
    done = run(python, "-c", check, cwd=unpacked / NAME)
    assert (done.returncode, done.stdout[:20]) == (0, "insert_sorted: right"), done.stderr
    kqa = python.parent / "kqa"
    shown = run(kqa, "--help", cwd=unpacked).stdout
    assert "check " in shown and "lab " in shown and "pretrain" not in shown
    rows = run(kqa, "doctor", cwd=unpacked)
    assert rows.returncode == 0 and "torch" not in rows.stdout, rows.stdout + rows.stderr
    done = run(kqa, "check", f"{NAME}/{NAME}.ipynb", cwd=unpacked)
    assert done.returncode == 1 and re.search(r"^0 of \d+ right$", done.stdout, re.MULTILINE), done.stderr


def test_what_needs_the_library_says_how_to_get_it(python, tmp_path):
    site = next((python.parents[1] / "lib").glob("python*/site-packages"))
    for metadata in site.glob("keys_queries_attention-*.dist-info/METADATA"):
        names = re.findall(
            r"^Requires-Dist: (\w+).*extra == ['\"]library['\"]", metadata.read_text(), re.MULTILINE
        )
        assert "torch" in names, "this environment is older than pyproject.toml; run ./set-up"
    (tmp_path / "wiki.txt").write_text("Ada was born in London.\n")
    words = ("pretrain", "vanilla", "wiki.txt", "--writing_params_path", "out.params")
    done = run(python, "-m", "kqa_core.cli", *words, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    assert re.fullmatch(
        r"kqa: this needs \w+, which is not installed; .* pip install -e '\.\[library\]' .*\n", done.stderr
    )
    assert [path.name for path in tmp_path.iterdir()] == ["wiki.txt"]


@pytest.mark.parametrize("command", ["build", "prove", "grade", "report", "export", "try", "watch", "site"])
def test_the_commands_start_without_what_they_may_need_later(command):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            LOADED,
            "torch sympy matplotlib nbgrader jupytext",
            "course",
            command,
            "--help",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "[]"
