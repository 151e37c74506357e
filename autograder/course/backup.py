"""`kqa course backup`: everything that a class has left and that cannot be made again, in one file.

- A gzipped tar archive. Its first entry says what it is and of which course, its last one holds the SHA-256
  of every file.
- It is written beside its place and renamed, so it is whole or not there. Only its owner may read it: the
  course key is in it.
- Databases are copied by SQLite's backup, so formgrader may be open. While the files are read, no other
  process receives or publishes; a grading goes on judging and waits with its marks. Results that its known
  answers have not proved yet are left out: they would be judged again in any case.
- Links, pipes and other files that are not regular are left out, and listed.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import shutil
import stat
import tarfile
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from tqdm import tqdm

from autograder.course.log import LOG, log
from autograder.gradebook.gradebook import gradebook_exists, gradebook_url
from autograder.gradebook.gradebook_copy import copy_from
from autograder.grading.ledger import Ledger, ledger_path
from autograder.paths import read_course
from kqa_core import __version__
from kqa_core.errors import UserError
from kqa_core.files import check_folder, locked, sync_folder, writing

FORMAT = "kqa class 1"
FIRST, LAST = "class.json", "digests.json"
FOLDERS = ("submitted", "received", "people", "autograded", "feedback")
KEY, GRADEBOOK, LEDGER = ".course_key", "gradebook.db", "judged/ledger.db"
# alone
PARTS = {
    "submissions": ("submitted", "received"),
    "gradebook": (GRADEBOOK,),
    "key": (KEY,),
    "people": ("people",),
}
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL
OURS = {".lock", ".part", ".publishing"}  # locks, and what a killed process was writing


@dataclass
class BackedUp:
    """A backup and its contents, in numbers."""

    file: Path
    files: int = 0
    students: int = 0
    left_out: list[str] = field(default_factory=list)  # what is no regular file


def backup(course: Path, file: Path, db: str | None = None) -> BackedUp:
    """Back up the class of a course folder to the new file `file`.

    Raises UserError, with nothing written, if there is no class, if `file` exists, or if something cannot be
    read.
    """
    check_folder(file)
    if os.path.lexists(file):
        raise UserError(
            f"{file}: is there already; name a new file, such as"
            f" class_{time.strftime('%Y-%m-%d_%H%M')}.tar.gz"
        )
    if not class_parts(course, db):
        raise UserError(
            f"{course}: no class has left anything here; expected received/, gradebook.db or .course_key"
        )
    result = BackedUp(file)
    with writing(file), tempfile.TemporaryDirectory(dir=file.parent, prefix=".kqa_backup.") as beside:
        aside = Path(beside, "archive")  # the folder is its owner's alone
        with os.fdopen(os.open(aside, NEW, 0o600), "wb") as out:
            with _still(course), tarfile.open(fileobj=out, mode="w:gz", compresslevel=6) as archive:
                _write(archive, course, db, Path(beside), result)
            out.flush()
            os.fsync(out.fileno())
        aside.replace(file)
        sync_folder(file.parent)
    log(course, "backup", f"{file.resolve()}: {result.students} students, {result.files} files")
    return result


def class_parts(course: Path, db: str | None = None) -> list[Path]:
    """The parts of a class in a course folder, or beside it: folders, key, gradebook, ledger, log."""
    parts = [course / name for name in (*FOLDERS, "judged", KEY)]
    parts += sorted(course.glob(f"{LOG}*"))
    url = gradebook_url(course, db)
    if url.get_backend_name() == "sqlite":
        parts += [Path(f"{url.database}{suffix}") for suffix in ("", "-wal", "-shm", "-journal")]
    return [path for path in parts if os.path.lexists(path)]


@contextlib.contextmanager
def _still(course: Path) -> Iterator[None]:
    """Nothing is received or published meanwhile. A folder that is not there is not made."""
    with contextlib.ExitStack() as locks:
        for lock in (course / "judged" / ".publishing", course / "received" / ".lock"):
            if lock.parent.is_dir():
                locks.enter_context(locked(lock))
        yield


def _write(archive: tarfile.TarFile, course: Path, db: str | None, beside: Path, result: BackedUp) -> None:
    about = {
        "format": FORMAT,
        "course": read_course(course).name,
        "made": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }
    _add_text(archive, FIRST, about | {"version": __version__})
    digests: dict[str, str] = {}
    copies = _copies(course, db, beside)
    names = {
        path.name
        for path in class_parts(course, db)
        if path.parent == course and path.name in (*FOLDERS, KEY)
    }
    names |= {path.name for path in course.glob(f"{LOG}*")}
    files = [entry for name in sorted(names) for entry in _below(course, name, result)]
    for name, path in tqdm([*copies.items(), *files], desc="backup", unit="file", disable=None, leave=False):
        _add(archive, name, path, digests, result)
    result.files = len(digests)
    students = {
        Path(name).parts[1] for name in digests if name.startswith("received/") and name.count("/") > 1
    }
    result.students = len(students)
    _add_text(archive, LAST, digests)


def _copies(course: Path, db: str | None, beside: Path) -> dict[str, Path]:
    """Consistent copies of the databases, by their names in the archive."""
    copies = {}
    if gradebook_exists(course, db):
        copies[GRADEBOOK] = beside / "gradebook.db"
        url = gradebook_url(course, db)
        copy_from(url, copies[GRADEBOOK])
        if url.get_backend_name() == "sqlite":
            shutil.copymode(str(url.database), copies[GRADEBOOK])
    if ledger_path(course).is_file():
        copies[LEDGER] = beside / "ledger.db"
        with Ledger(ledger_path(course), writes=False) as ledger:
            ledger.copy(copies[LEDGER])
        shutil.copymode(ledger_path(course), copies[LEDGER])
    return copies


def _below(course: Path, name: str, result: BackedUp) -> Iterator[tuple[str, Path]]:
    """A file, or a folder and then what it holds, by their names in the archive."""
    path = course / name
    yield name, path
    if not path.is_dir():
        return
    for folder, folders, files in os.walk(path):
        folders.sort()
        for entry in sorted([*folders, *files]):
            place = Path(folder, entry)
            if entry in OURS or (entry.startswith(".") and entry.endswith(".part")):
                continue
            mode = place.lstat().st_mode
            if stat.S_ISREG(mode) or stat.S_ISDIR(mode):
                yield place.relative_to(course).as_posix(), place
            else:
                result.left_out.append(place.relative_to(course).as_posix())


def _add(archive: tarfile.TarFile, name: str, path: Path, digests: dict[str, str], result: BackedUp) -> None:
    entry = tarfile.TarInfo(name)
    if path.is_dir():
        facts = path.stat()
        entry.type, entry.mode, entry.mtime = tarfile.DIRTYPE, stat.S_IMODE(facts.st_mode), facts.st_mtime
        archive.addfile(entry)
        return
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:  # nbgrader or formgrader took it away since the folder was read
        result.left_out.append(name)
        return
    with os.fdopen(descriptor, "rb") as file:
        facts = os.fstat(descriptor)
        entry.size, entry.mode, entry.mtime = facts.st_size, stat.S_IMODE(facts.st_mode), facts.st_mtime
        reader = Hashing(file)
        try:
            archive.addfile(entry, reader)
        except OSError as error:
            if error.errno is not None:
                raise
            raise UserError(f"{path}: changed while it was read; run the same command again") from None
    digests[name] = reader.digest.hexdigest()


def _add_text(archive: tarfile.TarFile, name: str, content: Any) -> None:
    data = json.dumps(content, indent=1).encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode, entry.mtime = len(data), 0o600, time.time()
    archive.addfile(entry, io.BytesIO(data))


class Hashing:
    """A file that is read once and hashed on the way."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """The next bytes."""
        data = self._file.read(size)
        self.digest.update(data)
        return data
