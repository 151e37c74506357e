"""CSV files that other people's programs open.

- Text that a spreadsheet would run gets an apostrophe before it: text that begins, also after spaces or
  quotes, with = + - @ (or their wide forms), a tab or a line break. The same holds after a separator inside a
  cell, because Excel splits cells at semicolons in many European countries.
- A plain number is not a formula and stays a number, even a negative one.
- Files are written as UTF-8 with commas. `autograder.people.csv_file` reads them.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable
from pathlib import Path

from autograder.people.csv_file import numbered_rows
from kqa_core.errors import UserError

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|-")  # and Moodle's sign for no grade
STARTS = re.compile(r"""(^|[;,|\t\r\n])([\s'"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])""")
BREAKS = re.compile(r"^[\t\r\n]")


def harmless_cell(text: str) -> str:
    """The cell in a form that a spreadsheet shows and does not run."""
    if NUMBER.fullmatch(text):
        return text
    return BREAKS.sub(r"'\g<0>", STARTS.sub(r"\1'\2\3", text))


def number(value: float | None) -> str:
    """A mark: the shortest decimal that is exactly it, without an exponent; empty if there is none."""
    if value is None:
        return ""
    if not math.isfinite(value):
        raise UserError(f"gradebook: holds {value} as a mark; expected a number; correct it in formgrader")
    text = repr(float(value))
    if "e" in text:
        text = f"{value:.12f}".rstrip("0")
    return text.removesuffix(".0").removesuffix(".") or "0"


def table(rows: Iterable[Iterable[str]]) -> str:
    """The CSV of these rows, every cell harmless."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in rows:
        writer.writerow([harmless_cell(cell) for cell in row])
    return out.getvalue()


def read_table(path: Path) -> list[list[str]]:
    """The rows of a CSV file, all as long as the first. Raises UserError."""
    return [row for _, row in numbered_rows(path)]
