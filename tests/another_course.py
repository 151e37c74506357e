"""Work on another course for a while in this process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from autograder.paths import KEYS_PACKAGE, course_folder, use_course
from kqa_core.check import registry


def loaded() -> dict[str, ModuleType]:
    """The modules of exercises and answer keys that are loaded: those of one course."""
    return {
        name: module
        for name, module in sys.modules.items()
        if name.split(".")[0] in (registry.PACKAGE, KEYS_PACKAGE)
    }


@contextmanager
def working_on(course: Path) -> Iterator[None]:
    """Work on `course`, and then on the course of before, with the same modules:
    other tests have imported from them.
    """
    before, modules = course_folder(), loaded()
    try:
        use_course(course)
        yield
    finally:
        use_course(before)
        for name in loaded():
            del sys.modules[name]
        sys.modules.update(modules)
