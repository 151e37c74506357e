"""`kqa course build`: text sources in, the course out.

1. exercises that are written in a notebook's text source become files of their own (`one_file`), and each
   `source/NN_name/NN_name.py` becomes the instructor's executed `NN_name.ipynb` beside it (committed to
   git);
2. nbgrader makes the student's version in `release/`, and a file with the sealed model answers is put beside
   it;
3. everything a student gets is packed into one zip, which is searched for leaks before it gets to its place:
   one in which something was found, or that could not be searched, never does.

A notebook runs only when something in it has changed: its code, the answers, or either half of an exercise.
A hash of these is kept in the notebook; `force` runs it anyway. If only its text has changed, the new text is
written and the outputs are kept, also where other exercises give extra points than before. Digests of what
its texts said before stay in it, because a student may submit a copy of then. A file is written whole or not
at all.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.build.release import meant, release
from autograder.paths import choose_path, course_folder, read_course
from autograder.submissions.cells import text_digest
from kqa_core.check import value_kinds
from kqa_core.check.course_paths import SETTINGS
from kqa_core.check.display import text_table
from kqa_core.check.registry import all_exercises, exercise_folders, files_in, names_in
from kqa_core.errors import UserError, suggest
from kqa_core.files import write_whole

FORMER = 20  # texts of a cell that are remembered
EXTRA = re.compile(r"(?<=point) extra\b|(?<=points) extra\b")
ADDS_UP = re.compile(r"^(progress|cockpit)\(", re.MULTILINE)  # a cell that adds up points


@dataclass
class Build:
    """The files a build made. `leaks` should be empty."""

    # notebook: True if it was executed, False if its outputs were up to date
    sources: dict[str, bool] = field(default_factory=dict)
    released: list[Path] = field(default_factory=list)
    bundle: Path | None = None  # None if only some notebooks were built, or there are leaks
    leaks: list[str] = field(default_factory=list)


def build(
    notebooks: Sequence[str] = (),
    out: Path | None = None,
    force: bool = False,
    course: Path | None = None,
    quiet: bool = False,
    repository: str | None = None,
    path: str | None = None,
) -> Build:
    """Build the course, or the named notebooks ("01_sorting", or just "01").

    `path` chooses the path through the course (`kqa_core.check.course_paths`) and writes the choice into
    `course.toml`, because grading needs it, too.

    `out` is the folder for the student bundle (default `dist`); the bundle is made only when all notebooks
    are built. `repository` is where the student copy is published (`autograder.build.launch_links`). Raises
    UserError for an unknown notebook, a source that does not match its exercises, an exercise
    with values that the course does not declare, or a cell that fails.
    """
    from autograder.build.bundle import make_bundle, needs, place_bundle
    from autograder.build.launch_links import published
    from autograder.build.leak_scan import scan
    from autograder.build.one_file import write_halves
    from autograder.build.solutions import write_solutions

    result, launch, course = Build(), published(repository), course or course_folder()
    if path is not None:
        choose_path(path, course)
    names = chosen(notebooks, course)
    for name in names:
        write_halves(course / "source" / name / f"{name}.py")
        _check_packages(course / "source" / name)
    _check_paths(course)
    for name in names:
        result.sources[name] = build_source(name, course, force, quiet)
    result.released = release(names, course, launch=launch, needs=needs)
    for notebook in result.released:
        write_solutions(notebook.parent, course)
    if not notebooks:
        with tempfile.TemporaryDirectory() as folder:
            made = make_bundle(result.released, Path(folder))
            result.leaks = scan([made])
            if not result.leaks:
                result.bundle = place_bundle(made, out)
    else:
        result.leaks = scan([notebook.parent for notebook in result.released])
    return result


def chosen(wanted: Sequence[str], course: Path | None = None) -> list[str]:
    """The full names of the notebooks named, in order; of all notebooks if none is named."""
    there = sorted(
        path.stem
        for path in ((course or course_folder()) / "source").glob("*/*.py")
        if path.stem == path.parent.name
    )
    return meant(wanted, there, "there is no such source; the notebooks are")


def build_source(name: str, course: Path | None = None, force: bool = False, quiet: bool = False) -> bool:
    """Make the executed notebook of one text source; False if no cell had to run."""
    import nbformat
    from tqdm import tqdm

    from autograder.build.execute import execute

    folder = (course or course_folder()) / "source" / name
    target = folder / f"{name}.ipynb"
    notebook = _assembled(folder)
    if not force and _holds(target, notebook):
        return False
    there = _built(target)
    if there is not None and (former := _former(there, notebook)):
        notebook.metadata["kqa"]["former"] = former
    if not force and _keep_outputs(target, notebook):
        write_whole(target, nbformat.writes(notebook) + "\n")  # type: ignore[no-untyped-call]
        return False
    code = sum(cell.cell_type == "code" and bool(cell.source.strip()) for cell in notebook.cells)
    with tqdm(total=code, desc=name, unit="cell", leave=False, disable=True if quiet else None) as bar:
        execute(notebook, folder, bar.update)
    nbformat.validate(notebook)
    write_whole(target, nbformat.writes(notebook) + "\n")  # type: ignore[no-untyped-call]
    return True


def up_to_date(name: str, course: Path | None = None) -> bool:
    """Whether the executed notebook exists and matches its text source and its exercises."""
    from autograder.build.one_file import halves, read_cells

    folder = (course or course_folder()) / "source" / name
    source = folder / f"{name}.py"
    for path, text in halves(source, read_cells(source)).items():
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            return False
    return _holds(folder / f"{name}.ipynb", _assembled(folder))


def _assembled(folder: Path) -> Any:
    from autograder.build.assemble import assemble
    from autograder.build.source import read_source

    notebook = assemble(read_source(folder / f"{folder.name}.py"))
    notebook.metadata["kqa"] = {"made_of": _made_of(folder, notebook)}
    return notebook


def _halves(folder: Path) -> list[Path]:
    """Both halves of a notebook's exercises, and their helpers."""
    return [
        path for half in (folder / "exercises", read_course().keys / folder.name) for path in files_in(half)
    ]


def path_table() -> str:
    """The paths through the course, one a line: time, exercises, what it covers."""
    paths = read_course().paths
    if not paths.names:
        raise UserError(f"{course_folder() / SETTINGS}: has no paths; write tables such as [paths.short]")
    exercises = all_exercises()
    added, rows, minutes, inside = paths.minutes(exercises), [("path", "time", "exercises", "")], 0, 0
    for name in paths.names:
        minutes += sum(by_path[name] for by_path in added.values())
        inside += sum(exercise.path == name for exercise in exercises)
        time = f"{minutes // 60} h {minutes % 60:02} min"
        mark = "chosen: " if name == paths.chosen else ""
        rows.append((name, time, str(inside), f"{mark}{paths.about[name]}"))
    return text_table(rows)


def _check_packages(folder: Path) -> None:
    """Raise UserError if a check uses values of a package that the course does not declare."""
    declared = {name.partition(".")[0] for name in read_course().packages}
    for path in (path for path in _halves(folder) if path.suffix == ".py"):
        text = path.read_text(encoding="utf-8")
        for package in sorted(value_kinds.MODULES.keys() - declared):
            if re.search(rf"^\s*(import|from)\s+{package}\b", text, re.MULTILINE):
                raise UserError(
                    f"{path}: imports {package}, whose values reach no check of this course; write"
                    f' packages = ["{package}"] into {course_folder() / SETTINGS}'
                )


def _check_paths(course: Path) -> None:
    """Raise UserError if a path through the course names an exercise that it does not have."""
    exercises = names_in(exercise_folders(course / "source"))
    for name, path in read_course(course).paths.own.items():
        if name not in exercises:
            raise UserError(
                f"{course / SETTINGS}: [paths.{path}] names {name!r}, which is no exercise;"
                f" {suggest(name, sorted(exercises))}"
            )


def _made_of(folder: Path, notebook: Any) -> str:
    """A hash of what decides the notebook's content: its cells, and both halves of its exercises."""
    digest = hashlib.sha256(json.dumps(_cells(notebook), sort_keys=True).encode())
    for path in _halves(folder):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:32]


def _cells(notebook: Any) -> list[Any]:
    return [[cell.id, cell.cell_type, cell.source, cell.metadata] for cell in notebook.cells]


def _keep_outputs(target: Path, notebook: Any) -> bool:
    """Give `notebook` the outputs of the file, if that differs from it in nothing but text and in which
    points are extra. The lines of checks then say the new points; a table that adds them up has no output.
    """
    from autograder.build.execute import settle

    there = _built(target)
    if there is None:
        return False
    old, new = ([cell for cell in each.cells if cell.cell_type == "code"] for each in (there, notebook))
    if (
        there.metadata.get("kqa", {}).get("made_of") != _made_of(target.parent, there)
        or [(cell.source, cell.metadata) for cell in old] != [(cell.source, cell.metadata) for cell in new]
        or [EXTRA.sub("", text) for text in _points(there)]
        != [EXTRA.sub("", text) for text in _points(notebook)]
    ):
        return False
    changed = [pair for pair in zip(_points(there), _points(notebook), strict=True) if len(set(pair)) == 2]
    for cell, ran in zip(new, old, strict=True):
        cell.outputs, cell.execution_count = ran.outputs, ran.execution_count
        if changed and ADDS_UP.search(cell.source):
            cell.outputs = []
        for output, (before, now) in itertools.product(cell.outputs, changed):
            if output.output_type == "stream":
                output.text = output.text.replace(before, now)
    settle(notebook)
    return True


def _points(notebook: Any) -> list[str]:
    """The points of a notebook's exercises, as the lines of checks say them: "two: right (2 points"."""
    return [
        f"{cell.metadata['nbgrader']['grade_id'].removeprefix('statement_')}: right"
        f" ({cell.source.splitlines()[2].partition(' · ')[0].strip('*')}"
        for cell in notebook.cells
        if cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("statement_")
    ]


def _holds(target: Path, notebook: Any) -> bool:
    """Whether the file holds this notebook, executed. One edited by hand does not."""
    there = _built(target)
    return (
        there is not None
        and there.metadata.get("kqa", {}).get("made_of") == notebook.metadata["kqa"]["made_of"]
        and _cells(there) == _cells(notebook)
    )


def _built(target: Path) -> Any:
    """The notebook that an earlier build wrote; None if there is none."""
    import nbformat

    try:
        return nbformat.read(target, as_version=4)  # type: ignore[no-untyped-call]
    except (OSError, ValueError):  # missing, or not a notebook
        return None


def _former(there: Any, notebook: Any) -> dict[str, list[str]]:
    """By cell: digests of what its text said in earlier builds, the newest last."""
    kept, new = there.metadata.get("kqa", {}).get("former", {}), {cell.id: cell for cell in notebook.cells}
    former = {}
    for cell in there.cells:
        if cell.cell_type == "markdown" and cell.id in new and not _written(cell):
            before, now = text_digest(cell.source), text_digest(new[cell.id].source)
            texts = [*(each for each in kept.get(cell.id, ()) if each != before), before]
            former[cell.id] = [each for each in texts if each != now][-FORMER:]
    return {cell: texts for cell, texts in former.items() if texts}


def _written(cell: Any) -> bool:
    """Whether it holds a model answer, which no student has seen."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))
