"""What was handed in, as the judge received it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Submission:
    """One entry of the manifest: one student and one notebook. `file` is None where nothing was handed in, or it was refused."""

    student: str
    assignment: str
    file: str | None = None  # the stored version, relative to the store
    sha256: str | None = None
    received: float | None = None  # when the intake first saw this version, seconds since 1970
    version: int = 0  # 1 for the first version received of this student and notebook
    late: float = 0.0  # seconds after the due date
    refused: str | None = None  # why it was not taken in
    notes: tuple[str, ...] = ()  # what the instructor should know
