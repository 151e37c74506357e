"""nbgrader knows one stub for all solution cells; ours name the exercise, so that *unattempted* can be told from a mistake.

`nbgrader_config.py` puts `NameStubs` right after nbgrader's own ClearSolutions.
"""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from nbgrader.utils import is_solution

CODE_STUB = 'raise NotImplementedError("exercise THIS: replace this line with your answer")'
TEXT_STUB = "YOUR ANSWER HERE"


class NameStubs(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader ships no types
    """Writes the exercise's name into the stubs of one notebook, and drops what only the builder needs."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook with its stubs named."""
        nb.metadata.pop("kqa", None)
        return super().preprocess(nb, resources)  # type: ignore[no-any-return]

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """The cell with its stub named."""
        if cell.cell_type == "code" and is_solution(cell):
            cell.source = cell.source.replace(CODE_STUB, CODE_STUB.replace("THIS", cell.metadata.nbgrader["grade_id"]))
        return cell, resources


def release_preprocessors(standard: list[type]) -> list[type]:
    """nbgrader's list of preprocessors for the release, with NameStubs after ClearSolutions."""
    place = standard.index(ClearSolutions) + 1
    return [*standard[:place], NameStubs, *standard[place:]]
