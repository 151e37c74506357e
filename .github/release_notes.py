"""Prints the section of CHANGELOG.md for a tag such as v0.2.0.

Fails with one line if the tag is not the version in pyproject.toml, or has no dated section.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes(tag: str) -> str:
    """The text of the tag's section, without its heading."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    if tag != f"v{version}":
        sys.exit(f"release: the tag is {tag}, but pyproject.toml has version {version}; change one of them")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(
        rf"^## {re.escape(version)} — \d{{4}}-\d\d-\d\d\n(.*?)(?=^## |\Z)", changes, re.MULTILINE | re.DOTALL
    )
    if section is None:
        sys.exit(
            f"release: CHANGELOG.md has no dated section {version}; expected '## {version} — YYYY-MM-DD'"
        )
    return section[1].strip()


if __name__ == "__main__":
    print(notes(sys.argv[1]))
