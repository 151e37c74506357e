"""The student's notebooks: nbgrader's generate_assignment with the course's `nbgrader_config.py`.

- It writes into the course directory and updates the gradebook (`nbgrader autograde` needs it), or into
  another folder without a gradebook.
- `python -m autograder.build.release FOLDER [NOTEBOOK …]` does the latter: `kqa lab` calls it for a clone's
  working copy.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from autograder.build.assistants import write_rules
from autograder.build.launch_links import Published
from autograder.paths import course_folder, read_course
from autograder.submissions.cells import ADDED
from kqa_core.check.cockpit_view import DUE
from kqa_core.check.course_paths import RELEASED
from kqa_core.errors import UserError
from kqa_core.files import write_whole


def notebook_names(course: Path | None = None) -> list[str]:
    """The notebooks that have a source, in order."""
    notebooks = ((course or course_folder()) / "source").glob("*/*.ipynb")
    return sorted(path.stem for path in notebooks if path.stem == path.parent.name)


def chosen(wanted: Sequence[str], course: Path | None = None) -> list[str]:
    """The full names of the notebooks that `wanted` names or numbers. All that exist, if none is named."""
    course = course or course_folder()
    there = notebook_names(course)
    if not there:
        raise UserError(
            f"{course / 'source'}: holds no instructor's notebook; make them with `kqa course build`"
        )
    return meant(wanted, there, "there is no such notebook; the notebooks are")


def meant(wanted: Sequence[str], there: Sequence[str], otherwise: str) -> list[str]:
    """The notebooks among `there` that `wanted` names or numbers, in order; all if `wanted` is empty.

    Raises UserError for an unknown one; its message is `otherwise`, followed by the names in `there`.
    """
    names = set()
    for word in wanted:
        matches = [name for name in there if word in (name, name.partition("_")[0])]
        if not matches:
            raise UserError(f"notebook {word!r}: {otherwise} {', '.join(there) or 'none yet'}")
        names.update(matches)
    return sorted(names or there)


def release(
    names: list[str],
    course: Path | None = None,
    out: Path | None = None,
    launch: Published | None = None,
    needs: Callable[[str], str] | None = None,
) -> list[Path]:
    """Make the student's version of the executed notebooks `names`; returns the files made.

    They go to `course/release`, and nbgrader's gradebook is updated. With `out` they go there instead, and no
    gradebook changes. The rules for assistants lie beside each. With `launch`, each has links under its title
    that open it with a click, and with `needs` what this says of its name. A due date is shown there and
    written into a file beside it. Raises UserError with the last line of nbgrader's log if nbgrader fails.
    """
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from traitlets.config import Config

    from autograder.gradebook.due_dates import due_dates, shown_time
    from autograder.gradebook.gradebook import read_settings

    course = course or course_folder()
    settings = Config(read_settings(course))
    settings.CourseDirectory.root = str(course)
    if out is not None:
        settings.CourseDirectory.release_directory = str(out.resolve())
        settings.GenerateAssignment.no_database = True
        settings.SaveCells.enabled = False
    files, dues = [], due_dates(course)
    for name in names:
        if not (course / "source" / name / f"{name}.ipynb").is_file():
            raise UserError(
                f"{name}: there is no executed notebook of that name; `kqa course build` makes them from"
                " their sources"
            )
        if out is None:
            _add_new_cells(course, name)
        directory = CourseDirectory(config=settings)
        directory.assignment_id = name
        problem = _run(GenerateAssignment(coursedir=directory, config=settings, force=True))
        path = (out or course / "release") / name / f"{name}.ipynb"
        if problem is not None or not path.is_file():
            raise UserError(
                f"{name}: nbgrader could not make the student's version: {problem or f'{path} is missing'}"
            )
        if tables := read_course(course).paths.tables():
            write_whole(path.parent / "exercises" / RELEASED, f"{json.dumps(tables, indent=1)}\n")
        write_rules(path.parent, course)
        if needs is not None:
            _add_below_title(path, needs(name))
        if launch is not None:
            _add_below_title(path, launch.badge(name))
        if name in dues:
            text = f"due {shown_time(dues[name])}"
            _add_below_title(path, f"*{text[0].upper()}{text[1:]}*")
            write_whole(path.with_name(f"{name}{DUE}"), f"{text}\n")
        files.append(path)
    return files


def _add_new_cells(course: Path, name: str) -> None:
    """Tell the gradebook of exercises added since students submitted: nbgrader would refuse to."""
    from autograder.gradebook.gradebook import gradebook_marks
    from autograder.gradebook.recorder import Recorder
    from autograder.submissions.skeleton import load_skeleton, tested_sources

    path = course / "source" / name / f"{name}.ipynb"
    if gradebook_marks(course, name):
        with Recorder(course) as recorder:
            recorder.prepare(load_skeleton(path), tested_sources(path))


def _add_below_title(path: Path, lines: str) -> None:
    """Put lines under a released notebook's title. No cell that nbgrader grades or locks is changed."""
    import nbformat

    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    if notebook.cells[0].cell_type != "markdown" or notebook.cells[0].metadata.get("nbgrader"):
        notebook.cells.insert(0, nbformat.v4.new_markdown_cell(f"# {path.stem}", id="title"))  # type: ignore[no-untyped-call]
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    begin, end = ADDED  # the grader does not take these lines for the student's
    first.source = f"{title}\n{begin}\n\n{lines}\n\n{end}\n{rest}"
    nbformat.write(notebook, path)  # type: ignore[no-untyped-call]


def _run(converter: object) -> str | None:
    """Run one of nbgrader's converters silently; returns the error on one line, or None."""
    from nbgrader.utils import capture_log

    from autograder.gradebook.gradebook import use_newest_schema

    use_newest_schema()
    level = logging.getLogger("traitlets").level
    try:
        result = capture_log(converter)
    finally:
        logging.getLogger("traitlets").setLevel(level)
    if result["success"]:
        return None
    lines = f"{result.get('error') or ''}\n{result.get('log') or 'no reason given'}".strip().splitlines()
    # the last line of the stack in its log
    named = [line.strip() for line in lines if re.match(r"\s+[\w.]+: ", line)]
    return (named or lines)[-1]


def main(arguments: list[str]) -> None:
    """`FOLDER [NOTEBOOK …]`: write the student's notebooks there."""
    folder, *names = arguments
    try:
        release(names or notebook_names(), out=Path(folder))
    except UserError as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main(sys.argv[1:])
