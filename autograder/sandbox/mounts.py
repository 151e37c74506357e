"""What of this machine and of the course a worker sees, read-only."""

from __future__ import annotations

import sys
from pathlib import Path

from autograder.paths import ROOT
from autograder.worker.confine import HOME, USER
from kqa_core.check import registry

INSIDE = ("kqa_core", "autograder/__init__.py", "autograder/worker")
DATA = ("data/world", "data/sentiment", "data/checkpoints")  # what a student has as well; the sample class holds solutions
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "fonts", "localtime", "timezone", "mime.types")
PASSWD = f"student:x:{USER}:{USER}:student:{HOME}:/bin/sh\n"


def interpreter_paths() -> list[str]:
    """Where this Python and its packages lie, as far as that is not in the system."""
    prefixes = dict.fromkeys(str(Path(prefix).resolve()) for prefix in (sys.base_prefix, sys.prefix))
    return [prefix for prefix in prefixes if not prefix.startswith("/usr/") and prefix != "/usr"]


def course_paths() -> list[str]:
    """What of the course is inside: no key, no check of the instructor's, no notebook."""
    inside = [str(ROOT / name) for name in (*INSIDE, *DATA) if (ROOT / name).exists()]
    return inside + [str(folder) for folder in registry.folders()]
