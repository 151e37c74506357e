"""Write a file so that nobody ever meets half of it: aside, in the same folder, and then under its name.

- Whoever is killed on the way leaves the file as it was. Two who write at once leave one of the two.
- Nothing is synced: what must outlive a power cut as well is written by `text.files`, `checkpoint` and the judge's store.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from kqa_core.errors import UserError


def write_whole(path: Path, content: str | bytes, mode: int = 0o644) -> None:
    """Write text (in UTF-8, line ends as they are) or bytes to `path`; the folders on the way are made. Raises OSError."""
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
    """Raise UserError now where writing the file `path` would fail after the work is done. Leaves nothing behind."""
    if path.is_dir():
        raise UserError(f"{path}: a file was to be written here, this is a directory: give a file's path")
    check_folder(path)


def check_folder(path: Path) -> None:
    """Raise UserError where nothing can be written beside `path`. Leaves nothing behind, not even where it is killed."""
    if not path.parent.exists():
        raise UserError(f"{path}: there is no directory {path.parent}: make it first, or write elsewhere")
    try:
        tempfile.TemporaryFile(dir=path.parent).close()  # has no name, where the system can make such a file
    except OSError as error:
        raise UserError(f"{path}: cannot be written ({error.strerror}): give a path that can") from None
