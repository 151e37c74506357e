"""The student bundle: one zip with everything a student needs, and nothing else.

- Notebooks as released, the wheel of `kqa_core`, the tested versions, the small worlds, the sentences, the trained models, the
  recorded results that notebooks show, and a page that says how to start.
- What it installs is all that a notebook uses: the wheel with its extra `hub`, without which notebook 10 has no encoder.
- The same inputs give the same bytes: entries are sorted, times and permissions fixed, and hatchling's wheels are reproducible.
"""

from __future__ import annotations

import importlib.util
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from autograder.paths import ROOT
from kqa_core.check.reset_answer import HANDED_OUT
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

TOP = "keys-queries-attention"
WORLDS = ("tiny", "small")  # what the notebooks train on; the full world can be made with `kqa data world full`
FOR_INSTRUCTORS = "# from here on for an instructor"  # in environment.yml
DATA = (".txt", ".tsv", ".json", ".safetensors")
START = """\
Keys, Queries, Attention
========================
In this folder, once (Python 3.11 or newer):

    python3 -m venv .venv
    .venv/bin/python -m pip install -r requirements.txt

(On Linux without a GPU, put --extra-index-url https://download.pytorch.org/whl/cpu at the end of the second line: it saves
gigabytes.) And then, each time:

    .venv/bin/kqa lab

which opens the first notebook. `.venv/bin/kqa doctor` says what your machine has and what is missing. On Windows, write
.venv\\Scripts\\ for .venv/bin/. With conda: `conda env create -f environment.yml`, `conda activate kqa`, `kqa lab`.

Work in the notebooks here; hand in the .ipynb files. What you have done so far is kept in the folder .kqa.
"""


def build_wheel(folder: Path, root: Path = ROOT) -> Path:
    """Build the wheel of `kqa_core` into `folder`. Raises UserError where hatchling is missing or fails."""
    if importlib.util.find_spec("hatchling") is None:
        raise UserError("the wheel: needs hatchling; install it with `python -m pip install hatchling`")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise UserError(f"the wheel: hatchling could not build it: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    return wheels[0]


def for_students(environment: str, wheel: str) -> str:
    """environment.yml without what an instructor needs on top, and with the wheel in place of this clone."""
    lines = environment.splitlines(keepends=True)
    first = next((i for i, line in enumerate(lines) if FOR_INSTRUCTORS in line), len(lines))
    kept = [line for line in lines[:first] if not line.startswith("#")]  # what the clone's own copy says of itself
    return "".join(kept) + f"      - ./wheel/{wheel}\n"


def make_bundle(released: list[Path], out: Path, root: Path = ROOT) -> Path:
    """Pack the released notebooks and what they need into `out/keys-queries-attention.zip`; the zip's path."""
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder), root)
        files = {f"{path.stem}/{path.name}": path.read_bytes() for path in released}
        files |= {f".kqa/{HANDED_OUT}/{path.name}": path.read_bytes() for path in released}  # for `kqa reset`
        files[f"wheel/{wheel.name}"] = wheel.read_bytes()
    files["START_HERE.txt"] = START.encode()
    files[".kqa/README.txt"] = b"What you have done so far is kept here, for all notebooks of this folder.\n"
    files["requirements.txt"] = f"--constraint constraints.txt\n./wheel/{wheel.name}[hub]\n".encode()
    files["constraints.txt"] = (root / "constraints.txt").read_bytes()
    files["environment.yml"] = for_students((root / "environment.yml").read_text(encoding="utf-8"), wheel.name).encode()
    worlds = [root / "data" / "world" / world for world in WORLDS]
    others = [root / "data" / name for name in ("checkpoints", "sentiment", "encoder")]
    for shown in (*worlds, *others, root / "benchmarks" / "results"):
        for path in sorted(each for each in shown.rglob("*") if each.suffix in DATA):
            files[str(path.relative_to(root).as_posix())] = path.read_bytes()
    return _zipped(files, out / f"{TOP}.zip")


def _zipped(files: dict[str, bytes], target: Path) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{TOP}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, files[name])
    with writing(target):
        write_whole(target, data.getvalue())
    return target
