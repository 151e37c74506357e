"""Attempts to see, write, reach or call what is outside the sandbox, and the list of all attempts."""

from __future__ import annotations

from autograder.judge.escape_cell import CONTAINERS, attempt, system_call
from autograder.judge.escape_limits import CAPS, LEAVES

SEEN = (
    attempt(
        "is root", "import os\nreturn 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()) and 'root'"
    ),
    attempt(
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
    attempt(
        "sees the judge's files", "import os\nreturn os.path.exists(told['folder']) and 'the folder is there'"
    ),
    attempt(
        "sees the course, its keys or what students handed in",
        """
        import os
        there, shown = [], tuple(told['shown'])
        for place in told['hidden']:
            there += [place] if os.path.isfile(place) and os.path.getsize(place) else []
            for folder, folders, files in os.walk(place):
                folders[:] = [name for name in folders if os.path.join(folder, name) not in shown]
                there += [path for name in files if (path := os.path.join(folder, name)) not in shown]
        return there and str(there[:9])
        """,
    ),
    attempt(
        "sees an answer key or the gradebook by another name",
        """
        import os
        numbers, open_folders, there = {tuple(each) for each in told['numbers']}, ['/'], []
        names = {number for _, number in numbers}
        while open_folders:
            try:
                for entry in os.scandir(open_folders.pop()):
                    if entry.is_dir(follow_symlinks=False):
                        open_folders.append(entry.path)
                    elif entry.inode() in names:
                        fact = entry.stat(follow_symlinks=False)
                        there += [entry.path] if (fact.st_dev, fact.st_ino) in numbers else []
            except OSError:
                pass
        return there and str(there[:9])
        """,
        seconds=60.0,
    ),
    attempt(
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
    attempt("has an environment", "import os\nreturn len(os.environ) > 16 and sorted(os.environ)"),
    attempt(
        "sees processes", "import os\nreturn bool(os.listdir('/proc')) and 'processes'", beyond=CONTAINERS
    ),
    attempt(
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
    attempt(
        "writes outside its home",
        """
        import os
        wrote = []
        for place in ('/', '/usr', '/etc', '/dev', '/root', '/var', '/home', '/proc', told['course'],
                      told['folder'],
                      os.path.dirname(os.__file__), os.path.join(told['course'], 'kqa_core')):
            try:
                open(os.path.join(place, 'kqa-attempt'), 'w').close()
                wrote.append(place)
            except OSError:
                pass
        return wrote and str(wrote)
        """,
    ),
    attempt(
        "changes the gradebook",
        "open(told['folder'] + '/gradebook.db', 'w').write('full marks')\nreturn 'changed'",
    ),
    attempt(
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
    attempt(
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
        beyond=CONTAINERS,
    ),
    attempt(
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
    attempt(
        "connects to this machine",
        "import socket\nsocket.create_connection(('127.0.0.1', told['port']), timeout=2)\nreturn 'connected'",
    ),
    attempt(
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
    attempt("resolves a name", "import socket\nreturn socket.gethostbyname('example.org')"),
    attempt(
        "connects to an abstract socket",
        "import socket\n"
        "s = socket.socket(socket.AF_UNIX)\n"
        "s.connect('\\0' + told['abstract'])\n"
        "return 'connected'",
    ),
    attempt(
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
    attempt(
        "sees a network",
        "import socket\nreturn [name for _, name in socket.if_nameindex() if name != 'lo'] or False",
    ),
    attempt("signals the judge", "import os\nos.kill(told['judge'], 0)\nreturn 'signalled'"),
    attempt("signals everybody", "import os\nos.kill(-1, 0)\nreturn 'somebody can be signalled'"),
    attempt(
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
        beyond=CONTAINERS,
    ),
    attempt(
        "opens a device",
        """
        import os
        opened = []
        for name in ('mem', 'kmem', 'kmsg', 'sda', 'vda', 'nvme0n1', 'fuse', 'kvm', 'loop0', 'net/tun',
                     'vsock'):
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
    system_call("unshare", "0x10000000"),
    system_call("clone", "0x10000011", "0", "0", "0", "0"),
    system_call("clone3", "0", "0"),
    system_call("setns", "0", "0"),
    system_call("mount", "b'none'", "b'/tmp'", "b'tmpfs'", "0", "0"),
    system_call("umount2", "b'/proc'", "2"),
    system_call("pivot_root", "b'/tmp'", "b'/tmp'"),
    system_call("chroot", "b'/tmp'"),
    system_call("ptrace", "0", "0", "0", "0"),
    system_call("process_vm_readv", "1", "0", "0", "0", "0", "0"),
    system_call("bpf", "0", "0", "0"),
    system_call("perf_event_open", "0", "0", "0", "0", "0"),
    system_call("userfaultfd", "0"),
    system_call("io_uring_setup", "1", "0"),
    system_call("keyctl", "0", "-3", "1"),
    system_call("add_key", "b'user'", "b'kqa'", "b'x'", "1", "-3"),
    system_call("open_by_handle_at", "0", "0", "0"),
    system_call("init_module", "0", "0", "0"),
    system_call("reboot", "0", "0", "0", "0"),
    system_call("personality", "0xffffffff"),
    system_call("semget", "0", "1", "0o1600"),
    system_call("msgget", "0", "0o1600"),
    system_call("mq_open", "b'kqa'", "0o102", "0o600", "0"),
    attempt("puts words into a terminal", "import fcntl\nfcntl.ioctl(0, 0x5412, b'x')\nreturn 'typed'"),
)
ATTEMPTS = (*SEEN, *WRITES, *REACHES, *CALLS, *CAPS, *LEAVES)
# before every grading: under a second
QUICK = (SEEN[0], SEEN[2], SEEN[3], WRITES[1], REACHES[0], REACHES[3], CALLS[0])
