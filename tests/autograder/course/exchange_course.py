"""A course of one exercise that is released through nbgrader's exchange,
its instructor, and Ada, who fetched it.

The instructor and each student have a home of their own, as on a hub. Nothing is trained, and no kernel has
to start.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

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
