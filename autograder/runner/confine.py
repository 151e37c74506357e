"""How a process gives up what it does not need: an unprivileged user, namespaces of its own, limits.

- `drop_user` is the first thing a fork server does: nothing here runs as root.
- `fork_apart` forks a runner into namespaces of its own (user, process, mount, network, IPC, host name,
  cgroup) and makes it the first process there: when it ends, the kernel kills everything it started, daemons
  too. Home, /tmp and /dev/shm are memory of a fixed size that ends with it, and /proc is empty.
- A step that fails raises: no step is skipped.
"""

from __future__ import annotations

import ctypes
import errno
import os
import resource
import signal
from pathlib import Path

USER = 64213  # a number that no system gives to a user
HOME = "/home/student"
# mount, cgroup, host name, IPC, user, process, network
NEW_FLAGS = (0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000)
NEW_NAMESPACES = sum(NEW_FLAGS)
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18
PR_SET_DUMPABLE = 4
PR_SET_PDEATHSIG, PR_CAPBSET_DROP, PR_SET_SECUREBITS, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = (
    1,
    24,
    28,
    36,
    38,
)
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4
CAPABILITY_VERSION_3 = 0x20080522
SECUREBITS = 0b101111  # root has no privileges here; locked


class ConfinementError(OSError):
    """A step of the confinement failed; nothing may run."""


_libc = ctypes.CDLL(None, use_errno=True)


def drop_user() -> None:
    """Become USER for good, where this is root."""
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(USER, USER, USER)
        os.setresuid(USER, USER, USER)
    if 0 in (*os.getresuid(), *os.getresgid()):
        raise ConfinementError(errno.EPERM, "still root")
    check(_libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no new privileges")


def fork_apart(scratch: dict[str, int]) -> int:
    """Fork a runner into namespaces of its own:
    0 in it, and its process number in the caller, whose child it is.

    `scratch` names the folders it may write to, with the bytes that each may hold. Raises ConfinementError in
    the caller where the kernel grants no namespaces.
    """
    # the runner becomes ours when `between` is gone
    check(_libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), "subreaper")
    last = int(Path("/proc/sys/kernel/cap_last_cap").read_text())
    number_out, number_in = os.pipe()
    # we close it when `between` is gone: a death signal asked for earlier would come from there
    gate_out, gate_in = os.pipe()
    between = os.fork()
    if between == 0:
        runner = -1
        try:
            _own_namespaces()
            runner = os.fork()
        except OSError as error:
            os.write(2, f"{error}\n".encode())
        if runner == 0:
            try:
                for end in (number_out, number_in, gate_in):
                    os.close(end)
                os.read(gate_out, 1)
                os.close(gate_out)
                check(_libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0), "end with the parent")
                _own_files(scratch)
                _drop_capabilities(last)
            # nobody's caller is in this process: it must not go on as a second fork server
            except BaseException as error:
                os.write(2, f"{error}\n".encode())
                os._exit(70)
            return 0
        os.close(gate_in)
        if runner > 0:
            os.write(number_in, str(runner).encode())
        os._exit(0)
    for end in (number_in, gate_out):
        os.close(end)
    number = os.read(number_out, 32)
    os.waitpid(between, 0)
    for end in (number_out, gate_in):
        os.close(end)
    if not number:
        raise ConfinementError(errno.EPERM, "the kernel grants this user no namespaces")
    return int(number)


def _own_namespaces() -> None:
    user, group = os.getuid(), os.getgid()
    check(_libc.unshare(NEW_NAMESPACES), "unshare")
    check(_libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0), "dumpable")  # else our own maps in /proc are root's
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        Path("/proc/self", name).write_text(text)


def _own_files(scratch: dict[str, int]) -> None:
    """Fresh memory for what may be written, and an empty /proc."""
    _mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None)
    for place, size in scratch.items():
        _mount(
            b"tmpfs",
            place.encode(),
            b"tmpfs",
            MS_NOSUID | MS_NODEV,
            f"size={size},nr_inodes=4096,mode=0700".encode(),
        )
    _mount(
        b"tmpfs",
        b"/proc",
        b"tmpfs",
        MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC,
        b"size=4k,nr_inodes=1,mode=0555",
    )


def _drop_capabilities(last: int) -> None:
    """Give up, for good, the rights of the first process of a user namespace, which may do anything in it."""
    check(_libc.prctl(PR_SET_SECUREBITS, SECUREBITS, 0, 0, 0), "securebits")
    check(_libc.prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "ambient capabilities")
    for capability in range(last + 1):
        check(_libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0), "bounding set")
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    check(_libc.capset(header, (ctypes.c_uint32 * 6)()), "capabilities")


def set_limits(file: int, cpu_seconds: int, processes: int, data: int) -> None:
    """The kernel's own caps on this process and what it starts:
    bytes of one file, processor time, processes, written memory.
    """
    caps = {
        "CORE": 0,
        "FSIZE": file,
        "CPU": cpu_seconds,
        "NOFILE": 256,
        "NPROC": processes,
        "MSGQUEUE": 0,
        "MEMLOCK": 0,
    }
    for name, cap in {**caps, "DATA": data}.items():
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (cap, cap))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # a full file is an OSError in the cell that wrote it
    signal.signal(signal.SIGINT, signal.default_int_handler)


def written_memory() -> int:
    """Bytes of memory this process may write to, as RLIMIT_DATA counts them."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmData:")[2].split()[0]) * 1024


def _mount(source: bytes, target: bytes, kind: bytes | None, flags: int, data: bytes | None) -> None:
    check(_libc.mount(source, target, kind, ctypes.c_ulong(flags), data), f"mount {target.decode()}")


def check(result: int, what: str) -> None:
    """Raise ConfinementError where a call of the C library failed."""
    if result != 0:
        number = ctypes.get_errno() or -result
        raise ConfinementError(number, f"{what}: {os.strerror(number)}")
