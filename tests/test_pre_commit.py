"""The hooks that run before a commit: pinned, and the same checks with the same tools as `make lint`."""

from __future__ import annotations

import os
import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
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
