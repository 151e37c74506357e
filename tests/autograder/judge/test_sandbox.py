"""What the sandbox keeps in, bubblewrap or a container; that an attempt which succeeds is seen as one;
and that nothing is judged where it does not hold.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from tiny_course import LIMITS

from autograder.judge import escape_test
from autograder.judge.escape_attempts import ATTEMPTS, QUICK, REACHES, SEEN, WRITES
from autograder.judge.escape_cell import Attempt
from autograder.judge.escape_limits import CAPS, LEAVES
from autograder.judge.escape_test import SHORT, quick_check, try_everything
from autograder.sandbox import container, mounts, tiers
from autograder.sandbox.errors import InfrastructureError
from autograder.sandbox.launcher import ForkServerLauncher
from autograder.sandbox.tiers import Bubblewrap, LimitsOnly, best_tier, launcher_for, problem_with
from kqa_core.errors import UserError


class Porous(Bubblewrap):
    """A sandbox that shows the machine's network, processes and one folder,
    and whose runners share one set of namespaces.
    """

    mode = "plain"

    def command(self, program, directory):
        wrap = super().command(program, directory)
        for name in ("--unshare-net", "--unshare-pid", "--unshare-ipc"):
            wrap.remove(name)
        end = wrap.index("--remount-ro")
        shown = tempfile.gettempdir()  # where the bait lies
        return [*wrap[:end], "--bind", shown, shown, "--perms", "0777", "--tmpfs", "/dev/shm", *wrap[end:]]

    def home(self, directory):
        directory.chmod(0o711)
        home = Path(tempfile.mkdtemp(prefix="w-", dir=directory))  # the launcher removes it with the runner
        home.chmod(0o777)
        return str(home)


@pytest.mark.slow
def test_every_attempt_to_break_out_comes_to_nothing(launcher):
    tried = list(try_everything(launcher))
    assert [(each.name, each.said) for each in tried if not each.held] == []
    assert len(tried) == len(ATTEMPTS) >= 50


@pytest.mark.slow
def test_a_porous_sandbox_is_found_out(monkeypatch, without_packages):
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o711)
        monkeypatch.setattr(tempfile, "tempdir", base)  # the bait lies there, and the runners' homes
        _find_out(monkeypatch, Path(base))


def _find_out(monkeypatch, base):
    made = ForkServerLauncher(Porous(), escape_test.SHORT, base)
    try:
        by_name = {each.name: each for each in (*SEEN, *WRITES, *REACHES, *LEAVES)}
        chosen = [
            *(
                "sees the judge's files",
                "changes the gradebook",
                "connects to this machine",
                "sees a network",
            ),
            *("connects to an abstract socket", "leaves files", "leaves shared memory"),
        ]
        monkeypatch.setattr(escape_test, "ATTEMPTS", [by_name[name] for name in chosen])
        tried = list(try_everything(made))
        assert [each.name for each in tried if each.held] == []
        with pytest.raises(InfrastructureError, match=r"the sandbox \(bubblewrap\) does not hold: "):
            quick_check(made)
    finally:
        made.close()


@pytest.mark.slow
def test_a_home_that_is_not_the_launchers_own_is_never_removed(monkeypatch, without_packages):
    with tempfile.TemporaryDirectory() as base, tempfile.TemporaryDirectory() as elsewhere:
        for place in (base, elsewhere):
            Path(place).chmod(0o777)
        monkeypatch.setattr(tempfile, "tempdir", elsewhere)
        monkeypatch.setattr(Porous, "home", lambda self, directory: elsewhere)
        Path(elsewhere, "kept").write_text("x")
        made = ForkServerLauncher(Porous(), escape_test.SHORT, Path(base))
        try:
            made.start().end()
        finally:
            made.close()
        assert Path(elsewhere, "kept").exists()


def test_an_attempt_that_cannot_be_made_counts_as_a_way_out(launch, monkeypatch):
    made = launch()
    made.close()
    monkeypatch.setattr(made, "_launch", lambda: None)
    with pytest.raises(InfrastructureError, match="could not be tried"):
        quick_check(made)


def test_a_listener_that_was_reached_counts_whatever_the_attempt_says(launcher, monkeypatch):
    def reaches_and_lies(launcher, attempt, bait):
        socket.create_connection(bait.listener.getsockname()).close()
        return breakout_try(launcher, attempt, bait)

    breakout_try = escape_test._try
    monkeypatch.setattr(escape_test, "_try", reaches_and_lies)
    monkeypatch.setattr(escape_test, "ATTEMPTS", [Attempt("lies", "def attempt(told): return False")])
    (tried,) = try_everything(launcher)
    assert not tried.held and tried.said == "a listener of this machine was reached"


def test_the_default_is_the_strongest_tier_and_limits_alone_are_never_the_default(monkeypatch):
    monkeypatch.setattr(tiers, "problem_with", lambda tier: None)
    assert best_tier() == "bubblewrap"
    monkeypatch.setattr(tiers, "problem_with", lambda tier: "broken" if tier == "bubblewrap" else None)
    assert best_tier() == "container"
    monkeypatch.setattr(tiers, "problem_with", lambda tier: None if tier == "limits" else "broken")
    with pytest.raises(UserError, match="--sandbox limits"):
        best_tier()


def test_a_tier_that_cannot_be_had_is_named_with_its_reason(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"sandbox bubblewrap: bubblewrap is not installed"):
        launcher_for("bubblewrap", LIMITS, tmp_path)
    with pytest.raises(UserError, match="no such tier; expected one of bubblewrap, container, limits"):
        launcher_for("chroot", LIMITS, tmp_path)


def test_root_gets_no_limits_tier_where_python_is_not_open_to_all(monkeypatch, tmp_path):
    private = tmp_path / "private"
    private.mkdir(mode=0o700)
    monkeypatch.setattr(tiers.os, "getuid", lambda: 0)
    monkeypatch.setattr(tiers, "interpreter_paths", lambda: [str(private)])
    assert "unprivileged" in str(problem_with("limits"))
    monkeypatch.setattr(tiers.os, "getuid", lambda: 1000)
    assert problem_with("limits") is None


@pytest.mark.slow
def test_limits_alone_drop_root_bound_time_and_hide_nothing(monkeypatch, without_packages):
    with tempfile.TemporaryDirectory() as base:
        Path(base).chmod(0o711)
        # this is root, with a Python that others cannot read: borrow the system's
        if problem_with("limits") is not None:
            monkeypatch.setattr(sys, "executable", _system_python(Path(base)))
        made = ForkServerLauncher(LimitsOnly(), escape_test.SHORT, Path(base))
        try:
            by_name = {each.name: each for each in (*SEEN, *CAPS)}
            chosen = [
                "is root",
                "may become root",
                "sees the judge's files",
                "goes on after its time",
                "raises its limits",
            ]
            monkeypatch.setattr(escape_test, "ATTEMPTS", [by_name[name] for name in chosen])
            assert [each.name for each in try_everything(made) if not each.held] == ["sees the judge's files"]
        finally:
            made.close()


def _system_python(folder):
    """A program that runs the system's Python with the packages of this one."""
    wanted = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = shutil.which(f"python{wanted}", path="/usr/bin")
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    if found is None or not tiers._open_to_all(Path(packages)):
        pytest.skip(f"no Python {wanted} in /usr/bin that an unprivileged user could run with these packages")
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={packages} exec {found} "$@"\n')
    program.chmod(0o755)
    return str(program)


@pytest.mark.slow
def test_a_course_that_lies_in_tmp_is_judged_as_any_other(tmp_path):
    """The sandbox has a /tmp of its own, which must not hide the course."""
    with tempfile.TemporaryDirectory(dir="/tmp") as place:
        clone = Path(place, "course")
        for name in (*mounts.INSIDE, "autograder"):
            if (mounts.ROOT / name).is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(mounts.ROOT / name, clone / name, ignore=ignore, dirs_exist_ok=True)
        code = (
            "import sys; sys.path.insert(0, sys.argv[1])\n"
            "from pathlib import Path\n"
            "from autograder.judge.escape_test import SHORT, quick_check\n"
            "from autograder.sandbox.tiers import ROOT, launcher_for\n"
            "assert str(ROOT) == sys.argv[1], ROOT\n"
            "made = launcher_for('bubblewrap', SHORT, Path(sys.argv[2]))\n"
            "quick_check(made); made.close(); print('judged')"
        )
        done = subprocess.run(
            [sys.executable, "-P", "-c", code, str(clone), str(tmp_path)],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            check=False,
        )
        assert done.stdout == "judged\n", done.stderr[-2000:]


def test_no_answer_and_no_notebook_lies_in_the_sandbox():
    words = Bubblewrap().command(["true"], Path("/tmp"))
    bound = [Path(words[at + 1]) for at, word in enumerate(words) if word in ("--bind", "--ro-bind")]
    inside = [path.relative_to(mounts.ROOT) for path in bound if path.is_relative_to(mounts.ROOT)]
    exercises = [path for path in inside if path.match("notebooks/source/*/exercises")]
    assert exercises and {
        file.suffix for path in exercises for file in (mounts.ROOT / path).rglob("*.*")
    } <= {".py", ".pyc", ".toml"}
    secret = {"keys", "notebooks", "tests", "sample_class", ".git"}
    assert [path for path in inside if secret & set(path.parts) and path not in exercises] == []
    shown = {path.parts[:2] for path in inside if path.parts[:1] in ((), ("autograder",))}
    # neither the repository nor all of autograder
    assert shown == {("autograder", "__init__.py"), ("autograder", "runner")}
    assert len(QUICK) >= 5


@pytest.fixture
def in_a_container(tmp_path):
    """A launcher of that tier, where Docker or Podman runs containers."""
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
def test_a_runner_in_a_container_sees_reaches_and_leaves_nothing_and_goes_with_it(
    in_a_container, monkeypatch
):
    by_name = {each.name: each for each in (*SEEN, *REACHES, *LEAVES)}
    chosen = ("is root", "sees the answer keys", "connects to this machine", "leaves files")
    monkeypatch.setattr(escape_test, "ATTEMPTS", [by_name[name] for name in chosen])
    tried = list(try_everything(in_a_container))
    assert [(each.name, each.said) for each in tried if not each.held] == []
    assert len(tried) == len(chosen)
    assert len(containers()) == 1  # the spare that warms up for the next runner
    in_a_container.close()
    assert containers() == []


def test_without_an_engine_there_is_no_container_tier_and_the_reason_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert problem_with("container") == "neither Docker nor Podman is installed"
