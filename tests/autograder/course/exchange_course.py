"""A course of one exercise that is released through nbgrader's exchange, its instructor, and Ada, who fetched
it.

The instructor and each student have a home of their own, as on a hub; `accounts` makes real accounts of this
machine. Nothing is trained, and no kernel has to start.
"""

from __future__ import annotations

import json
import os
import pwd
import secrets
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from warm_python import python

from autograder.course.new_course import TEMPLATE

NAME = "01_sorting"
MAKE = f"""
from pathlib import Path
import nbformat
from autograder.build.assemble import assemble
from autograder.build.release import release
from autograder.build.source import read_source

text = Path("source/{NAME}/{NAME}.py")
nbformat.write(assemble(read_source(text)), text.with_suffix(".ipynb"))  # not executed: no kernel starts
release(["{NAME}"])
"""
WRONG = "return numbers + [x]"
RIGHT = "return sorted([*numbers, x])"


class Person:
    """Someone with a home, a working folder and nbgrader's settings for the exchange."""

    def __init__(self, home: Path, work: Path, exchange: Path, *settings: str) -> None:
        self.home, self.work = home, work
        (home / ".jupyter").mkdir(parents=True)
        lines = ["c = get_config()", f'c.Exchange.root = "{exchange}"', *settings]
        (home / ".jupyter" / "nbgrader_config.py").write_text("\n".join(lines) + "\n")

    def run(self, *words: object) -> str:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        clean = {
            name: value for name, value in os.environ.items() if not name.startswith(("KQA_", "JUPYTER"))
        }
        done = python(*words, cwd=self.work, env={**clean, "HOME": str(self.home), "PATH": path})
        assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-3000:]}"
        return done.stdout + done.stderr

    def nbgrader(self, *words: str) -> str:
        return self.run("-m", "nbgrader", *words)


def one_exercise(folder: Path) -> None:
    """Write the course that `kqa course new` makes, with its first exercise alone."""
    shutil.copytree(
        TEMPLATE, folder, ignore=shutil.ignore_patterns("merge_sorted.py", "__pycache__"), dirs_exist_ok=True
    )
    text = folder / "source" / NAME / f"{NAME}.py"
    text.write_text(text.read_text().partition("# %% [markdown]\n# ## Merging two lists")[0])


class Course:
    """A course of one exercise that is released through an exchange,
    its instructor, and Ada, who fetched it.
    """

    def __init__(self, root: Path) -> None:
        self.folder, exchange = root / "course", root / "exchange"
        exchange.mkdir()
        exchange.chmod(0o777)
        one_exercise(self.folder)
        self.teacher = Person(root / "teacher", self.folder, exchange)
        (root / "work").mkdir()
        settings = ('c.CourseDirectory.course_id = "sorting"', 'c.CourseDirectory.student_id = "ada"')
        self.ada = Person(root / "ada", root / "work", exchange, *settings)
        self.teacher.run("-c", "import os; os.environ['KQA_COURSE'] = os.getcwd()" + MAKE)
        self.released = self.source_cells()
        self.teacher.nbgrader("release_assignment", NAME)
        self.ada.nbgrader("fetch_assignment", NAME)

    def answer(self, line: str) -> Path:
        """Ada writes an answer; her notebook."""
        path = self.ada.work / NAME / f"{NAME}.ipynb"
        notebook = json.loads(path.read_text())
        (cell,) = [
            cell
            for cell in notebook["cells"]
            if cell["metadata"].get("nbgrader", {}).get("grade_id") == "insert_sorted"
        ]
        cell["source"] = f"def insert_sorted(numbers, x):\n    {line}\n"
        path.write_text(json.dumps(notebook))
        return path

    def submit(self, line: str) -> None:
        self.answer(line)
        self.ada.nbgrader("submit", NAME)
        self.teacher.nbgrader("collect", NAME, "--update")

    def grade(self) -> None:
        self.teacher.run(
            "-m", "kqa_core.cli", "course", "grade", "01", "--course", self.folder, "--workers", 1
        )

    def give_back(self) -> dict[str, str]:
        """Release the feedback, and fetch it as Ada. Returns her pages, by the time of the submission."""
        self.teacher.nbgrader("release_feedback", NAME)
        self.ada.nbgrader("fetch_feedback", NAME)
        pages = (self.ada.work / NAME / "feedback").glob("*/*.html")
        return {page.parent.name: page.read_text() for page in sorted(pages)}

    def score(self, student: str = "ada") -> float:
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            return float(book.find_submission(NAME, student).score)

    def source_cells(self) -> dict[str, tuple[str, str, bool, str]]:
        """The cells that nbgrader puts back before it grades:
        source, checksum, whether locked, and kind, by id.
        """
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as book:
            cells = book.find_notebook(NAME, NAME).source_cells
            return {
                each.name: (each.source, each.checksum, each.locked, str(each.cell_type)) for each in cells
            }

    def beside(self, student: str = "ada") -> tuple[bool, bool]:
        """Whether the files that bring a page back lie beside it."""
        folder = self.folder / "feedback" / student / NAME
        return (folder / "timestamp.txt").is_file(), (folder / "submission_secret.txt").is_file()


ADA, BO, MAL = "kqa_test_ada", "kqa_test_bo", "kqa_test_mal"
TIME = "2026-11-20 12:00:00.000000 UTC"


@contextmanager
def accounts(*names: str) -> Iterator[None]:
    """These accounts, made for a test and removed after it. Skips where that is not possible."""
    if os.geteuid() != 0:
        pytest.skip("only root can make accounts")
    made = []
    try:
        for name in names:
            command = ["useradd", "--no-create-home", "--shell", "/usr/sbin/nologin", name]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                pytest.skip(f"no accounts can be made here: {done.stderr.strip()}")
            made.append(name)
        yield
    finally:
        for name in made:
            subprocess.run(["userdel", name], capture_output=True, check=False)


def give(path: Path, owner: str | int) -> None:
    """Make a path, and what lies in it, somebody's."""
    uid = owner if isinstance(owner, int) else pwd.getpwnam(owner).pw_uid
    for one in [path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else ())]:
        os.lchown(one, uid, -1)


def put(inbound: Path, claimed: str, notebook: str, text: str, owner: str | int, time: str = TIME) -> Path:
    """Submit, as `nbgrader submit` does, under a name that need not be the owner's. Returns the folder."""
    folder = inbound / f"{claimed}+{notebook}+{time}+{secrets.token_hex(4)}"
    aside = inbound.parent / "aside"
    aside.mkdir()
    (aside / f"{notebook}.ipynb").write_text(text)
    (aside / "timestamp.txt").write_text(time)
    (aside / "submission_secret.txt").write_text(secrets.token_hex(64))
    for file in aside.iterdir():
        file.chmod(0o644)
    give(aside, owner)
    aside.chmod(0o777)
    aside.rename(folder)
    return folder


def secret_of(folder: Path) -> str:
    """The secret that a submission came with."""
    return (folder / "submission_secret.txt").read_text()
