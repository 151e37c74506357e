"""Write a corpus's files so that nobody ever meets half of them.

Each file is written beside its place under another name and synced; only when all are complete do they take their names. A
directory is made where there is none.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from kqa_core.errors import UserError


def write_together(directory: str | Path, files: Mapping[str, str]) -> None:
    """Write each text of `files` (by file name) into `directory`, in UTF-8 with plain line feeds: all of them, or none."""
    directory = Path(directory)
    written: list[tuple[Path, Path]] = []
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            if (directory / name).is_dir():
                raise UserError(f"{directory / name}: a file was to be written here, this is a directory: choose another folder")
            aside = directory / f".{name}.{os.getpid()}.part"
            written.append((aside, directory / name))
            with aside.open("wb") as stream:
                stream.write(text.encode("utf-8"))
                stream.flush()
                os.fsync(stream.fileno())
        for aside, place in written:
            aside.replace(place)
    except (FileExistsError, NotADirectoryError):
        raise UserError(f"{directory}: a folder was expected, a file is in the way: choose another folder") from None
    except OSError as error:
        raise UserError(f"{directory}: could not be written ({error.strerror}): choose a folder you may write to") from None
    finally:
        for aside, _ in written:
            with contextlib.suppress(OSError):
                aside.unlink()
