"""`set-up`, with a Python that installs nothing: what it does to an environment that is new, current, stale,
moved or a link; and the hooks that run before a commit.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
# Stands for a Python and for the environment it makes: it writes down what it is asked to do. `sys.version`
# begins with VERSION.
PYTHON = f"""\
#!/bin/sh
case "$1 $2" in
  "-m venv") echo "$2 $3 $4" >> "$LOG"
    for each; do folder=$each; done
    [ "$3" = --clear ] && rm -rf "$folder"
    mkdir -p "$folder/bin"
    [ -e "$folder/bin/python" ] || sed "s/^VERSION=.*/VERSION=$VERSION/" "$0" > "$folder/bin/python"
    chmod +x "$folder/bin/python"; echo "#!$PWD/.venv/bin/python" > "$folder/bin/pip" ;;
  "-m pip") shift 6; echo "pip install $*" >> "$LOG"; exit "${{PIP_FAILS:-0}}" ;;
  "-c import torch"*) ;;
  -c*) code=$2; shift 2; exec {sys.executable} -c "import sys; sys.version = '$VERSION'
$code" "$@" ;;
esac
"""
INSTALLED = ["pip install torch==9.9 -e .[library,grade,dev,huggingface,jupyterhub,lti] -c constraints.txt"]


@pytest.fixture
def clone(tmp_path):
    """A folder with `set-up` and what it reads, and a Python 3.11."""
    folder = tmp_path / "a clone"
    folder.mkdir()
    shutil.copy(ROOT / "set-up", folder)
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "constraints.txt").write_text("# tested\ntorch==9.9\n")
    python_in(tmp_path, "3.11.2")
    return folder


def python_in(folder, version):
    path = folder / f"python{version}"
    path.write_text(PYTHON.replace("case", f"VERSION={version}\ncase", 1))
    path.chmod(0o755)
    return path


def set_up(clone, version="3.11.2", **settings):
    """Run it; its exit status, what it had done, and what it said."""
    log = clone.parent / "log"
    log.unlink(missing_ok=True)
    # no apt-get, no sudo, no bubblewrap: nothing of this machine is changed
    programs = clone.parent / "programs"
    programs.mkdir(exist_ok=True)
    for name in ("bash", "cat", "chmod", "dirname", "env", "grep", "id", "mkdir", "rm", "sed", "sh", "uname"):
        if not (programs / name).exists():
            (programs / name).symlink_to(shutil.which(name))
    env = {
        "PATH": str(programs),
        "LOG": str(log),
        "PYTHON": str(clone.parent / f"python{version}"),
        **settings,
    }
    done = subprocess.run(
        ["bash", "./set-up"], cwd=clone, env=env, capture_output=True, text=True, check=False
    )
    did = log.read_text().splitlines() if log.exists() else []
    return done.returncode, [line for line in did if "triton" not in line], done.stderr


@pytest.mark.slow
def test_a_new_clone_is_set_up_once(clone):
    status, did, said = set_up(clone)
    assert (status, did) == (0, ["venv .venv ", *INSTALLED])
    assert "installing packages in .venv" in said
    status, did, said = set_up(clone)
    assert (status, did) == (0, [])
    assert "installing packages" not in said


@pytest.mark.slow
def test_an_install_that_is_older_than_the_project_file_is_renewed(clone):
    """So a clone that was set up before an entry point or a dependency existed
    gets it with the next `make`.
    """
    set_up(clone)
    for name in ("pyproject.toml", "constraints.txt"):
        with (clone / name).open("a") as file:
            file.write("# changed\n")
        status, did, _ = set_up(clone)
        assert (status, did) == (0, ["venv .venv ", *INSTALLED])
        assert set_up(clone)[1] == []


@pytest.mark.slow
def test_with_another_python_or_in_another_place_the_environment_is_made_anew(clone):
    set_up(clone)
    (clone / ".venv" / "old").touch()
    python_in(clone.parent, "3.12.3")
    status, did, _ = set_up(clone, version="3.12.3")
    assert (status, did) == (0, ["venv --clear .venv", *INSTALLED])
    assert not (clone / ".venv" / "old").exists()
    moved = clone.rename(clone.parent / "moved")
    assert set_up(moved, version="3.12.3")[1] == ["venv --clear .venv", *INSTALLED]
    assert set_up(moved, version="3.12.3")[1] == []


@pytest.mark.slow
def test_what_is_behind_a_link_is_never_deleted(clone):
    set_up(clone)
    elsewhere = (clone / ".venv").rename(clone.parent / "elsewhere")
    (clone / ".venv").symlink_to(elsewhere)
    python_in(clone.parent, "3.12.3")
    assert set_up(clone, version="3.12.3")[1] == ["venv .venv ", *INSTALLED]


@pytest.mark.slow
def test_packages_that_cannot_be_installed_are_tried_again(clone):
    status, did, said = set_up(clone, PIP_FAILS="1")
    assert status == 2 and did == ["venv .venv ", INSTALLED[0]]
    assert said.splitlines()[-1].startswith("set-up: pip could not install the packages")
    assert set_up(clone)[:2] == (0, ["venv .venv ", *INSTALLED])


def test_what_is_no_python_that_the_course_runs_on_is_one_line(clone):
    old = clone.parent / "python3.9"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    for version in ("3.9", "3.999"):
        status, did, said = set_up(clone, version=version)
        assert (status, did) == (2, [])
        assert said.count("\n") == 1 and "is not Python 3.11 or newer: install one" in said
    assert not (clone / ".venv").exists()


@pytest.mark.slow
@pytest.mark.skipif(os.uname().sysname != "Linux", reason="elsewhere it says that this is not Linux")
def test_what_is_missing_and_cannot_be_installed_is_said(clone):
    status, _, said = set_up(clone)
    assert status == 0
    assert "chromium is missing: the browser tests will be skipped" in said
    assert "npm is missing: JupyterHub (`make hub`) cannot start, and its test will be skipped" in said


CONFIG = ROOT / ".pre-commit-config.yaml"
REPOSITORIES = yaml.safe_load(CONFIG.read_text(encoding="utf-8"))["repos"]
LOCAL = [hook for repository in REPOSITORIES if repository["repo"] == "local" for hook in repository["hooks"]]


@pytest.mark.parametrize("hook", LOCAL, ids=[hook["id"] for hook in LOCAL])
def test_a_local_hook_runs_a_tool_of_the_environment(hook):
    program, *arguments = shlex.split(hook["entry"])
    assert hook["language"] == "system" and program.startswith(".venv/bin/")
    assert os.access(Path(sys.prefix, "bin", Path(program).name), os.X_OK)
    for name in (argument for argument in arguments if argument.endswith(".py")):
        assert (ROOT / name).is_file()


def test_the_local_hooks_are_the_checks_of_make_lint():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    [recipe] = re.findall(r"^lint:.*\n\t@?(.*)$", makefile, re.MULTILINE)
    wanted = {
        tuple(words)
        for words in (shlex.split(part)[:2] for part in recipe.replace("$(BIN)", ".venv/bin").split("&&"))
    }
    assert {tuple(shlex.split(hook["entry"])[:2]) for hook in LOCAL} == wanted and len(wanted) >= 4


def test_other_hooks_are_pinned_to_a_commit():
    foreign = [repository for repository in REPOSITORIES if repository["repo"] != "local"]
    assert foreign and all(re.fullmatch(r"[0-9a-f]{40}", repository["rev"]) for repository in foreign)
    versions = re.findall(
        r"rev: [0-9a-f]{40} # frozen: v[\d.]+$", CONFIG.read_text(encoding="utf-8"), re.MULTILINE
    )
    assert len(versions) == len(foreign)
