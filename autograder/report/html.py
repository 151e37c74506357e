"""The report's pages: rendering, and the names of their files."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from pathlib import Path

from kqa_core.show.kit.templates import render, trusted

TEMPLATES = Path(__file__).with_name("templates")

PLAIN_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")  # no capitals: some file systems ignore case
DEVICE_NAME = re.compile(r"con|prn|aux|nul|com\d|lpt\d")  # Windows allows no file with such a name


def page(template: str, script: str = "", **values: object) -> str:
    """A page of the report. `template` and `script` are files of `report/templates` without their endings.

    The page's policy lets the browser run the script, by its digest, and nothing else.
    """
    if script:
        text = (TEMPLATES / f"{script}.js").read_text(encoding="utf-8")
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        values |= {"script": trusted(text), "digest": f"sha256-{digest}"}
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
