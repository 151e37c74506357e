"""Parsing a submitted notebook, in the sandbox: from bytes to what the judge looks at of each cell.

- The bytes come from a student. Here they can only cost time and memory, which the sandbox limits. The result
  is checked again outside (`autograder.submissions.cells.cells_from`).
- A reason for refusing is one of the sentences below, never text of the file. Any other sentence is dropped
  outside.
- The file must be UTF-8 (a byte order mark is fine) and JSON without duplicate keys. Jupyter never writes
  those, and two readers of such a file may see two notebooks. NaN and Infinity, which Python's `json`
  accepts, occur in outputs and are harmless.
- nbformat 2, 3 and every minor version of 4 are accepted. Older ones are upgraded by nbformat's own
  converter, reduced to the parts that count, because the converter fails on some outputs.
- Python's own parser is used here, too, on every cell: some texts keep it busy for minutes (an f-string of
  many fields takes quadratic time), and no clock of ours stops it.
- nbformat is imported only for an old notebook, which is rare.
"""

from __future__ import annotations

import ast
import hashlib
import json
from typing import Any

MAX_CELLS = 2_000
MAX_SOURCE = 2**20  # characters of one cell
MAX_ID = 200  # characters of an id; the course has no longer ones
MAX_NAMES = 1_000  # of one cell
KINDS = ("code", "markdown", "raw")

EMPTY = "the file is empty; save the notebook and submit it again"
UTF16 = (
    "the file is UTF-16 text, expected UTF-8; open and save it with Jupyter, not with a text editor, and"
    " submit it again"
)
NO_UTF8 = "the file is no UTF-8 text; save it with Jupyter and submit it again"
BROKEN = "the file is no notebook: its JSON is broken; save it with Jupyter and submit it again"
DEEP = "the file is no notebook: its JSON is nested too deeply; save it with Jupyter and submit it again"
TWICE = "the file is no notebook: its JSON has a key twice; save it with Jupyter and submit it again"
NO_NOTEBOOK = "the file is JSON, but no notebook; submit the .ipynb file that Jupyter saved"
TOO_OLD = "the notebook's format is older than 2, expected 4; open and save it with a current Jupyter"
TOO_NEW = "the notebook's format is newer than 4; save it in format 4 and submit it again"
BAD_CELL = "a cell of the notebook is not one that Jupyter writes; save it with Jupyter and submit it again"
BAD_SOURCE = "a cell's source is no text; save the notebook with Jupyter and submit it again"
MANY_CELLS = f"the notebook has more than {MAX_CELLS} cells; delete what you do not need and submit it again"
LONG_SOURCE = (
    f"a cell of the notebook has more than {MAX_SOURCE} characters; shorten it and submit the notebook again"
)
REASONS = frozenset(
    {
        EMPTY,
        UTF16,
        NO_UTF8,
        BROKEN,
        DEEP,
        TWICE,
        NO_NOTEBOOK,
        TOO_OLD,
        TOO_NEW,
        BAD_CELL,
        BAD_SOURCE,
        MANY_CELLS,
        LONG_SOURCE,
    }
)

# a digest of the code without spacing and comments; the names defined at its top level
Program = tuple[str | None, list[str]]
# kind, source, nbgrader's grade_id, the cell's id, program
Cell = tuple[str, str, str | None, str | None, str | None, list[str]]


class Refused(Exception):
    """The submission is refused; the message is the reason, for the student and the instructor."""


def parse(data: bytes) -> list[Cell] | str:
    """The cells of a notebook, or the reason why there are none: what the runner answers."""
    try:
        return cells_of(data)
    except Refused as refused:
        return str(refused)


def cells_of(data: bytes) -> list[Cell]:
    """The cells of a notebook. Raises Refused."""
    tree = _tree(data)
    if not isinstance(tree, dict) or type(tree.get("nbformat")) is not int:
        raise Refused(NO_NOTEBOOK)
    version = tree["nbformat"]
    if version > 4:
        raise Refused(TOO_NEW)
    if version < 2:
        raise Refused(TOO_OLD)
    cells = tree.get("cells", []) if version == 4 else _old_cells(tree)
    if not isinstance(cells, list):
        raise Refused(NO_NOTEBOOK)
    if len(cells) > MAX_CELLS:
        raise Refused(MANY_CELLS)
    if version < 4:
        cells = _upgraded(cells, version)
    return [_cell(cell) for cell in cells]


def _tree(data: bytes) -> Any:
    if b"\0" in data[:4]:  # a notebook's first character is ASCII, with or without a byte order mark
        raise Refused(UTF16)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(NO_UTF8) from None
    if not text.strip():
        raise Refused(EMPTY)
    try:
        # A number of any length is cut: Python refuses to read very long ones, and only outputs hold them.
        return json.loads(text, object_pairs_hook=_unique, parse_int=lambda digits: int(digits[:20]))
    except RecursionError:
        raise Refused(DEEP) from None
    except ValueError:
        raise Refused(BROKEN) from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Refused(TWICE)
    return made


def _old_cells(tree: dict[str, Any]) -> object:
    """The cells of all worksheets of a notebook of format 2 or 3;
    something else where these are not what they should be.
    """
    worksheets = tree.get("worksheets", [])
    if not isinstance(worksheets, list) or not all(isinstance(sheet, dict) for sheet in worksheets):
        return None
    parts = [sheet.get("cells", []) for sheet in worksheets]
    return (
        [cell for part in parts for cell in part] if all(isinstance(part, list) for part in parts) else None
    )


def _upgraded(cells: list[Any], version: int) -> list[Any]:
    from nbformat import convert, from_dict, v2, v3

    bare = [_bare(cell) for cell in cells]
    format_of_old = {2: v2, 3: v3}[version]
    tree = {"nbformat": version, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": bare}]}
    node = from_dict(tree)  # type: ignore[no-untyped-call]  # nbformat types only part of itself
    upgraded = convert(format_of_old.to_notebook_json(node), 4)  # type: ignore[no-untyped-call]  # the same
    # nbformat gives every upgraded cell an id of its own making: it says nothing about the cell.
    return [{**cell, "id": None} for cell in upgraded.cells]


def _bare(cell: Any) -> dict[str, Any]:
    """The parts of an old cell that the converter needs or that count."""
    kind = cell.get("cell_type") if isinstance(cell, dict) else None
    if kind not in ("code", "markdown", "raw", "html", "heading"):
        raise Refused(BAD_CELL)
    grade_id = _grade_id(cell.get("metadata"))
    bare: dict[str, Any] = {
        "cell_type": kind,
        "metadata": {} if grade_id is None else {"nbgrader": {"grade_id": grade_id}},
    }
    text = cell.get("input" if kind == "code" else "source", "")
    if not isinstance(text, str) and not (
        isinstance(text, list) and all(isinstance(line, str) for line in text)
    ):
        raise Refused(BAD_SOURCE)
    if kind == "code":
        return {**bare, "input": text, "language": "python", "collapsed": False, "outputs": []}
    if kind == "heading":
        level = cell.get("level")
        bare["level"] = level if type(level) is int and 1 <= level <= 6 else 1
    return {**bare, "source": text}


def _cell(cell: Any) -> Cell:
    if not isinstance(cell, dict) or cell.get("cell_type") not in KINDS:
        raise Refused(BAD_CELL)
    source = cell.get("source", "")
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str):
        raise Refused(BAD_SOURCE)
    if len(source) > MAX_SOURCE:
        raise Refused(LONG_SOURCE)
    whole = source.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate is no character
    return (
        cell["cell_type"],
        whole,
        _grade_id(cell.get("metadata")),
        _id(cell.get("id")) or _colab_id(cell.get("metadata")),
        *program_of(whole),
    )


def program_of(source: str) -> Program:
    """A digest that is the same for cells with the same code, and the names they define;
    None and no names without Python.
    """
    try:
        tree = ast.parse(source)
        code = hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None, []
    names: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names[node.name] = None
        elif isinstance(node, ast.Assign):
            names.update({target.id: None for target in node.targets if isinstance(target, ast.Name)})
    return code, [name for name in names if len(name) <= MAX_ID][:MAX_NAMES]


def _grade_id(metadata: object) -> str | None:
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    return _id(marks.get("grade_id")) if isinstance(marks, dict) else None


def _colab_id(metadata: object) -> str | None:
    """The cell's id where Colab keeps it: it saves format 4.0, in which cells have none."""
    return _id(metadata.get("id")) if isinstance(metadata, dict) else None


def _id(value: object) -> str | None:
    return value if isinstance(value, str) and value.isprintable() and 0 < len(value) <= MAX_ID else None
