"""From the bytes of a notebook to its cells:
every format Jupyter has written since 2011, and what is refused.
"""

from __future__ import annotations

import copy
import json
from typing import get_args

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat import v2, v3, v4

from autograder.runner import notebook_parser
from autograder.runner.notebook_parser import (
    MAX_CELLS,
    MAX_ID,
    MAX_NAMES,
    MAX_SOURCE,
    REASONS,
    Cell,
    Refused,
    cells_of,
    parse,
)

CODE = {
    "cell_type": "code",
    "source": ["a = 1\n", "b = 2"],
    "metadata": {"nbgrader": {"grade_id": "first"}},
    "id": "x1",
}


def texts_of(data: bytes) -> list[tuple[str | None, ...]]:
    """What a notebook's cells say, without their programs."""
    return [cell[:4] for cell in cells_of(data)]


def written(*cells: object, **more: object) -> bytes:
    return json.dumps(
        {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": list(cells), **more}
    ).encode()


def modern() -> nbformat.NotebookNode:
    marks = {"nbgrader": {"grade_id": "average_two", "solution": True}}
    return v4.new_notebook(
        cells=[
            v4.new_markdown_cell("# A heading"),
            v4.new_code_cell("a = 1\nb = 2", metadata=marks, outputs=[v4.new_output("stream", text="seen")]),
            v4.new_markdown_cell("two\nlines"),
        ]
    )


def test_a_cell_is_its_kind_source_and_ids():
    assert texts_of(written(CODE)) == [("code", "a = 1\nb = 2", "first", "x1")]
    assert parse(written(CODE)) == cells_of(written(CODE))


@pytest.mark.parametrize("source", ["a = 1\nb = 2", ["a = 1\n", "b = 2"], ["a = 1\nb = 2"]])
def test_a_source_is_a_text_or_a_list_of_lines(source):
    assert texts_of(written({**CODE, "source": source}))[0][1] == "a = 1\nb = 2"


def test_a_byte_order_mark_is_fine():
    assert texts_of(b"\xef\xbb\xbf" + written(CODE)) == texts_of(written(CODE))


@pytest.mark.parametrize("minor", [0, 1, 2, 3, 4, 5, 6, None])
def test_every_minor_of_format_4_is_read(minor):
    assert texts_of(written(CODE, nbformat_minor=minor)) == texts_of(written(CODE))


@pytest.mark.parametrize(("version", "writer"), [(2, v2), (3, v3)])
def test_an_older_format_is_upgraded_and_keeps_its_ids(version, writer):
    text = writer.writes_json(nbformat.convert(copy.deepcopy(modern()), version))
    assert json.loads(text)["nbformat"] == version
    assert texts_of(text.encode()) == [
        ("markdown", "# A heading", None, None),
        ("code", "a = 1\nb = 2", "average_two", None),
        ("markdown", "two\nlines", None, None),
    ]


@pytest.mark.parametrize("version", [2, 3])
def test_broken_outputs_in_an_old_notebook_harm_nothing(version):
    cell = {"cell_type": "code", "input": "a = 1", "outputs": [{"output_type": "pyout", "json": "{"}, 3]}
    tree = {
        "nbformat": version,
        "worksheets": [{"cells": [cell]}, {"cells": [{"cell_type": "html", "source": "x"}]}, {}],
    }
    assert texts_of(json.dumps(tree).encode()) == [
        ("code", "a = 1", None, None),
        ("markdown", "x", None, None),
    ]


def test_a_headings_level_of_any_size_is_harmless():
    cell = {"cell_type": "heading", "source": "x", "level": 10**12}
    assert texts_of(json.dumps({"nbformat": 3, "worksheets": [{"cells": [cell]}]}).encode()) == [
        ("markdown", "# x", None, None)
    ]


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        3,
        [],
        {"nbgrader": None},
        {"nbgrader": [1]},
        {"nbgrader": {"grade_id": 3}},
        {"nbgrader": {"grade_id": []}},
    ],
)
def test_marks_of_another_type_are_no_id(metadata):
    assert texts_of(written({**CODE, "metadata": metadata}))[0][2] is None


@pytest.mark.parametrize("identity", ["x", "x" * MAX_ID])
def test_a_short_id_and_the_longest_are_kept(identity):
    cell = {**CODE, "id": identity, "metadata": {"nbgrader": {"grade_id": identity}}}
    assert texts_of(written(cell))[0][2:] == (identity, identity)


@pytest.mark.parametrize("identity", ["", "x" * (MAX_ID + 1), "two\nlines", "\ud800", 3, {}, None])
def test_an_id_that_cannot_be_ours_is_none(identity):
    cell = {**CODE, "id": identity, "metadata": {"nbgrader": {"grade_id": identity}}}
    assert texts_of(written(cell))[0][2:] == (None, None)


def test_numbers_beyond_the_standard_in_an_output_are_harmless():
    bytes_of = written({**CODE, "outputs": [{"data": {"application/json": "HERE"}}]})
    for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999", b"9" * 10_000):
        assert texts_of(bytes_of.replace(b'"HERE"', number)) == texts_of(written(CODE))


def test_half_a_character_becomes_a_question_mark():
    assert texts_of(written({**CODE, "source": "a\ud800b"}))[0][1] == "a?b"


def test_the_caps_themselves_are_fine():
    assert len(texts_of(written(*[CODE] * MAX_CELLS))) == MAX_CELLS
    assert len(texts_of(written({**CODE, "source": "x" * MAX_SOURCE}))[0][1]) == MAX_SOURCE


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", notebook_parser.EMPTY),
        (b"  \n", notebook_parser.EMPTY),
        (b"\xef\xbb\xbf \n", notebook_parser.EMPTY),
        (b'{"nbformat": 4, "cells": [', notebook_parser.BROKEN),
        (b'{"nbformat": 4, "cells": []} x', notebook_parser.BROKEN),
        (b"PK\x03\x04 a zip archive", notebook_parser.BROKEN),
        (written(CODE).decode().encode("utf-16"), notebook_parser.UTF16),
        (written(CODE).decode().encode("utf-16-le"), notebook_parser.UTF16),
        (written(CODE).decode().encode("utf-16-be"), notebook_parser.UTF16),
        (b'{"nbformat": 4, "cells": ["\xe4"]}', notebook_parser.NO_UTF8),
        (b"[" * 100_000, notebook_parser.DEEP),
        (b'{"a":' * 100_000, notebook_parser.DEEP),
        (
            b'{"nbformat": 4, "cells": [], "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
            notebook_parser.DEEP,
        ),
        (b'{"nbformat": 4, "cells": [], "cells": []}', notebook_parser.TWICE),
        (written(CODE).replace(b'"cell_type"', b'"source": "x", "cell_type"'), notebook_parser.TWICE),
        (b"[]", notebook_parser.NO_NOTEBOOK),
        (b"null", notebook_parser.NO_NOTEBOOK),
        (b'{"cells": []}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": true, "cells": []}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": "4", "cells": []}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 4.0, "cells": []}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 4, "cells": {}}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 3, "worksheets": {}}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 3, "worksheets": [3]}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 3, "worksheets": [{"cells": 3}]}', notebook_parser.NO_NOTEBOOK),
        (b'{"nbformat": 5, "cells": []}', notebook_parser.TOO_NEW),
        (b'{"nbformat": 1, "cells": []}', notebook_parser.TOO_OLD),
        (b'{"nbformat": -4, "cells": []}', notebook_parser.TOO_OLD),
        (b'{"nbformat": 4, "cells": [3]}', notebook_parser.BAD_CELL),
        (b'{"nbformat": 3, "worksheets": [{"cells": [3]}]}', notebook_parser.BAD_CELL),
        (written({**CODE, "cell_type": "widget"}), notebook_parser.BAD_CELL),
        (written({**CODE, "cell_type": ["code"]}), notebook_parser.BAD_CELL),
        (b'{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": ["code"]}]}]}', notebook_parser.BAD_CELL),
        (written({**CODE, "source": 3}), notebook_parser.BAD_SOURCE),
        (written({**CODE, "source": ["a", 3]}), notebook_parser.BAD_SOURCE),
        (
            b'{"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": [3]}]}]}',
            notebook_parser.BAD_SOURCE,
        ),
        (written(*[CODE] * (MAX_CELLS + 1)), notebook_parser.MANY_CELLS),
        (written({**CODE, "source": "x" * (MAX_SOURCE + 1)}), notebook_parser.LONG_SOURCE),
    ],
    ids=lambda value: repr(value)[:48],
)
def test_what_is_no_notebook_is_refused_with_the_reason(data, reason):
    with pytest.raises(Refused) as refused:
        cells_of(data)
    assert str(refused.value) == reason == parse(data)
    assert reason in REASONS


KEYS = (
    "nbformat",
    "cells",
    "worksheets",
    "cell_type",
    "source",
    "input",
    "metadata",
    "nbgrader",
    "grade_id",
    "level",
    "id",
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 6)
    | st.text(max_size=5)
    | st.sampled_from(["code", "heading", "markdown"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.slow
@given(st.sampled_from([2, 3, 4]), JSON, st.lists(JSON, max_size=3))
def test_whatever_json_comes_the_answer_is_cells_or_one_of_our_reasons(version, cells, sheets):
    tree = {"nbformat": version, "cells": cells, "worksheets": [{"cells": cells}, *sheets]}
    reply = parse(json.dumps(tree).encode())
    assert (
        reply in REASONS
        if isinstance(reply, str)
        else all(len(cell) == len(get_args(Cell)) for cell in reply)
    )


@given(st.binary(max_size=200))
def test_whatever_bytes_come_nothing_but_a_reason_is_raised(data):
    reply = parse(data)
    assert isinstance(reply, list) or reply in REASONS


def test_a_cells_program_is_the_same_whatever_its_spacing_and_comments():
    def program(source: str) -> tuple[object, ...]:
        return cells_of(written({**CODE, "source": source}))[0][4:]

    assert program("def f(x):\n  return x  # one") == program("def f(x):\n\n        return (x)")
    assert program("def f(x): return x")[0] != program("def f(x): return -x")[0]
    assert program("def f(: pass") == (None, []) and program("x" + "(" * 5000) == (None, [])
    assert program("async def g(): pass\nclass H: pass\na = b = 1\nc, d = 2, 3\na = 2\nif a:\n    e = 1")[
        1
    ] == [
        "g",
        "H",
        "a",
        "b",
    ]
    assert (
        program("\n".join(f"x{n} = 1" for n in range(MAX_NAMES + 5)) + "\n" + "y" * (MAX_ID + 1) + " = 1")[1][
            -1
        ]
        == f"x{MAX_NAMES - 1}"
    )
    assert program("y" * (MAX_ID + 1) + " = 1")[1] == []
