"""A control group of Linux (cgroup, version 1 or 2) around one runner.
The kernel counts all memory that the runner takes, whatever kind it is, and the processor time also of
processes that have ended.

- It is made inside this process's own group, or beside it where only groups without processes of their own
  may have a limit (version 2). So it needs the right to make groups: root has it, and a user to whom systemd
  has delegated a part. Where there is none, the launcher counts by itself (`ForkedRunner`).
- At the limit the kernel frees what it can, and then kills a process of the group. `over` tells that.
- The pages that the runner shares with its fork server were there before, and do not count.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import time
from pathlib import Path

NAME = "kqa-runner-"
# version 1: the memory of processes, and with swap; version 2
LIMITS = ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.max")
SLACK = 2**20  # bytes that the kernel counts in one go
EMPTY_SECONDS = 1.0  # until killed processes have left their group


class ControlGroup:
    """The group of one runner. `close` removes it."""

    def __init__(self, memory: Path, processor: Path) -> None:
        self._memory, self._processor = memory, processor

    @staticmethod
    def around(pid: int, limit: int) -> ControlGroup | None:
        """A group with this limit of memory in bytes around a process; None where none can be made."""
        memory = _made(_own("memory"), pid, limit)
        if memory is None:
            return None
        # version 2 counts both in one group
        counts = memory if (memory / "cpu.stat").exists() else _made(_own("cpuacct"), pid, None)
        return ControlGroup(memory, counts or memory)

    def over(self) -> bool:
        """Whether the kernel has killed a process of the group at the group's own limit."""
        killed = _numbers(self._memory / "memory.oom_control") or _numbers(self._memory / "memory.events")
        if not killed.get("oom_kill"):
            return False
        most, limit = (
            _number(self._memory / name) for name in ("memory.max_usage_in_bytes", "memory.limit_in_bytes")
        )
        return bool(killed.get("max") or (limit and most + SLACK >= limit))

    def held(self) -> int:
        """Bytes of memory that the group holds, without copies of files that the kernel may drop."""
        stat = _numbers(self._memory / "memory.stat")
        used = _number(self._memory / "memory.usage_in_bytes") or _number(self._memory / "memory.current")
        files = ("total_inactive_file", "total_active_file"), ("inactive_file", "active_file")
        names = files[0] if files[0][0] in stat else files[1]
        return max(0, used - sum(stat.get(name, 0) for name in names))

    def processor(self) -> float | None:
        """Seconds of processor time that the processes of the group have used; None if that is unknown."""
        used = _number(self._processor / "cpuacct.usage")
        if used:
            return used / 1e9
        micro = _numbers(self._processor / "cpu.stat").get("usage_usec")
        return None if micro is None else micro / 1e6

    def close(self) -> None:
        """End every process that is left in it, and remove it."""
        deadline = time.monotonic() + EMPTY_SECONDS
        for folder in {self._memory, self._processor}:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    for pid in _pids(folder):
                        with contextlib.suppress(OSError):
                            os.kill(pid, signal.SIGKILL)
                    if time.monotonic() > deadline:  # the next one that is made here removes it
                        break
                    time.sleep(0.005)


def _own(controller: str) -> list[Path]:
    """Where a group for this controller may be made, best place first."""
    groups = dict(_groups())
    if controller in groups:  # version 1
        return [groups[controller]]
    own = groups.get("")
    return [] if own is None or controller == "cpuacct" else [own.parent, own]


def _groups() -> list[tuple[str, Path]]:
    """This process's groups: each controller of version 1, "" for version 2, and the group's folder."""
    found = []
    with contextlib.suppress(OSError):
        mounts = [line.split() for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        for line in Path("/proc/self/cgroup").read_text().splitlines():
            _, controllers, place = line.split(":", 2)
            for fields in mounts:
                kind, options = fields[fields.index("-") + 1], fields[-1].split(",")
                names = set(controllers.split(","))
                if (kind == "cgroup2" and not controllers) or (kind == "cgroup" and names <= set(options)):
                    with contextlib.suppress(ValueError):  # it lies outside what this mount shows
                        folder = Path(fields[4], Path(place).relative_to(fields[3]))
                        found += [(name, folder) for name in controllers.split(",")]
                        break
    return found


def _made(places: list[Path], pid: int, limit: int | None) -> Path | None:
    """A new group in the first place that allows one, with the process in it."""
    for place in places:
        _remove_old(place)
        group = place / f"{NAME}{os.getpid()}-{secrets.token_hex(4)}"
        with contextlib.suppress(OSError):
            group.mkdir()
            try:
                there = [group / name for name in LIMITS if (group / name).exists()]
                if limit is None or there:
                    for file in there if limit is not None else ():
                        file.write_text(str(limit))
                    if (swap := group / "memory.swap.max").exists():
                        swap.write_text("0")
                    (group / "cgroup.procs").write_text(str(pid))
                    return group
            except OSError:
                group.rmdir()
                raise
            group.rmdir()
    return None


def _remove_old(place: Path) -> None:
    """Remove the groups of judges that were killed."""
    for group in place.glob(f"{NAME}*"):
        maker = group.name.removeprefix(NAME).partition("-")[0]
        if not Path("/proc", maker).exists():
            with contextlib.suppress(OSError):
                group.rmdir()


def _pids(group: Path) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(pid) for pid in (group / "cgroup.procs").read_text().split()]
    return []


def _number(file: Path) -> int:
    try:
        return int(file.read_text())
    except (OSError, ValueError):
        return 0


def _numbers(file: Path) -> dict[str, int]:
    """The lines "name number" of a file."""
    try:
        pairs = [line.split() for line in file.read_text().splitlines()]
    except OSError:
        return {}
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}
