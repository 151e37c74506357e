"""mypy over both packages and over the course's exercises and answer keys: `python tests/type_check.py`.

The folders of exercises and keys are no packages (their names begin with digits), so mypy gets them as two
packages made of links, under the names by which they are imported.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LINKS = ROOT / ".mypy_cache" / "linked"
PACKAGES = {"course_exercises": "notebooks/source/*/exercises/*.py", "course_keys": "notebooks/keys/*/*.py"}


def main() -> int:
    """The exit status of mypy."""
    shutil.rmtree(LINKS, ignore_errors=True)
    for package, pattern in PACKAGES.items():
        folder = LINKS / package
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
        for path in ROOT.glob(pattern):
            (folder / path.name).symlink_to(path)
    names = ("kqa_core", "autograder", *PACKAGES)
    command = [sys.executable, "-m", "mypy", *(word for name in names for word in ("-p", name))]
    return subprocess.run(
        command, cwd=ROOT, env=os.environ | {"MYPYPATH": str(LINKS)}, check=False
    ).returncode


if __name__ == "__main__":
    sys.exit(main())
