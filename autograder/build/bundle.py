"""The student bundle: one zip with everything a student needs, and nothing else.

- It holds the notebooks as released, with their exercises; the wheel of `kqa_core`, which holds its own data
  and models; the course's `data`; the tested versions; rules for code assistants; and a page that says how to
  start.
- It installs only what a notebook uses: the wheel, with the extra requirements that the course names.
- The same inputs give the same bytes: entries are sorted, times and permissions fixed, and hatchling's wheels
  are reproducible.
"""

from __future__ import annotations

import importlib.util
import io
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Sequence
from pathlib import Path

from autograder.build.assistants import rules
from autograder.paths import ROOT, Course, read_course
from kqa_core.errors import UserError
from kqa_core.files import write_whole, writing

START = """\
{title}
{line}
In this folder, once (Python 3.11 or newer):

    python3 -m venv .venv
    .venv/bin/python -m pip install -r requirements.txt

{note}And then, each time:

    .venv/bin/kqa lab

which opens the first notebook. `.venv/bin/kqa doctor` says what your machine has and what is missing. On
Windows, write .venv\\Scripts\\ for .venv/bin/. With conda: `conda env create -f environment.yml`,
`conda activate kqa`, `kqa lab`.

Work in the notebooks here; submit the .ipynb files. Your progress is kept in the folder .kqa.
The line `for answers` of `.venv/bin/kqa doctor` lists what your answers may import: the grader has the same.
"""


# in Markdown, under the title of each notebook in the bundle
NEEDS = """\
<details><summary>If an import fails: what this notebook needs</summary>

*On your course's own server, everything is there. Elsewhere this notebook needs the folder `exercises` beside
it and the course's package; both are in `{top}.zip`, and `START_HERE.txt` in it says how to begin. In a
Jupyter of your own or in VS Code, unpack that file, open the notebook in it, and run this line once in a new
cell. In Colab, upload the file, and run* `!unzip -q {top}.zip` *and* `%cd {top}/{notebook}` *before it:*

`%pip install -q {packages}`

</details>"""


LIBRARY = "library"  # the extra of a course that uses the library of models
ENGINE_VERSION = "+engine"  # at the end of the version of the small wheel
# of `kqa_core`, what a student of any course uses; the rest is the library
ENGINE = (
    *("__init__.py", "py.typed", "cli.py", "errors.py", "files.py", "hardware.py", "lazy.py", "progress.py"),
    *("stats.py", "check", "commands/__init__.py", "commands/benching.py", "commands/machine.py"),
    *("commands/student.py", "lab", "text/__init__.py", "text/packaged.py", "show/__init__.py"),
    *(f"show/kit/{name}" for name in ("__init__.py", "palette.py", "templates.py", "theme.css", "theme.py")),
)


def build_wheel(folder: Path, root: Path = ROOT, library: bool = True) -> Path:
    """Build the wheel of `kqa_core` into `folder`. Without `library` it is a small one: only what opens the
    course and checks answers, and its version ends in "+engine", so that pip tells the two apart. Raises
    UserError if hatchling is missing or fails.
    """
    if not library:
        with tempfile.TemporaryDirectory() as copy:
            return build_wheel(folder, _engine_of(root, Path(copy)))
    if importlib.util.find_spec("hatchling") is None:
        raise UserError("the wheel: needs hatchling; install it with `python -m pip install hatchling`")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        raise UserError(
            "the wheel: hatchling could not build it:"
            f" {(done.stderr or done.stdout).strip().splitlines()[-1:]}"
        )
    return wheels[0]


def _engine_of(root: Path, copy: Path) -> Path:
    """A copy of what the small wheel holds, in `copy`."""
    for name in ENGINE:
        source, target = root / "kqa_core" / name, copy / "kqa_core" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    for name in ("README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    named, count = re.subn(
        r'^version = "([^"+]+)"$', rf'version = "\1{ENGINE_VERSION}"', text, flags=re.MULTILINE
    )
    assert count == 1, "pyproject.toml states the version once"
    (copy / "pyproject.toml").write_text(named, encoding="utf-8")
    return copy


def for_students(
    environment: str, wheel: str, extras: Sequence[str], root: Path = ROOT, requirements: Sequence[str] = ()
) -> str:
    """environment.yml with these extras and no others, with the wheel in place of this clone, and with the
    course's own requirements.
    """
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {
        *project["dependencies"],
        *(package for extra in extras for package in project["optional-dependencies"][extra]),
    }
    left_out = {
        package for group in project["optional-dependencies"].values() for package in group
    } - wanted | {"-e ."}
    lines = [line for line in environment.splitlines() if line.strip().removeprefix("- ") not in left_out]
    if LIBRARY not in extras:  # its packages come from an index of their own
        lines = [line for line in lines if not line.strip().startswith("- --extra-index-url")]
    kept = [line for line in lines if not line.lstrip().startswith("#")]
    return "\n".join([*kept, *(f"      - {name}" for name in (f"./wheel/{wheel}", *requirements)), ""])


def needs(notebook: str, root: Path = ROOT) -> str:
    """What a notebook of the bundle says under its title: what it needs, and the line that installs it."""
    course = read_course()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name, version = project["name"].replace("-", "_"), project["version"]
    version += "" if LIBRARY in course.extras else ENGINE_VERSION
    packages = [f"../wheel/{name}-{version}-py3-none-any.whl{_extras(course)}", *course.requirements]
    quoted = " ".join(f'"{package}"' for package in packages)
    return NEEDS.format(top=course.name, notebook=notebook, packages=quoted)


def _extras(course: Course) -> str:
    return f"[{','.join(course.extras)}]" if course.extras else ""


def make_bundle(released: list[Path], out: Path | None = None, root: Path = ROOT) -> Path:
    """Pack the released notebooks and what they need into `out/COURSE.zip`; returns its path."""
    course = read_course()
    with tempfile.TemporaryDirectory() as folder:
        wheel = build_wheel(Path(folder), root, library=LIBRARY in course.extras)
        files = {f"wheel/{wheel.name}": wheel.read_bytes()}
    shown = [path.parent for path in released] + ([course.data] if course.data.is_dir() else [])
    for place in shown:
        files |= {
            path.relative_to(place.parent).as_posix(): path.read_bytes()
            for path in place.rglob("*")
            if path.is_file()
        }
    note = f"({course.install_note.strip()}) " if course.install_note else ""
    start = START.format(title=course.title, line="=" * len(course.title), note=note)
    files["START_HERE.txt"] = start.encode()
    files |= {name: text.encode() for name, text in rules().items()}
    files[".kqa/README.txt"] = b"Your progress is kept here, for all notebooks of this folder.\n"
    needed = [f"./wheel/{wheel.name}{_extras(course)}", *course.requirements]
    files["requirements.txt"] = "\n".join(["--constraint constraints.txt", *needed, ""]).encode()
    files["constraints.txt"] = (root / "constraints.txt").read_bytes()
    environment = (root / "environment.yml").read_text(encoding="utf-8")
    files["environment.yml"] = for_students(
        environment, wheel.name, course.extras, root, course.requirements
    ).encode()
    return _zipped(files, course.name, (out or course.out / "dist") / f"{course.name}.zip")


def place_bundle(made: Path, out: Path | None = None) -> Path:
    """Put a bundle that was made elsewhere, and searched, to its place; returns its path."""
    target = (out or read_course().out / "dist") / made.name
    with writing(target):
        write_whole(target, made.read_bytes())
    return target


def _zipped(files: dict[str, bytes], top: str, target: Path) -> Path:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as bundle:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{top}/{name}", date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            bundle.writestr(entry, files[name])
    with writing(target):
        write_whole(target, data.getvalue())
    return target
