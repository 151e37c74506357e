"""Whose an account of the machine is, where its name is not the student's: `people/accounts.csv`.

A line names an account and a student. An account that is not in the file belongs to the student of the same
name, unless the file gives that student another account.
"""

from __future__ import annotations

from pathlib import Path

from autograder.people.csv_file import numbered_rows
from kqa_core.errors import UserError

ACCOUNTS = Path("people", "accounts.csv")


def read_accounts(course: Path) -> dict[str, str]:
    """The student of each account in the file; empty if there is no file.
    Raises UserError for a file that cannot be used.
    """
    path = course / ACCOUNTS
    if not path.is_file():
        return {}
    (_, head), *rows = numbered_rows(path)
    titles = [title.strip().casefold() for title in head]
    if not {"account", "student"} <= set(titles):
        raise UserError(f"{path}: line 1: expected the headings account and student")
    students: dict[str, str] = {}
    for line, row in rows:
        account, student = (row[titles.index(title)].strip() for title in ("account", "student"))
        if not account or not student or students.get(account, student) != student:
            raise UserError(
                f"{path}: line {line}: expected an account and its student, each account once; correct it"
            )
        students[account] = student
    return students
