"""The files of this machine and of the course that a runner sees, read-only."""

from __future__ import annotations

import sys
from pathlib import Path

from autograder.paths import ROOT, course_folder, read_course
from autograder.runner.confine import HOME, USER
from kqa_core.check import registry
from kqa_core.text.packaged import own_data

INSIDE = ("kqa_core", "autograder/__init__.py", "autograder/runner")
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
SETTINGS = (
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "fonts",
    "localtime",
    "timezone",
    "mime.types",
)
PACKAGES = ("site-packages", "dist-packages")
PASSWD = f"student:x:{USER}:{USER}:student:{HOME}:/bin/sh\n"


def interpreter_paths(system: str = "/usr") -> list[str]:
    """Where this Python and its packages lie, as far as that is not in the system:
    each as it is named, and without links.
    """
    paths = [Path(system)]
    for name in map(Path, (sys.base_prefix, sys.prefix, *package_folders())):
        paths += [
            path
            for path in (name.absolute(), name.resolve())
            if not any(path.is_relative_to(above) for above in paths)
        ]
    return list(dict.fromkeys(map(str, paths[1:])))


def package_folders() -> list[str]:
    """The folders of packages on the import path:
    those of this environment, and those that a .pth file or PYTHONPATH adds.

    A folder counts by its name, which installers give it. So no working directory, home or repository is
    shown to a runner, whatever else is on the import path. A folder that holds this installation or the
    course is left out.
    """
    folders = [
        Path(entry).absolute() for entry in sys.path if Path(entry).name in PACKAGES and Path(entry).is_dir()
    ]
    return [
        str(folder)
        for folder in folders
        if not any(own.is_relative_to(folder.resolve()) for own in (ROOT, course_folder()))
    ]


def course_paths() -> list[str]:
    """The part of the course that is inside: no key, no check of the instructor's, no notebook."""
    inside = [ROOT / name for name in INSIDE] + own_data() + [read_course().data, *registry.folders()]
    return [str(path) for path in inside if path.exists()]
