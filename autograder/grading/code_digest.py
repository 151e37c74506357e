"""The key of a result in the ledger: a digest of everything that decides it, the code included. A result is
found again only while that is the same.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from autograder.grading.config import JudgeConfig
from autograder.judge import seeds
from autograder.paths import ROOT, read_course
from autograder.submissions.store import Submission
from kqa_core.check.registry import files_in
from kqa_core.files import digest_of

# the layers up to the grading
DECIDE = ("answer_key.py", "paths.py", "grading", "judge", "sandbox", "submissions", "runner")
NAMED = re.compile(r"\bcourse_(?:exercises|keys)(?:\.(\w+)| import (\([^)]*\)|[^\n]*))")


def code_digest(course: Path, notebook: str | None = None) -> str:
    """A digest of all code that decides a verdict on one notebook, or on any: what judges, the exercises and
    answer keys in the course folder `course`, and the versions of Python and of the packages that compute.

    The layers above the grading (people, report, export, commands) and the gradebook decide no verdict,
    because the judge cannot import them. Of the exercises and keys, those of the notebook count, and those
    that they import from other notebooks.
    """
    decides = [path for name in DECIDE if (path := ROOT / "autograder" / name).suffix]
    decides += [
        path
        for folder in (*DECIDE, ROOT / "kqa_core")
        for path in (ROOT / "autograder" / folder).rglob("*.py")
    ]
    # it holds the version, and a new number alone changes no verdict
    decides.remove(ROOT / "kqa_core" / "__init__.py")
    keys, exercises = read_course(course).keys, course / "source"
    halves = {
        above: [path for folder in sorted(above.glob(pattern)) for path in files_in(folder)]
        for above, pattern in ((exercises, "*/exercises"), (keys, "*"))
    }
    chosen = (
        None if notebook is None else needed(notebook, [path for paths in halves.values() for path in paths])
    )
    digests = [digest_of(set(decides), ROOT)]
    digests += [
        digest_of([path for path in paths if chosen is None or path in chosen], at)
        for at, paths in halves.items()
    ]
    versions = [platform.python_version(), *read_course(course).versions()]
    return hashlib.sha256(f"{versions} {digests}".encode()).hexdigest()[:32]


def needed(notebook: str, paths: Sequence[Path]) -> set[Path]:
    """Of these exercises and keys, those of a notebook and all that they name as `course_exercises.NAME`.

    A name is that of both halves: a key names its exercise, and the judge takes an exercise's key by its
    name.
    """
    by_name: dict[str, set[Path]] = {}
    for path in paths:
        by_name.setdefault(path.stem, set()).add(path)
    used: set[Path] = set()
    open_paths = [path for path in paths if notebook in path.parts]
    while open_paths:
        path = open_paths.pop()
        if path not in used:
            used.add(path)
            text = path.read_text(encoding="utf-8")
            named = {name for one, many in NAMED.findall(text) for name in re.findall(r"\w+", one or many)}
            open_paths += [path for name in named for path in by_name.get(name, ())]
    return used


def row_key(entry: Submission, skeleton: str, code: str, config: JudgeConfig) -> str:
    """The key of the result of this entry: a hash of everything that decides it.

    `skeleton` is the text of the instructor's notebook, `code` the digest of the code that judges.
    """
    how = (seeds.VERSION, code, asdict(config.limits), config.tier)
    decides = [entry.student, entry.assignment, entry.sha256, entry.alone.notes, skeleton, *how]
    digest = hashlib.sha256(json.dumps(decides, sort_keys=True, default=list).encode())
    digest.update(hashlib.sha256(config.key).digest())
    return digest.hexdigest()
