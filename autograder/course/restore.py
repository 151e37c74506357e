"""`kqa course restore`: a class from its backup, into a course folder.

1. The archive is unpacked into a hidden folder of the course, and every file is compared with its digest. Up
   to here nothing of the course has changed. A foreign or damaged file ends in one line.
2. Everything of a class that is there moves to `replaced-TIME/`. It is never deleted, and only moved if that
   was asked for.
3. The unpacked class moves to its place. If a step of 2 or 3 fails, all are taken back.

A process that is killed between 2 and 3 leaves both on the disk: the old class in `replaced-TIME/`, and the
backup file.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from tqdm import tqdm

from autograder.course.backup import (
    FIRST,
    FOLDERS,
    FORMAT,
    GRADEBOOK,
    KEY,
    LAST,
    LEDGER,
    NEW,
    PARTS,
    Hashing,
    class_parts,
)
from autograder.course.log import LOG, log
from autograder.gradebook.gradebook import gradebook_url, open_gradebook
from autograder.gradebook.gradebook_copy import copy_from, copy_into
from autograder.grading.ledger import Ledger, ledger_path
from autograder.paths import read_course
from kqa_core.errors import UserError
from kqa_core.files import writing

NOTHING = "nothing was changed"


@dataclass(frozen=True)
class Restored:
    """A class that is back."""

    made: str  # when the backup was made
    files: int  # that were compared
    replaced: Path | None  # where the class is that was there before


def restore(
    course: Path, file: Path, replace: bool = False, db: str | None = None, only: str | None = None
) -> Restored:
    """Restore a class, or `only` one of `PARTS`. `replace`: move away the class that is there.

    Raises UserError, with nothing changed, for a foreign or damaged file, a backup of another course, a class
    that is there, or a grading that runs.
    """
    if only is not None and only not in PARTS:
        raise UserError(f"--only {only}: is no part of a class; choose from {', '.join(PARTS)}")
    there = [path for path in class_parts(course, db) if _chosen(path, course, db, only)]
    rows_there = gradebook_url(course, db).get_backend_name() != "sqlite" and only in (None, "gradebook")
    if there and not replace:
        names = ", ".join(path.name for path in there[:4])
        raise UserError(
            f"{course}: a class is there ({names}); give --replace, and it is moved to a folder of its own"
        )
    if rows_there and not replace:
        raise UserError(
            "the gradebook is a database on a server; give --replace, and its rows are saved first, then"
            " replaced"
        )
    _check_idle(course)
    with writing(course), tempfile.TemporaryDirectory(dir=course, prefix=".restoring.") as beside:
        unpacked = Path(beside)
        about, files = _unpack(file, unpacked, read_course(course).name)
        for path in [
            path for path in unpacked.iterdir() if only is not None and path.name not in PARTS[only]
        ]:
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        away = _new_folder(course / f"replaced-{time.strftime('%Y%m%d-%H%M%S')}")
        with _taken_back(away) as moved:
            _swap(course, unpacked, there, away, db, moved)
    log(course, "restore", f"{file.resolve()} of {about['made']}: {only or 'the whole class'}")
    return Restored(str(about["made"]), files, away if away.exists() else None)


def _new_folder(path: Path) -> Path:
    """`path`, or the first of `path`-2, `path`-3, … that is new: two restores may run within a second."""
    names = (path, *(path.with_name(f"{path.name}-{number}") for number in range(2, 1000)))
    return next(name for name in names if not name.exists())


def _chosen(path: Path, course: Path, db: str | None, only: str | None) -> bool:
    """Whether a path of `class_parts` belongs to what is restored."""
    if only is None:
        return True
    if only == "gradebook":
        return path.name.startswith(Path(str(gradebook_url(course, db).database)).name)
    return path.name in PARTS[only]


def _check_idle(course: Path) -> None:
    """Raise UserError if a grading runs. A ledger that cannot be read is one more reason to restore."""
    if ledger_path(course).is_file():
        busy = False
        with suppress(UserError), Ledger(ledger_path(course), writes=False) as ledger:
            busy = ledger.busy()
        if busy:
            raise UserError(f"{course}: a grading runs; wait for it or stop it, then restore; {NOTHING}")


def _unpack(file: Path, to: Path, name: str) -> tuple[dict[str, Any], int]:
    """Unpack and compare. Returns what the archive says about itself, and the number of its files."""
    foreign = UserError(
        f"{file}: is no backup of a class; expected a file that `kqa course backup` made; {NOTHING}"
    )
    unpacked: dict[str, str] = {}
    about: dict[str, Any] = {}
    digests: dict[str, str] | None = None
    try:
        raw = file.open("rb")
    except OSError as error:
        raise UserError(
            f"{file}: cannot be read ({error.strerror}); name the file of a backup; {NOTHING}"
        ) from None
    try:
        with (
            raw,
            gzip.open(raw) as content,
            tarfile.open(fileobj=content, mode="r|") as archive,
            tqdm(desc="restore", unit="file", disable=None, leave=False) as bar,
        ):
            for number, entry in enumerate(archive):
                if number == 0:
                    about = _about(archive, entry, foreign)
                    if about["course"] != name:
                        raise UserError(
                            f"{file}: is a backup of the course {about['course']!r}, this is {name!r};"
                            f" {NOTHING}"
                        )
                elif entry.name == LAST:
                    digests = _text(archive, entry)
                else:
                    _unpack_entry(archive, entry, to, unpacked, foreign)
                    bar.update()
            while content.read(2**20):  # to the end, where the archive's checksum is compared
                pass
    except tarfile.ReadError:
        raise foreign if not about else _damaged(file, "it ends too early") from None
    except (EOFError, zlib.error, gzip.BadGzipFile):
        raise _damaged(file, "it cannot be unpacked") if about else foreign from None
    except (ValueError, TypeError, KeyError):
        raise foreign from None
    if digests is None:
        raise _damaged(file, "it ends too early") if about else foreign
    wrong = sorted(name for name in {*digests, *unpacked} if digests.get(name) != unpacked.get(name))
    if wrong:
        raise _damaged(file, f"{wrong[0]} is not as it was written")
    return about, len(unpacked)


def _about(archive: tarfile.TarFile, entry: tarfile.TarInfo, foreign: UserError) -> dict[str, Any]:
    about = _text(archive, entry) if entry.name == FIRST else None
    if not isinstance(about, dict) or about.get("format") != FORMAT or not {"course", "made"} <= set(about):
        raise foreign
    return about


def _text(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Any:
    content = archive.extractfile(entry) if entry.isreg() else None
    return json.loads(content.read()) if content is not None else None


def _unpack_entry(
    archive: tarfile.TarFile, entry: tarfile.TarInfo, to: Path, unpacked: dict[str, str], foreign: UserError
) -> None:
    """Unpack one file or folder of a class; nothing else, and no path that leads elsewhere."""
    path = PurePosixPath(entry.name)
    known = (
        entry.name in (KEY, GRADEBOOK, LEDGER) or path.parts[:1][0] in FOLDERS or entry.name.startswith(LOG)
    )
    if not known or path.is_absolute() or ".." in path.parts or not (entry.isreg() or entry.isdir()):
        raise foreign
    target = to / path
    if entry.isdir():
        target.mkdir(parents=True, exist_ok=True)
        target.chmod(entry.mode | 0o700)
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    content = archive.extractfile(entry)
    assert content is not None  # of a regular file
    reader = Hashing(content)  # type: ignore[arg-type]  # it only reads
    with os.fdopen(os.open(target, NEW, 0o600), "wb") as out:
        shutil.copyfileobj(reader, out)
        out.flush()
        os.fsync(out.fileno())
    os.utime(target, (entry.mtime, entry.mtime))
    target.chmod(entry.mode & 0o777)
    unpacked[entry.name] = reader.digest.hexdigest()


def _swap(
    course: Path,
    unpacked: Path,
    there: list[Path],
    away: Path,
    db: str | None,
    moved: list[tuple[Path, Path]],
) -> None:
    url = gradebook_url(course, db)
    if there:
        away.mkdir(mode=0o700)
    for path in there:
        _move(path, away / path.name, moved)
    book = unpacked / GRADEBOOK
    if book.exists() and url.get_backend_name() == "sqlite":
        _move(book, Path(str(url.database)), moved)
    elif book.exists():
        away.mkdir(mode=0o700, exist_ok=True)
        open_gradebook(course, db).close()  # a new database has no tables yet
        copy_from(url, away / GRADEBOOK)
        copy_into(book, url)
        book.unlink()
    for path in sorted(unpacked.iterdir()):
        _move(path, course / path.name, moved)


def _move(path: Path, to: Path, moved: list[tuple[Path, Path]]) -> None:
    shutil.move(path, to)  # the gradebook may lie on another disk
    moved.append((path, to))


@contextmanager
def _taken_back(away: Path) -> Iterator[list[tuple[Path, Path]]]:
    """A list of moves, taken back if the block fails; then the folder `away` is empty and goes, too."""
    moved: list[tuple[Path, Path]] = []
    with ExitStack() as undo:
        undo.callback(lambda: away.rmdir() if away.exists() and not any(away.iterdir()) else None)
        undo.callback(lambda: [shutil.move(to, path) for path, to in reversed(moved)])
        yield moved
        undo.pop_all()


def _damaged(file: Path, why: str) -> UserError:
    return UserError(f"{file}: is damaged ({why}); use another backup; {NOTHING}")
