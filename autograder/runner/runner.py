"""The runner: the process that runs a student's cells, and answers when the judge calls their functions.

- It is *untrusted*: the student's code may have changed everything in it. It holds no check, no key and no
  expected value, and its replies are only ever used as the values of calls.
- Cells run in IPython's shell (magics, `!commands` and top-level `await` work as in Jupyter), without sockets
  or a kernel.
- Output is discarded: nothing that a student's code prints can reach the judge, other students or the
  instructor's screen.
- Requests and replies are values of `kqa_core.check.codec`. Of an exception, the name of the nearest builtin
  class is sent, its message, the innermost line of a cell (the cell's number and the line's, or two zeros),
  and which one of the calls of a "map" it was.

Requests: ("parse", bytes of a notebook) · ("reserve", [module:name, …]) · ("cell", number, source) · ("get",
name) · ("call", name, seed, args) · ("map", name, seed, [args, …]) · ("attribute", handle, name) · ("method",
handle, name, seed, args). Replies: ("value", v) · ("raised", kind, the exercise whose stub raised, or None,
message, cell, line, call) · ("unbuilt", …), the same about an argument · ("missing",) · ("unreadable",).
"""

from __future__ import annotations

import traceback
from typing import Any

from IPython.core.compilerop import CachingCompiler
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.runner.channel import Channel, ChannelClosed
from autograder.runner.notebook_parser import parse
from autograder.runner.reserve import reserve
from kqa_core.check.codec import Handles, decode, encode
from kqa_core.check.codec_errors import CodecError
from kqa_core.check.local import CALL_STEP, builtin_kind, seed_generators, stub_of

READY = b"ready"
LONGEST_MESSAGE = 300
FILE = "<cell {}>"


class CellCompiler(CachingCompiler):
    """Names the code of a cell after its number in the submission, so that a traceback shows the cell."""

    cell = 0

    def get_code_name(self, raw_code: str, transformed_code: str, number: int) -> str:
        """The file name in tracebacks."""
        return FILE.format(self.cell)


class Shell(InteractiveShell):
    """IPython's shell, in which `%matplotlib inline` and `%gui` are no errors."""

    compiler_class = CellCompiler

    def enable_gui(self, gui: object = None) -> None:
        """Do nothing: there is no screen."""


def make_shell() -> Any:
    """An IPython shell that keeps no history and writes no files. Made once, before the fork."""
    config = Config()
    config.HistoryManager.enabled = False
    config.InteractiveShell.colors = "nocolor"
    config.InteractiveShell.autocall = 0
    return Shell.instance(config=config)


def serve(channel: Channel, shell: Any) -> None:
    """Report that setup is done, then answer requests until the judge closes the channel."""
    channel.send(READY)
    handles = Handles()
    while True:
        try:
            request: Any = decode(channel.receive(), handles, arguments=True)
        except ChannelClosed:
            return
        except CodecError as error:  # an argument that could not be built here
            channel.send(encode(("unbuilt", *_raised(error.__cause__ or error)[1:])))
            continue
        try:
            reply = encode(_answer(shell, request), handles)
        except CodecError:
            reply = encode(("unreadable",))
        channel.send(reply)


def _answer(shell: Any, request: Any) -> tuple[object, ...]:
    kind, *rest = request
    names = shell.user_ns
    if kind == "parse":
        return ("value", parse(rest[0].tobytes()))
    if kind == "cell":
        shell.compile.cell, source = rest
        result = shell.run_cell(source, store_history=False)
        error = result.error_before_exec or result.error_in_exec
        return ("value", None) if error is None else _raised(error)
    if kind == "reserve":
        reserve(rest[0])
    if kind in ("get", "reserve"):
        return ("value", callable(names.get(rest[0])) if kind == "get" else None)
    if kind in ("call", "map") and rest[0] not in names:
        return ("missing",)
    results: list[object] = []
    try:
        if kind == "call":
            name, seed, args = rest
            seed_generators(seed)
            return ("value", names[name](*args))
        if kind == "map":
            name, seed, calls = rest
            for args in calls:
                seed_generators(seed + CALL_STEP * len(results))
                results.append(names[name](*args))
            return ("value", results)
        if kind == "attribute":
            return ("value", getattr(*rest))
        target, name, seed, args = rest
        seed_generators(seed)
        return ("value", getattr(target, name)(*args))
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return _raised(error, len(results))


def _raised(error: BaseException, call: int = 0) -> tuple[object, ...]:
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
        message = str.__getitem__(text, slice(LONGEST_MESSAGE)).encode(errors="replace").decode()
    except Exception:  # their own __str__
        message = ""
    return ("raised", builtin_kind(error), stub_of(error), message, *_place(error), call)


def _place(error: BaseException) -> tuple[int, int]:
    """The number of the cell and of the line in it where `error` arose."""
    places = [(frame.f_code.co_filename, line) for frame, line in traceback.walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        places.append((str(error.filename), error.lineno or 0))
    for name, line in reversed(places):
        number = name.removeprefix("<cell ").removesuffix(">")
        if name == FILE.format(number) and number.isdecimal():
            return int(number), line
    return 0, 0
