"""A course directory of one notebook with three real exercises, not executed:
for tests of the judge's commands.
"""

from __future__ import annotations

import inspect
from pathlib import Path

import nbformat

from autograder.answer_key import AnswerKey, find_key
from autograder.build.assemble import assemble
from autograder.build.source import Cell
from kqa_core.check.registry import find

NAME = "01_attention_as_a_lookup"
EXERCISES = ("average_all", "select_first", "why_select")
# K as in the notebook, because a rejected answer computes with it
ROWS = "[[-0.1, 0.6, 0.2], [1.1, 1.1, 0.2], [0.4, -1.3, -1.2], [1.1, -0.3, 0.8]]"
SETUP = f"import math\nimport random\n\nimport torch\n\nK = torch.tensor({ROWS}, dtype=torch.float64)"


def write_course(root: Path) -> Path:
    """Write the course under `root`; its path."""
    cells = [Cell("setup_1", "setup", SETUP, None, "setup_1")]
    for name in EXERCISES:
        exercise, key = find(name), find_key(name)
        cells.append(Cell(f"statement_{name}", "statement", "What is asked.", exercise, f"statement_{name}"))
        if isinstance(key, AnswerKey):
            stub = (
                f"def {name}{inspect.signature(key.reference)}:\n    raise"
                f" NotImplementedError({exercise.stub_message!r})"
            )
            cells.append(Cell(name, "solution", stub.replace("'", '"'), exercise, name))
            cells.append(
                Cell(f"check_{name}", "check", f'check("{name}", {name})', exercise, f"check_{name}")
            )
        else:
            cells.append(Cell(name, "written", "", exercise, name))
    path = root / "source" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    nbformat.write(assemble(cells), path)
    return root
