"""Submissions that ask the kernel: calls that a runner may not make,
and memory that no count of a process shows.
"""

from __future__ import annotations

from hostile_course import MARK

from corpus.fixture import GUARD, WRONG, Fixture, attack, function, lose

# mov eax, NUMBER; mov ebx, 16; mov ecx, 3; xor edx, edx; int 0x80; ret: a call by the kernel's 32-bit table
# (359: socket)
OLD_CALL = r"b'\xb8\x67\x01\x00\x00\xbb\x10\x00\x00\x00\xb9\x03\x00\x00\x00\x31\xd2\xcd\x80\xc3'"
FIXTURES = (
    Fixture(
        "calls-without-a-use",
        "makes the calls by which others got out: rings, programs for the kernel, tracing, keys, faults",
        {
            "average_all": GUARD
            + attack("""
            import ctypes
            libc = ctypes.CDLL(None, use_errno=True)
            libc.syscall.restype = ctypes.c_long
            block = ctypes.create_string_buffer(4096)
            asked = {425: (8, block), 321: (0, block, 64), 298: (block, 0, -1, -1, 0), 323: (0,), 304: (-100, block, 0)}
            asked |= {248: (b"user", b"kqa", b"left", 4, -4), 250: (1, 0), 279: (0, 0, 0, 0, 0, 0), 135: (0x0040000,)}
            asked |= {319: (b"x", 0), 447: (0,), 310: (1, 0, 0, 0, 0, 0), 175: (block, 16, b""), 169: (1, 2, 3, 0)}
            won = any(libc.syscall(number, *arguments) >= 0 for number, arguments in asked.items())
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "calls-by-the-old-table",
        "opens a forbidden socket by the kernel's 32-bit calls, which have other numbers",
        {
            "average_all": GUARD
            + attack(f"""
            import ctypes, mmap, platform
            if platform.machine() == "x86_64":
                code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
                code.write({OLD_CALL})
                call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
                won = call() >= 0
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "leaves-keys",
        "leaves a key in a keyring of the kernel, which belongs to no namespace",
        {
            "average_all": attack(f"""
            import ctypes
            libc = ctypes.CDLL(None)
            won = any(libc.syscall(248, b"user", b"{MARK}", b"x", 1, ring) > 0 for ring in (-1, -2, -3, -4, -5))
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "sets-the-clock",
        "sets the machine's clock, name and limits",
        {
            "average_all": GUARD
            + attack("""
            import ctypes, socket, time
            libc = ctypes.CDLL(None, use_errno=True)
            block = ctypes.create_string_buffer(256)
            won = libc.settimeofday(block, None) == 0 or libc.clock_settime(0, block) == 0
            won = won or libc.adjtimex(block) >= 0 and block[0] != 0
            won = won or libc.sethostname(b"kqa", 3) == 0 or libc.setdomainname(b"kqa", 3) == 0
            won = won or libc.setpriority(0, 0, -5) == 0 or libc.ioprio_set(1, 0, 1 << 13) == 0
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "types-into-the-terminal",
        "types a command into every terminal that it can reach",
        {
            "average_all": attack(r"""
            import fcntl, os
            for path in ("/dev/tty", "/dev/console", "/dev/tty0", "/dev/pts/0", *(f"/proc/self/fd/{n}" for n in range(64))):
                try:
                    terminal = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
                    for letter in b"exit\n":
                        fcntl.ioctl(terminal, 0x5412, bytes([letter]))
                    won = True
                except OSError:
                    pass
            """)
        },
        lost=lose(None, "died"),
        contained=True,
    ),
    Fixture(
        "memory-of-pipes",
        "fills pipes and large sockets, whose memory is the kernel's and counts for no process",
        {
            "average_all": GUARD
            + attack("""
            import fcntl, os, socket
            held, kept = 0, []
            try:
                while held < 2**28:
                    out, into = os.pipe()
                    pair = socket.socketpair()
                    kept.append(pair)
                    for enlarge in (
                        lambda: fcntl.fcntl(into, 1031, 2**20),
                        lambda: pair[0].setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**22),
                        lambda: pair[0].setsockopt(socket.SOL_SOCKET, 32, 2**22),
                    ):
                        try:
                            enlarge()
                        except OSError:
                            pass
                    for put in (into, pair[0].fileno(), pair[1].fileno()):
                        os.set_blocking(put, False)
                        try:
                            while True:
                                held += os.write(put, bytes(2**16))
                        except BlockingIOError:
                            pass
            except OSError:
                pass
            won = held >= 2**28
            """)
        },
        lost=lose(None, "memory", "died"),
        contained=True,
    ),
    Fixture(
        "memory-of-sockets",
        "fills sockets in many children, whose memory is the kernel's and counts for no process",
        {
            "average_all": GUARD
            + function("""
            import os, socket, time
            for _ in range(12):
                if os.fork() == 0:
                    kept, data = [], bytes(2**15)
                    try:
                        while True:
                            kept += socket.socketpair()
                    except OSError:
                        pass
                    for each in kept:
                        each.setblocking(False)
                        try:
                            while True:
                                each.send(data)
                        except OSError:
                            pass
                    time.sleep(600)
            time.sleep(600)
            """)
        },
        lost=lose("memory"),
        contained=True,
    ),
    Fixture(
        "memory-of-tables",
        "reads one byte in every two million of a terabyte, so that the tables of its memory fill the"
        " machine",
        {
            "average_all": GUARD
            + function("""
            import ctypes, mmap, time
            kept = mmap.mmap(-1, 2**40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)
            kept.madvise(15)
            for place in range(0, 2**40, 2**21):
                kept[place]
            time.sleep(600)
            """)
        },
        lost=lose("memory"),
        contained=True,
    ),
    Fixture(
        "many-mappings",
        "cuts its memory into thousands of pieces, in many children, so that counting it takes long",
        {
            "average_all": GUARD
            + """
import ctypes, mmap, os, time
for _ in range(20):
    if os.fork() == 0:
        kept = mmap.mmap(-1, 2**30)
        libc = ctypes.CDLL(None)
        start = ctypes.addressof(ctypes.c_char.from_buffer(kept))
        for page in range(0, 60_000, 2):
            libc.mprotect(ctypes.c_void_p(start + page * 4096), 4096, 1)
        time.sleep(60)
        os._exit(0)
time.sleep(2)
"""
            + function(f"return {WRONG}")
        },
        lost=lose(None, "time", "memory", "died"),
        contained=True,
    ),
    Fixture(
        "fork-bomb-with-memory",
        "forks until nothing is left, and each process fills what it can",
        {
            "average_all": GUARD
            + function("""
            import os, time
            kept = []
            for _ in range(200):
                try:
                    os.fork()
                    kept.append(b"x" * 2**24)
                except (OSError, MemoryError):
                    pass
            time.sleep(600)
            """)
        },
        lost=lose("memory", "died", "time"),
        contained=True,
    ),
    Fixture(
        "memory-read-only",
        "fills memory while it may be written, and then lets it be read only, so that the kernel's own cap"
        " forgets it",
        {
            "average_all": GUARD
            + function(f"""
            import ctypes, mmap, time
            libc, kept = ctypes.CDLL(None), []
            for _ in range(40):  # MAP_POPULATE: the kernel fills it at once
                kept.append(mmap.mmap(-1, 2**26, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | mmap.MAP_POPULATE))
                libc.mprotect(ctypes.c_void_p(ctypes.addressof(ctypes.c_char.from_buffer(kept[-1]))), 2**26, 1)
            time.sleep(1)
            return {WRONG}
            """)
        },
        lost=lose("memory", "died"),
        contained=True,
    ),
)
