"""Widgets that move on the reading site: while it is made, what a widget's cell needs is run anew, and nothing else.

- A stored notebook holds stills: the pages of its widgets (`to_html`) weigh megabytes. So they are made for the site alone, by
  running with `KQA_PAGES` set, which has every widget offer its page beside its still.
- A cell shows a widget where its stored output is a picture, and it uses a function of `kqa_core.show` that says it returns one.
- What it needs is found by name, backwards: the cells that set a name it uses, those that set a name that these use, and so on,
  and all imports. Only cells that depend on no answer are run, from the students' version: no answer is there to be shown.
- A cell that fails (it wants a model that nobody has trained here) keeps the still; so do all that a kernel did not live to run.
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

from autograder.build.execute import CELL_SECONDS, WIDGET_VIEW, kernel_environment, transport
from autograder.site.safe_outputs import described, independent, names, parsed
from kqa_core.show.kit.live_figure import LiveFigure
from kqa_core.show.kit.page import PAGE, WANTED
from kqa_core.show.kit.widget import Widget

SHOW = "kqa_core.show"


def enliven(notebook: Any, beside: Path) -> list[str]:
    """Run again, in the folder `beside`, the cells that show widgets: their outputs then hold pages.

    `notebook` is the students' version with the outputs that may be seen. Returns a sentence for each widget that stays a still.
    """
    from nbclient import NotebookClient
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
        client = NotebookClient(
            run,
            timeout=CELL_SECONDS,
            startup_timeout=CELL_SECONDS,
            coalesce_streams=True,  # one print may arrive in pieces
            allow_errors=True,
            kernel_name="python3",
            resources={"metadata": {"path": str(beside)}},
            config=transport(progress),
        )
        try:
            client.execute(env={**kernel_environment(progress), WANTED: "1"})
        except CellTimeoutError:
            end = f": a cell takes more than {CELL_SECONDS} s"
        except DeadKernelError:
            end = ": the kernel died"
    made = {cell.id: cell.outputs for cell in run.cells}
    still = []
    for cell in notebook.cells:
        if cell.id not in showing:
            continue
        if any(PAGE in output.get("data", {}) for output in made[cell.id]):
            cell.outputs = [described(each) for each in made[cell.id] if not _complains(each)]
            for output in cell.outputs:
                output.get("data", {}).pop(WIDGET_VIEW, None)
        else:
            failed = (f": {output.ename}: {output.evalue}" for output in made[cell.id] if output.output_type == "error")
            reason = next(failed, end).partition("\n")[0]
            still.append(f"{beside.name}: the widget of cell {cell.id} stays a still{reason}")
    return still


def widget_cells(notebook: Any) -> set[str]:
    """The ids of the cells that show a widget and depend on no answer."""
    free, makers = independent(notebook), set(_makers(notebook))
    found = set()
    for cell in notebook.cells:
        pictures = any("image/png" in output.get("data", {}) for output in cell.get("outputs", []))
        if pictures and cell.id in free and makers & (names(cell.source)[0] or set()):
            found.add(cell.id)
    return found


def needed(notebook: Any, showing: set[str]) -> set[str]:
    """The ids of the cells to run for those of `showing`: they, and whatever sets a name that is used. Imports aside."""
    free, used, found = independent(notebook), set[str](), set[str]()
    for cell in reversed(notebook.cells):
        if cell.id in free:
            uses, sets, _ = names(cell.source)
            if cell.id in showing or sets & used:
                found.add(cell.id)
                used |= uses or set()
    return found


def _complains(output: Any) -> bool:
    """Whether an output is an error or a warning: they name places of this machine."""
    return bool(output.output_type == "error" or output.get("name") == "stderr")


def _imports(notebook: Any) -> str:
    """Every import at the top of a code cell, those of cells that are not run included."""
    return "\n".join(ast.unparse(node) for node in _top(notebook) if isinstance(node, (ast.Import, ast.ImportFrom)))


def _makers(notebook: Any) -> Iterable[str]:
    """Names in a notebook that stand for functions of kqa_core.show which return a widget."""
    for node in _top(notebook):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(SHOW):
            module = importlib.import_module(node.module or "")
            for alias in node.names:
                what = getattr(module, alias.name, None)
                if inspect.isfunction(what):
                    made = vars(sys.modules[what.__module__]).get(str(inspect.signature(what).return_annotation))
                    if isinstance(made, type) and issubclass(made, (Widget, LiveFigure)):
                        yield alias.asname or alias.name


def _top(notebook: Any) -> Iterable[ast.stmt]:
    """The statements at the top of all code cells."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tree = parsed(cell.source)
            yield from tree.body if tree else []
