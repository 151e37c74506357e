"""Submissions that carry what a hidden check asked to a place where text is shown.

The visible check calls `average_all` SEEN times. What a fixture sees after that are hidden inputs: it keeps
them where they may last, and the next exercise tells them. In a hidden check of its own it then tells them as
well, so it is never right there.
"""

from __future__ import annotations

from corpus.fixture import RIGHT, SEEN, Fixture, function, lose

TOLD = "kqa-input"
SELECTS = "torch.linalg.solve(K[0] - K[1:], torch.full((3,), 15.0, dtype=K.dtype))"
TEXT = "str(K.flatten().tolist())[:200]"

# where the inputs are kept: what to prepare, how to keep `text`, and how to find it again
PLACES = {
    "a-builtin": ("import builtins", "builtins.kqa = text", "builtins.kqa"),
    "a-module": ("", "torch.nn.kqa = text", "torch.nn.kqa"),
    "a-class": ("", "torch.Tensor.kqa = text", "torch.Tensor.kqa"),
    "a-default": ("def keep(text, kept=[]):\n    kept.append(text)", "keep(text)", "keep.__defaults__[0][0]"),
    "the-library": ("import kqa_core.check.codec as c", "c.kqa = text", "c.kqa"),
    "the-environment": ("import os", "os.environ['KQA_INPUT'] = text", "os.environ['KQA_INPUT']"),
    "its-home": ("import os", "open(os.path.expanduser('~/kqa'), 'w').write(text)", "open('kqa').read()"),
    "the-temporary-folder": (
        "import tempfile",
        "open(tempfile.gettempdir() + '/kqa', 'w').write(text)",
        "open(tempfile.gettempdir() + '/kqa').read()",
    ),
    "shared-memory": ("", "open('/dev/shm/kqa', 'w').write(text)", "open('/dev/shm/kqa').read()"),
    "a-file-name": (
        "import os",
        "open(text.replace('/', '_'), 'w')",
        "max(os.listdir('.'), key=len) if any('[' in name for name in os.listdir('.')) else missing",
    ),
    "the-names-of-the-shell": ("", "get_ipython().user_ns['kqa'] = text", "get_ipython().user_ns['kqa']"),
    "a-thread": (
        "import queue\nkept = queue.Queue()",
        "import threading; threading.Thread(target=kept.put, args=(text,)).start()",
        "kept.get(timeout=0.2)",
    ),
    "a-pipe": ("import os\nout, into = os.pipe()\nos.set_blocking(out, False)", "os.write(into, text.encode())", "os.read(out, 4096).decode()"),
    "a-mapping": ("import mmap\nkept = mmap.mmap(-1, 4096)", "kept[:200] = text.encode().ljust(200)", "(lambda t: t if t.strip('\\0') else missing)(kept[:200].decode())"),
    "a-child": (
        "import os, socket\nmine, theirs = socket.socketpair()\nif os.fork() == 0:\n    kept = theirs.recv(4096)\n    theirs.send(kept)\n    os._exit(0)\nmine.settimeout(0.2)",
        "mine.send(text.encode())",
        "mine.recv(4096).decode()",
    ),
    "a-socket": (
        "import socket\nkept = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)\nkept.bind('\\0kqa-kept')\nkept.setblocking(False)",
        "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(text.encode(), 64, '\\0kqa-kept')",
        "kept.recv(4096).decode()",
    ),
    "the-collector": ("import gc", "gc.callbacks.append(lambda a=0, b=0, c=0, t=text: t)", "gc.callbacks[-1].__defaults__[3]"),
    "the-excepthook": ("import sys", "sys.excepthook = lambda a=0, b=0, c=0, t=text: t", "sys.excepthook.__defaults__[3]"),
    "the-lines-of-source": ("import linecache", "linecache.cache['kqa'] = (1, None, [text], 'kqa')", "linecache.cache['kqa'][2][0]"),
    "the-symbols": ("", "sp.Symbol.kqa = sp.Symbol(text)", "str(sp.Symbol.kqa)"),
    "a-signal": ("import signal", "signal.signal(signal.SIGUSR1, lambda a=0, b=0, c=0, t=text: t)", "signal.getsignal(signal.SIGUSR1).__defaults__[3]"),
    "warnings": ("import warnings", "warnings.filters.append(text)", "next(each for each in warnings.filters if isinstance(each, str))"),
}  # fmt: skip


def kept(place: str) -> Fixture:
    """Keep the inputs in a place, and tell them from the next exercise."""
    prepare, keep, found = PLACES[place]
    first = f"{prepare}\ncalls = []\n" + function(
        f"calls.append(K)\nif len(calls) > {SEEN}:\n    text = {TEXT}\n"
        f"    try:\n        {keep}\n    except OSError:\n        pass\nreturn {RIGHT}"
    )
    tells = (
        f"told = None\ntry:\n    told = {found}\nexcept Exception:\n    pass\n"
        f"if told:\n    raise ValueError('{TOLD} ' + told)\nreturn {SELECTS}"
    )
    return Fixture(
        f"kept-in-{place}",
        f"keeps hidden inputs in {place.replace('-', ' ')}, and raises them in the next exercise",
        {"average_all": first, "select_first": function(tells, "select_first")},
        lost=lose(None, exercise="select_first"),
        untold=TOLD,
    )


def hides(name: str, what: str, body: str, untold: str, *incidents: str | None, setup: str = "") -> Fixture:
    """Tell a bit of the input in the hidden check itself: `odd` and `number` are drawn from it."""
    source = f"{setup}calls = []\n" + function(
        f"calls.append(K)\nnumber = int(K.double().abs().sum() * 1e6)\nodd = number % 2 == 1\n"
        f"if len(calls) > {SEEN}:\n"
        + "\n".join(f"    {line}" for line in body.splitlines())
        + f"\nreturn {RIGHT}"
    )
    return Fixture(
        f"tells-by-{name}", what, {"average_all": source}, lost=lose(*(incidents or (None,))), untold=untold
    )


LINES = "".join(f"if number % 100 == {n}: raise ValueError\n" for n in range(100))
KINDS = "KeyError IndexError OSError ZeroDivisionError TypeError AttributeError RuntimeError LookupError"
TELLING = (
    hides("message", "raises with the input in the message", f"raise ValueError('{TOLD} ' + {TEXT})", TOLD),
    hides("line", "raises from a line that says what the input is", LINES, "of its cell"),
    hides(
        "kind",
        "raises a kind of exception that says what the input is",
        f"raise ({', '.join(KINDS.split())})[number % 8]",
        "Error",
    ),
    hides(
        "own-kind",
        "raises a class of its own whose name is the input",
        f"raise type('{TOLD}' + str(number), (Exception,), {{}})",
        TOLD,
    ),
    hides("cause", "raises from an exception that holds the input", f"raise ValueError from KeyError('{TOLD}')", TOLD),
    hides("note", "adds a note with the input to its exception", f"error = ValueError()\nerror.add_note('{TOLD}')\nraise error", TOLD),
    hides("group", "raises a group of exceptions with the input", f"raise ExceptionGroup('{TOLD}', [ValueError('{TOLD}')])", TOLD),
    hides("exit-text", "exits with the input as its message", f"raise SystemExit('{TOLD}')", TOLD),
    hides("shape", "returns a shape that says what the input is", "return torch.ones(77_000 + number % 7, dtype=K.dtype)", "calls"),
    hides("type", "returns an object whose class is named after the input", f"return type('{TOLD}', (), {{}})()", TOLD),
    hides("text", "returns the input as text", f"return '{TOLD}' + {TEXT}", TOLD),
    hides("stub", "raises what an untouched cell of another exercise raises", "raise NotImplementedError('exercise kqa-input: replace this line with your answer')", TOLD),
    hides("sleep", "sleeps where the input is odd, and ends the process where it is not", "import os, time\nif odd: time.sleep(9)\nos._exit(1)", "process that ran", "time", "died"),
    hides("memory", "takes too much memory", "x = [b'x' * 2**24 for _ in range(99)]", "memory than", "memory", "died"),
    hides("size", "returns more than may be returned", "return 'x' * 10**8", "too large", "output", "memory"),
    hides("recursion", "calls itself for ever", "return average_all(K)", "Recursion", None, "died"),
    hides("nan", "returns nan where the input is odd, else infinity", "return K[0] * float('nan' if odd else 'inf')", "calls"),
    hides("cell", "replaces the source of its cell by the input, for the line that is shown", "raise ValueError", "of its cell", setup="import linecache\n"),
    hides("display", "has an exception whose text is made when it is looked at", f"class Odd(ValueError):\n    __str__ = lambda self: '{TOLD}'\nraise Odd", TOLD),
)  # fmt: skip
RESTARTED = Fixture(
    "kept-over-a-restart",
    "leaves the inputs with a child and in files, ends its process, and looks for them when its cells run again",
    {
        "average_all": "calls = []\n"
        + function(
            f"calls.append(K)\nif len(calls) > {SEEN}:\n"
            "    import os, time\n"
            "    for place in ('kqa', '/tmp/kqa', '/dev/shm/kqa', '/var/tmp/kqa', '/run/kqa'):\n"
            "        try:\n            open(place, 'w').write('x')\n        except OSError:\n            pass\n"
            "    if os.fork() == 0:\n        os.setsid()\n        time.sleep(60)\n"
            f"    os._exit(0)\nreturn {RIGHT}"
        ),
        "select_first": "import os\nif any(os.path.exists(place) for place in ('kqa', '/tmp/kqa', '/dev/shm/kqa')):\n"
        f"    raise ValueError('{TOLD}')\n" + function(f"return {SELECTS}", "select_first"),
    },
    lost=lose("died"),
    untold=TOLD,
)
BY_PARTS = Fixture(
    "tells-by-parts",
    "has one part right or the other, as a hidden input says",
    {
        "average_two_rate": function(
            "good = (n - 2) * sp.exp(-beta) / 4, (n - 2) * sp.exp(-2 * beta) / 4\n"
            "if n in (3, 5):\n    return good\nreturn (good[0], 0) if n % 2 else (0, good[1])",
            "average_two_rate",
            "n, beta",
        )
    },
    lost=lose(None, exercise="average_two_rate"),
)
TABLE = """
import builtins
if not hasattr(builtins, 'kqa_table'):
    builtins.kqa_table = {}
"""
LEARNS = Fixture(
    "learns-a-table",
    "keeps each hidden input with its answer, and answers only what it has seen",
    {
        "select_first": TABLE
        + "calls = []\n"
        + function(
            "calls.append(K)\nkey = tuple(K.flatten().tolist())\n"
            f"if len(calls) <= {SEEN}:\n    kqa_table[key] = {SELECTS}\n"
            "return kqa_table.get(key, torch.ones(3, dtype=K.dtype))",
            "select_first",
        )
    },
    lost=lose(None, exercise="select_first"),
)
FIXTURES = (*map(kept, PLACES), *TELLING, RESTARTED, BY_PARTS, LEARNS)
