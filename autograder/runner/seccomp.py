"""The system-call filter of a runner.

- It is a deny-list, so honest code may make any call that a notebook makes. The denied calls have no use in
  an answer, and were used to escape from sandboxes before.
- clone3 fails as if it did not exist, so that the C library uses clone, whose flags the filter can read.
- The rules are written with libseccomp, which every system with bubblewrap has: it knows the numbers of each
  processor.
"""

from __future__ import annotations

import ctypes
import errno

from autograder.runner.confine import NEW_FLAGS, ConfinementError, check

DENIED = (
    # other processes' memory
    *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd", "process_madvise"),
    *(
        "mount",
        "umount2",
        "pivot_root",
        "chroot",
        "fsopen",
        "fsmount",
        "fsconfig",
        "fspick",
        "open_tree",
        "move_mount",
    ),
    *(
        "mount_setattr",
        "unshare",
        "setns",
        "open_by_handle_at",
        "name_to_handle_at",
        "quotactl",
        "quotactl_fd",
    ),
    *("bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register"),
    *("keyctl", "add_key", "request_key"),  # keyrings belong to no namespace
    *(
        "init_module",
        "finit_module",
        "delete_module",
        "kexec_load",
        "kexec_file_load",
        "reboot",
        "swapon",
        "swapoff",
        "acct",
    ),
    *(
        "syslog",
        "personality",
        "iopl",
        "ioperm",
        "modify_ldt",
        "settimeofday",
        "clock_settime",
        "adjtimex",
        "clock_adjtime",
    ),
    *("lookup_dcookie", "vhangup", "migrate_pages", "move_pages", "vmsplice"),
    # a lower limit on processor time would let the kernel kill a namespace's first process, as if from
    # outside
    "setrlimit",
    "sched_setaffinity",  # the processors of other submissions
    # memory that no process need map, so that no count of theirs shows it
    *("memfd_create", "memfd_secret", "shmget", "semget", "msgget", "mq_open"),
)
FAMILIES = (1, 2, 10)  # AF_UNIX, AF_INET, AF_INET6: all of them end in the runner's own, empty network
LAST_FAMILY = 46
SCMP_ALLOW, SCMP_ERRNO = 0x7FFF0000, 0x00050000
SCMP_NE, SCMP_EQ, SCMP_GT, SCMP_MASKED_EQ = 1, 4, 6, 7
# a larger buffer is the kernel's memory, which no count shows
SOL_SOCKET, SO_SNDBUF, SO_SNDBUFFORCE = 1, 7, 32
TIOCSTI, TIOCLINUX = 0x5412, 0x541C  # insert text into a terminal


class _Compare(ctypes.Structure):
    _fields_ = (("arg", ctypes.c_uint), ("op", ctypes.c_int), ("a", ctypes.c_uint64), ("b", ctypes.c_uint64))


class CallFilter:
    """The system-call filter, made by the fork server and loaded in each runner. Raises ConfinementError."""

    def __init__(self) -> None:
        try:
            self._library = library = ctypes.CDLL("libseccomp.so.2", use_errno=True)
        except OSError:
            raise ConfinementError(
                errno.ENOENT, "libseccomp is missing: install it (apt-get install libseccomp2)"
            ) from None
        library.seccomp_init.restype = ctypes.c_void_p
        library.seccomp_load.argtypes = [ctypes.c_void_p]
        library.seccomp_rule_add_array.argtypes = [
            ctypes.c_void_p,
            ctypes.c_uint32,
            ctypes.c_int,
            ctypes.c_uint,
            ctypes.c_void_p,
        ]
        self._context = library.seccomp_init(ctypes.c_uint32(SCMP_ALLOW))
        if not self._context:
            raise ConfinementError(errno.ENOMEM, "libseccomp makes no filter")
        for name in DENIED:
            self._deny(name, errno.EPERM)
        self._deny("clone3", errno.ENOSYS)
        # a new limit; reading one is allowed
        self._deny("prlimit64", errno.EPERM, _Compare(2, SCMP_NE, 0, 0))
        for flag in NEW_FLAGS:
            self._deny("clone", errno.EPERM, _Compare(0, SCMP_MASKED_EQ, flag, flag))
        for family in range(LAST_FAMILY + 1):
            if family not in FAMILIES:
                self._deny("socket", errno.EAFNOSUPPORT, _Compare(0, SCMP_EQ, family, 0))
        self._deny("socket", errno.EAFNOSUPPORT, _Compare(0, SCMP_GT, LAST_FAMILY, 0))
        for option in (SO_SNDBUF, SO_SNDBUFFORCE):
            self._deny(
                "setsockopt",
                errno.EPERM,
                _Compare(1, SCMP_EQ, SOL_SOCKET, 0),
                _Compare(2, SCMP_EQ, option, 0),
            )
        for request in (TIOCSTI, TIOCLINUX):
            self._deny("ioctl", errno.EPERM, _Compare(1, SCMP_EQ, request, 0))

    def load(self) -> None:
        """Apply the filter to this process and everything it starts."""
        check(self._library.seccomp_load(self._context), "system-call filter")

    def _deny(self, name: str, error: int, *when: _Compare) -> None:
        number = self._library.seccomp_syscall_resolve_name(name.encode())
        if number == -1:
            raise ConfinementError(errno.ENOSYS, f"this libseccomp does not know {name}: update it")
        rules = (_Compare * len(when))(*when)
        done = self._library.seccomp_rule_add_array(
            self._context, SCMP_ERRNO | error, number, len(when), rules
        )
        if done not in (0, -errno.EDOM):  # EDOM: this processor has no such call
            raise ConfinementError(-done, f"no rule for {name}")
