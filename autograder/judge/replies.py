"""What a runner's reply says. It is untrusted: what is not exactly as the protocol demands is no value."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from autograder.submissions.merge import GraftedCell
from kqa_core.check.answer import (
    AnswerDied,
    AnswerMissing,
    AnswerRaised,
    AnswerUnreadable,
    ArgumentFailed,
)

RAISED = [[str, stub, str, int, int, int] for stub in (str, type(None))]  # the types of what follows "raised"
KINDS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)


def read_reply(reply: object, cells: Sequence[GraftedCell], shows_messages: bool) -> object:
    """The value of a reply. Raises AnswerFailed.

    Its `stub` is an exercise of `cells`, and its line is looked up there: the runner says only which one it
    is.
    """
    if type(reply) is tuple and reply:
        kind, *rest = reply
        if kind == "value" and len(rest) == 1:
            return rest[0]
        if kind == "missing":
            raise AnswerMissing("no such name")
        if kind == "unreadable":
            raise AnswerUnreadable("the value is too large")
        if kind in ("raised", "unbuilt") and [type(part) for part in rest] in RAISED:
            name, stub, message, cell, line, number = rest
            if not any(stub == each.grade_id for each in cells):
                stub = None
            failed = AnswerRaised if kind == "raised" else ArgumentFailed
            raise failed(
                name if name in KINDS else "Exception",
                message if shows_messages else "",
                stub,
                _line(cells, cell, line),
                number,
            )
    raise AnswerDied("the runner broke the protocol")


def _line(cells: Sequence[GraftedCell], cell: int, line: int) -> str:
    """Such as "line 2 of its cell: return q / n"; empty where there is no such line.

    IPython drops the blank lines at the beginning of a cell before it runs it, so `line` does not count them.
    """
    lines = cells[cell].source.splitlines() if 0 <= cell < len(cells) else []
    blank = next((number for number, text in enumerate(lines) if text.strip()), 0)
    line += blank
    return f"line {line} of its cell: {lines[line - 1].strip()}" if blank < line <= len(lines) else ""
