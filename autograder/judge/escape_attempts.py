"""The attempts themselves: cells of Python that run in a worker. `attempt(told)` returns False where it comes to nothing."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Attempt:
    """One attempt. `leaves` is a second cell, run in the next worker, that looks for what the first one left."""

    name: str
    source: str
    leaves: str | None = None
    seconds: float = 8.0
    beyond: tuple[str, ...] = ()  # tiers that do not claim to stop it


def _body(text: str) -> str:
    return "def attempt(told):\n" + textwrap.indent(textwrap.dedent(text).strip() + "\n", "    ")


def _attempt(name: str, text: str, leaves: str | None = None, seconds: float = 8.0) -> Attempt:
    return Attempt(name, _body(text), None if leaves is None else _body(leaves), seconds)


def _attempt_beyond_containers(name: str, text: str) -> Attempt:
    """A container holds its own warm parent, which knows nothing, beside its one worker; and bounds files by its memory alone."""
    return Attempt(name, _body(text), beyond=("container",))


def _call(name: str, *arguments: str) -> Attempt:
    """A system call that must be refused."""
    return _attempt(
        f"the system call {name}",
        f"""
        import ctypes, sys
        libc, scmp = ctypes.CDLL(None, use_errno=True), ctypes.CDLL("libseccomp.so.2")
        number = scmp.seccomp_syscall_resolve_name(b"{name}")
        if number < 0:
            return False
        done = libc.syscall(number, {", ".join(arguments)})
        return False if done == -1 and ctypes.get_errno() in (1, 38, 97) else [done, ctypes.get_errno()]
        """,
    )


SEEN = (
    _attempt("is root", "import os\nreturn 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()) and 'root'"),
    _attempt(
        "may become root",
        """
        import os
        for become in (os.setuid, os.seteuid, os.setgid):
            try:
                become(0)
                return 'root'
            except OSError:
                pass
        return False
        """,
    ),
    _attempt("sees the judge's files", "import os\nreturn os.path.exists(told['folder']) and 'the folder is there'"),
    _attempt(
        "sees the answer keys",
        """
        import os
        graders = [f'autograder/{name}' for name in ('keys', 'answer_key.py', 'build', 'course', 'judge')]
        places = (*graders, '.git', 'tests', 'data/sample_class')
        there = [place for place in places if os.path.exists(os.path.join(told['course'], place))]
        for folder, _, files in os.walk(os.path.join(told['course'], 'notebooks')):
            if 'exercises' not in folder.split(os.sep):  # the half of an exercise that its students have as well
                there += files
        return there and str(there[:9])
        """,
    ),
    _attempt(
        "imports the answer keys",
        """
        import importlib, sys
        sys.meta_path[:] = [each for each in sys.meta_path if type(each).__name__ != '_NoInstructor']
        sys.path.insert(0, told['course'])
        try:
            importlib.import_module('autograder.answer_key')
        except ImportError:
            return False
        return 'imported'
        """,
    ),
    _attempt("has an environment", "import os\nreturn len(os.environ) > 16 and sorted(os.environ)"),
    _attempt_beyond_containers("sees processes", "import os\nreturn bool(os.listdir('/proc')) and 'processes'"),
    _attempt(
        "holds open files",
        """
        import os
        found = []
        for number in range(3, 256):
            try:
                kind = os.fstat(number).st_mode >> 12
            except OSError:
                continue
            if kind != 12:
                found.append((number, kind))
        return found and str(found)
        """,
    ),
)
WRITES = (
    _attempt(
        "writes outside its home",
        """
        import os
        wrote = []
        for place in ('/', '/usr', '/etc', '/dev', '/root', '/var', '/home', '/proc', told['course'], told['folder'],
                      os.path.dirname(os.__file__), os.path.join(told['course'], 'kqa_core')):
            try:
                open(os.path.join(place, 'kqa-attempt'), 'w').close()
                wrote.append(place)
            except OSError:
                pass
        return wrote and str(wrote)
        """,
    ),
    _attempt("changes the gradebook", "open(told['folder'] + '/gradebook.db', 'w').write('full marks')\nreturn 'changed'"),
    _attempt(
        "fills the disk",
        """
        import os
        written = 0
        try:
            for number in range(4000):
                with open(f'fill{number}', 'wb') as file:
                    written += file.write(bytes(2 ** 20))
        except OSError:
            pass
        return written > told['disk'] and f'{written} bytes'
        """,
    ),
    _attempt_beyond_containers(
        "fills the inodes",
        """
        made = 0
        try:
            for made in range(200_000):
                open(f'i{made}', 'w').close()
        except OSError:
            pass
        return made > 10_000 and f'{made} files'
        """,
    ),
    _attempt(
        "writes one large file",
        """
        written = 0
        try:
            with open('large', 'wb', buffering=0) as file:
                while written < 2 * told['file']:
                    written += file.write(bytes(2 ** 20))
        except OSError:
            pass
        return written > told['file'] and f'{written} bytes'
        """,
    ),
)
REACHES = (
    _attempt(
        "connects to this machine",
        "import socket\nsocket.create_connection(('127.0.0.1', told['port']), timeout=2)\nreturn 'connected'",
    ),
    _attempt(
        "connects to another machine",
        """
        import socket
        for address in (('1.1.1.1', 53), ('8.8.8.8', 443), ('169.254.169.254', 80)):
            try:
                socket.create_connection(address, timeout=1)
                return str(address)
            except OSError:
                pass
        return False
        """,
    ),
    _attempt("resolves a name", "import socket\nreturn socket.gethostbyname('example.org')"),
    _attempt(
        "connects to an abstract socket",
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0' + told['abstract'])\nreturn 'connected'",
    ),
    _attempt(
        "opens a packet, netlink or vsock socket",
        """
        import socket
        opened = []
        for family in (16, 17, 29, 38, 40, 44):
            try:
                socket.socket(family, socket.SOCK_DGRAM).close()
                opened.append(family)
            except OSError:
                pass
        return opened and str(opened)
        """,
    ),
    _attempt(
        "sees a network",
        "import socket\nreturn [name for _, name in socket.if_nameindex() if name != 'lo'] or False",
    ),
    _attempt("signals the judge", "import os\nos.kill(told['judge'], 0)\nreturn 'signalled'"),
    _attempt(
        "signals everybody",
        "import os\nos.kill(-1, 0)\nreturn 'somebody can be signalled'",
    ),
    _attempt_beyond_containers(
        "reads another process's memory",
        """
        import os
        for number in (1, 2, 3, told['judge'], os.getppid()):
            for name in ('mem', 'environ', 'maps', 'root/etc/shadow', 'cwd/gradebook.db'):
                try:
                    with open(f'/proc/{number}/{name}', 'rb') as file:
                        return f'{number} {name} {file.read(10)!r}'
                except OSError:
                    pass
        return False
        """,
    ),
    _attempt(
        "opens a device",
        """
        import os
        opened = []
        for name in ('mem', 'kmem', 'kmsg', 'sda', 'vda', 'nvme0n1', 'fuse', 'kvm', 'loop0', 'net/tun', 'vsock'):
            try:
                os.close(os.open('/dev/' + name, os.O_RDONLY))
                opened.append(name)
            except OSError:
                pass
        return opened and str(opened)
        """,
    ),
)
CALLS = (
    _call("unshare", "0x10000000"),
    _call("clone", "0x10000011", "0", "0", "0", "0"),
    _call("clone3", "0", "0"),
    _call("setns", "0", "0"),
    _call("mount", "b'none'", "b'/tmp'", "b'tmpfs'", "0", "0"),
    _call("umount2", "b'/proc'", "2"),
    _call("pivot_root", "b'/tmp'", "b'/tmp'"),
    _call("chroot", "b'/tmp'"),
    _call("ptrace", "0", "0", "0", "0"),
    _call("process_vm_readv", "1", "0", "0", "0", "0", "0"),
    _call("bpf", "0", "0", "0"),
    _call("perf_event_open", "0", "0", "0", "0", "0"),
    _call("userfaultfd", "0"),
    _call("io_uring_setup", "1", "0"),
    _call("keyctl", "0", "-3", "1"),
    _call("add_key", "b'user'", "b'kqa'", "b'x'", "1", "-3"),
    _call("open_by_handle_at", "0", "0", "0"),
    _call("init_module", "0", "0", "0"),
    _call("reboot", "0", "0", "0", "0"),
    _call("personality", "0xffffffff"),
    _attempt(
        "puts words into a terminal",
        "import fcntl\nfcntl.ioctl(0, 0x5412, b'x')\nreturn 'typed'",
    ),
)
CAPS = (
    _attempt(
        "starts many processes",
        """
        import os, time
        started = 0
        for _ in range(300):
            try:
                if os.fork() == 0:
                    time.sleep(30)
                    os._exit(0)
                started += 1
            except OSError:
                break
        return started > 100 and f'{started} processes'
        """,
    ),
    _attempt(
        "raises its limits",
        """
        import resource
        raised = []
        for name in ('FSIZE', 'NPROC', 'CPU', 'DATA', 'NOFILE'):
            try:
                resource.setrlimit(getattr(resource, 'RLIMIT_' + name), (-1, -1))
                raised.append(name)
            except (ValueError, OSError):
                pass
        return raised and str(raised)
        """,
    ),
    _attempt("takes much memory at once", "x = bytearray(8 * 2 ** 30)\nreturn 'got 8 GiB'"),
    _attempt(
        "takes memory in small steps",
        "import time\nhoard = []\nwhile True:\n    hoard.append(bytearray(2 ** 22))\n    time.sleep(0.002)",
    ),
    _attempt(
        "takes memory in its children",
        """
        import os, time
        for _ in range(8):
            if os.fork() == 0:
                os.setsid()
                hoard = bytearray(150 * 2 ** 20)
                time.sleep(60)
                os._exit(0)
        time.sleep(60)
        return 'eight times 150 MiB'
        """,
    ),
    _attempt(
        "goes on after its time",
        """
        import signal
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass
        """,
        seconds=2.0,
    ),
)
LEAVES = (
    _attempt(
        "leaves files",
        """
        import os
        for place in (os.getcwd(), '/tmp', '/dev/shm'):
            try:
                open(os.path.join(place, 'left'), 'w').close()
            except OSError:
                pass
        return False
        """,
        "import os\nreturn [p for p in ('.', '/tmp', '/dev/shm') if 'left' in os.listdir(p)] or False",
    ),
    _attempt(
        "leaves a process",
        """
        import os, socket, time
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                s = socket.socket(socket.AF_UNIX)
                s.bind('\\0kqa-left')
                s.listen()
                time.sleep(60)
            os._exit(0)
        time.sleep(0.3)
        return False
        """,
        "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0kqa-left')\nreturn 'it still listens'",
    ),
    _attempt(
        "leaves shared memory",
        """
        import ctypes
        libc = ctypes.CDLL(None, use_errno=True)
        libc.shmget(0x6b7161, 4096, 0o1666)
        return False
        """,
        "import ctypes\nreturn ctypes.CDLL(None, use_errno=True).shmget(0x6b7161, 0, 0) != -1 and 'shared memory'",
    ),
    _attempt(
        "leaves a changed library",
        "import math, torch\nmath.left = torch.left = True\nreturn False",
        "import math, torch\nreturn (hasattr(math, 'left') or hasattr(torch, 'left')) and 'the change'",
    ),
)
ATTEMPTS = (*SEEN, *WRITES, *REACHES, *CALLS, *CAPS, *LEAVES)
QUICK = (SEEN[0], SEEN[2], SEEN[3], WRITES[1], REACHES[0], REACHES[3], CALLS[0])  # before every grading: under a second
