"""Atomic writes (a reader never sees a part of a file), and the digest of files.

- Each file is written under a temporary name in the same folder and then renamed. If the process is killed,
  the old file stays as it was. If two processes write at once, the file of one of them remains.
- `write_whole` does not sync. `write_together` does: it writes several files that must survive a power cut as
  a set.
- A path that cannot be written is a person's mistake and raises `UserError`.
- `digest_of` is the one digest of a list of source files.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from kqa_core.errors import UserError


def write_whole(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write text (UTF-8, line ends as they are) or bytes to `path`; makes folders. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        Path(aside).chmod(mode)
        Path(aside).replace(path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise


def check_writable(path: Path) -> None:
    """Raise UserError if the file `path` could not be written later. Writes nothing."""
    if path.is_dir():
        raise UserError(f"{path}: a file was to be written here, this is a directory: give a file's path")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Raise UserError if nothing can be written in the folder of `path`. Leaves no file."""
    if not path.parent.exists():
        raise UserError(f"{path}: there is no directory {path.parent}: make it first, or write elsewhere")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()  # has no name, if the system supports that
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}): give a path that can") from None


@contextlib.contextmanager
def writing(out: Path) -> Iterator[None]:
    """Turns an OSError inside into a UserError that names `out`."""
    try:
        yield
    except OSError as error:
        raise UserError(f"{out}: cannot be written ({error.strerror}); name another place") from None


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep out other processes that lock the file `path`, until this one ends. Raises OSError.

    If the system has no such lock (Windows), it continues without.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def held(path: Path, who: str) -> Iterator[None]:
    """Hold the file `path` for this process alone, and write into it `who` does. Raises OSError.

    Raises UserError, with the text of the file, if another process holds it. The end of a process, however it
    comes, frees it. If the system has no such lock (Windows), it continues without.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+", encoding="utf-8") as file:
        with contextlib.suppress(ImportError):
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.seek(0)
                raise UserError(
                    f"{path}: {file.read().strip() or 'another process'} holds it; end that first"
                ) from None
        file.truncate(0)
        file.write(who)
        file.flush()
        yield


def read_private(path: Path, help: str) -> bytes:
    """The bytes of a file that only its owner may read, at most 100,000.

    Raises UserError, which ends with `help` where there is no such file, and never holds what is in it.
    """
    try:
        # a pipe without a writer is no reason to wait
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode) or stat.S_IMODE(mode) & 0o077:
                raise UserError(
                    f"{path}: others may read it; expected a file for you alone: chmod 600 {path}"
                )
            return file.read(100_000)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror}); {help}") from None


def make_folder(path: Path) -> None:
    """Make a folder, if there is none. Raises UserError where that is not possible."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise UserError(
            f"{path}: a folder was expected, a file is in the way: choose another folder"
        ) from None
    except OSError as error:
        raise UserError(
            f"{path}: could not be written ({error.strerror}): choose a folder you may write to"
        ) from None


def write_synced(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file that survives a power cut, once `sync_folder` was called, too. Raises OSError.

    `mode` is that of a new file, before the umask.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut. Raises OSError where folders cannot be synced."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_together(directory: str | Path, files: Mapping[str, str]) -> None:
    """Write each text of `files` (by name) into `directory`, as UTF-8 with line feeds: all, or none."""
    directory = Path(directory)
    make_folder(directory)
    written: list[tuple[Path, Path]] = []
    try:
        for name, text in files.items():
            if (directory / name).is_dir():
                raise UserError(
                    f"{directory / name}: a file was to be written here, this is a directory: choose another"
                    " folder"
                )
            aside = directory / f".{name}.{os.getpid()}.part"
            written.append((aside, directory / name))
            write_synced(aside, text.encode("utf-8"))
        for aside, place in written:
            aside.replace(place)
    except OSError as error:
        raise UserError(
            f"{directory}: could not be written ({error.strerror}): choose a folder you may write to"
        ) from None
    finally:
        for aside, _ in written:
            with contextlib.suppress(OSError):
                aside.unlink()


def digest_of(paths: Iterable[Path], root: Path) -> str:
    """The SHA-256 (hexadecimal) of the names of files below `root` and their contents, in any order."""
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(root).as_posix(), path) for path in paths):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode())
        digest.update(content)
    return digest.hexdigest()
