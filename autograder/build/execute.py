"""Run the instructor's notebook and keep outputs that are the same in every run on every machine.

- The kernel uses this environment's own Python. It runs in the source's folder, as a student's kernel does.
  It keeps its progress and the models it trains in a temporary folder, so a stored notebook shows what a
  first run shows.
- Widgets keep a still version (an image and a sentence), not their state: the state holds random ids and
  needs a kernel.
- An output that would differ elsewhere (a path of this machine, an object's address, anything on stderr) is
  refused, and the error names the cell. A cell tagged `nbval-ignore-output` may differ, but it must not show
  a path either.
- Any error in a check cell is refused too, because the reference must pass its own checks.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from traitlets.config import Config

from autograder.paths import ROOT, course_environment, course_folder
from kqa_core.errors import UserError

CELL_SECONDS = 600  # far more than a cell should need, because the machine may be busy
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def execute(notebook: Any, beside: Path, advance: Callable[[], object] = lambda: None) -> None:
    """Run every cell of `notebook` in the folder `beside`, in place.
    `advance` is called after each code cell.

    Raises UserError naming the cell that fails, or whose output would not be the same elsewhere.
    """
    with tempfile.TemporaryDirectory() as progress:
        client = client_for(
            notebook, beside, progress, record_timing=False, on_cell_executed=lambda **_: advance()
        )
        try:
            client.execute(env=kernel_environment(progress) | {"KQA_RUNS": f"{progress}/runs"})
        except CellExecutionError as failed:
            raise UserError(
                f"{beside.name}: {_failing_cell(notebook)} stops: {failed.ename}:"
                f" {_first_line(failed.evalue)}; a cell that is meant to has {MEANT} in its header"
            ) from None
        except CellTimeoutError:
            raise UserError(
                f"{beside.name}: a cell takes more than {CELL_SECONDS} s; make it smaller"
            ) from None
        except DeadKernelError:
            raise UserError(f"{beside.name}: the kernel died at {_failing_cell(notebook)}") from None
    if problems := unstable(notebook):
        raise UserError(f"{beside.name}: {'; '.join(problems)}")
    settle(notebook)


MEANT = 'tags=["raises-exception"]'


def _first_line(text: str) -> str:
    return (text.strip().splitlines() or [""])[0][:300]


def client_for(notebook: Any, beside: Path, progress: str, **options: Any) -> NotebookClient:
    """A client that runs a notebook in the folder `beside`; its kernel's sockets are in `progress`."""
    return NotebookClient(
        notebook,
        timeout=CELL_SECONDS,
        startup_timeout=CELL_SECONDS,
        coalesce_streams=True,  # one print may arrive in pieces
        kernel_name="python3",
        resources={"metadata": {"path": str(beside)}},
        config=transport(progress),
        **options,
    )


def transport(folder: str) -> Config:
    """Talk to the kernel through sockets in `folder`, not ports, which may be in use; not on Windows."""
    return Config(
        {"KernelManager": {"transport": "ipc", "ip": f"{folder}/kernel"}} if os.name == "posix" else {}
    )


def kernel_environment(progress: str) -> dict[str, str]:
    """The environment of a kernel that runs a notebook: inline figures, its own progress folder."""
    return {
        **course_environment(),
        "KQA_FOLDER": progress,
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    }


def settle(notebook: Any) -> None:
    """Remove everything a run adds that is neither text nor picture: widget state, views, timings."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if WIDGET_VIEW in output.get("data", {}) and len(output["data"]) > 1:
                del output["data"][WIDGET_VIEW]


def unstable(notebook: Any) -> list[str]:
    """Why the outputs would not be the same elsewhere: one sentence for each such cell."""
    homes = {str(Path.home()), sys.prefix, str(ROOT), str(course_folder()), tempfile.gettempdir()} - {
        "/",
        "/root",
        "",
    }
    reasons = []
    for cell in notebook.cells:
        free = "nbval-ignore-output" in cell.metadata.get("tags", [])
        for output in cell.get("outputs", []):
            complaint = _complaint(cell, output, homes, free)
            if complaint:
                reasons.append(f"cell {cell.id} {complaint}")
                break
    return reasons


def _complaint(cell: Any, output: Any, homes: set[str], free: bool) -> str | None:
    text = _text(output)
    if output.output_type == "error" and cell.metadata.get("nbgrader", {}).get("grade"):
        return f"fails with the reference in place: {output.evalue}"
    if output.output_type == "stream" and output.name == "stderr":
        return f"writes to stderr, {text.strip()[:120]!r}: fix the cause, or catch the warning"
    if named := next((home for home in homes if home in text), None):
        return f"shows a path of this machine ({named}): show a relative one"
    if ADDRESS.search(text) and not free:
        return f"shows an object's address ({ADDRESS.search(text)[0]!r}): show a value instead"  # type: ignore[index]
    data = output.get("data", {})
    if WIDGET_STATE in data or (WIDGET_VIEW in data and "image/png" not in data):
        return "shows a widget without a still version: show it with live_figure, which has one"
    return None


def _text(output: Any) -> str:
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return "\n".join([output.ename, output.evalue, *output.traceback])
    return "\n".join(
        str(value) for kind, value in output.data.items() if not kind.startswith(("image/png", "image/jpeg"))
    )


def _failing_cell(notebook: Any) -> str:
    """The last cell that ran, by id."""
    ran = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.get("execution_count")]
    return f"cell {ran[-1].id}" if ran else "the first cell"
