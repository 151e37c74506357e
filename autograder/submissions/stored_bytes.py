"""The bytes of a stored version: whether they are still those that were received, and how they come back.

A disk can lose or change a file, and so can a bad restore. The manifest has the digest of what was received,
so what does not fit it is never judged: that would make our fault the student's.
"""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.submissions.intake import Refused, read_file
from autograder.submissions.versions import Submission, write_version
from kqa_core.files import locked

DAMAGED = (
    "the stored version is not what was received, and no copy of it was found; put it back from a backup, and"
    " grade again"
)


class DamagedVersion(Exception):
    """A stored version's bytes are not those that were received."""


def stored_bytes(store: Path, entry: Submission) -> bytes:
    """The bytes of a stored version. Raises DamagedVersion, also where the file is gone or cannot be read."""
    try:
        data = (store / str(entry.file)).read_bytes()
    except OSError:
        raise DamagedVersion(DAMAGED) from None
    if hashlib.sha256(data).hexdigest() != entry.sha256:
        raise DamagedVersion(DAMAGED)
    return data


def mend(store: Path, entry: Submission, folder: Path, limits: Limits, inbound: Path | None = None) -> bool:
    """Put back the bytes of a version that is damaged, from the class's folder, the exchange or another
    version, where these still have them. Returns whether that was needed and done. Raises OSError.
    """
    with contextlib.suppress(DamagedVersion):
        stored_bytes(store, entry)
        return False
    places = [(folder, f"{entry.student}/{entry.assignment}/{entry.assignment}.ipynb")]
    if inbound is not None and entry.source is not None:
        places.append((inbound, f"{entry.source}/{entry.assignment}.ipynb"))
    inside = store / entry.student / entry.assignment
    places += [(store, str(path.relative_to(store))) for path in sorted(inside.glob("*.ipynb"))]
    for place, relative in places:
        with contextlib.suppress(OSError, Refused, ValueError):
            data = read_file(place, relative, limits)
            if hashlib.sha256(data).hexdigest() == entry.sha256:
                with locked(store / ".lock"):
                    write_version(store, str(entry.file), data)
                return True
    return False
