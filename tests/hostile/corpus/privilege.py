"""Submissions that ask for rights a runner does not have."""

from __future__ import annotations

from hostile_course import MARK

from corpus.fixture import GUARD, WRONG, Fixture, attack, function, lose

FIXTURES = (
    Fixture(
        "becomes-root",
        "asks for other users, other limits and other rights",
        {
            "average_all": attack("""
            import ctypes, os, resource
            libc = ctypes.CDLL(None, use_errno=True)
            won = os.getuid() == 0
            for attempt in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setresuid(0, 0, 0)):
                try:
                    attempt()
                    won = True
                except OSError:
                    pass
            for name in ("NPROC", "FSIZE", "NOFILE", "CPU", "CORE"):
                limit = getattr(resource, f"RLIMIT_{name}")
                soft, hard = resource.getrlimit(limit)
                try:
                    if hard != resource.RLIM_INFINITY:
                        resource.setrlimit(limit, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
                        won = True
                except (OSError, ValueError):
                    pass
            won = won or os.system("sudo -n true 2>/dev/null || su -c true 2>/dev/null </dev/null") == 0
            """)
        },
        lost=lose(None, "died"),
    ),
    Fixture(
        "new-namespaces",
        "makes namespaces of its own, mounts, and changes its root",
        {
            "average_all": GUARD
            + attack("""
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            won = libc.unshare(0x10000000) == 0 or libc.unshare(0x00020000) == 0 or libc.unshare(0x40000000) == 0
            won = won or libc.mount(b"none", b"/tmp", b"tmpfs", 0, None) == 0
            won = won or libc.mount(b"proc", b"/proc", b"proc", 0, None) == 0
            won = won or libc.umount2(b"/proc", 2) == 0 or libc.chroot(b"/") == 0 or libc.pivot_root(b"/", b"/tmp") == 0
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "reads-other-processes",
        "traces its parent, reads its memory and opens its descriptors",
        {
            "average_all": GUARD
            + attack("""
            import ctypes, os
            libc = ctypes.CDLL(None, use_errno=True)
            libc.ptrace.restype = ctypes.c_long
            for pid in {os.getppid(), 1, 2, 3, 4, 5} - {os.getpid(), 0}:
                won = won or libc.ptrace(16, pid, 0, 0) == 0
                buffer = ctypes.create_string_buffer(16)
                local = (ctypes.c_void_p * 2)(ctypes.addressof(buffer), 16)
                remote = (ctypes.c_void_p * 2)(id(os), 16)
                won = won or libc.process_vm_readv(pid, local, 1, remote, 1, 0) > 0
                handle = libc.syscall(434, pid, 0)
                won = won or (handle >= 0 and libc.syscall(438, handle, 3, 0) >= 0)
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "devices",
        "opens the machine's memory and disks, or makes the devices itself",
        {
            "average_all": attack("""
            import os, stat
            for path in ("/dev/mem", "/dev/kmem", "/dev/port", "/dev/sda", "/dev/vda", "/dev/kmsg", "/proc/kcore"):
                try:
                    os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))
                    won = True
                except OSError:
                    pass
            for kind, number in ((stat.S_IFCHR, os.makedev(1, 1)), (stat.S_IFBLK, os.makedev(8, 0))):
                try:
                    os.mknod("device", kind | 0o600, number)
                    os.close(os.open("device", os.O_RDONLY))
                    won = True
                except OSError:
                    pass
            """)
        },
        lost=lose(None, "died"),
    ),
    Fixture(
        "hides-from-the-end",
        "asks not to be killed with its parent, in a session and group of its own",
        {
            "average_all": GUARD
            + function(f"""
            import ctypes, os, time
            ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)
            ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
            if os.fork() == 0:
                os.setsid()
                os.execv("/bin/sleep", ["{MARK}", "300"])
            time.sleep(0.2)
            return {WRONG}
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
)
