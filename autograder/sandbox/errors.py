"""The one error of the grader's own machinery, and what a process that ended said last."""

from __future__ import annotations

import contextlib
from pathlib import Path


class InfrastructureError(BaseException):
    """The judge's own machinery failed. It is retried,
    never a mark, and no `except Exception` of a check catches it.
    """


def last_words(log: Path) -> str:
    """The last line of a log in brackets, for the end of a message; empty if there is none."""
    with contextlib.suppress(OSError):
        lines = log.read_text(errors="replace").strip().splitlines()
        return f" ({lines[-1][:300]})" if lines else ""
    return ""
