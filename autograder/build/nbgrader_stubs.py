"""nbgrader's settings for a course: `nbgrader_config.py` calls `configure`.

- nbgrader knows one stub for all solution cells. Ours name the exercise, so that *unattempted* differs from a
  mistake.
- A released answer cell keeps its stub in its metadata, so `reset()` needs no other file. A demonstration
  keeps its text, too: `check` knows by it which demonstrations the student changed, and so submits.
- An assignment holds the notebook and the exercises beside it, but no text sources and no files that a run
  has written.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbgrader
from nbgrader.converters import GenerateAssignment
from nbgrader.preprocessors import ClearSolutions, NbGraderPreprocessor
from nbgrader.utils import is_solution

from autograder.gradebook.formgrader_formulas import TEMPLATES
from autograder.submissions.skeleton import WRITTEN_STUB
from kqa_core.check.submitted import HANDED_OUT

CODE_STUB = 'raise NotImplementedError("exercise THIS: replace this line with your answer")'


class NameStubs(NbGraderPreprocessor):  # type: ignore[misc]  # nbgrader ships no types
    """Names the exercise in a notebook's stubs, keeps them in the metadata, removes the builder's own."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """The notebook with its stubs named."""
        nb.metadata.pop("kqa", None)
        return super().preprocess(nb, resources)  # type: ignore[no-any-return]

    def preprocess_cell(self, cell: Any, resources: Any, cell_index: int) -> tuple[Any, Any]:
        """The cell with its stub named and kept."""
        if is_solution(cell):
            cell.source = cell.source.replace(
                CODE_STUB, CODE_STUB.replace("THIS", cell.metadata.nbgrader["grade_id"])
            )
            cell.metadata[HANDED_OUT] = cell.source
        elif cell.cell_type == "code" and "nbgrader" not in cell.metadata:
            cell.metadata[HANDED_OUT] = cell.source
        return cell, resources


def configure(c: Any) -> None:
    """Set in nbgrader's configuration `c` what every course needs. A course may change it afterwards."""
    standard = GenerateAssignment.class_traits()["preprocessors"].default()
    place = standard.index(ClearSolutions) + 1
    c.CourseDirectory.ignore = [
        ".ipynb_checkpoints",
        "*.pyc",
        "__pycache__",
        ".pytest_cache",
        ".kqa",
        "[0-9]*_*.py",
    ]
    c.GenerateAssignment.preprocessors = [*standard[:place], NameStubs, *standard[place:]]
    c.ClearSolutions.code_stub = {"python": CODE_STUB}
    c.ClearSolutions.text_stub = WRITTEN_STUB
    # The autograded copy shows the grader each written answer's rubric; the student's feedback leaves it out.
    c.GenerateFeedback.preprocessors = [
        "nbgrader.preprocessors.GetGrades",
        "autograder.gradebook.rubric.StripRubric",
        "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
    ]
    # formgrader's page draws formulas without a network; nbgrader's own folder of templates is its default
    c.HTMLExporter.preprocessors = ["autograder.gradebook.formgrader_formulas.DrawFormulas"]
    theirs = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
    c.HTMLExporter.extra_template_basedirs = [str(TEMPLATES), str(theirs)]
    c.Execute.timeout = 600  # seconds for one cell: some train a small model
