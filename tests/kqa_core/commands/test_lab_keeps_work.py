"""`kqa lab` makes a working copy and never overwrites a student's work."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest

from kqa_core.commands.student import lab_environment, merge, working_copy
from kqa_core.errors import UserError


def write(folder, name, source, outputs=()):
    path = folder / name / f"{name}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        json.dumps(
            {"cells": [{"cell_type": "code", "source": source, "outputs": list(outputs)}], "metadata": {}}
        )
    )
    return path


def test_new_notebooks_are_added(tmp_path):
    write(tmp_path / "edition", "01_one", "stub")
    assert merge(tmp_path / "edition", tmp_path / "lab") == ["01_one: added"]
    assert json.loads((tmp_path / "lab/01_one/01_one.ipynb").read_text())["cells"][0]["source"] == "stub"


def test_the_same_edition_again_is_no_news(tmp_path):
    write(tmp_path / "edition", "01_one", "stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    assert merge(tmp_path / "edition", tmp_path / "lab") == []


def test_an_untouched_notebook_is_brought_up_to_date_even_if_it_was_run(tmp_path):
    write(tmp_path / "edition", "01_one", "stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    # Jupyter saved it with outputs
    write(tmp_path / "lab", "01_one", ["st", "ub"], outputs=[{"output_type": "stream"}])
    write(tmp_path / "edition", "01_one", "better stub")
    assert merge(tmp_path / "edition", tmp_path / "lab") == [
        "01_one: brought up to date (you had not changed it)"
    ]
    assert "better stub" in (tmp_path / "lab/01_one/01_one.ipynb").read_text()


def test_work_is_kept_and_the_new_edition_laid_beside_it(tmp_path):
    write(tmp_path / "edition", "01_one", "stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    mine = write(tmp_path / "lab", "01_one", "my answer")
    assert merge(tmp_path / "edition", tmp_path / "lab") == []
    write(tmp_path / "edition", "01_one", "better stub")
    assert merge(tmp_path / "edition", tmp_path / "lab") == [
        "01_one: yours is kept as it is; the new edition is new_editions/01_one.ipynb"
    ]
    assert "my answer" in mine.read_text()
    assert "better stub" in (tmp_path / "lab/new_editions/01_one.ipynb").read_text()
    assert merge(tmp_path / "edition", tmp_path / "lab") == []  # said once


@pytest.mark.parametrize("note", [None, "damaged", "[]"])
def test_a_notebook_of_unknown_origin_is_kept(tmp_path, note):
    mine = write(tmp_path / "lab", "01_one", "who knows")
    if note is not None:
        (tmp_path / "lab/.kqa").mkdir()
        (tmp_path / "lab/.kqa/handed_out.json").write_text(note)
    write(tmp_path / "edition", "01_one", "stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    assert "who knows" in mine.read_text()


def test_a_notebook_that_cannot_be_read_is_kept(tmp_path):
    write(tmp_path / "edition", "01_one", "stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    mine = tmp_path / "lab/01_one/01_one.ipynb"
    mine.write_text("half a notebo")
    write(tmp_path / "edition", "01_one", "better stub")
    merge(tmp_path / "edition", tmp_path / "lab")
    assert mine.read_text() == "half a notebo"


def test_an_unpacked_bundle_is_its_own_working_copy(tmp_path, monkeypatch):
    write(tmp_path, "00_start_here", "x")
    monkeypatch.chdir(tmp_path)
    assert working_copy(root=tmp_path / "no clone") == (tmp_path, [])


def test_elsewhere_it_says_where_to_run_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError, match=r"START_HERE\.txt"):
        working_copy(root=tmp_path / "no clone")


def test_a_students_jupyterlab_shows_no_tools_for_authors():
    """All plug-ins of nbgrader that are installed here, as its own files name them."""
    [folder] = Path(sys.prefix).glob("share/jupyter/labextensions/@jupyter/nbgrader/static")
    plugins = {
        name
        for path in folder.glob("*.js")
        for name in re.findall(r'"(@jupyter/nbgrader:[a-z-]+)"', path.read_text(encoding="utf-8"))
    }
    settings = Path(lab_environment()["JUPYTER_CONFIG_PATH"].split(os.pathsep)[0])
    off = json.loads((settings / "labconfig" / "page_config.json").read_text(encoding="utf-8"))
    assert "@jupyter/nbgrader:create-assignment" in plugins
    assert plugins <= {name for name, disabled in off["disabledExtensions"].items() if disabled}
