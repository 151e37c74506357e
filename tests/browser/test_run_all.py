"""Run All in JupyterLab goes on past an exercise that is not done, and shows our line for it."""

from __future__ import annotations

import contextlib

import pytest
from lab_server import CHROMIUM, HARMLESS, KERNEL_READY, LOCAL, served
from nbformat.v4 import new_code_cell, new_notebook, writes
from pages import watched

from autograder.build.assemble import METADATA
from autograder.build.nbgrader_stubs import CODE_STUB
from kqa_core.commands.student import lab_command, lab_environment

NAME = "00_start_here"
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab on a notebook with an untouched exercise and a cell after its check;
    the address it answers at.
    """
    answer = f"def weighted_average(values, weights):\n    {CODE_STUB.replace('THIS', 'weighted_average')}"
    checking = 'from kqa_core.check import check\n\ncheck("weighted_average", weighted_average)'
    tags = {"tags": ["raises-exception"]}
    cells = [
        new_code_cell(answer),
        new_code_cell(checking, metadata=tags),
        new_code_cell('print("and the next cell ran")'),
    ]
    folder = tmp_path / NAME
    folder.mkdir()
    (folder / f"{NAME}.ipynb").write_text(
        writes(new_notebook(cells=cells, metadata=METADATA)), encoding="utf-8"
    )
    environment = {**lab_environment(), "KQA_FOLDER": str(tmp_path / "kept")}
    with served(lab_command(tmp_path, NAME), tmp_path, environment, tmp_path) as address:
        yield f"{address}/?token=key"


def test_run_all_goes_on_past_an_unattempted_exercise(lab, chromium):
    context = chromium.new_context()
    with contextlib.closing(context), watched(context.new_page(), LOCAL, HARMLESS) as page:
        page.goto(lab)
        page.wait_for_selector(".jp-Notebook:has-text('weighted_average')")
        page.wait_for_selector(KERNEL_READY)
        page.get_by_text("Run", exact=True).first.click()
        page.get_by_text("Run All Cells", exact=True).click()
        page.wait_for_selector(".jp-OutputArea-output:has-text('and the next cell ran')")
        shown = page.locator(".jp-OutputArea-output").all_inner_texts()
        popups = page.locator(".Toastify__toast").all_inner_texts()
    assert popups == [], "the first thing a student sees is the notebook"
    assert shown[0].strip().startswith("weighted_average: unattempted: ")
    assert len(shown[0].strip().splitlines()) == 1
    assert shown[-1].strip() == "and the next cell ran"
