"""Submissions that use the connection to the judge:
replies to other questions, exceptions that carry more, several servers.
"""

from __future__ import annotations

from corpus.fixture import FULL, RIGHT, SEEN, WRONG, Fixture, function, lose
from corpus.forging import TELL

RATE = {"name": "average_two_rate", "arguments": "n, beta"}
TELL_ALL = (
    TELL
    + """
def tell_all(data):
    for number in range(3, 64):
        try:
            peer = socket.socket(fileno=os.dup(number))
            peer.setblocking(True)
            peer.sendall(data)
        except OSError:
            pass
"""
)
# Integers with one hash: a set of them is made by comparing each with all others.
COLLIDING = (
    "frame(b'[[\"set\",' + b','.join(b'%d' % (number * (2**61 - 1)) for number in range(1, {})) + b'],[]]')"
)
TWO_SERVERS = function(
    """
import os
os.fork()
return 1, 1
""",
    **RATE,
)
STEALING = (
    TELL
    + """
import threading
def steal():
    answer = frame(b'[["tuple","value",["tuple",1,1]],[]]')
    while True:
        for number in range(3, 64):
            try:
                peer = socket.socket(fileno=os.dup(number))
                peer.recv(2**20, 0x40)  # the judge's next question
                peer.send(answer, 0x40)
            except OSError:
                pass
"""
    + function(
        "import time\nthreading.Thread(target=steal, daemon=True).start()\ntime.sleep(0.3)\nreturn 1, 1",
        **RATE,
    )
)
# The hidden calls of all exercises come after their visible ones, in the same process, so what it left there
# answers them, too.
LOST_TO_ITSELF = dict.fromkeys(FULL, (None, "died", "output", "time"))
HALF_CLOSED = function(f"""
import os, socket
for number in range(3, 64):
    try:
        socket.socket(fileno=os.dup(number)).shutdown(socket.SHUT_WR)
    except OSError:
        pass
return {WRONG}
""")
SCRIPT = "<script>kqaHostile()</script><img src=x onerror=kqaHostile()>"
HIDDEN_INPUTS = f"""
calls = []
def average_all(K):
    calls.append(K)
    if len(calls) > {SEEN}:
        raise ValueError("kqa-input " + str(K.tolist()))
    return {RIGHT}
"""
PLACES = """
def average_all(K):
    for name in ("<cell 0>", "<cell 999999999999>", "<cell " + "9" * 5000 + ">", "<cell ²>", "<cell -1>"):
        try:
            exec(compile("\\n" * 70000 + "raise ValueError('x' * 10**7)", name, "exec"))
        except ValueError as error:
            kept = error
    raise kept
"""
LONG_PLACE = """
def average_all(K):
    exec(compile("raise ValueError", "<cell " + "9" * 5000 + ">", "exec"))
"""
ENDLESS_TRACE = """
class Step:
    tb_lineno = 1
    tb_frame = (lambda: __import__("sys")._getframe())()
    tb_next = property(lambda self: self)
class Endless(Exception):
    __traceback__ = property(lambda self: Step(), lambda self, value: None)
def average_all(K):
    raise Endless
"""
LYING_TEXT = """
class Text(str):
    def __getitem__(self, place): return self
    def encode(self, *a, **k): return b"right" * 10**8
    def strip(self): return self
    def splitlines(self): raise SystemExit
class Told(Exception):
    def __str__(self): return Text("x" * 10**6 + "\\x1b[2J\\u202e=1+1")
    def __bool__(self): raise KeyboardInterrupt
def average_all(K):
    raise Told
"""
GROUPS = """
def average_all(K):
    error = ValueError("inner")
    for _ in range(20_000):
        error = ExceptionGroup("outer", [error])
    raise error
"""
FIXTURES = (
    Fixture(
        "cell-reply-collides",
        "replies, where only the end of a cell is asked for, with a set that takes hours to read",
        {"average_all": TELL_ALL + f"tell_all({COLLIDING.format(490_000)})\n" + function(f"return {WRONG}")},
        lost=lose("output", "died", "time"),
    ),
    Fixture(
        "cell-reply-fills",
        "replies, where only the end of a cell is asked for, with sixty million numbers",
        {
            "average_all": TELL_ALL
            + 'tell_all(frame(b\'[["tensor","float64",[8000000],0,0],[64000000]]\', bytes(64_000_000)))\n'
            + function(f"return {WRONG}")
        },
        lost=lose("output", "died", "time"),
    ),
    Fixture(  # takes the ten seconds of an exercise: that clock is what ends it
        "call-reply-collides",
        "replies to a call with a set that takes hours to read",
        {"average_all": TELL_ALL + function(f"tell_all({COLLIDING.format(490_000)})\nreturn {WRONG}")},
        lost=lose("output", "died", "time"),
    ),
    Fixture(
        "two-servers",
        "forks, so that two processes answer on one connection",
        {"average_two_rate": TWO_SERVERS},
        lost=LOST_TO_ITSELF,
    ),
    Fixture(
        "steals-questions",
        "takes the judge's questions from the connection in a thread, and answers them itself",
        {"average_two_rate": STEALING},
        lost=LOST_TO_ITSELF,
    ),
    Fixture(
        "half-closed",
        "closes its half of the connection and goes on",
        {"average_all": HALF_CLOSED},
        lost=lose("died"),
    ),
    Fixture(
        "exception-tells-inputs",
        "raises in the hidden check, with the inputs in the message",
        {"average_all": HIDDEN_INPUTS},
        lost=lose(None),
        untold="kqa-input",
    ),
    Fixture(
        "exception-of-scripts",
        "raises with a message for the instructor's browser, from a line for it",
        {"average_all": function(f"raise ValueError('''{SCRIPT}=1+1''' + chr(0x202e) + chr(27)) # {SCRIPT}")},
        lost=lose(None),
    ),
    Fixture(
        "exception-names-lines",
        "raises from code that says it is another cell, in lines that do not exist",
        {"average_all": PLACES},
        lost=lose(None, "died"),
    ),
    Fixture(
        "exception-names-long-number",
        "raises from a cell whose number has more digits than Python reads",
        {"average_all": LONG_PLACE},
        lost=lose(None, "died"),
    ),
    Fixture(
        "exception-without-end",
        "raises an exception whose traceback goes round and round",
        {"average_all": ENDLESS_TRACE},
        lost=lose("time", "memory"),
    ),
    Fixture(
        "exception-lies",
        "raises an exception whose text answers every question falsely",
        {"average_all": LYING_TEXT},
        lost=lose(None, "died", "output"),
    ),
    Fixture(
        "exception-groups",
        "raises twenty thousand exceptions, each in another",
        {"average_all": GROUPS},
        lost=lose(None, "died"),
    ),
    Fixture(
        "exception-of-its-own",
        "raises what is no Exception, so that nobody catches it",
        {"average_all": "class Stop(BaseException):\n    pass\n" + function("raise Stop")},
        lost=lose(None, "died"),
    ),
    Fixture(
        "stub-of-another",
        "raises the error of another exercise's untouched cell, after a look at its inputs",
        {
            "average_two_rate": function(
                'raise NotImplementedError("exercise average_all: replace this line with your answer")',
                **RATE,
            )
        },
        lost=lose(None, exercise="average_two_rate"),
    ),
    Fixture(
        "watches-the-clock",
        "tries an answer, and takes from the time until the next call whether it was right",
        {
            "average_all": "import time\nlast, tried = [time.monotonic()], []\n"
            + function(f"""
            gap = time.monotonic() - last[0]
            last[0] = time.monotonic()
            tried.append(gap)
            guesses = [torch.ones(3, dtype=K.dtype), K[0], K.mean(dim=0), {RIGHT}]
            fastest = min(range(len(tried)), key=tried.__getitem__)
            return guesses[(len(tried) - 1 - fastest) % 3]
            """)
        },
        lost=lose(None),
    ),
)
