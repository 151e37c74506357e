"""Reading a student's files from outside the sandbox: bytes from the disk, and the parser's reply about them.

- Every folder on the path is opened inside the one before it and never by its full path, so a link that is
  swapped in between two steps has no effect. Links are refused everywhere, because they may lead to a
  classmate's work or to the solutions.
- Only a regular file is opened, and without waiting: opening a pipe or a device could block or have side
  effects.
- A file with a second name on the disk (a hard link) is refused, too. If students can reach the disk, or an
  archive was unpacked, it may be a classmate's file or one that only the grader may read. An honest student
  loses nothing: an instructor whose tools link files (backups, deduplication) copies them once and receives
  them again.
- The bytes are read once, up to the cap. Digest, size and cells all come from those bytes.
- A notebook is parsed in the sandbox (`runner/notebook_parser.py`), and the reply is not trusted:
  `cells_from` accepts only exact types and limited sizes, and only our own sentences as reasons for refusing.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from autograder.runner.notebook_parser import (
    KINDS,
    MAX_CELLS,
    MAX_ID,
    MAX_NAMES,
    MAX_SOURCE,
    REASONS,
    Program,
    Refused,
    parse,
)
from autograder.sandbox.limits import Limits

__all__ = ["Refused", "SubmittedCell", "cells_from", "file_names", "parse_cells", "read_file", "shown"]

MAX_TEXT = 2 * 2**20  # characters of all cells together; the course's longest notebook has 0.1 million
MAX_ENTRIES = 1_000  # of a folder; what comes after is not looked at
CHANGED = "the file changed while it was read; wait until it is complete, and receive it again"
LONG_TEXT = (
    f"the cells of the notebook have more than {MAX_TEXT} characters together; shorten them and submit it"
    " again"
)
UNREADABLE = "the notebook could not be read; open and save it with Jupyter and submit it again"


@dataclass(frozen=True)
class SubmittedCell:
    """One cell of a student's notebook."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    grade_id: str | None
    id: str | None
    # as the parser in the sandbox read it; None if nobody did
    program: Program | None = field(default=None, compare=False)


def read_file(folder: Path, relative: str, limits: Limits) -> bytes:
    """The bytes of the file at `relative` under `folder`. Raises Refused, or FileNotFoundError if there is
    none.
    """
    *parents, name = _parts(relative)
    with _opened(folder, parents) as here, _refusing(name):
        before = os.stat(name, dir_fd=here, follow_symlinks=False)
        _regular(before, name)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=here), "rb") as file:
            # what was opened may be another file than the one seen a moment ago
            facts = os.fstat(file.fileno())
            _regular(facts, name)
            if max(before.st_nlink, facts.st_nlink) > 1:
                raise Refused(
                    "the file has a second name on the disk (a hard link); submit a copy of the file"
                )
            data = file.read(limits.notebook + 1)
        _settled(here)
        after = os.stat(name, dir_fd=here, follow_symlinks=False)
        if len({(each.st_dev, each.st_ino, each.st_ctime_ns) for each in (before, facts, after)}) > 1:
            raise Refused(CHANGED)  # also where a second name was taken away meanwhile
    if len(data) > limits.notebook:
        raise Refused(
            f"the notebook has more than {limits.notebook / 2**20:g} MiB; clear its outputs and submit it"
            " again"
        )
    if len(data) != facts.st_size:
        raise Refused(CHANGED)
    return data


def file_names(folder: Path, relative: str) -> list[str]:
    """The names in a folder, sorted, without hidden ones. Raises Refused, or FileNotFoundError if there is no
    folder.
    """
    parts = _parts(relative)
    with _opened(folder, parts) as here, _refusing(parts[-1]), os.scandir(here) as entries:
        return sorted(entry.name for entry in islice(entries, MAX_ENTRIES) if not entry.name.startswith("."))


def cells_from(reply: object) -> tuple[SubmittedCell, ...]:
    """The cells in the parser's reply, which is not trusted. Raises Refused, with one of our own
    sentences.
    """
    if type(reply) is str:
        raise Refused(reply if reply in REASONS else UNREADABLE)
    if type(reply) is not list or len(reply) > MAX_CELLS:
        raise Refused(UNREADABLE)
    cells = tuple(_submitted(each) for each in reply)
    # the process that publishes holds several copies of it
    if sum(len(cell.source) for cell in cells) > MAX_TEXT:
        raise Refused(LONG_TEXT)
    return cells


def parse_cells(data: bytes) -> tuple[SubmittedCell, ...]:
    """The cells of one of our own notebooks: parsed here, without a sandbox. Raises Refused."""
    return cells_from(parse(data))


def _submitted(each: object) -> SubmittedCell:
    if type(each) is not tuple or len(each) != 6:
        raise Refused(UNREADABLE)
    kind, source, grade_id, identity, code, names = each
    if type(kind) is not str or kind not in KINDS or not _is_text(source, MAX_SOURCE):
        raise Refused(UNREADABLE)
    for name in (grade_id, identity):
        if name is not None and not (_is_text(name, MAX_ID) and name.isprintable()):
            raise Refused(UNREADABLE)
    if (code is not None and not _is_text(code, MAX_ID)) or type(names) is not list or len(names) > MAX_NAMES:
        raise Refused(UNREADABLE)
    if not all(_is_text(name, MAX_ID) for name in names):
        raise Refused(UNREADABLE)
    return SubmittedCell(kind, source, grade_id, identity, (code, names))


def _is_text(value: object, longest: int) -> bool:
    if type(value) is not str or len(value) > longest:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a character, which no file can hold
        return False
    return True


def _parts(relative: str) -> list[str]:
    parts = relative.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{relative!r} leads out of the folder or nowhere")
    return parts


@contextmanager
def _opened(folder: Path, parts: Sequence[str]) -> Iterator[int]:
    """A descriptor of the folder at `parts` under `folder`. `folder` belongs to the grader and may be a
    link.
    """
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    here = os.open(folder, flags)
    try:
        for part in parts:
            with _refusing(part):
                mode = os.stat(part, dir_fd=here, follow_symlinks=False).st_mode
                if stat.S_ISLNK(mode):
                    raise Refused(f"{shown(part)} is a link; submit the file itself")
                if not stat.S_ISDIR(mode):
                    raise Refused(f"{shown(part)} is no folder; expected one with the notebook in it")
                inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
        yield here
    finally:
        os.close(here)


@contextmanager
def _refusing(name: str) -> Iterator[None]:
    """Refuse, with the reason, what the system does not let us open or read."""
    try:
        yield
    except FileNotFoundError:
        raise
    except PermissionError:
        raise Refused(
            f"{shown(name)} may not be read by the user who grades; make it readable and receive it again"
        ) from None
    except OSError as error:
        raise Refused(
            f"{shown(name)} could not be read ({os.strerror(error.errno or 0)}); receive it again"
        ) from None


def _settled(folder: int) -> None:
    """Wait for a change of this folder that is under way. Linux lists a folder only between changes.

    In the midst of one that puts another file in a file's place, the name still leads to the old file, which
    has lost that name. So a file with a second name, the hard link to somebody else's, would look like one
    that has no other.
    """
    with os.scandir(folder) as entries:
        next(entries, None)


def _regular(facts: os.stat_result, name: str) -> None:
    if stat.S_ISLNK(facts.st_mode):
        raise Refused(f"{shown(name)} is a link; submit the file itself")
    if not stat.S_ISREG(facts.st_mode):
        raise Refused(f"{shown(name)} is no regular file; submit the .ipynb file that Jupyter saved")


def shown(name: str, longest: int = 40) -> str:
    """A student's file name for use in a sentence: short, and without invisible characters."""
    clean = "".join(letter if letter.isprintable() else "?" for letter in name)
    return clean if len(clean) <= longest else clean[: longest - 1] + "…"
