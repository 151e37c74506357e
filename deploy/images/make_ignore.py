"""Write `grader.Dockerfile.dockerignore` anew after a change of .gitignore: `python …/make_ignore.py`.

- What git tracks may reach the image: the folders and files of the clone, and those of the course's folder,
  by name. Everything else stays out, whatever it is called, because a class leaves its work, its key and its
  backups wherever somebody put them.
- What .gitignore names stays out of those folders, too.
- A test compares the file with what this makes.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = ROOT / "deploy" / "images" / "grader.Dockerfile.dockerignore"
COURSE = "notebooks"
HEAD = """\
# Made by make_ignore.py from what git tracks and from .gitignore: change those, and run it.
# The class's work, the key of the hidden inputs and what the commands make stay out of the image."""


def text() -> str:
    """The lines of the file."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    top = {path.partition("/")[0] for path in listed} - {COURSE}
    inside = {"/".join(path.split("/")[:2]) for path in listed if path.startswith(f"{COURSE}/")}
    ignored = [
        line
        for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    out = [line.strip("/") if line.startswith("/") else f"**/{line.strip('/')}" for line in ignored]
    return "\n".join([HEAD, "*", *(f"!{name}" for name in sorted(top | inside)), *out]) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
