"""The version that a new gradebook is stamped with, made without the program that nbgrader runs; and
gradebooks out of use.
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from autograder.gradebook import gradebook
from autograder.gradebook.gradebook import newest_schema, open_gradebook
from kqa_core.errors import UserError


@pytest.mark.slow
def test_it_is_the_version_that_nbgraders_own_program_tells():
    code = "import nbgrader.api; print(nbgrader.api.get_alembic_version())"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    told = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PATH": path},
    )
    assert newest_schema() == told.stdout.strip() != ""


def test_a_new_gradebook_holds_it_where_no_program_can_be_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_gradebook(tmp_path) as book:
        assert book.db.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [
            newest_schema()
        ]


@pytest.mark.parametrize("place", [20_000, 60_000])
def test_a_damaged_gradebook_is_one_line_that_says_what_to_do(course, place):
    path = course / "gradebook.db"
    content = bytearray(path.read_bytes())
    content[place : place + 3_000] = b"\xff" * 3_000
    path.write_bytes(content)
    with pytest.raises(
        UserError, match=r"is damaged \(.+\); `kqa course restore FILE --only gradebook --replace`"
    ) as said:
        open_gradebook(course)
    assert "\n" not in str(said.value)


def test_a_locked_gradebook_is_one_line_that_says_who_may_hold_it(course, monkeypatch):
    monkeypatch.setattr(gradebook, "LOCK_SECONDS", "0")
    with closing(sqlite3.connect(course / "gradebook.db")) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UserError, match="another process holds it; close formgrader"):
            open_gradebook(course)
