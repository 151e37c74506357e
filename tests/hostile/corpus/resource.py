"""Submissions that take what they should not:
time, memory, processes, disk, output.
"""

from __future__ import annotations

from corpus.fixture import GUARD, RIGHT, WRONG, Fixture, attack, function, lose

ENDLESS = "while True:\n    pass\n"
STUBBORN = """
import signal
for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
def average_all(K):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
"""
LOOPS = (
    Fixture(
        "endless-function",
        "loops for ever when called",
        {"average_all": function(ENDLESS)},
        lost=lose("time"),
    ),
    Fixture(
        "endless-cell",
        "loops for ever while the solution cell runs",
        {"average_all": ENDLESS},
        lost=lose("time"),
    ),
    Fixture(
        "endless-own-cell",
        "loops for ever in a cell of the student's own, on which nothing rests",
        before=(ENDLESS,),
    ),
    Fixture(
        "sleeper",
        "sleeps instead of computing",
        {"average_all": function("import time\ntime.sleep(10 ** 6)")},
        lost=lose("time"),
    ),
    Fixture(
        "ignored-interrupt",
        "ignores every signal and catches every exception",
        {"average_all": STUBBORN},
        lost=lose("time"),
    ),
    Fixture(
        "hung-in-c",
        "hangs inside one C call that holds the interpreter's lock",
        {"average_all": function("import re\nre.match(r'(a+)+$', 'a' * 64 + 'b')")},
        lost=lose("time"),
    ),
    Fixture(
        "stopped",
        "stops its own process with SIGSTOP",
        {"average_all": function("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")},
        lost=lose("time", "died", None),  # the first process of a namespace may ignore it
    ),
    Fixture(
        "slow-expression",
        "returns an expression on which a computer algebra system would work for ever",
        {
            "average_two_rate": function(
                "x = beta\n"
                "for _ in range(40):\n"
                "    x = sp.sin(sp.exp(x) + sp.log(1 + x**2)) ** sp.pi\n"
                "return x, x",
                "average_two_rate",
                "n, beta",
            )
        },
        lost=lose(None, "time", "output", exercise="average_two_rate"),
    ),
    Fixture(
        "huge-power",
        "returns a power whose digits would fill the memory of the one who evaluates it",
        {
            "average_two_rate": function(
                "x = sp.Pow(sp.Integer(10), sp.Pow(10, 10, evaluate=False), evaluate=False)\nreturn x *"
                " sp.exp(-beta), x",
                "average_two_rate",
                "n, beta",
            )
        },
        lost=lose(None, "time", "output", exercise="average_two_rate"),
    ),
)
MEMORY = (
    Fixture(
        "memory-list",
        "fills the memory, bytes by bytes",
        {"average_all": function("kept = []\nwhile True:\n    kept.append(b'x' * 10**6)")},
        lost=lose("memory", "died"),
    ),
    Fixture(
        "memory-array",
        "asks for one array of 4 GiB and writes into all of it",
        {"average_all": function(f"import numpy\nkept = numpy.ones(2**29)\nreturn {WRONG}")},
        lost=lose("memory", "died", None),
    ),
    Fixture(
        "memory-files",
        "fills every file system in memory it can write to",
        {
            "average_all": GUARD
            + attack("""
            import os
            for place in ("/dev/shm", "/tmp", os.path.expanduser("~"), "/run", "/var/tmp"):
                for number in range(400):
                    try:
                        with open(f"{place}/kqa-left-{number}", "wb") as file:
                            for _ in range(16):
                                file.write(b"x" * 2**20)
                    except OSError:
                        break
            """)
        },
        lost=lose(None, "memory", "died", "time"),
        contained=True,
    ),
    Fixture(
        "memory-children",
        "spreads its memory over children",
        {
            "average_all": GUARD
            + function(f"""
            import os, time
            for _ in range(30):
                if os.fork() == 0:
                    kept = bytes(1) * 60_000_000 + b"x" * 60_000_000
                    time.sleep(60)
                    os._exit(0)
            time.sleep(1.5)
            return {WRONG}
            """)
        },
        lost=lose(None, "memory", "died", "time"),
        contained=True,
    ),
)
PROCESSES = (
    Fixture(
        "fork-bomb",
        "forks until nothing is left",
        {
            "average_all": GUARD
            + function(f"""
            import os
            for _ in range(20_000):
                try:
                    os.fork()
                except OSError:
                    pass
            return {WRONG}
            """)
        },
        lost=lose(None, "time", "memory", "died"),
        contained=True,
    ),
    Fixture(
        "threads",
        "starts thousands of threads that never end",
        {
            "average_all": GUARD
            + attack("""
            import threading, time
            for _ in range(20_000):
                threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
            """)
        },
        lost=lose(None, "time", "memory", "died"),
        contained=True,
    ),
    Fixture(
        "kill-all",
        "kills every process it can name",
        {
            "average_all": GUARD
            + attack("""
            import os, signal
            for number in (-1, 0, os.getppid(), 1, *range(2, 3000)):
                if number != os.getpid():
                    try:
                        os.kill(number, signal.SIGKILL)
                    except OSError:
                        pass
            """)
        },
        lost=lose(None, "died", "time"),
        contained=True,
    ),
    Fixture(
        "kill-parent",
        "kills its parent, again in every exercise",
        {
            name: GUARD + source
            for name, source in {
                "average_all": attack("import os\nos.kill(os.getppid(), 9)"),
                "select_first": function("import os\nos.kill(os.getppid(), 9)\nreturn K[0]", "select_first"),
            }.items()
        },
        lost={"average_all": (None, "died"), "select_first": (None, "died")},
        contained=True,
    ),
)
OUTPUT = (
    Fixture(
        "output-flood",
        "writes 200 MB to every stream, and is right: what is printed costs nothing and reaches nobody",
        {
            "average_all": function(f"""
            import os, sys
            block = "x" * 10**6 + "\\n"
            for _ in range(50):
                print(block)
                sys.stderr.write(block)
                for stream in (1, 2):
                    try:
                        os.write(stream, block.encode())
                    except OSError:
                        pass
            return {RIGHT}
            """)
        },
    ),
    Fixture(
        "one-long-line",
        "prints one line of 5 MB, and is right",
        {"average_all": function(f"print('x' * 5_000_000)\nreturn {RIGHT}")},
    ),
    Fixture(
        "long-text",
        "returns one line of 50 MB",
        {"average_all": function("return 'x' * 50_000_000")},
        lost=lose("output", "memory"),
    ),
    Fixture(
        "many-parts",
        "returns a list of three million numbers",
        {"average_all": function("return list(range(3_000_000))")},
        lost=lose("output"),
    ),
    Fixture(
        "claims-more-than-it-holds",
        "returns one number expanded to a tensor of a million million",
        {"average_all": function("return torch.zeros(1).expand(10**12)")},
        lost=lose("output"),
    ),
    Fixture(
        "disk",
        "writes until the disk is full",
        {
            "average_all": GUARD
            + attack("""
            for number in range(10_000):
                with open(f"kqa-left-{number}", "wb") as file:
                    file.write(b"x" * 2**24)
            """)
        },
        lost=lose(None, "memory", "died", "time"),
        contained=True,
    ),
    Fixture(
        "one-big-file",
        "makes one sparse file of a terabyte",
        {"average_all": attack("open('kqa-left', 'wb').truncate(2**40)\nwon = True")},
        lost=lose(None, "died"),
    ),
    Fixture(
        "inodes",
        "makes empty files until there are no more",
        {
            "average_all": GUARD
            + attack("""
            for number in range(10**6):
                open(f"kqa-left-{number}", "w").close()
            """)
        },
        lost=lose(None, "memory", "died", "time"),
        contained=True,
    ),
)
FIXTURES = (*LOOPS, *MEMORY, *PROCESSES, *OUTPUT)
