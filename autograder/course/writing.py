"""A place that cannot be written is a person's mistake: one line, and no stack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kqa_core.errors import UserError


@contextmanager
def writing(out: Path) -> Iterator[None]:
    """Raises UserError, which names `out`, in place of an OSError."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be written ({error.strerror}); name another place") from None
