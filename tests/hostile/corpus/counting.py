"""Submissions that take memory or time which one way of counting misses: pages that only a submission's own
processes share, objects of the kernel, processes that are gone before anybody looks. And those that end their own process.
"""

from __future__ import annotations

from corpus.fixture import GUARD, RIGHT, WRONG, Fixture, attack, function, lose

SLEEP = "time.sleep(600)"
FILLED = "held = mmap.mmap(-1, 300 * 2**20, flags={})\nfor at in range(0, len(held), 4096): held[at] = 1\n"
PRIVATE = "mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS"


def takes(name: str, what: str, body: str, *incidents: str | None) -> Fixture:
    """Takes something without end in one call, and never answers rightly."""
    source = GUARD + function(f"import ctypes, mmap, os, signal, socket, threading, time\n{body}")
    return Fixture(name, what, {"average_all": source}, lost=lose(*incidents), contained=True)


def refused(name: str, what: str, body: str) -> Fixture:
    """Asks for something that the sandbox refuses."""
    source = attack(f"import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n{body}")
    return Fixture(name, what, {"average_all": source}, lost=lose(None, "died"), contained=True)


PAIRS = f"""
for _ in range(4):
    if os.fork() == 0:
        {FILLED.format(PRIVATE).replace(chr(10), chr(10) + "        ")}
        for _ in range({{}}):
            if os.fork() == 0: {SLEEP}
        {{}}
        {SLEEP}
{SLEEP}
"""
MEMORY = (
    takes("shared-by-pairs", "fills memory that only two of its children share, and gives up its own part", PAIRS.format(2, "del held; os._exit(0)"), "memory"),
    takes("shared-by-many", "fills memory that eight of its children share", PAIRS.format(8, "pass"), "memory"),
    takes(
        "shared-by-a-chain",
        "passes its memory on from parent to child, each of whom ends",
        "for _ in range(6):\n"
        "    if os.fork() == 0:\n"
        "        held = [b'x' * 2**20 for _ in range(150)]\n"
        "        for _ in range(5):\n"
        "            if os.fork(): os._exit(0)\n"
        f"        {SLEEP}\n{SLEEP}",
        "memory",
    ),
    takes("shared-mapping-of-children", "shares mappings with its children, and unmaps them itself", f"for _ in range(6):\n    {FILLED.format('mmap.MAP_SHARED | mmap.MAP_ANONYMOUS').replace(chr(10), chr(10) + '    ')}\n    if os.fork() == 0: {SLEEP}\n    held.close()\n{SLEEP}", "memory"),
    takes("shared-mapping-dropped", "fills shared mappings and tells the kernel that it does not need them", f"kept = []\nfor _ in range(6):\n    {FILLED.format('mmap.MAP_SHARED | mmap.MAP_ANONYMOUS').replace(chr(10), chr(10) + '    ')}\n    held.madvise(mmap.MADV_DONTNEED)\n    kept.append(held)\n{SLEEP}", "memory"),
    takes("memory-of-files-too", "fills the files that it may write, and its memory up to the limit beside them", "for folder in ('.', '/tmp', '/dev/shm'):\n    for number in range(9):\n        try:\n            open(f'{folder}/{number}', 'wb').write(bytes(25 * 2**20))\n        except OSError:\n            pass\nheld = []\nwhile True: held.append(b'x' * 2**20)", "memory", "died"),
    takes("sockets-in-flight", "sends sockets full of data over sockets, and closes them", "kept, data = [], bytes(2**16)\nfor _ in range(60):\n    if os.fork() == 0:\n        for _ in range(100):\n            a, b = socket.socketpair()\n            a.setblocking(False)\n            try:\n                while True: a.send(data)\n            except OSError:\n                pass\n            c, d = socket.socketpair()\n            try:\n                socket.send_fds(c, [b'x'], [a.fileno(), b.fileno()])\n            except OSError:\n                break\n            kept.append((c, d))\n            a.close(); b.close()\n        time.sleep(600)\ntime.sleep(600)", "memory", "time", "died"),
    takes("pipes-of-children", "fills a hundred pipes in each of its children", "for _ in range(50):\n    if os.fork() == 0:\n        for _ in range(100):\n            out, into = os.pipe()\n            os.set_blocking(into, False)\n            try:\n                while True: os.write(into, bytes(2**16))\n            except OSError:\n                pass\n        time.sleep(600)\ntime.sleep(600)", "memory", "time", "died"),
    takes("stacks", "lets threads fill their stacks", "threading.stack_size(64 * 2**20)\ndef deep(n): return [n] + deep(n - 1) if n else time.sleep(600)\nfor _ in range(40):\n    try:\n        threading.Thread(target=deep, args=(900,), daemon=True).start()\n    except RuntimeError:\n        pass\nheld = []\nwhile True: held.append(b'x' * 2**20)", "memory", "died", None),
    takes("memory-between-looks", "takes memory and gives it back, faster than anybody looks", "for _ in range(200):\n    held = bytearray(700 * 2**20)\n    for at in range(0, len(held), 4096): held[at] = 1\n    del held", "memory", "died"),
)  # fmt: skip
OBJECTS = (
    refused("semaphores", "makes System V semaphores, whose memory counts for no process", "won = any(libc.semget(0, 32000, 0o1600) >= 0 for _ in range(9))"),
    refused("message-queues", "fills System V message queues", "number = libc.msgget(0, 0o1600)\nwon = number >= 0"),
    refused("posix-message-queues", "makes POSIX message queues", "won = libc.mq_open(b'/kqa', 0o102, 0o600, None) >= 0 or libc.syscall(240, b'kqa', 0o102, 0o600, 0) >= 0"),
    refused("system-v-memory", "makes System V shared memory", "won = libc.shmget(0, 2**30, 0o1600) >= 0"),
    refused("files-of-memory", "makes files that are memory only", "won = libc.syscall(319, b'x', 0) >= 0 or libc.syscall(447, 0) >= 0"),
    refused("large-pages", "asks for large pages and locked memory", "import mmap\nfor flag in (0x40000, 0x2000):\n    try:\n        held = mmap.mmap(-1, 2**22, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | flag)\n        won = True\n    except OSError:\n        pass\nwon = won or libc.mlockall(3) == 0"),
)  # fmt: skip
TIME = (
    takes("children-compute", "waits for children who compute", "for _ in range(8):\n    if os.fork() == 0:\n        while True: pass\nos.wait()", "time"),
    takes("children-nobody-waits-for", "computes in short-lived children, of whom nobody hears when they end", "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\nwhile True:\n    if os.fork() == 0:\n        sum(range(10**6))\n        os._exit(0)\n    time.sleep(0.05)", "time"),
    takes("threads-compute", "computes in threads, while it waits", "import hashlib\ndef work():\n    data = bytes(2**24)\n    while True: hashlib.sha256(data).digest()\nfor _ in range(8): threading.Thread(target=work, daemon=True).start()\ntime.sleep(600)", "time"),
    takes("steps-back", "gives up the processor again and again", "os.nice(19)\nwhile True: os.sched_yield()", "time"),
    takes("sleeps-in-pieces", "sleeps a little, again and again", "while True: time.sleep(0.01)", "time"),
    takes("waits-for-itself", "waits for a lock that it holds", "lock = threading.Lock()\nlock.acquire()\nlock.acquire()", "time"),
    takes("waits-for-a-child", "waits for a child that stops itself", "child = os.fork()\nif child == 0:\n    os.kill(os.getpid(), signal.SIGSTOP)\nos.waitpid(child, 0)", "time"),
    takes("reads-a-pipe", "reads from a pipe into which nobody writes", "os.read(os.pipe()[0], 1)", "time"),
    Fixture("a-long-line", "prints one line of 50 MB, and is right", {"average_all": "print('x' * 50_000_000)\n" + function(f"return {RIGHT}")}),
    Fixture("many-lines", "prints five hundred thousand lines, and is right", {"average_all": "print('x\\n' * 500_000)\n" + function(f"return {RIGHT}")}),
    Fixture("a-busy-second", "computes for a second before it is right", {"average_all": "import time\nuntil = time.process_time() + 1.0\nwhile time.process_time() < until:\n    pass\n" + function(f"return {RIGHT}")}),
    Fixture("wrong-after-a-second", "sleeps for a second before it is wrong", {"average_all": "import time\ntime.sleep(1)\n" + function(f"return {WRONG}")}, lost=lose(None)),
)  # fmt: skip
ENDS = (
    Fixture(
        "exit-process",
        "ends the process with success when called",
        {"average_all": function("import os\nos._exit(0)")},
        lost=lose("died"),
    ),
    Fixture(
        "exit-quietly",
        "raises SystemExit(0) when called",
        {"average_all": function("import sys\nsys.exit(0)")},
        lost=lose(None),
    ),
    Fixture(
        "exit-in-cell",
        "raises SystemExit(0) in the cell, before anything is defined",
        {"average_all": "import sys\nsys.exit(0)\n" + function(f"return {RIGHT}")},
        lost=lose(None),
    ),
    Fixture(
        "exit-handler",
        "leaves a handler that speaks for it at the end, then ends",
        {
            "average_all": (
                "import atexit, os\natexit.register(lambda: os.write(1, b'right'))\n"
                + function("import os, sys\nos.kill(os.getpid(), 15)\nreturn None")
            )
        },
        lost=lose("died", None),  # as above
    ),
    Fixture(
        "crash",
        "reads address 0",
        {"average_all": function("import ctypes\nreturn ctypes.string_at(0)")},
        lost=lose("died"),
    ),
    Fixture(
        "recursion",
        "calls itself for ever",
        {"average_all": function("return average_all(K)")},
        lost=lose(None),
    ),
    Fixture(
        "native-stack",
        "overflows the stack of C code",
        {
            "average_all": function("""
            import sys
            sys.setrecursionlimit(10**8)
            nested = []
            for _ in range(10**6):
                nested = [nested]
            class Deep:
                def __repr__(self):
                    return repr([Deep()])
            return repr(Deep()) + repr(nested)
            """)
        },
        lost=lose("died", "memory", "time"),
    ),
    Fixture(
        "waits-for-input",
        "asks at the keyboard, in every way Python has",
        {
            "average_all": function("return input('your mark? ')"),
            "select_first": function("import getpass\nreturn getpass.getpass()", "select_first"),
            "average_two_rate": function("breakpoint()\nreturn 1, 1", "average_two_rate", "n, beta"),
        },
        lost=dict.fromkeys(("average_all", "select_first", "average_two_rate"), (None, "time", "died")),
    ),
)
FIXTURES = (*MEMORY, *OBJECTS, *TIME, *ENDS)
