"""What is taken in as a notebook, and what is refused with a reason."""

from __future__ import annotations

import json
import os

import pytest

from autograder.judge.intake import Refused, parse_cells, read_notebook
from autograder.judge.limits import Limits

GOOD = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": ["a = 1\n", "b = 2"]}]}


def put(folder, data, name="ann/01/01.ipynb"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return path


def test_a_plain_notebook_is_read_with_its_digest(tmp_path):
    put(tmp_path, GOOD)
    taken = read_notebook(tmp_path, "ann/01/01.ipynb", Limits())
    assert [cell.source for cell in taken.cells] == ["a = 1\nb = 2"] and len(taken.sha256) == 64


def test_a_byte_order_mark_and_odd_metadata_are_fine():
    odd = {**GOOD, "metadata": None, "cells": [{"cell_type": "markdown", "source": "x", "metadata": {"nbgrader": [1]}, "id": 3}]}
    assert parse_cells(b"\xef\xbb\xbf" + json.dumps(odd).encode())[0].grade_id is None


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"  \n", "empty"),
        (b'{"nbformat": 4, "cells": [', "JSON is broken"),
        (json.dumps(GOOD).encode("utf-16"), "UTF-8"),
        (b"[" * 100_000, "JSON is broken"),
        (b"[]", "no notebook"),
        (b'{"nbformat": true, "cells": []}', "no notebook"),
        (b'{"nbformat": 4, "cells": {}}', "no notebook"),
        (b'{"nbformat": 3, "worksheets": []}', "format 3"),
        (b'{"nbformat": 5, "cells": []}', "format 5"),
        (b'{"nbformat": 4, "cells": [3]}', "cell"),
        (b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": 3}]}', "source"),
        (json.dumps({"nbformat": 4, "cells": GOOD["cells"] * 3000}).encode(), "3000 cells"),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_reason(data, reason):
    with pytest.raises(Refused, match=reason):
        parse_cells(data)


def test_a_file_past_the_cap_is_refused_unread(tmp_path):
    put(tmp_path, b"x" * 2000)
    with pytest.raises(Refused, match="the limit is"):
        read_notebook(tmp_path, "ann/01/01.ipynb", Limits(notebook=1000))


@pytest.mark.parametrize("linked", ["ann", "ann/01", "ann/01/01.ipynb"])
def test_a_link_is_refused_wherever_it_stands(tmp_path, linked):
    put(tmp_path, GOOD, "bob/01/01.ipynb")
    target = tmp_path / linked.replace("ann", "bob", 1)
    (tmp_path / linked).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / linked).symlink_to(target)
    with pytest.raises(Refused, match="is a link"):
        read_notebook(tmp_path, "ann/01/01.ipynb", Limits())


def test_a_folder_or_a_pipe_in_place_of_the_file_is_refused_at_once(tmp_path):
    (tmp_path / "ann/01/01.ipynb").mkdir(parents=True)
    with pytest.raises(Refused, match="no regular file"):
        read_notebook(tmp_path, "ann/01/01.ipynb", Limits())
    (tmp_path / "ann/02").mkdir()
    os.mkfifo(tmp_path / "ann/02/02.ipynb")
    with pytest.raises(Refused, match="no regular file"):
        read_notebook(tmp_path, "ann/02/02.ipynb", Limits())


def test_nothing_handed_in_is_told_apart_from_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_notebook(tmp_path, "ann/01/01.ipynb", Limits())
