"""Where the shipped data lies, for notebooks: `shipped("world/small")` is a folder, wherever the notebook runs.

- A working copy (a clone, or the bundle handed out) has a folder `data`: it is looked for beside the notebook and in the folders
  above it, then beside this package.
- Somebody who has only installed the package has no such folder. A world is made from its seed: the same files, byte for byte
  (`data/world` beside the notebook then holds them). Anything else raises UserError.
- What a notebook trains lies in `runs` beside `data`, so that it is found again the next time.
"""

from __future__ import annotations

import os
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.text.world.generator import SIZES, make_world

PACKAGE = Path(__file__).resolve().parents[1]


def _holders() -> list[Path]:
    """Folders that may hold `data`: the working directory, those above it, and the clone this package stands in."""
    here = Path.cwd()
    return [here, *here.parents, PACKAGE.parent]


def shipped(name: str) -> Path:
    """The folder `data/NAME`, such as "world/small". Raises UserError for a name that is neither there nor can be made."""
    for holder in _holders():
        if (holder / "data" / name).is_dir():
            return holder / "data" / name
    folder, _, size = name.partition("/")
    if folder != "world" or size not in SIZES:
        worlds = ", ".join(f"world/{each}" for each in SIZES)
        raise UserError(f"data/{name}: no such folder here or above: run from a working copy; what can be made anew is {worlds}")
    target = Path.cwd() / "data" / name
    make_world(size).write(target)
    return target


def runs(name: str) -> Path:
    """The folder `runs/NAME` beside the shipped data, or NAME in the folder that KQA_RUNS names; it is made if need be."""
    elsewhere = os.environ.get("KQA_RUNS")
    folder = (Path(elsewhere) if elsewhere else shipped("world/small").parents[2] / "runs") / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise UserError(f"{folder}: cannot be made ({problem.strerror}): check the folder's permissions") from None
    return folder
