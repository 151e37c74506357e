"""Submissions that speak for the judge: forged verdicts and replies,
a tampered runner, IPython's hooks and magics, edited metadata and cells.
"""

from __future__ import annotations

from typing import Any

from hostile_course import code, set_source

from corpus.fixture import RIGHT, WRONG, Fixture, function, lose

TELL = """
import json, os, socket
def tell(data):
    for number in range(0, 64):
        for send in (lambda: os.write(number, data), lambda: socket.socket(fileno=os.dup(number)).send(data, 0x40)):
            try:
                send()
            except OSError:
                pass
def frame(text, blobs=b""):
    body = len(text).to_bytes(4, "big") + text + blobs
    return len(body).to_bytes(4, "big") + body
"""
VERDICTS = TELL + function(f"""
for line in (b'{{"outcome": "right", "marks": 1}}\\n', b"right\\n1/1\\n", b"\\x00ok\\n", b"<nbgrader>1.0</nbgrader>"):
    tell(line)
    print(line)
return {WRONG}
""")
REPLIES = (
    TELL
    + """
right = frame(b'[["tuple","value",["tensor","float64",[3],0,0]],[24]]', bytes(24))
tell(right * 40)  # before anything was asked
"""
    + function(f"tell(right * 40)\nreturn {WRONG}")
)
GARBAGE = {
    "huge-length": "b'\\xff\\xff\\xff\\xff' + b'x' * 1000",
    "garbage": "bytes(range(256)) * 64",
    "truncated": "b'\\x00\\x00\\x10\\x00half a frame'",
    "odd-values": (
        """frame(b'[["tuple","value",["tensor","float64",[4611686018427387904],0,0]],[8]]', bytes(8))"""
    ),
    "deep-json": "frame(b'[' * 200000)",
}
BOMB = TELL + function(
    "tell(b'')\n"
    "text = b'[' + b'[],' * 31_000_000 + b'0]'\n"
    "for number in range(3, 64):\n"
    "    try:\n"
    "        s = socket.socket(fileno=os.dup(number))\n"
    "        s.setblocking(True)\n"
    "        s.sendall(frame(text))\n"
    "    except OSError:\n"
    "        pass\n"
    "return 0"
)
TRICKLE = function("""
import os, socket, time
for number in range(3, 64):
    try:
        peer = socket.socket(fileno=os.dup(number))
        peer.send(b"\\x00\\x00\\x40\\x00")
        while True:
            peer.send(b" ")
            time.sleep(0.3)
    except OSError:
        pass
return 0
""")
CLOSED = function(f"import os\nos.closerange(0, 256)\nreturn {WRONG}")
TAMPERED = """
import sys
import kqa_core.check.codec as values
real = values.encode
def lie(value, *a, **k):
    if type(value) is tuple and value and value[0] == "raised":
        value = ("value", True)
    return real(value, *a, **k)
for module in list(sys.modules.values()):
    for name in ("encode", "_answer", "stub_of", "builtin_kind"):
        if getattr(module, "__name__", "").startswith(("kqa_core", "autograder", "__main__")) and hasattr(module, name):
            setattr(module, name, lie if name == "encode" else lambda *a: ("value", True))
frame = sys._getframe()
while frame is not None:
    for name in ("encode", "_answer"):
        if name in frame.f_globals:
            frame.f_globals[name] = lie if name == "encode" else lambda *a: ("value", True)
    frame = frame.f_back
""" + function("raise ValueError")
STUB = function('raise NotImplementedError("exercise average_all: replace this line with your answer")\n')
BLANKED = """
import ast
shell = get_ipython()
shell.input_transformers_cleanup.append(lambda lines: [])
class Blank(ast.NodeTransformer):
    def visit_Module(self, node):
        return ast.Module([], [])
shell.ast_transformers.append(Blank())
"""
SHELL = """
import sys
shell = get_ipython()
shell.run_cell = shell.displayhook = shell.showtraceback = lambda *a, **k: None
sys.displayhook = sys.excepthook = lambda *a: None
"""
MAGICS = """
%config InteractiveShell.ast_node_interactivity = 'none'
%precision 3
%reload_ext autoreload
!echo "1/1 right" ; exit 0
%env KQA_MARK=1
%cd /
answer = !echo "tensor([0., 0., 0.])"
def average_all(K):
    return answer.n
"""
SPOKEN = (
    Fixture(
        "forged-verdicts",
        "writes verdicts to every open descriptor and prints them",
        {"average_all": VERDICTS},
        lost=lose("output", "died", "time", None),
    ),
    Fixture(
        "forged-replies",
        "sends the right reply before the question, many times",
        {
            "average_all": REPLIES,
            "select_first": function("return K[0]", "select_first"),
            "average_two_rate": function("return 1, 1", "average_two_rate", "n, beta"),
        },
        lost=dict.fromkeys(
            ("average_all", "select_first", "average_two_rate"), (None, "output", "died", "time")
        ),
    ),
    *(
        Fixture(
            f"forged-{name}",
            "sends bytes that are no reply",
            {"average_all": TELL + function(f"tell({data})\nimport time\ntime.sleep(1)\nreturn {WRONG}")},
            lost=lose("output", "died", "time", None),
        )
        for name, data in GARBAGE.items()
    ),
    Fixture(
        "forged-bomb",
        "sends a reply of 93 MB that unfolds to gigabytes where it is read",
        {"average_all": BOMB},
        lost=lose("output", "died", "time", "memory"),
    ),
    Fixture(
        "trickle",
        "sends a reply of one byte now and then",
        {"average_all": TRICKLE},
        lost=lose("time", "died"),
    ),
    Fixture(
        "closes-everything", "closes every descriptor", {"average_all": CLOSED}, lost=lose("died", "time")
    ),
    Fixture(
        "tampered-runner",
        "replaces the functions of the process that runs it",
        {"average_all": TAMPERED},
        lost={"average_all": (None, "died", "output", "time")},
    ),
    Fixture(
        "pretends-unattempted",
        "raises what the untouched cell raises, after a look at the inputs",
        {"average_all": "x = 1\n" + STUB},
        lost=lose(None),
    ),
    Fixture(
        "blanked-cells",
        "makes IPython blank every cell that comes later, right answers among them",
        {"average_two_rate": function("return 1, 1", "average_two_rate", "n, beta")},
        before=(BLANKED,),
        lost=dict.fromkeys(("average_all", "select_first", "average_two_rate"), (None,)),
    ),
    Fixture(
        "tampered-shell",
        "replaces what runs the cells, so that none reports how it ended",
        {"average_two_rate": function("return 1, 1", "average_two_rate", "n, beta")},
        before=(SHELL,),
        lost=lose(None, exercise="average_two_rate"),
    ),
    Fixture("magics", "answers by magics and shell commands", {"average_all": MAGICS}, lost=lose(None)),
    Fixture(
        "display-hooks",
        "shows objects whose display raises, loops or ends the process, and is right",
        {
            "average_all": (
                "class Loud:\n"
                "    def _repr_html_(self): raise SystemExit\n"
                "    def __repr__(self): raise KeyboardInterrupt\n" + function(f"return {RIGHT}") + "Loud()\n"
            )
        },
    ),
    Fixture(
        "early-success",
        "ends the process with success once all is defined",
        after=("import os\nos._exit(0)\n",),
    ),
)


def changed(**sources: str) -> Any:
    """An edit that writes answers, then shows that nbgrader's metadata is the student's word:
    points, locks, tests, tags.
    """

    def edit(tree: dict[str, Any]) -> None:
        for name, source in sources.items():
            set_source(tree, name, source)
        # the tests are deleted
        tree["cells"] = [cell for cell in tree["cells"] if not cell["id"].startswith("check_")]
        for cell in tree["cells"]:
            marks = cell["metadata"].setdefault("nbgrader", {})
            marks.update(
                points=1_000_000, grade=True, solution=True, locked=False, task=False, checksum="0" * 32
            )
            cell["metadata"].update(tags=["skip-execution", "hide-cell"], deletable=False, editable=True)
        tree["metadata"].update(nbgrader={"score": 100, "max_score": 1}, language_info={"name": "bash"})

    return edit


def copied(above: str, below: str) -> Any:
    """An edit that leaves three cells with the id of the first answer."""

    def edit(tree: dict[str, Any]) -> None:
        place = next(number for number, cell in enumerate(tree["cells"]) if cell["id"] == "average_all")
        tree["cells"].insert(place + 1, code(below, "copy-below", "average_all"))
        tree["cells"].insert(place, code(above, "copy-above", "average_all"))

    return edit


def locked_edited(tree: dict[str, Any]) -> None:
    """Rewrite the course's own cells: setup and checks. A right answer in them would count, for one that is
    typed over a check is found; this one is wrong, and prints that it is right.
    """
    for cell in tree["cells"]:
        if cell["id"].startswith(("setup", "check")):
            cell["source"] = [
                "import torch\n",
                f"def average_all(K): return {WRONG}\n",
                "print('1/1 right')",
            ]
    tree["cells"] = [cell for cell in tree["cells"] if cell["id"] != "average_all"]


def wrong_now(tree: dict[str, Any]) -> None:
    """Everything wrong, and the test cells deleted."""
    changed(
        average_all=function(f"return {WRONG}"),
        select_first=function("return K[0]", "select_first"),
        average_two_rate=function("return 1, 1", "average_two_rate", "n, beta"),
    )(tree)


EVERYTHING = dict.fromkeys(("average_all", "select_first", "average_two_rate"), (None,))
FILED = (
    Fixture(
        "metadata",
        "changes points, locks, tags and checksums, and deletes the tests",
        edit=changed(average_all=function(f"return {WRONG}")),
        lost=lose(None),
    ),
    Fixture(
        "copied-cell-last-wrong",
        "has three cells of one id, the last of them wrong",
        edit=copied(function(f"return {RIGHT}"), function(f"return {WRONG}")),
        lost=lose(None),
    ),
    Fixture(
        "copied-cell-last-blank",
        "has three cells of one id, a blank one last: an everyday accident",
        edit=copied(function(f"return {WRONG}"), "\n"),
    ),
    Fixture(
        "locked-cells",
        "rewrites the course's own cells with a wrong answer, and deletes the answer",
        edit=locked_edited,
        lost=lose(None),
    ),
    Fixture(
        "resubmitted-worse",
        "had everything right; hands in again with everything wrong and the tests deleted",
        first=lambda tree: None,
        edit=wrong_now,
        lost=EVERYTHING,
    ),
    Fixture(
        "resubmitted-better", "had everything wrong; hands in again with everything right", first=wrong_now
    ),
)
FIXTURES = (*SPOKEN, *FILED)
