"""Environments made of what is at hand: a new one holds what a list of requirements brings,
as links, and nothing else.

So no network is needed, and what is missing from the list is missing in the environment.
"""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib.util import cache_from_source
from pathlib import Path

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# what every student needs; what one of this course needs; what the extras add
BASE, EXTRAS = PROJECT["dependencies"], PROJECT["optional-dependencies"]
CORE = [*BASE, *EXTRAS["library"]]


def brought(requirements):
    """The names of the distributions that these requirements bring on this machine,
    with all that those require.
    """
    wanted = [(Requirement(text), {""}) for text in requirements]
    seen = set()
    while wanted:
        requirement, extras = wanted.pop()
        marker, name = requirement.marker, canonicalize_name(requirement.name)
        if marker is not None and not any(marker.evaluate({"extra": extra}) for extra in extras):
            continue
        asked = frozenset(requirement.extras)
        if (name, asked) not in seen:
            seen.add((name, asked))
            try:
                further = importlib.metadata.requires(name) or []
            except importlib.metadata.PackageNotFoundError:  # of an extra that is not installed here
                continue
            wanted += [(Requirement(text), asked | {""}) for text in further]
    return {name for name, _ in seen}


def environment_with(requirements, folder):
    """A new environment in `folder` with links to the distributions that these
    requirements bring; its Python.
    """
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for name in brought(requirements):
        distribution = importlib.metadata.distribution(name)
        for top in {file.parts[0] for file in distribution.files or () if not file.name.endswith(".pth")} - {
            "..",
            "__pycache__",
        }:
            if not (site / top).exists():
                (site / top).symlink_to(distribution.locate_file(top))
    return folder / "bin" / "python"


def install(python, *what, cwd=None):
    """`pip install` into the environment of `python`, from what is at hand."""
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "--quiet",
        "--no-index",
        "--no-compile",  # what is imported, Python compiles by itself
        *what,
    ]
    settings = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    env = {**settings, "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def run(program, *arguments, cwd):
    """Run a program outside the repository, with nothing of this process's Python about it."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    return subprocess.run(
        [str(program), *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


def pip_packages(text):
    """The packages under `pip` in the text of an environment.yml, without pip's options."""
    return [line for line in pip_lines(text) if not line.startswith("--")]


def pip_lines(text):
    """The list under `pip` in the text of an environment.yml: pip's options and packages."""
    return next(entry["pip"] for entry in yaml.safe_load(text)["dependencies"] if isinstance(entry, dict))


def _link_or_copy(source, target):
    """The same file in another place, with its time, by which Python knows what it has compiled."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileExistsError:  # it is listed, and so linked before
        pass
    except OSError:  # another file system
        shutil.copy2(source, target)


def instructors_environment(folder):
    """An environment in `folder` for a course that uses neither torch nor sympy: what an instructor installs
    without the library, and this clone; its Python.

    It holds copies (hard links) and not links, so that a sandbox which shows its packages shows no others.
    """
    venv.EnvBuilder(with_pip=False, symlinks=True).create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    for name in brought([*BASE, *EXTRAS["grade"]]):
        distribution = importlib.metadata.distribution(name)
        for file in distribution.files or ():
            source, target = Path(distribution.locate_file(file)), site / file
            inside = Path(os.path.normpath(target)).is_relative_to(folder)
            if not inside or file.parts[-2:-1] == ("bin",) or not source.is_file() or target.exists():
                continue  # programs name another environment's Python
            _link_or_copy(source, target)
            if source.suffix == ".py" and (compiled := Path(cache_from_source(source))).is_file():
                # a sandbox, which may not write it, would compile the module at each start
                _link_or_copy(compiled, Path(cache_from_source(target)))
    own = importlib.metadata.distribution(PROJECT["name"])
    information = next(file.parts[0] for file in own.files or () if file.parts[0].endswith(".dist-info"))
    shutil.copytree(own.locate_file(information), site / information)
    (site / "clone.pth").write_text(f"{ROOT}\n", encoding="utf-8")
    return folder / "bin" / "python"
