"""The data that GPU benchmarks train on: the original assignment's where KQA_ORIGINAL names its folder,
else the full world.

The original's files are not part of this repository (`kqa data import`); which of the two was used is written
with the figures.
"""

from __future__ import annotations

import os
from pathlib import Path

from kqa_core.text.packaged import shipped

FILES = ("wiki.txt", "birth_places_train.tsv", "birth_dev.tsv")


def data() -> tuple[str, Path]:
    """The name of the data ("original" or "full world"), and the folder that holds FILES."""
    named = os.environ.get("KQA_ORIGINAL")
    if named is None:
        return "full world", shipped("world/full")
    folder = Path(named)
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise SystemExit(
            f"KQA_ORIGINAL={named}: {', '.join(missing)} not there: give the folder that `kqa data import`"
            " wrote"
        )
    return "original", folder
