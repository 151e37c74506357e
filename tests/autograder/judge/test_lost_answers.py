"""Sixty files as editors, cleaning tools, browsers and learning platforms leave them: no answer is lost
without a person who sees it, nobody gets a zero that nobody saw, and each file is its student's.

A file is one of 12 kinds in one of 5 variants. The answers of a variant are the same in all kinds, so the
undamaged notebook of the variant says what each mark must be.
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from left_files import (
    COPIES,
    COURSE,
    KINDS,
    VARIANTS,
    bare,
    changed,
    colab,
    damaged,
    deepnote,
    file_of,
    kaggle,
    nbstripout,
    notebook,
    through_jupytext,
    vs_code,
)
from platform_files import ARCHIVES, NAME, STUDENTS, class_course, empty_course
from platform_files import receive as receive_archive_of
from tiny_course import KEY, KEYS, LIMITS, RIGHT, stub

from autograder.judge import verdict
from autograder.judge.results import Status, SubmissionResult
from autograder.judge.verdict import JudgeContext, judge_submission
from autograder.sandbox import unconfined
from autograder.sandbox.timeout_and_memory_limits import Limits
from autograder.sandbox.unconfined import UnconfinedLauncher
from autograder.submissions.cells import parse_cells, text_digest
from autograder.submissions.intake import Refused
from autograder.submissions.merge import graft
from autograder.submissions.skeleton import WRITTEN_STUB
from autograder.submissions.store import Submission, manifest, receive
from autograder.submissions.stored_bytes import stored_bytes

FIXTURES = (class_course, empty_course)  # pytest finds them here


@pytest.fixture(scope="module")
def launcher() -> Any:
    patch = pytest.MonkeyPatch()
    patch.setattr(unconfined, "read_course", lambda: type("NoPackages", (), {"packages": ()}))
    made = UnconfinedLauncher(LIMITS)
    patch.undo()
    yield made
    made.close()


Judge = Callable[..., tuple[SubmissionResult, dict[str, str]]]
WHOLE: dict[
    int, tuple[SubmissionResult, dict[str, str]]
] = {}  # what became of each variant as it was written


@pytest.fixture
def judged(launcher: Any, monkeypatch: pytest.MonkeyPatch) -> Judge:
    """Judge a file as a worker does, the parser in this process: the result, and the answers as a person sees
    them.
    """
    monkeypatch.setattr(verdict, "find_checked", KEYS.__getitem__)

    def judge(data: bytes, entry: Submission = ENTRY) -> tuple[SubmissionResult, dict[str, str]]:
        try:
            cells = parse_cells(data)
        except Refused as refused:
            return SubmissionResult.of(entry, Status.REFUSED, reason=str(refused)), {}
        judged = judge_submission(graft(COURSE, cells), entry, JudgeContext(KEY, launcher, LIMITS))
        return judged.result, {str(cell.grade_id): cell.source for cell in judged.cells if cell.grade_id}

    return judge


ENTRY = Submission("ann", NAME)
# the files in which neither an id nor metadata says what is an answer
WITHOUT_NAMES = {
    *((vs_code, variant) for variant in (0, 3)),
    *((colab, variant) for variant in (2, 4)),
    *((kaggle, variant) for variant in (0, 2, 4)),
    *((deepnote, variant) for variant in range(5)),
    *((nbstripout, variant) for variant in (2, 3)),
    *((through_jupytext, variant) for variant in (1, 2, 3)),
    (damaged, 4),
}
# what is not in the file or not in its place, and what has lost its metadata alone and is not right
GONE = {(vs_code, 2): {"total"}, (damaged, 3): {"why", "total", "when"}, (damaged, 4): {"when"}}


def taken_in(course: Path, kind: Any, variant: int) -> tuple[Submission, bytes]:
    """A file of a kind, handed in and received: what counts for its student, and the bytes that were kept."""
    student, tree = STUDENTS[variant], notebook(VARIANTS[variant])
    if kind in ARCHIVES:  # one archive of the whole class
        make, roster = ARCHIVES[kind]
        files = {each: file_of(notebook(VARIANTS[number])) for number, each in enumerate(STUDENTS)}
        receive_archive_of(course, kind, make(files), roster)
    else:
        name = COPIES[kind][variant].format(NAME) if kind in COPIES else f"{NAME}.ipynb"
        folder = course / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / name).write_bytes(file_of(tree if kind in COPIES else kind(tree, variant)))
        receive(course / "submitted", course / "received", [NAME], Limits())
    (entry,) = (one for one in manifest(course / "received", NAME) if one.student == student)
    return entry, stored_bytes(course / "received", entry)


@pytest.mark.slow
@pytest.mark.parametrize("variant", range(5))
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: getattr(kind, "__name__", kind))
def test_no_answer_is_lost_without_a_person_who_sees_it(kind, variant, course, judged):
    entry, data = taken_in(course, kind, variant)
    if variant not in WHOLE:
        whole_file, owner = file_of(notebook(VARIANTS[variant])), replace(ENTRY, student=STUDENTS[variant])
        WHOLE[variant] = judged(whole_file, owner)
    whole, written = WHOLE[variant]
    result, found = judged(data, entry)
    assert result.student == STUDENTS[variant]
    if (kind, variant) == (damaged, 2):
        assert result.status is Status.REFUSED and "JSON is broken" in str(result.reason)
        return
    looks = {one.exercise for one in result.exercises if one.look is not None}
    for before, now in zip(whole.exercises, result.exercises, strict=True):
        kept = not now.written or found[now.exercise].split() == written[now.exercise].split()
        same = (now.outcome, now.marks) == (before.outcome, before.marks) and kept
        assert same or now.exercise in looks, (now, found[now.exercise])
        if now.written and now.exercise in looks:
            assert now.status is Status.PERSON and now.marks is None
            missing = set(written[now.exercise].split()) - {
                *found[now.exercise].split(),
                *WRITTEN_STUB.split(),
            }
            assert not missing or (kind, variant) == (damaged, 3), "half of the file is gone"
    doubtful = {one.exercise for one in whole.exercises if one.outcome not in ("right", "unattempted")}
    expected = doubtful if (kind, variant) in WITHOUT_NAMES else set()
    assert looks == expected | GONE.get((kind, variant), set()), "and nobody has to look at anything else"


def test_a_file_of_another_notebook_is_unreadable_and_no_zero(judged):
    """A released notebook of another course, say: no cell of it is an answer here."""
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": 1, "source": "print(1)"}
    other = {"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": [cell]}
    text = {"cell_type": "markdown", "metadata": {}, "source": "hello"}
    for tree in (other, {**other, "cells": []}, {**other, "cells": [cell, text]}):
        result, shown = judged(file_of(tree))
        assert (result.status, result.exercises) == (Status.UNREADABLE, ())
        assert result.notes == () and "no answer cell of this notebook was found" in str(result.reason)
        assert "submit it again" in str(result.reason) and shown["double"] == stub("double")


@pytest.mark.parametrize("gone", [("total",), ("why", "when"), ("when",)])
def test_an_exercise_that_the_students_notebook_never_had_is_unattempted_and_nobody_has_to_look(judged, gone):
    """It was added in mid-term."""
    tree = notebook(VARIANTS[0])
    names = {name.format(each) for each in gone for name in ("{}", "statement_{}", "check_{}")}
    tree["cells"] = [cell for cell in tree["cells"] if cell["id"] not in names]
    result, _ = judged(file_of(tree))
    assert {one.exercise for one in result.exercises if one.status is Status.UNATTEMPTED} == set(gone)
    assert not any(one.look for one in result.exercises)
    assert result.notes == (f"{', '.join(gone)}: the notebook has neither its question nor its cell",)
    assert {one.sentence for one in result.exercises if one.exercise in gone} == {verdict.NEWER}


def test_a_question_that_the_course_has_changed_since_is_no_answer(judged, monkeypatch):
    """Its points, say: the student submits a copy of before."""
    tree = notebook(VARIANTS[3])
    question = next(cell for cell in tree["cells"] if cell["id"] == "statement_why")
    question["source"] = question["source"].replace("Say in", "Please say in")
    cells = tuple(
        replace(frame, former=frozenset({text_digest(question["source"])}))
        if frame.id == question["id"]
        else frame
        for frame in COURSE.cells
    )
    monkeypatch.setattr(sys.modules[__name__], "COURSE", replace(COURSE, cells=cells))
    result, _ = judged(file_of(tree))
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert why.status is Status.UNATTEMPTED and why.look is None and result.notes == ()
    question["source"] += " It doubles."
    result, _ = judged(file_of(tree))
    assert next(one for one in result.exercises if one.exercise == "why").status is Status.PERSON


def test_words_in_a_cell_that_has_become_one_of_code_go_to_a_person(judged):
    tree = changed(notebook(VARIANTS[0]), lambda cell: bare(cell, id=True, metadata=True), 4)
    answer = next(cell for cell in tree["cells"] if cell["source"] == VARIANTS[0]["why"])
    answer.update(cell_type="code", outputs=[], execution_count=None)
    result, shown = judged(file_of(tree))
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert shown["why"] == VARIANTS[0]["why"] and why.status is Status.PERSON and result.marks == 4.0


@pytest.mark.parametrize("named", [True, False])
def test_what_was_typed_over_a_check_whose_answer_is_gone_goes_to_a_person_with_its_text(judged, named):
    def typed(answer: str, check: str, text: str) -> tuple[SubmissionResult, dict[str, str]]:
        tree = notebook(VARIANTS[0])
        tree["cells"] = [cell for cell in tree["cells"] if cell["id"] != answer]
        next(cell for cell in tree["cells"] if cell["id"] == check)["source"] = text
        return judged(
            file_of(tree if named else changed(tree, lambda cell: bare(cell, id=True, metadata=True), 4))
        )

    for text in ("I add the numbers, one after the other.", "print(sum([1, 2]))"):
        result, shown = typed("total", "check_total", text)
        (total,) = (one for one in result.exercises if one.exercise == "total")
        assert shown["total"] == text and "by its place" in str(total.look)
    result, shown = typed("total", "check_total", VARIANTS[0]["total"])
    (total,) = (one for one in result.exercises if one.exercise == "total")
    assert total.marks == 2.0
    result, shown = typed("why", "check_total", "Each step adds as much as there is.")
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert why.status is Status.PERSON and "Each step adds" in shown["why"] and why.look


def test_a_check_that_was_typed_over_takes_nothing_from_an_answer_that_is_there(judged):
    tree = notebook(VARIANTS[0])
    next(cell for cell in tree["cells"] if cell["id"] == "check_total")["source"] = (
        "I am not sure about this."
    )
    result, shown = judged(file_of(tree))
    assert shown["total"] == VARIANTS[0]["total"] and result.marks == 4.0
    assert not any(one.look for one in result.exercises)


def test_several_cells_that_define_a_function_are_said_and_the_last_one_counts(judged):
    tree = changed(notebook(VARIANTS[1]), lambda cell: bare(cell, id=True, metadata=True), 4)
    answer = next(cell for cell in tree["cells"] if cell["source"] == VARIANTS[1]["double"])
    tree["cells"].insert(3, {**answer, "source": "def double(x):\n    return x + 2"})
    result, shown = judged(file_of(tree))
    (double,) = (one for one in result.exercises if one.exercise == "double")
    assert shown["double"] == VARIANTS[1]["double"] and "several cells define it" in str(double.look)
    assert "a person looks at this before the mark is final" in double.sentence


def test_an_answer_that_was_written_into_the_question_goes_to_a_person(judged):
    tree = notebook(VARIANTS[3])
    question = next(cell for cell in tree["cells"] if cell["id"] == "statement_why")
    question["source"] = question["source"].replace("Say in", "BECAUSE IT DOUBLES. Say in")
    result, _ = judged(file_of(tree))
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert why.status is Status.PERSON and "its question was changed" in str(why.look)
    below = notebook(VARIANTS[3])
    below["cells"] = [cell for cell in below["cells"] if cell["id"] != "why"]
    question = next(cell for cell in below["cells"] if cell["id"] == "statement_why")
    question["source"] += "\n\nIt doubles."
    result, shown = judged(file_of(below))
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert shown["why"] == "It doubles." and why.status is Status.PERSON and "by its place" in str(why.look)


def test_an_answer_beside_its_empty_cell_goes_to_a_person(judged):
    tree = notebook(VARIANTS[3])
    place = next(number for number, cell in enumerate(tree["cells"]) if cell["id"] == "why")
    own = {"cell_type": "markdown", "id": "1a2b", "metadata": {}, "source": "In a cell of my own."}
    tree["cells"].insert(place + 1, own)
    result, shown = judged(file_of(tree))
    (why,) = (one for one in result.exercises if one.exercise == "why")
    assert shown["why"] == own["source"] and why.status is Status.PERSON and "beside it" in str(why.look)
    copied = notebook(VARIANTS[0])
    place = next(number for number, cell in enumerate(copied["cells"]) if cell["id"] == "why")
    copied["cells"][place + 1 : place + 1] = [{**copied["cells"][place], "id": "1", "source": ""}, own]
    result, shown = judged(file_of(copied))
    assert shown["why"] == VARIANTS[0]["why"] and not any(one.look for one in result.exercises)
    elsewhere = notebook(VARIANTS[3])
    elsewhere["cells"].insert(1, own)
    result, _ = judged(file_of(elsewhere))
    assert not any(one.look for one in result.exercises), "a note at another place is a note"


def test_a_copied_cell_with_the_answer_to_another_exercise_takes_no_answer_away(judged):
    """The cell of `double` was copied, with its metadata, as a beginning for `total`."""
    tree = notebook({**VARIANTS[0], "total": stub("total")})
    place = next(number for number, cell in enumerate(tree["cells"]) if cell["id"] == "total")
    for id in ("double", "5e6f"):  # VS Code copies the id, too
        copied = copy.deepcopy(tree)
        answer = next(cell for cell in copied["cells"] if cell["id"] == "double")
        copied["cells"].insert(place + 1, {**answer, "id": id, "source": RIGHT["total"]})
        result, _ = judged(file_of(copied))
        assert result.marks == 4.0, result.notes


def test_an_answer_without_a_name_is_found_by_the_check_that_follows(judged):
    tree = changed(notebook(VARIANTS[0]), lambda cell: bare(cell, id=True, metadata=True), 4)
    answer = next(cell for cell in tree["cells"] if cell["source"] == RIGHT["double"])
    answer["source"] = "de double(x):\n    return 2 * x"
    result, shown = judged(file_of(tree))
    (double,) = (one for one in result.exercises if one.exercise == "double")
    assert shown["double"] == answer["source"] and "by the check that follows" in str(double.look)
    assert (double.outcome, double.marks) == ("error", 0.0)


@pytest.mark.slow
def test_an_empty_notebook_beside_a_copy_goes_to_a_person(judged):
    """The student may have written into the copy."""
    beside, late = "beside it lies x, which was not looked at", "a day late"
    for answers, notes, looked_at in [
        ({}, (beside, late), True),
        ({}, (late,), False),
        ({"double": RIGHT["double"]}, (beside,), False),
    ]:
        result, _ = judged(file_of(notebook(answers)), replace(ENTRY, notes=notes))
        assert {bool(one.look) for one in result.exercises} == {looked_at}
        assert (result.status is Status.UNATTEMPTED) is not bool(answers)
