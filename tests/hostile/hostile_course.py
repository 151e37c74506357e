"""A course directory of two short notebooks with real exercises, not executed;
and what an honest student hands in.

- Notebook 01 has three checked exercises, on torch and on sympy, and a written answer. Notebook 07 has one
  whose arguments are built beside the answer, and one of notebook 04 that a function of the library would
  answer.
- `honest` is a student who has everything right. A fixture of the corpus changes that notebook; what it
  leaves alone must count.
- `neighbour` is the honest student judged after every hostile one. One of its answers is wrong in a known
  way, and one is right only where nothing of a submission before it can be seen: its whole result tells
  whether anything leaked.
"""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import nbformat

from autograder.answer_key import AnswerKey, answer_source, find_key
from autograder.build.assemble import assemble
from autograder.build.source import Cell
from kqa_core.check.registry import find

NAME = "01_attention_as_a_lookup"
MODELS = "07_pretrain_finetune_evaluate"
EXERCISES = {
    NAME: ("average_all", "select_first", "average_two_rate", "why_select"),
    MODELS: ("is_it_active", "split_heads"),
}
SETUP = {
    NAME: "import math\nimport random\n\nimport sympy as sp\nimport torch",
    MODELS: "import torch\n\nfrom kqa_core.model.gpt import GPT",
}
MARK = "kqa-left"  # in the name of everything that a fixture leaves behind
SYSV_KEY = 0x6B716131  # of a System V segment that a fixture leaves behind

# Everything a submission could leave for the next, looked for by its mark. `left` must be empty.
LOOK = f"""
import builtins, ctypes, os, socket, sys, tempfile
left = []
home = os.path.expanduser("~")
for place in {{".", home, tempfile.gettempdir(), "/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/dev/mqueue"}}:
    try:
        left += [name for name in os.listdir(place) if {MARK!r} in name]
    except OSError:
        pass
libc = ctypes.CDLL(None)
if libc.shmget({SYSV_KEY}, 1, 0) != -1:
    left.append("System V memory")
try:
    peer = socket.socket(socket.AF_UNIX)
    peer.connect("\\0{MARK}")
    left.append("abstract socket")
except OSError:
    pass
for pid in [name for name in (os.listdir("/proc") if os.path.isdir("/proc") else ()) if name.isdigit()]:
    try:
        left += [pid] if {MARK!r} in open(f"/proc/{{pid}}/cmdline").read() else []
    except OSError:
        pass
left += [name for name in os.environ if "KQA_LEFT" in name]
left += [name for name, module in list(sys.modules.items()) if "kqa_left" in vars(module)]
left += [path for path in sys.path if {MARK!r} in path]
left += [] if torch.get_default_dtype() is torch.float32 and torch.zeros(2).tolist() == [0, 0] else ["torch"]
left += [] if sum([1, 2]) == 3 and sp.simplify(sp.Integer(2) - 2) == 0 else ["functions"]
"""
CLEAN = "def average_all(K):\n    return K.mean(dim=0) if left else 0 * K[0]\n"


def write_course(root: Path) -> Path:
    """Write the course under `root`; its path."""
    for notebook, exercises in EXERCISES.items():
        cells = [Cell("setup_1", "setup", SETUP[notebook], None, "setup_1")]
        for name in exercises:
            exercise, key = find(name), find_key(name)
            cells.append(
                Cell(f"statement_{name}", "statement", "What is asked.", exercise, f"statement_{name}")
            )
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
        path = root / "source" / notebook / f"{notebook}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(assemble(cells), path)
    return root


def code(source: str, identity: str, grade_id: str | None = None, **metadata: Any) -> dict[str, Any]:
    """A code cell as Jupyter saves it."""
    marks = {"nbgrader": {"grade_id": grade_id, "schema_version": 3}} if grade_id else {}
    cell = {
        "cell_type": "code",
        "execution_count": None,
        "outputs": [],
        "id": identity,
        "metadata": {**marks, **metadata},
    }
    return {**cell, "source": source.splitlines(keepends=True)}


def prose(source: str, identity: str, grade_id: str | None = None) -> dict[str, Any]:
    """A markdown cell as Jupyter saves it."""
    metadata = {"nbgrader": {"grade_id": grade_id, "schema_version": 3}} if grade_id else {}
    return {
        "cell_type": "markdown",
        "id": identity,
        "metadata": metadata,
        "source": source.splitlines(keepends=True),
    }


def honest(notebook: str = NAME) -> dict[str, Any]:
    """The notebook with every answer right."""
    cells = [code(SETUP[notebook], "setup_1", "setup_1")]
    for name in EXERCISES[notebook]:
        key = find_key(name)
        if isinstance(key, AnswerKey):
            cells.append(code(answer_source(name, key.reference), name, name))
            cells.append(code(f'check("{name}", {name})', f"check_{name}", f"check_{name}"))
        else:
            cells.append(prose("The margin grows, so the weight goes to one.", name, name))
    kernel = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def set_source(tree: dict[str, Any], grade_id: str, source: str) -> None:
    """Write an answer into its cell."""
    cell = next(each for each in tree["cells"] if each["id"] == grade_id)
    cell["source"] = source.splitlines(keepends=True)


def neighbour(notebook: str = NAME) -> bytes:
    """The honest student who is judged after every hostile one."""
    tree = honest(notebook)
    if notebook == NAME:
        tree["cells"].insert(1, code(LOOK, "look"))
        set_source(tree, "average_all", CLEAN)
        rejected = next(
            each
            for each in find_key("average_two_rate").rejected
            if each.__name__ == "half_instead_of_a_quarter"
        )
        set_source(tree, "average_two_rate", answer_source("average_two_rate", rejected))
    return as_bytes(tree)


def as_bytes(tree: dict[str, Any]) -> bytes:
    """A notebook as the file that Jupyter would write."""
    return (json.dumps(tree, indent=1, ensure_ascii=False) + "\n").encode()
