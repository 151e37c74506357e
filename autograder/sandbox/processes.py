"""Memory, time and child processes of a process, from /proc."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

WITHOUT_FILE = ("/dev/zero", "/memfd:", "/SYSV")  # what the kernel calls shared memory

BUFFER = 212_992  # bytes that a socket may hold: Linux's default, which a runner may not raise


def tree(pid: int) -> list[int]:
    """A process and its descendants; none for 0.

    In a process namespace of its own nothing gets out of this tree: what loses its parent becomes the first
    process's child.
    """
    pids = [pid] if pid else []
    for parent in pids:
        with contextlib.suppress(OSError):
            for task in os.scandir(f"/proc/{parent}/task"):
                with contextlib.suppress(OSError):
                    children = Path(task.path, "children").read_text().split()
                    pids += [child for child in map(int, children) if child not in pids]
    return pids


class Used(NamedTuple):
    """Seconds that processes have used the processor, and that they have waited for it."""

    processor: float = 0.0
    waited: float = 0.0


def used(pids: Iterable[int]) -> Used:
    """What these processes have used, with the children that they have waited for."""
    ticks, waited = 0, 0
    for pid in pids:
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # its own time and its children's, as user and system
            for task in os.scandir(f"/proc/{pid}/task"):
                with contextlib.suppress(OSError):  # the thread has ended
                    waited += int(Path(task.path, "schedstat").read_text().split()[1])
    return Used(ticks / os.sysconf("SC_CLK_TCK"), waited / 1e9)


def computed(pid: int) -> float:
    """Seconds of processor time that a process has used itself, without its children; 0 if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return 0.0


def mapped(pid: int) -> int:
    """Bytes of address space of a process; 0 if it has ended."""
    return _statm(pid, 0)


def resident(pid: int) -> int:
    """Resident bytes of a process, including shared ones; 0 if it has ended."""
    return _statm(pid, 1)


def _statm(pid: int, field: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[field]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def shared_memory(pids: Iterable[int]) -> int:
    """Bytes of shared memory without a file that these processes have mapped.
    It may be held without being resident in any.
    """
    sizes: dict[str, int] = {}  # by inode
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines():
                place, permissions, _, _, inode, *name = line.split(maxsplit=5)
                if permissions.endswith("s") and "".join(name).startswith(WITHOUT_FILE):
                    start, end = (int(each, 16) for each in place.split("-"))
                    sizes[inode] = max(sizes.get(inode, 0), end - start)
    return sum(sizes.values())


def page_tables(pids: Iterable[int]) -> int:
    """Bytes of the tables that say where these processes' memory is.
    Memory that was only read counts nowhere else.
    """
    return sum(_status(pid, "VmPTE:") for pid in pids)


def socket_memory(pid: int) -> int:
    """Bytes that the kernel may hold in the sockets of this process and of all others
    in its network namespace.

    0 if that is the network of this machine, as in the limits tier. A socket counts also while it is only on
    its way in another.
    """
    with contextlib.suppress(OSError, IndexError, ValueError):
        if Path(f"/proc/{pid}/ns/net").readlink() != Path("/proc/self/ns/net").readlink():
            # "sockets: used 22"
            return BUFFER * int(Path(f"/proc/{pid}/net/sockstat").read_text().split()[2])
    return 0


def _status(pid: int, name: str) -> int:
    try:
        return int(Path(f"/proc/{pid}/status").read_text().partition(name)[2].split()[0]) * 1024
    except (OSError, ValueError, IndexError):
        return 0


def proportional(pid: int) -> int:
    """Bytes of a process, where a page that n processes share counts as an n-th of it."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return resident(pid)
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def process_of(descriptor: int) -> int:
    """The number, here, of the process that a process descriptor stands for; 0 if that is unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/self/fdinfo/{descriptor}").read_text().partition("Pid:")[2].split()[0])
    return 0
