"""What a release says and is made of: the page of what is stable names what is there, and the workflow of a
tag tests, builds and publishes.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
import tomllib

import yaml
from environments import PROJECT, ROOT
from typer.main import get_command

from kqa_core import cli

STABLE = (ROOT / "docs" / "stability.md").read_text(encoding="utf-8").partition("## Not stable")[0]
CHANGES = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_every_name_that_is_called_stable_is_there():
    rows = re.findall(r"^\| `((?:kqa_core|autograder)[\w.]+)` \| (.+) \|$", STABLE, re.MULTILINE)
    assert len(rows) >= 8
    missing = [
        f"{module}.{name}"
        for module, names in rows
        for name in re.findall(r"`(\w+)`", names)
        if not hasattr(importlib.import_module(module), name)
    ]
    assert missing == []


def test_everything_that_a_student_calls_in_a_notebook_is_stable():
    (names,) = re.findall(r"^\| `kqa_core\.check` \| (.+) \|$", STABLE, re.MULTILINE)
    assert re.findall(r"`(\w+)`", names) == importlib.import_module("kqa_core.check").__all__


def test_every_command_that_is_called_stable_is_there():
    if not cli.app.registered_commands:
        cli._register()
    commands = get_command(cli.app).commands
    everybody, instructors = (
        re.findall(r"`(\w+)`", names)
        for names in re.findall(r"^\| behind `kqa.*`, for \w+ \| (.+) \|$", STABLE, re.MULTILINE)
    )
    assert len(everybody) >= 8 and set(everybody) <= commands.keys()
    assert len(instructors) >= 12 and set(instructors) <= commands["course"].commands.keys()


def test_a_tag_is_tested_built_and_released_and_nothing_else_may_write():
    tree = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8"))
    jobs = tree["jobs"]
    assert tree[True] == {"push": {"tags": ["v*"]}}  # YAML reads `on` so
    assert jobs["test"] == {"uses": "./.github/workflows/nightly.yml"} and jobs["publish"]["needs"] == "test"
    told = [step["run"] for step in jobs["publish"]["steps"] if "run" in step]
    assert [line.split()[0] for line in told][:2] == ["make", ".venv/bin/kqa"]
    assert "dist/*.whl dist/*.zip" in told[-1] and "--verify-tag" in told[-1]
    secret = [step for step in jobs["publish"]["steps"] if "env" in step]
    assert secret == [jobs["publish"]["steps"][-1]], "only the last step has the token"


def test_the_notes_of_a_release_are_its_section_of_the_changelog_and_a_wrong_tag_is_one_line():
    script = [sys.executable, ".github/release_notes.py"]
    right, wrong = (
        subprocess.run([*script, tag], cwd=ROOT, capture_output=True, text=True, check=False)
        for tag in (f"v{PROJECT['version']}", "v99.0.0")
    )
    assert right.returncode == 0 and right.stdout.strip() in CHANGES
    assert right.stdout.startswith("### Upgrading") and "\n## " not in right.stdout
    assert wrong.returncode == 1 and wrong.stderr.count("\n") == 1 and "v99.0.0" in wrong.stderr


def test_the_changelog_names_the_commit_with_which_an_older_class_ends():
    commits = set(re.findall(r"\b[0-9a-f]{40}\b", CHANGES))
    (commit,) = commits
    shown = subprocess.run(
        ["git", "show", f"{commit}:pyproject.toml"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if shown.returncode:  # a copy without the history
        return
    assert tomllib.loads(shown.stdout)["project"]["version"] == "0.1.0"


def test_the_commits_that_blame_leaves_out_are_whole_hashes():
    lines = (ROOT / ".git-blame-ignore-revs").read_text(encoding="utf-8").splitlines()
    hashes = [line for line in lines if line and not line.startswith("#")]
    assert hashes and all(re.fullmatch(r"[0-9a-f]{40}", line) for line in hashes)
    assert ".git-blame-ignore-revs" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
