"""The container tier: Docker or Podman around every runner,
for machines where bubblewrap may not make namespaces.

- The image is empty: it is made here, without a registry. The system, Python and `kqa_core` are mounted
  read-only, as with bubblewrap.
- A container may not make namespaces inside itself. So each runner gets a container of its own, and nothing
  is left for the next submission. The next container warms up at the same time; each runner costs the
  imports of the course's packages.
- The control socket has a path only until the fork server has connected: it is removed before a student's
  code runs.
"""

from __future__ import annotations

import functools
import io
import secrets
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.runner.channel import Channel
from autograder.runner.confine import HOME, USER
from autograder.runner.fork_server import environment
from autograder.sandbox.covers import covers, secret_places
from autograder.sandbox.forked_runner import ForkedRunner
from autograder.sandbox.interface import Sandbox
from autograder.sandbox.launcher import ForkServerLauncher
from autograder.sandbox.mounts import PASSWD, SETTINGS, SYSTEM, course_paths, interpreter_paths
from autograder.sandbox.processes import Used
from autograder.sandbox.timeout_and_memory_limits import Limits
from kqa_core.errors import UserError

IMAGE = "kqa-judge-empty"
# the last where its own runtime cannot use the cgroups
ENGINES = (("docker",), ("podman",), ("podman", "--runtime", "runc"))


class Container(Sandbox):
    """The container of one fork server that will have one runner."""

    tier = "container"
    mode = "alone"

    def __init__(self, limits: Limits, secret: tuple[Path, ...] = ()) -> None:
        self.limits, self.secret = limits, secret
        self.name = f"kqa-judge-{secrets.token_hex(8)}"

    def command(self, program: list[str], directory: Path) -> list[str]:
        """The command that runs `program` in a container; it finds `directory/socket` at /run/judge."""
        engine = _engine()
        assert engine is not None
        limits = self.limits
        users = directory / "passwd"
        users.write_text(PASSWD)
        users.chmod(0o644)
        run = [
            *engine,
            "run",
            "--rm",
            "--name",
            self.name,
            "--network",
            "none",
            "--read-only",
            "--hostname",
            "judge",
        ]
        run += [
            "--user",
            f"{USER}:{USER}",
            "--cap-drop",
            "ALL",
            "--security-opt",
            "no-new-privileges",
            "--ipc",
            "private",
        ]
        run += [
            "--workdir",
            "/",
            "--pids-limit",
            str(limits.processes + 8),
            "--memory",
            str(4 * limits.memory),
        ]
        run += ["--shm-size", str(limits.disk // 2)]
        run += [
            "--ulimit",
            "nofile=256:256",
            "--ulimit",
            f"nproc={limits.processes + 8}:{limits.processes + 8}",
        ]
        run += [part for name, value in environment(HOME).items() for part in ("--env", f"{name}={value}")]
        for place, size in ((HOME, limits.disk), ("/tmp", limits.disk // 4)):
            run += ["--tmpfs", f"{place}:rw,nosuid,nodev,mode=0777,size={size}"]
        bound = (*interpreter_paths(), *course_paths())
        mounts = [path for path in (*SYSTEM, *bound) if Path(path).exists()]
        for cover in covers(mounts, bound, self.secret):
            raise UserError(
                f"{cover}: holds the course or what students hand in, and a container would show it; move it"
                " to a folder of its own, or give --sandbox bubblewrap"
            )
        mounts += [f"/etc/{name}" for name in SETTINGS if Path("/etc", name).exists()]
        for path in mounts:
            run += ["--volume", f"{path}:{path}:ro"]
        run += ["--volume", f"{users}:/etc/passwd:ro", "--volume", f"{directory / 'socket'}:/run/judge:ro"]
        return [*run, IMAGE, *program]

    def clean_up(self) -> None:
        """Remove the container if it still exists."""
        engine = _engine()
        if engine is not None:
            subprocess.run(
                [*engine, "rm", "--force", self.name], capture_output=True, timeout=60, check=False
            )


class ContainerLauncher:
    """Runners with a container each."""

    tier = "container"

    def __init__(self, limits: Limits, base: Path | None = None, secret: Iterable[Path] = ()) -> None:
        self.limits, self.secret = limits, secret_places(secret)
        self._base = Path(tempfile.mkdtemp(prefix="kqa-containers-", dir=base))
        self._spare = self._warm()

    def start(self) -> OneUse:
        """The runner of the container that has warmed up. Raises InfrastructureError."""
        launcher, self._spare = self._spare, self._warm()
        try:
            return OneUse(launcher, launcher.start())
        except BaseException:
            launcher.close()
            raise

    def close(self) -> None:
        """End what is still running."""
        self._spare.close()
        shutil.rmtree(self._base, ignore_errors=True)

    def _warm(self) -> ForkServerLauncher:
        return ForkServerLauncher(Container(self.limits, self.secret), self.limits, self._base)


class OneUse:
    """A runner whose container ends with it."""

    def __init__(self, launcher: ForkServerLauncher, runner: ForkedRunner) -> None:
        self._launcher, self._runner = launcher, runner
        self.channel: Channel = runner.channel

    def kill(self) -> None:
        """Kill it; the container ends with `end`."""
        self._runner.kill()

    def resident(self) -> int:
        """Bytes of memory it holds now, beyond what it started with."""
        return self._runner.resident()

    def used(self) -> Used:
        """The time that it and its children have used and waited for the processor."""
        return self._runner.used()

    def taken(self) -> bool:
        """Always False: it can kill itself and its container, so an end from outside cannot be recognised."""
        return False

    def end(self) -> None:
        """Kill the runner and its container. May be called twice."""
        self._runner.end()
        self._launcher.close()


def problem() -> str | None:
    """Why no container runs here, in one line; None if one does."""
    if not any(shutil.which(engine[0]) for engine in ENGINES):
        return "neither Docker nor Podman is installed"
    if _engine() is None:
        return (
            "Docker or Podman is installed, but runs no container here (`docker info`, `podman info` say"
            " more)"
        )
    return None


@functools.cache
def _engine() -> tuple[str, ...] | None:
    """The first engine that runs a container."""
    for engine in ENGINES:
        if shutil.which(engine[0]) and _has_image(engine) and _runs(engine):
            return engine
    return None


def _has_image(engine: tuple[str, ...]) -> bool:
    """Whether the empty image exists; it is made if it does not."""
    if _succeeds([*engine, "image", "inspect", IMAGE]):
        return True
    nothing = io.BytesIO()
    with tarfile.open(fileobj=nothing, mode="w") as archive:
        for name in ("run/judge", "etc", "proc", "dev", "sys", "tmp", HOME.strip("/")):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, 0o755
            archive.addfile(folder)
    return _succeeds([*engine, "import", "-", IMAGE], nothing.getvalue())


def _runs(engine: tuple[str, ...]) -> bool:
    volumes = [part for path in SYSTEM if Path(path).exists() for part in ("--volume", f"{path}:{path}:ro")]
    limits = [
        "--ulimit",
        "nofile=256:256",
        "--ulimit",
        "nproc=256:256",
        "--pids-limit",
        "64",
        "--memory",
        str(2**30),
    ]
    return _succeeds([*engine, "run", "--rm", "--network", "none", *limits, *volumes, IMAGE, "/usr/bin/true"])


def _succeeds(command: list[str], given: bytes = b"") -> bool:
    try:
        return (
            subprocess.run(command, input=given, capture_output=True, timeout=120, check=False).returncode
            == 0
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
