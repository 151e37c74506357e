"""CSV files that other people's programs open.

- Text that a spreadsheet would run gets an apostrophe before it: text that begins, also after spaces or quotes, with = + - @ (or
  their wide forms), a tab or a line break. The same holds after a separator inside a cell, because Excel splits cells at
  semicolons in many European countries.
- A plain number is not a formula and stays a number, even a negative one.
- Files are written as UTF-8 with commas, and read with commas or semicolons, with or without a byte order mark.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable
from pathlib import Path

from kqa_core.errors import UserError

NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?|-")  # and Moodle's sign for no grade
STARTS = re.compile(r"""(^|[;,|\t\r\n])([\s'"]*)([=+\-@\uff1d\uff0b\uff0d\uff20])""")
BREAKS = re.compile(r"^[\t\r\n]")
LARGEST = 16 * 2**20  # bytes of a roster


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
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path}: has more than {LARGEST >> 20} MiB; expected the CSV of one class")
        text = path.read_text(encoding="utf-8-sig")
        first = text.partition("\n")[0]
        separator = ";" if first.count(";") > first.count(",") else ","
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True) if any(row)]
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); expected the CSV that your platform exports") from None
    except (ValueError, csv.Error) as error:
        raise UserError(f"{path}: is not a CSV in UTF-8 ({error}); export it again as comma-separated UTF-8") from None
    if len(rows) < 2:
        raise UserError(f"{path}: holds no student; expected a line of headings and a line for each student")
    width = len(rows[0])
    for place, row in enumerate(rows, start=1):
        if len(row) > width and any(row[width:]):
            raise UserError(f"{path}: row {place} has {len(row)} cells, the headings are {width}; export it again")
    return [(row + [""] * width)[:width] for row in rows]
