"""Notebooks whose sources, numbers and ids are meant for one reader and are another's:
Python, JSON, nbgrader, a person.
"""

from __future__ import annotations

from typing import Any

from hostile_course import as_bytes, code, prose, set_source

from autograder.judge.results import Status
from corpus.fixture import RIGHT, WRONG, Fixture, function, lose


def renamed(grade_id: str) -> Any:
    """An edit that gives the first answer another id for nbgrader."""

    def edit(tree: dict[str, Any]) -> None:
        cell = next(each for each in tree["cells"] if each["id"] == "average_all")
        cell["id"], cell["metadata"]["nbgrader"]["grade_id"] = "another", grade_id

    return edit


def as_prose(tree: dict[str, Any]) -> None:
    """The first answer is in a markdown cell, as after a slip of the keyboard."""
    cell = next(each for each in tree["cells"] if each["id"] == "average_all")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def ours(tree: dict[str, Any]) -> None:
    """Wrong answers, and cells that claim to be the course's setup and checks,
    with code that would make them right.
    """
    set_source(tree, "average_all", function(f"return {WRONG}"))
    for grade_id in ("setup_1", "check_average_all", "statement_average_all"):
        tree["cells"].append(code(f"def average_all(K):\n    return {RIGHT}\n", f"own-{grade_id}", grade_id))


def attached(tree: dict[str, Any]) -> None:
    """Files that climb, in a cell's attachments."""
    tree["cells"].append(prose("![x](attachment:../../../gradebook.db)", "attached"))
    tree["cells"][-1]["attachments"] = {
        "../../../gradebook.db": {"image/png": "eA=="},
        "/etc/passwd": {"text/html": "x"},
    }


def nested_prose(tree: dict[str, Any]) -> None:
    """A written answer on which readers of markdown take long."""
    cell = next(each for each in tree["cells"] if each["id"] == "why_select")
    cell["source"] = [
        "[" * 100_000,
        "*_" * 50_000,
        "![](" * 50_000,
        "\n" + "> " * 20_000,
        "`" * 50_001,
        "<a " * 50_000,
    ]


def many_tokens(tree: dict[str, Any]) -> None:
    """A cell that no reader of Python finishes: brackets, indents and texts without an end."""
    tree["cells"].append(
        code(
            "(" * 150_000 + "\n" + "\n".join(" " * k + "if x:" for k in range(300)) + "\n'''" * 1001, "tokens"
        )
    )


NUMBERS = b'"metadata": {"score": ' + b"9" * 400_000 + b', "points": 1e999999999, "more": -0.0e-999999, '
FIXTURES = (
    Fixture(
        "brackets-in-source",
        "opens more brackets than Python's parser can",
        {"average_all": function(f"return {WRONG}") + "x = " + "(" * 100_000},
        lost=lose(None),
    ),
    Fixture(
        "long-sum",
        "has a sum of a hundred thousand terms in a cell of its own",
        after=("x = " + "1+" * 100_000 + "1",),
    ),
    Fixture(
        "signs-in-source",
        "has a number with a hundred thousand signs in a cell of its own",
        after=("x = " + "-" * 100_000 + "1",),
    ),
    Fixture(
        "other-encoding",
        "claims that its source is in an encoding in which a comment is code",
        {
            "average_all": f"# -*- coding: unicode_escape -*-\n# \\u000adef average_all(K): return {RIGHT}\n"
            + function(f"return {WRONG}")
        },
        lost=lose(None),
    ),
    Fixture(
        "hidden-lines",
        "hides a line from a person behind a carriage return, in what looks like a comment",
        {"average_all": function(f"return {RIGHT}") + f"# done\rdef average_all(K): return {WRONG}\n"},
        lost=lose(None),
    ),
    Fixture(
        "zero-byte",
        "has a zero byte in its answer",
        {"average_all": function(f"return {RIGHT}") + "\0"},
        lost=lose(None),
    ),
    Fixture(
        "long-numbers",
        "has metadata with numbers of half a million digits, and others past every float",
        content=lambda tree: as_bytes(tree).replace(
            b'"metadata": {', NUMBERS.rstrip(b", ") + b'}, "kqa": {', 1
        ),
    ),
    Fixture(
        "id-like-another",
        "gives its answer an id that only looks like the course's",
        edit=renamed("average\u200b_all"),
    ),
    Fixture("id-of-a-path", "gives its answer an id that is a path", edit=renamed("../average_all")),
    Fixture(
        "answer-as-prose", "has its answer in a cell of prose, after a slip of the keyboard", edit=as_prose
    ),
    Fixture("cells-of-the-course", "claims that its own cells are the course's", edit=ours, lost=lose(None)),
    Fixture("attachments", "attaches files whose names climb", edit=attached),
    Fixture("nested-prose", "writes prose on which readers of markdown take long", edit=nested_prose),
    Fixture("endless-tokens", "writes a cell that no reader of Python finishes", edit=many_tokens),
    Fixture(
        "endless-await",
        "waits at the top of a cell for what never comes",
        {"average_all": "import asyncio\nawait asyncio.Event().wait()\n" + function(f"return {RIGHT}")},
        lost=lose("time"),
    ),
    Fixture(
        "coroutine",
        "answers with a promise of the answer",
        {"average_all": f"async def average_all(K):\n    return {RIGHT}\n"},
        lost=lose(None),
    ),
    Fixture("formula-behind-a-sign", "is called like a formula behind a separator", student="a;=1+1"),
    Fixture(
        "name-in-other-letters",
        "is called like a classmate, in letters that look the same",
        student="0000-\u0430lone",
    ),
    Fixture(
        "name-from-right-to-left",
        "has a name that turns what follows it",
        student="ann\u202egpj.bd",
        status=Status.REFUSED,
    ),
    Fixture(
        "name-too-long", "has a name as long as a file may have", student="n" * 255, status=Status.REFUSED
    ),
    Fixture(
        "name-of-wide-letters",
        "has a name as long as a file may have, in letters of four bytes",
        student="<" + "\U0001d4b3" * 63,
        status=Status.REFUSED,
    ),
)
