"""Interactive widgets on the reading site: the build runs the cells that a widget needs again, and no others.

- A stored notebook holds stills, because the pages of its widgets (`to_html`) take megabytes. So the pages
  are made only for the site, by running with `KQA_PAGES` set. Every widget then offers its page beside its
  still.
- A cell shows a widget if its stored output has a picture and it uses a function of `kqa_core.show` that
  returns a widget.
- We find what it needs by name, backwards: the cells that set a name it uses, those that set a name that
  these use, and so on, and all imports. We run only cells that depend on no answer, from the students'
  version, so no answer can be shown.
- If a cell fails (it may need a model that nobody has trained here), its widget stays a still. The same holds
  for all cells that the kernel did not reach.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograder.build.execute import CELL_SECONDS, WIDGET_VIEW, client_for, kernel_environment
from autograder.site.safe_outputs import described, independent, names, parsed
from kqa_core.show.kit.page import PAGE, WANTED

SHOW = "kqa_core.show"


def add_live_pages(notebook: Any, folder: Path) -> list[str]:
    """Run the cells that show widgets again, in `folder`, so that their outputs contain pages.

    `notebook` is the students' version with safe outputs. Returns a sentence for each widget that stays a
    still.
    """
    from nbclient.exceptions import CellTimeoutError, DeadKernelError
    from nbformat.v4 import new_code_cell, new_notebook

    showing = widget_cells(notebook)
    if not showing:
        return []
    wanted = needed(notebook, showing)
    cells = [copy.deepcopy(cell) for cell in notebook.cells if cell.id in wanted]
    run: Any = new_notebook(cells=[new_code_cell(_imports(notebook)), *cells])  # type: ignore[no-untyped-call]
    end = ""
    with tempfile.TemporaryDirectory() as progress:
        client = client_for(run, folder, progress, allow_errors=True)
        try:
            client.execute(env={**kernel_environment(progress), WANTED: "1"})
        except CellTimeoutError:
            end = f": a cell takes more than {CELL_SECONDS} s"
        except DeadKernelError:
            end = ": the kernel died"
    outputs = {cell.id: cell.outputs for cell in run.cells}
    still = []
    for cell in notebook.cells:
        if cell.id not in showing:
            continue
        if any(PAGE in output.get("data", {}) for output in outputs[cell.id]):
            cell.outputs = [
                described(output)
                for output in outputs[cell.id]
                if output.output_type != "error" and output.get("name") != "stderr"
            ]  # they show paths of this machine
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
        else:
            failed = (
                f": {output.ename}: {output.evalue}"
                for output in outputs[cell.id]
                if output.output_type == "error"
            )
            reason = next(failed, end).partition("\n")[0]
            still.append(f"{folder.name}: the widget of cell {cell.id} stays a still{reason}")
    return still


def widget_cells(notebook: Any) -> set[str]:
    """The ids of the cells that show a widget and depend on no answer."""
    free, makers = independent(notebook), set(_widget_functions(notebook))
    showing = set()
    for cell in notebook.cells:
        pictures = any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
        if pictures and cell.id in free and makers & (names(cell.source)[0] or set()):
            showing.add(cell.id)
    return showing


def needed(notebook: Any, showing: set[str]) -> set[str]:
    """The ids of the cells in `showing`, and of all that set a name they need. Imports do not count."""
    free, used, needed_cells = independent(notebook), set[str](), set[str]()
    for cell in reversed(notebook.cells):
        if cell.id in free:
            uses, sets, _ = names(cell.source)
            if cell.id in showing or sets & used:
                needed_cells.add(cell.id)
                used |= uses or set()
    return needed_cells


def _imports(notebook: Any) -> str:
    """Every import at the top level of a code cell, also of cells that are not run."""
    return "\n".join(
        ast.unparse(node) for node in _statements(notebook) if isinstance(node, (ast.Import, ast.ImportFrom))
    )


def _widget_functions(notebook: Any) -> Iterable[str]:
    """The names by which a notebook imports functions of kqa_core.show that return a widget."""
    for node in _statements(notebook):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SHOW):
            # here, because a course without widgets need not have their packages
            from kqa_core.show.kit.live_figure import LiveFigure
            from kqa_core.show.kit.widget import Widget

            module = importlib.import_module(node.module or "")
            for alias in node.names:
                what = getattr(module, alias.name, None)
                if inspect.isfunction(what):
                    returned = vars(sys.modules[what.__module__]).get(
                        str(inspect.signature(what).return_annotation)
                    )
                    if isinstance(returned, type) and issubclass(returned, (Widget, LiveFigure)):
                        yield alias.asname or alias.name


def _statements(notebook: Any) -> Iterable[ast.stmt]:
    """The top-level statements of all code cells."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tree = parsed(cell.source)
            yield from tree.body if tree else []
