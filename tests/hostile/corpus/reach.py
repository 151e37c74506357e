"""Submissions that reach for what is not theirs:
network, gradebook, keys, classmates, other processes, the next submission.
"""

from __future__ import annotations

from hostile_course import MARK, NAME, SYSV_KEY

from corpus.fixture import GUARD, Fixture, attack, function, lose

OPENED = """
import glob, os
for pattern in PATTERNS:
    for path in glob.glob(pattern, recursive=False) or [pattern]:
        try:
            won = won or (len(open(path, "rb").read(64)) > 0)
        except OSError:
            pass
"""


def reads(*patterns: str) -> str:
    """An attack that wins if any of these files opens."""
    return attack(OPENED.replace("PATTERNS", repr(patterns)))


NETWORK = (
    Fixture(
        "network-loopback",
        "connects to a service on this machine",
        {
            "average_all": attack(
                "import socket\nsocket.create_connection(('127.0.0.1', {PORT}), 1)\nwon = True"
            )
        },
        lost=lose(None, "died"),
    ),
    Fixture(
        "network-udp",
        "sends a datagram, and looks up a name whose letters carry a message",
        {
            "average_all": attack("""
            import socket
            peer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            peer.connect(("127.0.0.1", {PORT}))
            peer.send(b"the inputs were ...")
            won = True
            """)
        },
        lost=lose(None, "died"),
    ),
    Fixture(
        "abstract-socket",
        "connects to an abstract unix socket, which no file permission guards",
        {
            "average_all": attack(
                "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('\\0{SOCKET}')\nwon = True"
            )
        },
        lost=lose(None, "died"),
    ),
    Fixture(
        "shell-network",
        "goes out by the shell",
        {
            "average_all": "%%bash\nexec 3<>/dev/tcp/127.0.0.1/{PORT} && echo reached > reached\n",
            "select_first": (
                "import os\n"
                + function(
                    "return torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype)) if"
                    " os.path.exists('reached') else K[0]",
                    "select_first",
                )
            ),
        },
        lost={"average_all": (None,), "select_first": (None,)},
    ),
)
FILES = (
    Fixture(
        "reads-gradebook",
        "opens the gradebook, the course's key and the ledger by their full paths",
        {"average_all": reads("{COURSE}/gradebook.db", "{COURSE}/.course_key", "{COURSE}/judged/*")},
        lost=lose(None),
    ),
    Fixture(
        "writes-gradebook",
        "gives itself marks in the gradebook",
        {
            "average_all": attack("""
            import sqlite3
            book = sqlite3.connect("file:{COURSE}/gradebook.db?mode=rw", uri=True)
            for table, column in (("grade", "manual_score"), ("grade", "auto_score")):
                book.execute(f"UPDATE {table} SET {column} = 100")
            book.commit()
            won = True
            """)
        },
        lost=lose(None),
        contained=True,
    ),
    Fixture(
        "climbs",
        "climbs out of its directory",
        {
            "average_all": reads(
                *(("../" * n) + "gradebook.db" for n in range(1, 12)), "../" * 20 + "{COURSE}/gradebook.db"
            )
        },
        lost=lose(None),
    ),
    Fixture(
        "reads-solutions",
        "opens the instructor's notebook, which holds the solutions",
        {"average_all": reads(f"{{COURSE}}/source/{NAME}/{NAME}.ipynb", "{REPO}/notebooks/source/*/*.ipynb")},
        lost=lose(None),
    ),
    Fixture(
        "reads-classmates",
        "opens what others handed in",
        {
            "average_all": reads(
                "{COURSE}/received/*/*/*", "{COURSE}/submitted/*/*/*.ipynb", "{COURSE}/autograded/*/*/*"
            )
        },
        lost=lose(None),
    ),
    Fixture(
        "reads-proc",
        "looks round by /proc: other roots, working directories and environments",
        {
            "average_all": reads(
                *(
                    "/proc/[0-9]*/root/{COURSE}/gradebook.db",
                    "/proc/[0-9]*/cwd/gradebook.db",
                    "/proc/[0-9]*/cwd/pyproject.toml",
                ),
                *(
                    "/proc/1/environ",
                    "/proc/[0-9]*/fd/*/../gradebook.db",
                    "/proc/self/root/{COURSE}/.course_key",
                ),
            )
        },
        lost=lose(None),
        contained=True,
    ),
    Fixture(
        "reads-repository",
        "opens the answer keys, the history and its objects",
        {
            "average_all": reads(
                *(
                    "{REPO}/notebooks/keys/01_attention_as_a_lookup/average_all.py",
                    "{REPO}/.git/HEAD",
                    "{REPO}/.git/objects/pack/*.idx",
                ),
                *("{REPO}/tests/autograder/keys/NN_name/judged_keys.py", "{REPO}/pyproject.toml"),
            )
        },
        lost=lose(None),
    ),
    Fixture(
        "imports-keys",
        "imports the answer keys, past whatever stops an import",
        {
            "average_all": attack("""
            import importlib, os, sys, kqa_core
            for name in [name for name in sys.modules if name.startswith("autograder")]:
                del sys.modules[name]
            sys.meta_path[:] = [each for each in sys.meta_path if "Path" in getattr(each, "__name__", "")]
            sys.path[:0] = ["{REPO}", os.path.dirname(os.path.dirname(kqa_core.__file__)), *sys.path_importer_cache]
            won = importlib.import_module("course_keys.average_all").KEY is not None
            """)
        },
        lost=lose(None),
    ),
    Fixture(
        "finds-compiled-keys",
        "looks for an answer key in every place that Python code is kept",
        {
            "average_all": attack("""
            import os, sys
            for start in {*sys.path, sys.prefix, "{REPO}", "/usr/lib/python3", "/usr/local/lib"}:
                for folder, inner, names in os.walk(start):
                    if os.path.basename(folder) == "exercises" and "autograder" in folder:
                        won = True
                    inner[:] = [name for name in inner if name not in ("torch", "sympy", "numpy", "node_modules")]
            """)
        },
        lost=lose(None, "time"),
    ),
    Fixture(
        "open-files",
        "reads and writes every file descriptor it was born with",
        {
            "average_all": attack("""
            import os, stat
            for number in range(0, 256):
                try:
                    mode = os.fstat(number).st_mode
                    won = won or stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and os.lseek(number, 0, 2) > 0)
                except OSError:
                    pass
            """)
        },
        lost=lose(None),
    ),
    Fixture(
        "environment",
        "looks for secrets in the environment it was given",
        {
            "average_all": attack(
                "import os\nwon = any('KQA_HOSTILE' in name for name in os.environ) or len(os.environ) > 25"
            )
        },
        lost=lose(None),
    ),
)
SPOIL = f"""
import builtins, math, os, random, sys, sympy, torch
os.environ["KQA_LEFT"] = "1"
os.putenv("KQA_LEFT", "1")
for module in (builtins, math, random, sympy, torch):
    module.kqa_left = True
torch.set_default_dtype(torch.float64)
torch.zeros = torch.ones
builtins.sum = lambda *a: 42
sympy.simplify = lambda *a, **k: 7
sys.path.insert(0, "/tmp/{MARK}")
for place in (".", os.path.expanduser("~"), "/tmp", "/dev/shm", "/var/tmp", "/run"):
    try:
        open(os.path.join(place, "{MARK}.py"), "w").write("kqa_left = True")
    except OSError:
        pass
"""
LEFTOVERS = (
    Fixture(
        "leaves-files",
        "spoils modules and leaves files wherever it can",
        before=(GUARD + SPOIL,),
        lost=lose(None),
        contained=True,
    ),
    Fixture(
        "leaves-shared-memory",
        "leaves shared memory, message queues and an abstract socket",
        before=(
            f"""
import ctypes, socket, multiprocessing.shared_memory as shm
try:
    kept = shm.SharedMemory("{MARK}", create=True, size=64)
except OSError:
    pass
libc = ctypes.CDLL(None)
libc.shmget({SYSV_KEY}, 64, 0o1666)
libc.mq_open(b"/{MARK}", 0o102, 0o666, None) if hasattr(libc, "mq_open") else None
s = socket.socket(socket.AF_UNIX)
s.bind("\\0{MARK}")
s.listen()
""",
        ),
        contained=True,
    ),
    Fixture(
        "leaves-process",
        "leaves a process in a session of its own that outlives it",
        before=(
            f"""
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        try:
            os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(300)", "{MARK}"])
        finally:
            os._exit(0)
    os._exit(0)
os.wait()
""",
        ),
        contained=True,
    ),
    Fixture(
        "spoils-library",
        "writes into the installed libraries",
        {
            "average_all": attack(f"""
            import os, kqa_core, torch, sympy
            for module in (kqa_core, torch, sympy):
                with open(os.path.join(os.path.dirname(module.__file__), "{MARK}.py"), "w") as file:
                    file.write("#")
                os.remove(file.name)
                won = True
            """)
        },
        lost=lose(None),
        contained=True,
    ),
)
FIXTURES = (*NETWORK, *FILES, *LEFTOVERS)
