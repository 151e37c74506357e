"""The container tier, where Docker or Podman runs containers:
what it keeps in, and that no container is left.
"""

from __future__ import annotations

import subprocess

import pytest

from autograder.judge import escape_test
from autograder.judge.escape_attempts import REACHES, SEEN
from autograder.judge.escape_limits import LEAVES
from autograder.judge.escape_test import SHORT, try_everything
from autograder.sandbox import container
from autograder.sandbox.tiers import launcher_for, problem_with


@pytest.fixture
def launcher(tmp_path):
    problem = problem_with("container")
    if problem is not None:
        pytest.skip(problem)
    made = launcher_for("container", SHORT, tmp_path)
    yield made
    made.close()


def containers():
    """The judge's containers that exist."""
    listed = [*container._engine(), "ps", "--all", "--format", "{{.Names}}"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout.split()
    return [name for name in names if name.startswith("kqa-judge-")]


@pytest.mark.slow
def test_a_runner_in_a_container_sees_reaches_and_leaves_nothing_and_goes_with_it(launcher, monkeypatch):
    by_name = {each.name: each for each in (*SEEN, *REACHES, *LEAVES)}
    chosen = ("is root", "sees the answer keys", "connects to this machine", "leaves files")
    monkeypatch.setattr(escape_test, "ATTEMPTS", [by_name[name] for name in chosen])
    tried = list(try_everything(launcher))
    assert [(each.name, each.said) for each in tried if not each.held] == []
    assert len(tried) == len(chosen)
    assert len(containers()) == 1  # the spare that warms up for the next runner
    launcher.close()
    assert containers() == []


def test_without_an_engine_there_is_no_container_tier_and_the_reason_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert problem_with("container") == "neither Docker nor Podman is installed"
