"""Submissions that would hold up the class:
they stop publication, stay without a result, or fill the grader's own memory.
"""

from __future__ import annotations

from autograder.judge.results import Status
from corpus.fixture import GUARD, WRONG, Fixture, attack, function, lose

RATE = {"name": "average_two_rate", "arguments": "n, beta"}
ALL_LOST = dict.fromkeys(("average_all", "select_first", "average_two_rate"), ("budget", "died", "time"))
NAMES = {
    "half-a-character": r'"\ud800"',
    "escapes": r'"\x1b[2J\u202e=1+1\r\n<script>alert(1)</script>" + "x" * 10**6',
    "no-text": "3",
}
SIGNALS = """
import os, resource
for who in (0, os.getpid()):
    try:
        resource.prlimit(who, resource.RLIMIT_CPU, (0, 0))
    except (OSError, ValueError):
        pass
try:
    resource.setrlimit(resource.RLIMIT_CPU, (0, 0))
except (OSError, ValueError):
    pass
while True:
    pass
"""
SHARED = """
import mmap, time
kept = []
for _ in range(24):
    kept.append(mmap.mmap(-1, 2**26))
    for at in range(0, 2**26, 2**22):
        kept[-1][at : at + 2**22] = bytes(2**22)
    kept[-1].madvise(mmap.MADV_DONTNEED)
time.sleep(1)
"""
HIDDEN_MEMORY = """
import ctypes, mmap, os
libc, kept = ctypes.CDLL(None), []
libc.shmat.restype = ctypes.c_void_p
for number in range(40):
    try:
        descriptor = os.memfd_create("x")
        os.ftruncate(descriptor, 2**25)
        with mmap.mmap(descriptor, 2**25) as view:
            view[:] = bytes(2**25)
        kept.append(descriptor)
    except OSError:
        pass
    number = libc.shmget(0, 2**25, 0o1600)
    if number >= 0:
        ctypes.memset(libc.shmat(number, None, 0), 1, 2**25)
        kept.append(number)
won = len(kept) > 20
"""
BRACKETS = """
import json, os, socket
def average_all(K):
    body = b"[" * (15 * 2**20)
    body = len(body).to_bytes(4, "big") + body
    for number in range(3, 64):
        try:
            peer = socket.socket(fileno=os.dup(number))
            peer.setblocking(True)
            peer.sendall(len(body).to_bytes(4, "big") + body)
        except OSError:
            pass
    return 0
"""
EMPTY_LISTS = BRACKETS.replace('b"[" * (15 * 2**20)', 'b"[" + b"[]," * (5 * 2**20) + b"0]"')
FLOATS = {  # values of which the exponential would have 2**34 bits
    "huge-exponent": "sp.exp(sp.Float((0, 1, 2**34, 1)), evaluate=False)",
    "grown-exponent": "sp.exp(sp.Pow(sp.Float((0, 1, 2**16, 1)), 10**8, evaluate=False), evaluate=False)",
    "exponent-of-exponent": (
        "sp.exp(sp.exp(sp.exp(sp.Float(40), evaluate=False), evaluate=False), evaluate=False)"
    ),
}
FIXTURES = (
    *(
        Fixture(
            f"type-name-{name}",
            "returns an object whose class gives itself a name that no file or screen can hold",
            {
                "average_all": (
                    f"class Meta(type):\n"
                    f"    __name__ = property(lambda c: {text})\n"
                    "class Odd(metaclass=Meta):\n"
                    "    pass\n" + function("return Odd()")
                )
            },
            lost=lose(),
        )
        for name, text in NAMES.items()
    ),
    Fixture(
        "class-named-in-type",
        "returns an object whose class was made with such a name",
        {"average_all": function(r"return type('a\x1b[31m\u202e' * 50, (), {})()")},
        lost=lose(),
    ),
    Fixture(
        "text-of-half-characters",
        "returns a text that no file can hold",
        {"average_all": function(r"return '\ud800\x1b[2J\u202e' * 10000")},
        lost=lose(),
    ),
    Fixture(
        "killed-by-its-own-limit",
        "lowers its limit of processor time, so that the kernel kills the first process of its namespace",
        {"average_all": GUARD + function(SIGNALS)},
        lost=lose("time", "died"),
        contained=True,
    ),
    Fixture(
        "restarts-for-ever",
        "has one slow answer cell, and many cells of its own that end the process, so that it runs again and"
        " again",
        {"average_all": "import time\ntime.sleep(1)\n" + function(f"return {WRONG}")},
        after=("import os\nos._exit(0)",) * 60,
        lost=ALL_LOST,
    ),
    Fixture(
        "quadratic-cell",
        "has a cell of its own on which Python's parser works for minutes",
        after=('f"' + "{x}" * 340_000 + '"',),
        status=Status.REFUSED,
    ),
    Fixture(
        "quadratic-answer",
        "has an answer on which Python's parser works for minutes",
        {"average_all": 'f"' + "{x}" * 300_000 + '"'},
        status=Status.REFUSED,
    ),
    *(
        Fixture(
            name,
            "returns a number that would fill the memory of the one who evaluates it",
            {"average_two_rate": function(f"return {text}, beta", **RATE)},
            lost=lose(None, "time", "memory", "output", exercise="average_two_rate"),
        )
        for name, text in FLOATS.items()
    ),
    Fixture(
        "huge-integers",
        "returns integers with more digits than Python prints",
        {"average_two_rate": function("return 10**15000, 10**15000", **RATE)},
        lost=lose("output", exercise="average_two_rate"),
    ),
    Fixture(
        "long-integers",
        "returns the largest integers that are values",
        {"average_two_rate": function("return 2**13999, -(2**13999)", **RATE)},
        lost=lose(exercise="average_two_rate"),
    ),
    Fixture(
        "empty-sides",
        "returns an array without elements, whose list would have 33 million parts",
        {"average_all": function("return torch.empty(2**25, 0)")},
        lost=lose("output"),
    ),
    Fixture(
        "brackets",
        "sends a reply of nested brackets",
        {"average_all": BRACKETS},
        lost=lose("output", "died", "time"),
    ),
    Fixture(
        "empty-lists",
        "sends a reply of five million lists",
        {"average_all": EMPTY_LISTS},
        lost=lose("output", "died", "time"),
    ),
    Fixture(
        "shared-memory",
        "holds shared memory that is resident in no process",
        {"average_all": GUARD + attack(SHARED + "won = True")},
        lost=lose("memory", "died"),
        contained=True,
    ),
    Fixture(
        "hidden-memory",
        "holds memory that is mapped in no process",
        {"average_all": GUARD + attack(HIDDEN_MEMORY)},
        lost=lose(None, "memory"),
        contained=True,
    ),
)
