"""Write a file so that nobody ever meets half of it: aside, in the same folder, and then under its name.

- Whoever is killed on the way leaves the file as it was. Two who write at once leave one of the two.
- Nothing is synced: what must outlive a power cut as well is written by `text.files`, `checkpoint` and the judge's store.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


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
