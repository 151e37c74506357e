"""The error type for a user's mistake.

`UserError` is raised if something that a person gave (a path, a file, a name, a flag) cannot be used. Its
text is one line: the thing, what was expected, what to do. The command line prints that line and ends with
status 2, without a stack trace.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

LONGEST = 1_000  # characters of a sentence that a person reads
BREAK = re.compile(r"\s*[^\S ]\s*")  # the end of a line or a tab, with the spaces around it


class UserError(Exception):
    """A person's input cannot be used; the message names the thing, what was expected and what to do."""


def first_line(error: BaseException) -> str:
    """The first line of another library's error, at most 160 characters; its type's name if it has none."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:160]


def useful_line(message: str) -> str:
    """The first line of an exception's message. If it only announces the next ones, they follow: torch ends
    it with a colon and says on the second line which names are missing; einops has the reason on the third.
    """
    lines = [line.strip() for line in message.strip().splitlines() if line.strip()]
    if lines and lines[0].startswith("Error while processing"):
        return " ".join(lines)
    count = next((number for number, line in enumerate(lines, 1) if not line.endswith(":")), len(lines))
    return " ".join(lines[:count])


def with_article(noun: str) -> str:
    """Such as "a list" or "an IndexError"."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def readable(sentence: str) -> str:
    """`sentence` in one line, without characters that a screen hides or obeys, of bounded length, to quote a
    student. Several spaces stay, since a quoted text may hold them.
    """
    line = BREAK.sub(" ", sentence[: 2 * LONGEST]).strip()
    shown = "".join(letter if letter.isprintable() else "�" for letter in line)
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def suggest(name: str, choices: Iterable[str], cutoff: float = 0.5) -> str:
    """Advice for an unknown `name`: "did you mean rope?", or all the choices if none is similar.

    `cutoff` in [0, 1] is how similar a choice has to be (`difflib`'s ratio).
    """
    choices = list(choices)
    similar = difflib.get_close_matches(str(name), choices, n=3, cutoff=cutoff)
    return f"did you mean {' or '.join(similar)}?" if similar else f"choose from {', '.join(choices)}"


def differing(one: Mapping[str, object], other: Mapping[str, object]) -> str:
    """The names under which two descriptions differ, for a sentence: "seed, steps"."""
    return ", ".join(sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)))
