"""How many processor cores there are to use."""

from __future__ import annotations

import os


def cores() -> int:
    """The cores this process may use, or as many as PYTHON_CPU_COUNT says: Python 3.13 and later read it in the same sense."""
    told = os.environ.get("PYTHON_CPU_COUNT", "")
    if told.isdecimal() and int(told):
        return int(told)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
