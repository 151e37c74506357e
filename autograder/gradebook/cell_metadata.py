"""The metadata of the notebooks that we make: the kernel, and nbgrader's entry in each cell."""

from __future__ import annotations

from typing import Any

METADATA = {  # of every notebook that we make; no version of Python: it differs by machine
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"file_extension": ".py", "mimetype": "text/x-python", "name": "python"},
}


def nbgrader_marks(kind: str, role: str, grade_id: str) -> dict[str, Any]:
    """nbgrader's metadata of a cell, schema version 3, without its points."""
    grade, solution = role in ("check", "written"), role in ("solution", "written")
    marks: dict[str, Any] = {"cell_type": kind, "grade": grade, "grade_id": grade_id, "locked": not solution}
    return marks | {"schema_version": 3, "solution": solution, "task": False}


def nbgrader_checksum(kind: str, source: str, marks: dict[str, Any]) -> str:
    """nbgrader's own checksum of a cell, by which it sees a changed cell and an untouched answer.
    `marks` hold the points.
    """
    from nbformat import from_dict
    from nbgrader.utils import compute_checksum

    cell = from_dict({"cell_type": kind, "source": source, "metadata": {"nbgrader": marks}})  # type: ignore[no-untyped-call]
    return str(compute_checksum(cell))
