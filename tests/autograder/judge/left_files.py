"""A notebook of five students, as editors, cleaning tools and a bad connection leave it: 7 kinds in 5
variants. Each kind says how it was made. The answers of a variant are the same in all kinds.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jupytext
import nbformat
from platform_files import ARCHIVES, NAME
from tiny_course import EXERCISES, RIGHT, stub

from autograder.submissions.skeleton import WRITTEN_STUB, Skeleton, SkeletonCell

Tree = dict[str, Any]

WHY, WHEN = EXERCISES["why"], replace(EXERCISES["why"], id="when", order=4)


def _asked(name: str, text: str) -> SkeletonCell:
    exercise = {**EXERCISES, "when": WHEN}[name]
    return SkeletonCell("statement", "markdown", text, f"statement_{name}", exercise, f"statement_{name}")


def _checked(name: str) -> tuple[SkeletonCell, ...]:
    source = f'check("{name}", {name})'
    return (
        SkeletonCell("solution", "code", stub(name), name, EXERCISES[name], name),
        SkeletonCell("check", "code", source, f"check_{name}", EXERCISES[name], f"check_{name}"),
    )


COURSE = Skeleton(
    NAME,
    (
        SkeletonCell("prose", "markdown", "# Doubling\n\nA notebook about numbers.", id="start-1"),
        SkeletonCell("setup", "code", "import math\n\nLIMIT = 100", "setup_1", id="setup_1"),
        _asked("double", "### Exercise 1. `double`\n\nReturn twice the number `x`, whatever its sign."),
        *_checked("double"),
        SkeletonCell("demonstration", "code", "print([double(x) for x in range(4)])", id="double-2"),
        SkeletonCell("prose", "markdown", "Doubling again and again grows quickly.", id="double-3"),
        _asked("why", "### Exercise 2. Why it grows\n\nSay in a sentence or two why it grows so quickly."),
        SkeletonCell("written", "markdown", WRITTEN_STUB, "why", WHY, "why"),
        _asked(
            "total", "### Exercise 3. `total`\n\nReturn the sum of the list `numbers`, which may be empty."
        ),
        *_checked("total"),
        _asked("when", "### Exercise 4. When it overflows\n\nSay when a number of 64 bits is too small."),
        SkeletonCell("written", "markdown", WRITTEN_STUB, "when", WHEN, "when"),
        SkeletonCell("prose", "markdown", "**Next:** the notebook about halving.", id="when-1"),
    ),
)
EXERCISE = {exercise.id: exercise for exercise in COURSE.exercises}
VARIANTS: tuple[dict[str, str], ...] = (
    {**RIGHT, "why": "Each step doubles *all* that is there.", "when": "After 63 doublings of one."},
    {**RIGHT, "double": "def double(x):\n    return x * x", "why": "It is exponential.\n\n- 2, 4, 8\n- 16"},
    {
        "total": "def total(numbers):\n    return sum(numbers",
        "why": "Because of $2^n$.",
        "when": "Never in Python.",
    },
    {
        "total": "SUM = sum\n\n\ndef total(numbers):\n    return SUM(numbers)",
        "when": "At $2^{63}$.\n\n    2 ** 63",
    },
    {**RIGHT, "total": "def total(numbers):\n    return sum(numbers[1:])", "why": "The steps get longer."},
)


def notebook(answers: dict[str, str]) -> Tree:
    """The notebook as Jupyter saves it, with these answers in it."""
    cells = []
    for frame in COURSE.cells:
        marks = {"grade_id": frame.grade_id, "solution": frame.role in ("solution", "written")}
        metadata = {"nbgrader": marks} if frame.grade_id else {}
        source = answers.get(frame.grade_id or "", frame.source)
        cell: Tree = {"cell_type": frame.kind, "id": frame.id, "metadata": metadata, "source": source}
        if frame.kind == "code":
            cell |= {"execution_count": 3, "outputs": []}
        cells.append(cell)
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}


def changed(tree: Tree, change: Callable[[Tree], object], minor: int = 5) -> Tree:
    """A copy of a notebook, with each cell changed."""
    other = copy.deepcopy(tree)
    other["nbformat_minor"] = minor
    for cell in other["cells"]:
        change(cell)
    return other


def bare(cell: Tree, id: bool = False, metadata: bool = False, outputs: bool = False) -> None:
    """Take these parts out of a cell."""
    if id:
        cell.pop("id", None)
    if metadata:
        cell["metadata"] = {}
    if outputs and cell["cell_type"] == "code":
        cell["outputs"], cell["execution_count"] = [], None


def vs_code(tree: Tree, variant: int) -> Tree:
    """As VS Code leaves it. In 2020 it dropped all metadata of cells that it ran (vscode-jupyter #2325), and
    wrote notebooks without ids. Newer versions keep both; a tool may drop the metadata and keep the ids. It
    formats cells on saving where the student turned that on.
    """
    if variant == 0:
        return changed(tree, lambda cell: bare(cell, id=True, metadata=True), 2)
    if variant == 1:
        return changed(tree, lambda cell: bare(cell, metadata=True))
    if variant == 2:  # only what was run
        return changed(tree, lambda cell: bare(cell, id=True, metadata=cell["cell_type"] == "code"), 2)
    if variant == 3:

        def formatted(cell: Tree) -> None:
            bare(cell, id=True, metadata=True)
            cell["source"] = cell["source"].replace(", ", ",   ") + "\n"

        return changed(tree, formatted, 4)
    return changed(tree, lambda cell: cell["metadata"].update(vscode={"languageId": "python"}))


def colab(tree: Tree, variant: int) -> Tree:
    """As Colab saves it: format 4.0, each cell's id in its metadata, other metadata kept. Cells copied into a
    new notebook have ids of Colab's own and no metadata. Many begin with a cell that installs the package.
    """
    names = random.Random(variant)

    def change(cell: Tree) -> None:
        own = "".join(names.choices("abcdefghijkLMNOPQRST0123456789", k=12))
        keeps = variant in (0, 3)
        kept = cell["metadata"] if variant != 1 and keeps else {}
        cell["metadata"] = {**kept, "id": cell.pop("id") if variant in (0, 1) else own}
        cell.pop("id", None)
        if cell["cell_type"] == "code":
            cell["metadata"]["outputId"] = "9e25cdf4-b53c-4e23-edd3-0c32f8896364"

    other = changed(tree, change, 0)
    other["metadata"] = {"colab": {"provenance": []}, **other["metadata"]}
    install = {"cell_type": "code", "metadata": {"id": "rLg2QMmR6TCZ"}, "outputs": [], "execution_count": 1}
    badge = {"cell_type": "markdown", "metadata": {"id": "view-in-github", "colab_type": "text"}}
    other["cells"][:0] = [
        {**badge, "source": "<a>Open In Colab</a>"},
        {**install, "source": "!pip install kqa"},
    ]
    return other


def kaggle(tree: Tree, variant: int) -> Tree:
    """As Kaggle saves it: format 4.4, so without ids, and with metadata of its own, from which a version that
    was run by *Save & Run All* keeps nothing else. It puts a cell about its machine first.
    """

    def change(cell: Tree) -> None:
        bare(cell, id=True, metadata=variant % 2 == 0)
        cell["metadata"] |= {"trusted": True, "execution": {"iopub.status.busy": "2026-11-20T10:19:24Z"}}
        if variant == 4:
            cell["metadata"]["_kg_hide-input"] = True
        cell["source"] = cell["source"] + ("\n" if variant else "")

    other = changed(tree, change, 4)
    first = {
        "cell_type": "code",
        "metadata": {"_uuid": "8f2839f25d086af736a60e9eeb907d3b93b6e0e5"},
        "outputs": [],
    }
    about = "# This Python 3 environment comes with many helpful libraries\nimport os\n"
    other["cells"].insert(0, {**first, "execution_count": 1, "source": about})
    return other


def deepnote(tree: Tree, variant: int) -> Tree:
    """As Deepnote exports it: its own cell_id and nothing of other metadata, and in some exports each
    paragraph of a text in a cell of its own.
    """
    other = changed(tree, lambda cell: bare(cell, id=True, metadata=True), 0)
    cells = []
    for number, cell in enumerate(other["cells"]):
        kind = cell["cell_type"]
        texts = cell["source"].split("\n\n") if variant >= 3 and kind == "markdown" else [cell["source"]]
        for part, text in enumerate(texts):
            own = {"cell_id": f"{number:05}-{part}", "deepnote_cell_type": kind, "tags": []}
            cells.append({**cell, "source": text, "metadata": own})
    if variant in (1, 2):  # an empty block at the end
        cells.append(
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": "", "execution_count": None}
        )
    return {**other, "cells": cells}


def nbstripout(tree: Tree, variant: int) -> Tree:
    """As nbstripout 0.9.1 leaves it, compared once with the program: no outputs, and the ids "0", "1" and so
    on; with --keep-id those of before, with --extra-keys cell.metadata.nbgrader no metadata of nbgrader's,
    with --drop-empty-cells no empty cells.
    """
    other = changed(tree, lambda cell: bare(cell, metadata=variant in (1, 2, 3), outputs=True))
    if variant != 1:
        for number, cell in enumerate(other["cells"]):
            cell["id"] = str(number)
    return {**other, "cells": [cell for cell in other["cells"] if cell["source"].strip() or variant != 3]}


def through_jupytext(tree: Tree, variant: int) -> Tree:
    """Through jupytext itself, to text and back: ids are lost, and with -all the metadata, too."""
    form, filtered = [
        ("py:percent", ""),
        ("py:light", "-all"),
        ("md", "-all"),
        ("md:myst", "-all"),
        ("Rmd", ""),
    ][variant]
    read = nbformat.from_dict(copy.deepcopy(tree))
    if filtered:
        read.metadata["jupytext"] = {"cell_metadata_filter": filtered}
    text = jupytext.writes(read, fmt=form)
    return json.loads(nbformat.writes(jupytext.reads(text, fmt=form)))


def damaged(tree: Tree, variant: int) -> Tree | bytes:
    """Old formats, line ends of Windows, half a file, and answers copied into a new notebook."""
    if variant == 0:  # format 3, as of 2014
        old = nbformat.convert(nbformat.from_dict(copy.deepcopy(tree)), 3)
        return json.loads(json.dumps(old))
    if variant == 1:  # saved by a text editor of Windows
        other = changed(tree, lambda cell: cell.update(source=cell["source"].replace("\n", "\r\n")))
        return b"\xef\xbb\xbf" + json.dumps(other, indent=1).replace("\n", "\r\n").encode()
    if variant == 2:  # the upload stopped
        return json.dumps(tree).encode()[:1500]
    if variant == 3:  # the second half of the cells is gone
        return {**tree, "cells": tree["cells"][: len(tree["cells"]) // 2]}
    answers = [cell for cell in tree["cells"] if cell["metadata"].get("nbgrader", {}).get("solution")]
    return changed({**tree, "cells": answers}, lambda cell: bare(cell, id=True, metadata=True), 4)


EDITORS = (vs_code, colab, kaggle, deepnote, nbstripout, through_jupytext, damaged)
COPIES = {  # how Google Drive calls a copy, and how browsers, Jupyter and file managers do
    "google_drive": (
        "Copy of {}.ipynb",
        "{} (1).ipynb",
        "Copy of Copy of {}.ipynb",
        "{}.ipynb.txt",
        "{}.ipynb",
    ),
    "browsers": ("{} (1).ipynb", "{}-Copy1.ipynb", "{} - Copy (2).ipynb", "{}.ipynb.json", "{} copy 2.ipynb"),
}
KINDS = (*EDITORS, *COPIES, *ARCHIVES)


def file_of(tree: Tree | bytes) -> bytes:
    """The bytes of a file."""
    return tree if isinstance(tree, bytes) else json.dumps(tree, indent=1).encode()
