"""A copy of the gradebook in one SQLite file, and back: consistent while formgrader and a grading write.

- From SQLite by its own backup, which copies one state of the database, with what is still in the write-ahead
  log.
- From another database (PostgreSQL) by one read transaction that sees one state; its rows go through
  nbgrader's tables. The other way all rows are replaced in one transaction.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from nbgrader.api import Base, Gradebook
from sqlalchemy import create_engine, insert, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from autograder.gradebook.gradebook import shown_url, use_newest_schema
from kqa_core.errors import UserError


def copy_from(url: URL, path: Path) -> None:
    """Write a copy of the gradebook at `url` to the new SQLite file `path`.
    Raises UserError if it cannot be read.
    """
    if url.get_backend_name() == "sqlite":
        copy_sqlite(Path(str(url.database)), path)
        return
    try:
        engine = create_engine(url, isolation_level="REPEATABLE READ")
        with engine.connect() as source:
            _replace_rows(source, URL.create("sqlite", database=str(path)))
        engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        raise _unusable(url, error) from None


def copy_into(path: Path, url: URL) -> None:
    """Replace all rows of the database at `url`, which is no SQLite file,
    by those of the copy at `path`. Raises UserError.
    """
    try:
        engine = create_engine(URL.create("sqlite", database=str(path)))
        with engine.connect() as source:
            _replace_rows(source, url)
        engine.dispose()
    except (SQLAlchemyError, ImportError) as error:
        raise _unusable(url, error) from None


def copy_sqlite(source: Path, target: Path) -> None:
    """A consistent copy of a SQLite database that others may be using. Raises UserError if it is damaged."""
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=60.0)) as old,
            closing(sqlite3.connect(target)) as new,
        ):
            old.backup(new)
            lines = [
                line for (text,) in new.execute("PRAGMA quick_check(1)") for line in str(text).splitlines()
            ]
    except sqlite3.Error as error:
        raise UserError(
            f"{source}: cannot be copied ({error}); look at the disk, and restore an earlier backup"
        ) from None
    if lines != ["ok"]:
        reason = next((line for line in lines if not line.startswith("*")), lines[0])
        raise UserError(f"{source}: is damaged ({reason}); restore an earlier backup")


def _replace_rows(source: Any, target: URL) -> None:
    use_newest_schema()
    with closing(Gradebook(target)) as book, book.engine.begin() as write:
        tables = Base.metadata.sorted_tables
        for table in reversed(tables):
            write.execute(table.delete())
        for table in tables:
            rows = [dict(row) for row in source.execute(select(table)).mappings()]
            if rows:
                write.execute(insert(table), rows)


def _unusable(url: URL, error: Exception) -> UserError:
    return UserError(
        f"gradebook {shown_url(url)}: cannot be copied ({type(error).__name__}); check the URL and the server"
    )
