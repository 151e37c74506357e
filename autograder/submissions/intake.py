"""Reading a student's files from the disk.

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
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from autograder.runner.notebook_parser import Refused
from autograder.sandbox.timeout_and_memory_limits import Limits

__all__ = ["Facts", "Refused", "Unreadable", "file_names", "ignored_entries", "read_file", "shown"]

MAX_ENTRIES = 1_000  # of a folder; what comes after is not looked at
NOT_LOOKED_AT = "which was not looked at"
CHANGED = "the file changed while it was read; wait until it is complete, and receive it again"


Facts = list[os.stat_result]
# what browsers, file managers, Jupyter, Canvas and Google Drive make of the name of a file that is there
AFTER = r"(?:[ _]?\(\d+\)|-\d+|[ _]?-[ _]?copy(?:[ _]?\(?\d+\)?)?|[ _]copy(?:[ _]\d+)?)*"


@dataclass(frozen=True)
class Chosen:
    """The file of a folder that is the notebook, if there is one; why there is none; what to note."""

    file: str | None = None
    refused: str | None = None
    notes: tuple[str, ...] = ()


def is_copy_of(file: str, notebook: str) -> bool:
    """Whether a file bears a notebook's name, as a program names a second copy of it."""
    pattern = rf"(?:copy[ _]of[ _])*{re.escape(notebook.casefold())}{AFTER}\.ipynb(?:\.(?:json|txt))?"
    spaced = file.casefold().replace("+", " ").replace("%20", " ")  # as in an address
    return re.fullmatch(pattern, spaced) is not None


def choose(notebook: str, names: Sequence[str]) -> Chosen:
    """Which of these files, all of one folder, is the notebook: the one of its name, else the only copy."""
    expected = f"{notebook}.ipynb"
    others = [name for name in names if name != expected]
    notebooks = [name for name in others if ".ipynb" in name.casefold()]
    copies = [name for name in notebooks if is_copy_of(name, notebook)]
    if expected in names:
        beside = (f"beside {expected} lies {listed(notebooks)}, {NOT_LOOKED_AT}",)
        return Chosen(expected, notes=beside if notebooks else ())
    if len(copies) == 1:
        rest = [name for name in notebooks if name not in copies]
        notes = [f"submitted as {shown(copies[0])}"]
        notes += [f"beside it lies {listed(rest)}, {NOT_LOOKED_AT}"] if rest else []
        return Chosen(copies[0], notes=tuple(notes))
    if not others:
        return Chosen()
    held = f"the folder holds {listed(notebooks or others)}; expected {expected}"
    if len(copies) > 1:
        held += ", and nobody can say which one counts: submit that one under this name"
    return Chosen(refused=held) if notebooks else Chosen(notes=(held,))


def read_chosen(
    folder: Path,
    place: str,
    notebook: str,
    names: Sequence[str],
    limits: Limits,
    seen: Facts,
    owner: int | None = None,
) -> tuple[bytes | None, Chosen]:
    """The notebook in the folder at `place`, which holds these names: its bytes, and which file it is.
    Raises as `read_file`.
    """
    expected = f"{notebook}.ipynb"
    try:  # also where the folder has too many names to list
        data = read_file(folder, f"{place}/{expected}", limits, seen, owner)
    except FileNotFoundError:
        chosen = choose(notebook, [name for name in names if name != expected])
        if chosen.file is None:
            return None, chosen
        return read_file(folder, f"{place}/{chosen.file}", limits, seen, owner), chosen
    return data, choose(notebook, [*names, expected])


def listed(names: Sequence[str]) -> str:
    """The first of these names, for a sentence."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(shown(name) for name in names[:3]) + more


class Unreadable(Refused):
    """The file cannot be read, or not now: nothing is known about what it holds."""


def read_file(
    folder: Path, relative: str, limits: Limits, seen: Facts | None = None, owner: int | None = None
) -> bytes:
    """The bytes of the file at `relative` under `folder`.
    Raises Refused, or FileNotFoundError if there is none.

    `seen` gets the facts, owner and mode among them, of every folder on the path and of the file: of each
    name, and of what was opened by it. So what is checked is what was read, also if it is refused. A file of
    the user `owner` may have a second name: somebody else could give it one to have it refused.
    """
    *parents, name = _parts(relative)
    with _opened(folder, parents, seen) as here, _refusing(name):
        before = os.stat(name, dir_fd=here, follow_symlinks=False)
        if seen is not None:
            seen.append(before)
        _regular(before, name)
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, dir_fd=here), "rb") as file:
            # what was opened may be another file than the one seen a moment ago
            facts = os.fstat(file.fileno())
            _regular(facts, name)
            if seen is not None:
                seen.append(facts)
            if max(before.st_nlink, facts.st_nlink) > 1 and (owner is None or facts.st_uid != owner):
                raise Refused(
                    "the file has a second name on the disk (a hard link); submit a copy of the file"
                )
            data = file.read(limits.notebook + 1)
        _settled(here)
        after = os.stat(name, dir_fd=here, follow_symlinks=False)
        if (
            len({(seen_as.st_dev, seen_as.st_ino, seen_as.st_ctime_ns) for seen_as in (before, facts, after)})
            > 1
        ):
            raise Unreadable(CHANGED)  # also where a second name was taken away meanwhile
    if len(data) > limits.notebook:
        most = f"{limits.notebook / 2**20:g} MiB"
        raise Refused(f"the notebook has more than {most}; clear its outputs and submit it again")
    if len(data) != facts.st_size:
        raise Unreadable(CHANGED)
    return data


def file_names(folder: Path, relative: str, seen: Facts | None = None) -> list[str]:
    """The names in a folder, sorted, without hidden ones.
    Raises Refused, or FileNotFoundError if there is no folder. `seen` is as in `read_file`.
    """
    parts = _parts(relative)
    with _opened(folder, parts, seen) as here, _refusing(parts[-1]), os.scandir(here) as entries:
        return sorted(entry.name for entry in islice(entries, MAX_ENTRIES) if not entry.name.startswith("."))


def ignored_entries(folder: Path, names: Sequence[str]) -> list[str]:
    """A line for each entry under `folder` that `receive` ignores, which may be meant as a submission."""
    lines = []
    for entry in sorted(path for path in folder.glob("*") if not path.name.startswith(".")):
        if entry.is_symlink():
            continue  # it is refused, as a student's folder
        if not entry.is_dir():
            lines.append(
                f"{shown(entry.name)}: lies in no student's folder; expected STUDENT/NOTEBOOK/NOTEBOOK.ipynb;"
                " ignored"
            )
        elif os.access(entry, os.R_OK | os.X_OK):
            other = sorted(
                path.name
                for path in entry.iterdir()
                if not path.name.startswith(".") and path.name not in names
            )
            lines += [
                f"{shown(entry.name)}: {shown(name)} is no notebook of the course; ignored" for name in other
            ]
    return lines


def _parts(relative: str) -> list[str]:
    parts = relative.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise ValueError(f"{relative!r} leads out of the folder or nowhere")
    return parts


@contextmanager
def _opened(folder: Path, parts: Sequence[str], seen: Facts | None = None) -> Iterator[int]:
    """A descriptor of the folder at `parts` under `folder`, which is the grader's and may be a link."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    here = os.open(folder, flags)
    try:
        for part in parts:
            with _refusing(part):
                facts = os.stat(part, dir_fd=here, follow_symlinks=False)
                if seen is not None:
                    seen.append(facts)
                if stat.S_ISLNK(facts.st_mode):
                    raise Refused(f"{shown(part)} is a link; submit the file itself")
                if not stat.S_ISDIR(facts.st_mode):
                    raise Refused(f"{shown(part)} is no folder; expected one with the notebook in it")
                inner = os.open(part, flags | os.O_NOFOLLOW, dir_fd=here)
            os.close(here)
            here = inner
            if seen is not None:
                seen.append(os.fstat(here))
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
        raise Unreadable(
            f"{shown(name)} may not be read by the user who grades; make it readable and receive it again"
        ) from None
    except OSError as error:
        raise Unreadable(
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
