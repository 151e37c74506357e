"""Makes `older_class.json`, the class that `test_upgrade.py` upgrades, with the code of an earlier commit:

    git worktree add /tmp/older COMMIT
    PYTHONPATH=/tmp/older python tests/autograder/course/make_older_class.py older_class.json

The class takes the course of `kqa course new`: five students who were graded, a mark and a comment by hand
for Cleo, and two submissions that were received and not graded: a second one of Cleo's and the first one of
Fay's. The file holds the name and the text of each file: the course itself as it was, the databases as SQL.
"""

from __future__ import annotations

import json
import platform
import shutil
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import kqa_core.cli
from autograder.gradebook.gradebook import open_gradebook

NAME = "01_sorting"
KEPT = ("course.toml", "nbgrader_config.py", "source", "keys", "received")


def main(folder: Path) -> dict[str, str]:
    """The class, by file, made in `folder`."""
    course, target = folder / "older_course", folder / "older_class"
    target.mkdir()
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
    files = sorted(path for path in target.rglob("*") if path.is_file())
    return {path.relative_to(target).as_posix(): path.read_text(encoding="utf-8") for path in files}


def kqa(*words: object) -> None:
    """A command of this commit's."""
    sys.argv = ["kqa", "course", *map(str, words)]
    try:
        kqa_core.cli.main()
    except SystemExit as ended:
        assert not ended.code, words


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        made = json.dumps(main(Path(place)), indent=0, ensure_ascii=False)
    Path(sys.argv[1]).write_text(f"{made}\n", encoding="utf-8")
