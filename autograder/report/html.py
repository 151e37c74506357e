"""The report's pages: rendering, and the names of their files."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from kqa_core.show.kit.templates import render

PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")  # no capitals: some file systems ignore case
DEVICE_NAME = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # Windows allows no file with such a name


def page(template: str, **values: object) -> str:
    """A page of the report. `template` is a file of `report/templates` without its ending."""
    return render("autograder", f"report/templates/{template}.html.j2", page_name=page_name, **values)


def page_name(student: str) -> str:
    """The file name, without its ending, of the page of a student or a notebook.

    It is safe on any file system, and no two students share one. A plain name stays as it is. Any other name
    becomes ASCII with a hash after `~`, which no plain name contains.
    """
    if PLAIN_NAME.fullmatch(student) and not DEVICE_NAME.fullmatch(student):
        return student
    ascii_only = unicodedata.normalize("NFKD", student).encode("ascii", "ignore").decode().lower()
    start = re.sub(r"[^a-z0-9]+", "-", ascii_only).strip("-")[:40]
    return f"{start or 'student'}~{hashlib.sha256(student.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
