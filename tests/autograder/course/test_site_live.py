"""Which cells the reading site runs anew for its widgets to move, and what becomes of those that fail."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output

from autograder.site.live_widgets import add_live_pages, needed, widget_cells

PAGE = "application/vnd.kqa.page+html"
STILL = {"image/png": "aaaa", "text/plain": "A still."}


def notebook(*sources, widgets=()):
    """Cells c0, c1, …; those at `widgets` show a picture, and one that defines `answer` is a solution."""
    cells = [new_code_cell(source, id=f"c{i}") for i, source in enumerate(sources)]
    for cell in cells:
        if "def answer" in cell.source:
            cell.metadata["nbgrader"] = {"grade_id": "answer", "solution": True}
    for place in widgets:
        cells[place].outputs = [new_output("execute_result", data=dict(STILL))]
    return new_notebook(cells=cells)


@pytest.mark.parametrize(
    ("source", "shows"),
    [
        ("from kqa_core.show.figures.nb03_playground import playground\nplayground()", True),
        ("from kqa_core.show.figures.nb03_playground import playground as play\nplay()", True),
        ("from kqa_core.show.kit.live_figure import live_figure\nlive_figure(draw, beta=(0, 1, 1))", True),
        ("from kqa_core.show.explorer.explorer import explore\nexplore(table).show(layer=1)", True),
        # a figure that stands still
        ("from kqa_core.show.figures.nb04_masks import spread_figure\nspread_figure()", False),
        ("from kqa_core.show.explorer.explorer import explore\nexplore(answer)", False),
        ("from kqa_core.show.figures.nb12_roofline import PROCESSORS\nPROCESSORS", False),
        ("playground()", False),  # of somebody else's
    ],
)
def test_a_cell_shows_a_widget_if_it_calls_what_returns_one(source, shows):
    made = notebook("table = [1]", "def answer(x): pass", source, widgets=[2])
    assert widget_cells(made) == ({"c2"} if shows else set())


def test_a_cell_without_a_picture_is_ignored_entries():
    made = notebook("from kqa_core.show.explorer.explorer import explore\nprint(explore(table).seen)")
    assert widget_cells(made) == set()


def test_what_a_widget_needs_is_found_backwards_by_name():
    made = notebook(
        "data = load()",
        "def answer(x): pass",
        "slow = train(data)",
        "def first(x): return x[0]",
        "print(slow)",
        "shown = answer(slow)",
        "one = first(data)",
        "show(one)",
        "data = None",
    )
    assert needed(made, {"c7"}) == {"c0", "c3", "c6", "c7"}


@pytest.mark.slow
def test_only_what_is_needed_runs_and_a_widget_that_fails_keeps_its_still(tmp_path):
    made = notebook(
        "import warnings\nfrom pathlib import Path",
        "def answer(x): pass\nfrom kqa_core.show.figures.nb03_playground import playground",
        "beta = 2.0",
        "Path('trained').touch()",
        "warnings.warn('here')\nplayground(beta=beta)",
        "playground(beta=Path('nowhere').read_text())",
        widgets=[4, 5],
    )
    (still,) = add_live_pages(made, tmp_path)
    assert (
        still.startswith(f"{tmp_path.name}: the widget of cell c5 stays a still: FileNotFoundError")
        and "nowhere" in still
    )
    assert [path.name for path in tmp_path.iterdir()] == [], "nobody asked for the model"
    [moving], [stays] = ([output.data for output in made.cells[place].outputs] for place in (4, 5))
    assert (
        moving[PAGE].startswith("<!doctype html>")
        and "At β = 2.0" in moving["text/plain"]
        and "image/png" in moving
    )
    assert not [kind for kind in moving if kind.startswith("application/vnd.jupyter")], (
        "a view without a kernel says nothing"
    )
    assert stays == STILL


@pytest.mark.slow
def test_what_a_kernel_did_not_live_to_run_keeps_its_still(tmp_path):
    shown = "from kqa_core.show.figures.nb03_playground import playground\nplayground(beta=beta)"
    made = notebook("import os", "beta = os._exit(1)", shown, shown, widgets=[2, 3])
    said = [
        f"{tmp_path.name}: the widget of cell {cell} stays a still: the kernel died" for cell in ("c2", "c3")
    ]
    assert add_live_pages(made, tmp_path) == said
    assert [made.cells[place].outputs[0].data for place in (2, 3)] == [STILL, STILL]


def test_a_notebook_without_widgets_runs_nothing(tmp_path):
    made = notebook("from pathlib import Path", "Path('ran').touch()")
    assert add_live_pages(made, tmp_path) == [] and not list(tmp_path.iterdir())
