"""The sandbox in which students' code runs, in tiers. The tier is recorded with each result.

- *bubblewrap* (the default): a read-only system of its own that holds Python, `kqa_core` and the shipped
  data; no network, no other process, an unprivileged user. Inside it every runner gets its own namespaces,
  sized memory for files and a call filter.
- *container*: Docker or Podman with the same files mounted into an empty image. A container may not make
  namespaces inside itself, so each runner gets its own, and the next one warms up at the same time.
- *limits*: an unprivileged user if the judge is root, else the judge's own user. Nothing is hidden. For
  machines where nothing else works and classes that are trusted; it is used only if it is named.
- A tier counts as working only after a runner in it has made the quick escape attempts without effect
  (`judge.escape_test`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from autograder.paths import ROOT
from autograder.runner.confine import HOME, USER
from autograder.sandbox.covers import covers, secret_places
from autograder.sandbox.interface import Launcher, Sandbox
from autograder.sandbox.launcher import ForkServerLauncher
from autograder.sandbox.mounts import PASSWD, SETTINGS, SYSTEM, course_paths, interpreter_paths
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.errors import UserError


class Bubblewrap(Sandbox):
    """The default tier."""

    tier = "bubblewrap"
    mode = "apart"

    def __init__(self, more: Iterable[Path] = ()) -> None:
        self.secret = secret_places(more)

    def command(self, program: list[str], directory: Path) -> list[str]:
        """The command that runs `program` inside."""
        wrap = [
            "bwrap",
            "--die-with-parent",
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
        ]
        wrap += ["--unshare-cgroup-try", "--hostname", "judge", "--new-session"]
        # real root first, so that files of root's are readable; the fork server drops it for good
        if os.getuid() == 0:
            wrap += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
        else:
            wrap += ["--unshare-user", "--uid", str(USER), "--gid", str(USER)]
        system = [path for path in SYSTEM if Path(path).is_dir() and not Path(path).is_symlink()]
        for path in SYSTEM:
            if Path(path).is_symlink():
                wrap += ["--symlink", str(Path(path).readlink()), path]
        for place in (HOME, "/tmp"):  # the fork server's; each runner gets its own on top
            wrap += ["--perms", "0777", "--size", str(64 * 2**20), "--tmpfs", place]
        bound = (*interpreter_paths(), *course_paths())
        in_system = {str(parent) for path in system for parent in (Path(path), *Path(path).parents)}
        above = {str(parent) for path in bound for parent in Path(path).parents} - {"/"} - in_system
        for path in sorted(above):
            if not any(Path(path).is_relative_to(each) for each in system):
                wrap += ["--dir", path]  # bubblewrap's own would be for root alone
        hidden = covers((*system, *bound), bound, self.secret)
        # Python's own folders in the system are there already, unless they lie behind a cover
        again = [path for path in interpreter_paths("") if any(each in Path(path).parents for each in hidden)]
        wrap += _mounted({*system, *bound, *again}, hidden)
        wrap += ["--dir", "/etc"]
        for name in SETTINGS:
            wrap += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
        users = directory / "passwd"
        users.write_text(PASSWD)
        users.chmod(0o644)
        wrap += ["--ro-bind", str(users), "/etc/passwd", "--proc", "/proc", "--dev", "/dev"]
        return [
            *wrap,
            "--remount-ro",
            "/dev",
            "--remount-ro",
            "/tmp",
            "--remount-ro",
            "/",
            "--chdir",
            "/",
            "--",
            *program,
        ]

    def scratch(self, disk: int) -> dict[str, int]:
        """Fresh memory over what may be written. It would hide a Python or a course in /tmp:
        then /tmp is read-only.
        """
        hidden = any(path.startswith("/tmp/") for path in (*interpreter_paths(), *course_paths()))
        return {HOME: disk, "/dev/shm": disk // 2} | ({} if hidden else {"/tmp": disk // 4})


def _mounted(shown: Collection[str], hidden: Sequence[Path]) -> list[str]:
    """The options that mount each shown folder and cover each hidden place, the outer ones first."""
    options: list[str] = []
    for path in sorted({*map(Path, shown), *hidden}, key=lambda path: path.parts):
        if path not in hidden:
            options += ["--ro-bind", str(path), str(path)]
        elif path.is_dir():
            options += ["--tmpfs", str(path)]
            inside = [Path(name) for name in shown if path in Path(name).parents]
            folders = {parent for each in inside for parent in each.parents if path in parent.parents}
            options += [part for folder in sorted(folders) for part in ("--dir", str(folder))]
        else:
            options += ["--ro-bind", "/dev/null", str(path)]
    for path in hidden:
        options += ["--remount-ro", str(path)] if path.is_dir() else []
    return options


class LimitsOnly(Sandbox):
    """No isolation: only limits on time, memory and files, and an unprivileged user if the judge is root."""

    tier = "limits"
    mode = "plain"

    def command(self, program: list[str], directory: Path) -> list[str]:
        """The program itself, which gives up root."""
        if os.getuid() == 0:
            directory.chmod(0o711)
        return program

    def home(self, directory: Path) -> str:
        """A fresh directory of this machine, in that of the launcher, which removes it."""
        home = tempfile.mkdtemp(prefix="w-", dir=directory)
        if os.getuid() == 0:
            os.chown(home, USER, USER)
        return home


TIERS = ("bubblewrap", "container", "limits")


def check_tier(tier: str) -> None:
    """Raise UserError if there is no such tier."""
    if tier not in TIERS:
        raise UserError(f"sandbox {tier!r}: no such tier; expected one of {', '.join(TIERS)}")


def launcher_for(tier: str, limits: Limits, base: Path, secret: Iterable[Path] = ()) -> Launcher:
    """A launcher whose runners run in that tier, or without a sandbox in "unconfined", which is for answers
    of our own. The clone and the course are secret, and so are these paths.
    Raises UserError, with the reason, if the tier does not work here.
    """
    if tier == "unconfined":
        from autograder.sandbox.unconfined import UnconfinedLauncher

        return UnconfinedLauncher(limits, base)
    check_tier(tier)
    problem = problem_with(tier)
    if problem is not None:
        raise UserError(f"sandbox {tier}: {problem}")
    if tier == "container":
        from autograder.sandbox.container import ContainerLauncher

        return ContainerLauncher(limits, base, secret)
    sandbox: Sandbox = Bubblewrap(secret) if tier == "bubblewrap" else LimitsOnly()
    return ForkServerLauncher(sandbox, limits, base)


def best_tier() -> str:
    """The strongest tier that works here. Raises UserError if only "limits" does, which must be named."""
    problems: dict[str, str] = {}
    for tier in TIERS[:2]:
        problem = problem_with(tier)
        if problem is None:
            return tier
        problems[tier] = problem
    reasons = "; ".join(f"{tier}: {problem}" for tier, problem in problems.items())
    raise UserError(
        f"sandbox: none works here ({reasons}); repair one, or give --sandbox limits if you trust the class"
    )


def problem_with(tier: str) -> str | None:
    """Why a tier does not work here and what to do, in one line;
    None if it does, as far as is known without a runner.
    """
    if tier == "bubblewrap":
        return _bubblewrap_problem()
    if tier == "container":
        from autograder.sandbox.container import problem

        return problem()
    if os.getuid() == 0 and not all(
        _open_to_all(Path(path)) for path in (*interpreter_paths(), str(ROOT / "kqa_core"))
    ):
        return (
            "this is root, and Python lies where an unprivileged user cannot read it; use bubblewrap, or"
            " another user"
        )
    return None


def _bubblewrap_problem() -> str | None:
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (apt-get install bubblewrap, or your system's package manager)"
    trial = [
        "bwrap",
        "--unshare-user",
        "--unshare-pid",
        "--unshare-net",
        "--ro-bind",
        "/",
        "/",
        "unshare",
        "--user",
        "true",
    ]
    try:
        done = subprocess.run(trial, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not start ({error})"
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        return (
            f"this user may not make namespaces ({reason}); on Ubuntu 23.10 and newer, 'sudo sysctl -w"
            " kernel.apparmor_restrict_unprivileged_userns=0' allows it; elsewhere see"
            " kernel.unprivileged_userns_clone"
        )
    return None


def _open_to_all(path: Path) -> bool:
    """Whether every user may read `path`."""
    return all(each.stat().st_mode & 0o005 == 0o005 for each in (path, *path.parents))
