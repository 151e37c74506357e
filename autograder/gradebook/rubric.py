"""Rubrics of written answers: the instructor reads them in formgrader, the student never does.

- They are not in the course's notebooks at all. The recorder puts one cell, tagged `kqa-rubric`, under each
  written answer of the autograded copy, which is what formgrader shows.
- `nbgrader generate_feedback` makes the student's page from that same copy: `StripRubric`, which
  `autograder.build.nbgrader_stubs.configure` adds, takes the cells out again.
"""

from __future__ import annotations

from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor

from autograder.gradebook.feedback import RUBRIC_TAG


class StripRubric(NbGraderPreprocessor):  # type: ignore[misc] # nbgrader ships no types
    """Removes the rubric cells before nbgrader makes a student's feedback."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook without its rubric cells."""
        nb.cells = [cell for cell in nb.cells if RUBRIC_TAG not in cell.metadata.get("tags", [])]
        return nb, resources
