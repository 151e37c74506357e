"""The version that a new gradebook is stamped with, told without the program that nbgrader would run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import text

from autograder.gradebook.gradebook import newest_schema, open_gradebook


def test_it_is_the_version_that_nbgraders_own_program_tells():
    code = "import nbgrader.api; print(nbgrader.api.get_alembic_version())"
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    told = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PATH": path}
    )
    assert newest_schema() == told.stdout.strip() != ""


def test_a_new_gradebook_holds_it_where_no_program_can_be_found(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with open_gradebook(tmp_path) as book:
        assert book.db.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [newest_schema()]
