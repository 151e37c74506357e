"""The cells of a submitted notebook, from the reply of the parser in the sandbox (`notebook_parser.py`).

The reply is not trusted: `cells_from` accepts only exact types and limited sizes, and only our own sentences
as reasons for refusing.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from autograder.runner.notebook_parser import (
    KINDS,
    MAX_CELLS,
    MAX_ID,
    MAX_NAMES,
    MAX_SOURCE,
    REASONS,
    Program,
    Refused,
    parse,
    program_of,
)

MAX_TEXT = 2 * 2**20  # characters of all cells together; the course's longest notebook has 0.1 million
LONG_TEXT = (
    f"the cells of the notebook have more than {MAX_TEXT} characters together; shorten them and submit it"
    " again"
)
UNREADABLE = "the notebook could not be read; open and save it with Jupyter and submit it again"

# the line with which a student asks for a second look at an answer, with a code of the feedback page
SECOND_LOOK = re.compile(
    r"^[ \t>*`#-]*regrade[ \t]+`?(\w{1,100})`?[ \t]+`?([a-z0-9]{1,12}(?:-[a-z0-9]{1,12}){1,4})\b.*$",
    re.IGNORECASE | re.MULTILINE,
)

# the line with which students form a group, alone in a cell
TOGETHER = re.compile(r"[ \t>*`#-]*we submit together[ \t]*:[ \t]*([^\n]{0,2000}?)[ \t`.]*", re.IGNORECASE)

# in Markdown, around lines that a release adds to a text of ours, such as when it is due
ADDED = ("<!-- added to the released copy -->", "<!-- end of what was added -->")


@dataclass(frozen=True)
class SubmittedCell:
    """One cell of a student's notebook."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    grade_id: str | None
    id: str | None
    # as the parser in the sandbox read it; None if nobody did
    program: Program | None = field(default=None, compare=False)


# of texts that no student wrote, and of one answer tried alone
_ours = functools.lru_cache(maxsize=1024)(program_of)


def known_program(source: str, programs: Mapping[str, Program]) -> Program:
    """A cell as a program: what `programs` has of its source, which the sandbox parsed, else parsed here."""
    return programs.get(source) or _ours(source)


def as_built(text: str) -> str:
    """A text without the lines that a release adds. In one pass, because a student may have written it."""
    (begin, end), kept, at = ADDED, list[str](), 0
    while (start := text.find(begin, at)) >= 0 and (stop := text.find(end, start)) >= 0:
        kept.append(text[at:start])
        at = stop + len(end)
        at += text.startswith("\n", at)
    return "".join([*kept, text[at:]])


def second_looks_in(text: str) -> list[tuple[str, str, str]]:
    """The requests for a second look in a cell: exercise, code, and what is written below the line."""
    lines = list(SECOND_LOOK.finditer(text))
    ends = [line.start() for line in lines[1:]] + [len(text)]
    return [
        (line[1], line[2].lower(), text[line.end() : end].strip())
        for line, end in zip(lines, ends, strict=False)
    ]


def group_in(text: str) -> frozenset[str] | None:
    """The students whom a cell names as a group; None if that is not what it is about."""
    line = TOGETHER.fullmatch(text.strip())
    return frozenset(name.strip() for name in line[1].split(",") if name.strip()) if line else None


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, without punctuation and marks of Markdown."""
    return re.findall(r"\w+", text.replace("_", " ").casefold())


def text_digest(text: str) -> str:
    """A short digest of a text's words."""
    return hashlib.sha256(" ".join(words_of(text)).encode()).hexdigest()[:16]


def same_code(a: str, b: str, programs: Mapping[str, Program]) -> bool:
    """Whether two cells are the same program, whatever their spacing and comments.
    `programs` has what is known of a source.
    """
    if a.split() == b.split():
        return True
    first, second = (known_program(source, programs) for source in (a, b))
    return first[0] is not None and first[0] == second[0]


def defines(source: str, name: str, programs: Mapping[str, Program]) -> bool:
    """Whether a cell gives `name` a value at its top level."""
    return name in source and name in known_program(source, programs)[1]


def cut(cell: SubmittedCell, released: Mapping[str, list[list[str]]]) -> list[SubmittedCell]:
    """A text cell in pieces: the released texts in it, and what is before, between and after them."""
    if cell.kind != "markdown":
        return [cell]
    lines = [line.rstrip() for line in cell.source.split("\n")]
    pieces: list[tuple[list[str], bool]] = [([], False)]
    at = 0
    while at < len(lines):
        texts = released.get(lines[at], ())
        known = next((text for text in texts if lines[at : at + len(text)] == text), None)
        if known is not None:
            pieces += [(known, True), ([], False)]
        else:
            pieces[-1][0].append(lines[at])
        at += len(known) if known is not None else 1
    texts_of = [("\n".join(piece).strip("\n"), known) for piece, known in pieces]
    texts_of = [(text, known) for text, known in texts_of if text.strip()]
    if len(texts_of) < 2:
        return [cell]
    named = next(text for text, known in texts_of if known)  # it keeps the cell's name
    return [
        replace(cell, source=text) if text == named else SubmittedCell(cell.kind, text, None, None)
        for text, _ in texts_of
    ]


def common_keys(kind: str, source: str, program: Program | None) -> list[str]:
    """What two cells have in common that are the same but for spacing, or, for code, layout."""
    keys = [f"{kind} {' '.join(source.split())}"]
    return [*keys, f"{kind} program {program[0]}"] if kind == "code" and program and program[0] else keys


def cells_from(reply: object) -> tuple[SubmittedCell, ...]:
    """The cells in the parser's reply, which is not trusted. Raises Refused, with a sentence of ours."""
    if type(reply) is str:
        raise Refused(reply if reply in REASONS else UNREADABLE)
    if type(reply) is not list or len(reply) > MAX_CELLS:
        raise Refused(UNREADABLE)
    cells = tuple(_submitted(cell) for cell in reply)
    # the process that publishes holds several copies of it
    if sum(len(cell.source) for cell in cells) > MAX_TEXT:
        raise Refused(LONG_TEXT)
    return cells


def parse_cells(data: bytes) -> tuple[SubmittedCell, ...]:
    """The cells of one of our own notebooks: parsed here, without a sandbox. Raises Refused."""
    return cells_from(parse(data))


def _submitted(cell: object) -> SubmittedCell:
    if type(cell) is not tuple or len(cell) != 6:
        raise Refused(UNREADABLE)
    kind, source, grade_id, identity, code, names = cell
    if type(kind) is not str or kind not in KINDS or not _is_text(source, MAX_SOURCE):
        raise Refused(UNREADABLE)
    for name in (grade_id, identity):
        if name is not None and not (_is_text(name, MAX_ID) and name.isprintable()):
            raise Refused(UNREADABLE)
    if (code is not None and not _is_text(code, MAX_ID)) or type(names) is not list or len(names) > MAX_NAMES:
        raise Refused(UNREADABLE)
    if not all(_is_text(name, MAX_ID) for name in names):
        raise Refused(UNREADABLE)
    return SubmittedCell(kind, source, grade_id, identity, (code, names))


def _is_text(value: object, longest: int) -> bool:
    if type(value) is not str or len(value) > longest:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a character, which no file can hold
        return False
    return True
