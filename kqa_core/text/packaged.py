"""Where the shipped data lies: `shipped("world/small")` is a folder, wherever a notebook runs.

- First a folder `data` at or above the working directory, then that of the course which KQA_COURSE names,
  then this clone's, then the copy inside the installed package. So an assignment that was fetched alone has
  its data.
- A world that is in none of them is made from its seed: the same files, byte for byte, in `data/world` of the
  working directory.
- `recorded_file("ladder.json")` is a file of measured results: in the clone's `benchmarks/results`, or its
  copy in the package.
- The models that a notebook trains lie in `runs`: beside `data` where a folder above has it, else beside the
  notebook's folder. Nothing is ever written into the package.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from kqa_core.errors import UserError
from kqa_core.files import make_folder

PACKAGE = Path(__file__).resolve().parents[1]
WORLD = "world/small"
OWN = ("world", "checkpoints", "sentiment", "encoder", "results")  # what the wheel holds, see pyproject.toml


def _above() -> list[Path]:
    """The folder of the notebooks' folders and those above; from elsewhere, the working directory."""
    here = Path.cwd()
    top = here.parent if (here / f"{here.name}.ipynb").is_file() else here
    return [top, *top.parents]


def own_data() -> list[Path]:
    """The folders of this package's own data: those of a clone, or those of the installed package."""
    clone = [PACKAGE.parent / "data" / name for name in OWN[:-1]] + [
        PACKAGE.parent / "benchmarks" / "results"
    ]
    return [path for path in clone if path.is_dir()] or [
        path for name in OWN if (path := PACKAGE / "data" / name).is_dir()
    ]


def shipped(name: str) -> Path:
    """The folder `data/NAME`, such as "world/small". Raises UserError if it cannot be found or made."""
    course = [Path(folder)] if (folder := os.environ.get("KQA_COURSE")) else []
    for holder in (Path.cwd(), *_above(), *course, PACKAGE.parent, PACKAGE):
        if (holder / "data" / name).is_dir():
            return holder / "data" / name
    if importlib.util.find_spec("kqa_core.text.world") is None:  # a course without the library
        raise UserError(f"data/{name}: no such folder here or above: get the course's data again")
    from kqa_core.text.world.generator import SIZES, make_world

    kind, _, size = name.partition("/")
    if kind != "world" or size not in SIZES:
        worlds = ", ".join(f"world/{size}" for size in SIZES)
        raise UserError(
            f"data/{name}: no such folder here, above or in kqa_core: get the data again; what can be made"
            f" anew is {worlds}"
        )
    target = Path.cwd() / "data" / name
    make_world(size).write(target)
    return target


def recorded_file(name: str) -> Path:
    """The file of measured results called `name`. It need not exist: what was never measured has none."""
    places = [
        *(above / "benchmarks" / "results" for above in (*_above(), PACKAGE.parent)),
        PACKAGE / "data" / "results",
    ]
    return next((place / name for place in places if (place / name).is_file()), places[-1] / name)


def runs(name: str) -> Path:
    """The folder `runs/NAME` for what a notebook trains, or NAME in KQA_RUNS; made if need be."""
    elsewhere, above = os.environ.get("KQA_RUNS"), _above()
    beside = next(
        (holder for holder in (*above, PACKAGE.parent) if (holder / "data" / WORLD).is_dir()), above[0]
    )
    folder = (Path(elsewhere) if elsewhere else beside / "runs") / name
    make_folder(folder)
    return folder
