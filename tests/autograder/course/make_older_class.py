"""Makes `older_class/`, the class that `test_upgrade.py` upgrades, with the code of an earlier commit:

    git worktree add /tmp/older COMMIT
    PYTHONPATH=/tmp/older python tests/autograder/course/make_older_class.py /tmp/older_class

The class takes the course of `kqa course new`: five students who were graded, a mark and a comment by hand
for Cleo, and two submissions that were received and not graded: a second one of Cleo's and the first one of
Fay's. The course itself is stored as it was, and the databases as SQL, so that everything is text.
"""

from __future__ import annotations

import platform
import shutil
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import kqa_core.cli
from autograder.gradebook.gradebook import open_gradebook

NAME = "01_sorting"
KEPT = ("course.toml", "nbgrader_config.py", "source", "keys", "received")


def main(target: Path) -> None:
    """Make the class at `target`."""
    course = target.with_name("older_course")
    submitted = course / "sample_class" / "submitted"
    kqa("new", course)
    kqa("build", "-n", "01", "--course", course)
    kqa("grade", "01", "--class", submitted, "--course", course)
    with open_gradebook(course) as book:
        grade = book.find_grade("check_merge_sorted", NAME, NAME, "cleo")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.find_comment("merge_sorted", NAME, NAME, "cleo").manual_comment = "Half of it is right."
        book.db.commit()
    for student in ("cleo", "fay"):
        shutil.copytree(submitted / "ada" / NAME, submitted / student / NAME, dirs_exist_ok=True)
    kqa("receive", submitted, "--course", course)
    for name in KEPT:
        copy = shutil.copytree if (course / name).is_dir() else shutil.copy
        copy(course / name, target / name)
    shutil.copy(course / ".course_key", target / "course_key")
    for name, base in (("gradebook", course / "gradebook.db"), ("ledger", course / "judged" / "ledger.db")):
        with closing(sqlite3.connect(base)) as rows:
            lines = (
                "\n".join(rows.iterdump())
                .replace(str(course), "/older_course")
                .replace(f"'{platform.node()}'", "'older'")
            )
            (target / f"{name}.sql").write_text(f"{lines}\n", encoding="utf-8")


def kqa(*words: object) -> None:
    """A command of this commit's."""
    sys.argv = ["kqa", "course", *map(str, words)]
    try:
        kqa_core.cli.main()
    except SystemExit as ended:
        assert not ended.code, words


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir()
    main(Path(sys.argv[1]))
