"""The shipped class: made from the answer keys as they are now, and judged as its table says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import nbformat
import pytest
from nbgrader.nbgraderformat import MetadataValidator
from nbgrader.utils import compute_checksum, is_locked
from portions import portion

from autograder.course.grade import grade
from autograder.course.new_course import TEMPLATE
from autograder.course.sample_class import STUDENTS, write_class
from autograder.grading.config import GradingConfig
from autograder.judge.results import Status
from autograder.paths import COURSE, read_course

FOLDER = read_course().sample_class
FILES = sorted(path for path in FOLDER.rglob("*") if path.is_file() and path.name != "README.md")


@pytest.mark.slow
def test_the_shipped_class_is_what_the_command_makes_now(tmp_path):
    made = write_class(tmp_path)
    assert sorted(path.relative_to(tmp_path) for path in made) == [path.relative_to(FOLDER) for path in FILES]
    for path in made:
        shipped = FOLDER / path.relative_to(tmp_path)
        assert path.read_bytes() == shipped.read_bytes(), (
            f"{shipped}: run `python -m autograder.course.sample_class` again"
        )


def test_the_class_holds_no_outputs_and_every_student_hands_something_in():
    assert len(STUDENTS) >= 8 and {path.parts[-3] for path in FILES if path.name != "expected.tsv"} == set(
        STUDENTS
    )
    for path in FILES:
        if path.suffix == ".ipynb" and path.parts[-3] != "jan":
            cells = json.loads(path.read_text())["cells"]
            assert cells and not any(cell.get("outputs") for cell in cells)


@pytest.mark.slow
def test_nbgrader_accepts_the_cells_of_every_submission_that_is_not_broken_on_purpose():
    templates = (TEMPLATE / "sample_class").rglob("*.ipynb")
    for path in [
        *templates,
        *(path for path in FILES if path.suffix == ".ipynb" and path.parts[-3] not in ("gil", "jan")),
    ]:
        notebook = nbformat.read(path, as_version=4)
        MetadataValidator().validate_nb(notebook)
        marked = [cell for cell in notebook.cells if "nbgrader" in cell.metadata]
        assert marked and all("checksum" in cell.metadata.nbgrader for cell in marked)
        changed = [cell.id for cell in marked if cell.metadata.nbgrader.checksum != compute_checksum(cell)]
        assert not any(is_locked(cell) for cell in marked if cell.id in changed), path
        if path.parts[-3] == "dan":  # who submitted the notebook as it was given out
            assert not changed, path


@pytest.mark.slow
@pytest.mark.usefixtures("unconfined")
def test_the_class_is_judged_as_its_table_says(tmp_path):
    """An eighth of what they submitted, without the sandbox."""
    course, submitted = tmp_path / "notebooks", tmp_path / "submitted"
    course.mkdir()
    submitted.mkdir()
    (course / "source").symlink_to(COURSE / "source")
    everything = sorted((FOLDER / "submitted").glob("*/*"))
    drawn = {(path.parent.name, path.name): path for path in portion(everything, 8, *FILES)}
    for names, path in drawn.items():
        shutil.copytree(path, submitted.joinpath(*names))
    graded = grade(GradingConfig(submissions=submitted, course=course))
    assert graded.differences == []
    lines = [line.split("\t") for line in (FOLDER / "expected.tsv").read_text().splitlines()[1:]]
    expected = {tuple(line[:2]): line[2:] for line in lines if tuple(line[:2]) in drawn}
    found = {}
    for result in graded.results:
        if result.status is Status.MISSING and (result.student, result.assignment) not in expected:
            continue  # --all asks every student for every notebook; most hand in the first alone
        blank = sum(each.status is Status.UNATTEMPTED for each in result.exercises)
        waiting = sum(each.status is Status.PERSON for each in result.exercises)
        incident = "; ".join(
            f"{each.exercise}: {each.incident}" for each in result.exercises if each.incident
        )
        counts = [f"{result.marks:g}", str(result.points), str(blank), str(waiting), incident]
        found[result.student, result.assignment] = [str(result.status), *counts]
    assert found == expected
    assert Path(graded.gradebook).is_file()
