"""Reading CSV files that other programs or people made:
UTF-8, commas or semicolons, with or without a byte order mark.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

from kqa_core.errors import UserError

LARGEST = 16 * 2**20  # bytes of a roster


def numbered_rows(path: Path) -> list[tuple[int, list[str]]]:
    """The rows of a CSV file that are not empty, all as long as the first;
    each with the number of its last line.

    Raises UserError.
    """
    try:
        if path.stat().st_size > LARGEST:
            raise UserError(f"{path}: has more than {LARGEST >> 20} MiB; expected the CSV of one class")
        text = path.read_text(encoding="utf-8-sig")
        first = text.partition("\n")[0]
        separator = ";" if first.count(";") > first.count(",") else ","
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows = [(reader.line_num, row) for row in reader if any(row)]
    except OSError as error:
        raise UserError(
            f"{path}: cannot be read ({error.strerror}); expected the CSV that your platform exports"
        ) from None
    except (ValueError, csv.Error) as error:
        raise UserError(
            f"{path}: is not a CSV in UTF-8 ({error}); export it again as comma-separated UTF-8"
        ) from None
    if len(rows) < 2:
        raise UserError(f"{path}: holds no student; expected a line of headings and a line for each student")
    width = len(rows[0][1])
    for place, (_, row) in enumerate(rows, start=1):
        if len(row) > width and any(row[width:]):
            raise UserError(
                f"{path}: row {place} has {len(row)} cells, the headings are {width}; export it again"
            )
    return [(line, (row + [""] * width)[:width]) for line, row in rows]
