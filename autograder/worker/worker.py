"""The worker: the process that runs a student's cells, and answers when the judge calls their functions.

- It is *untrusted*: the student's code may have changed everything in it. It holds no check, no key and no expected value, and
  its replies are only ever used as the values of calls.
- Cells run in IPython's shell (magics, `!commands` and top-level `await` work as in Jupyter), without sockets or a kernel.
- Output is discarded: nothing that a student's code prints can reach the judge, other students or the instructor's screen.
- Requests and replies are values of `kqa_core.check.codec`. Of an exception, only the name of the nearest builtin class is sent.

Requests: ("parse", bytes of a notebook) · ("cell", source) · ("get", name) · ("call", name, seed, args) · ("map", name, seed,
[args, …]) ·
("attribute", handle, name) · ("method", handle, name, seed, args).
Replies: ("value", v) · ("raised", kind, the exercise whose stub raised, or None) · ("missing",) · ("unreadable",).
"""

from __future__ import annotations

from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from autograder.worker.channel import Channel, ChannelClosed
from autograder.worker.notebook_parser import parse
from kqa_core.check.codec import CodecError, Handles, decode, encode
from kqa_core.check.local import CALL_STEP, builtin_kind, seed_generators, stub_of

READY = b"ready"


class Shell(InteractiveShell):
    """IPython's shell, in which `%matplotlib inline` and `%gui` are no errors."""

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
            channel.send(encode(("raised", builtin_kind(error.__cause__ or error), None)))
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
        result = shell.run_cell(rest[0], store_history=False)
        error = result.error_before_exec or result.error_in_exec
        return ("value", None) if error is None else ("raised", builtin_kind(error), stub_of(error))
    if kind == "get":
        return ("value", callable(names.get(rest[0])))
    if kind in ("call", "map") and rest[0] not in names:
        return ("missing",)
    try:
        if kind == "call":
            name, seed, args = rest
            seed_generators(seed)
            return ("value", names[name](*args))
        if kind == "map":
            name, seed, calls = rest
            results = []
            for number, args in enumerate(calls):
                seed_generators(seed + CALL_STEP * number)
                results.append(names[name](*args))
            return ("value", results)
        if kind == "attribute":
            return ("value", getattr(*rest))
        target, name, seed, args = rest
        seed_generators(seed)
        return ("value", getattr(target, name)(*args))
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        return ("raised", builtin_kind(error), stub_of(error))
