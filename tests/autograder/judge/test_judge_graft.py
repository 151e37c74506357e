"""Whose cells are run, and in which order: the skeleton graft."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from tiny_course import EXERCISES, SKELETON, stub, submitted

from autograder.build.nbgrader_stubs import CODE_STUB
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.merge import graft, same_code, with_answer
from autograder.submissions.skeleton import (
    WRITTEN_STUB,
    Skeleton,
    SkeletonCell,
    load_skeleton,
    without_solution,
)
from kqa_core.errors import UserError

ANSWER = "def double(x):\n    return 2 * x"


def code(source, grade_id=None, identity=None):
    return SubmittedCell("code", source, grade_id, identity)


def test_an_extra_cell_runs_after_the_cell_it_followed():
    grafted = graft(
        SKELETON,
        submitted([("statement_double", "def helper(x): return x"), ("total", "tail = 1")], double=ANSWER),
    )
    assert [cell.source for cell in grafted.run] == [
        "import math\nLIMIT = 100",
        "def helper(x): return x",
        ANSWER,
        stub("total"),
        "tail = 1",
    ]


def test_demonstrations_and_checks_are_not_run():
    ran = "\n".join(cell.source for cell in graft(SKELETON, submitted()).run)
    assert "SystemError" not in ran and "check(" not in ran


def test_a_demonstration_that_the_student_changed_is_a_cell_of_their_own():
    changed = tuple(
        SubmittedCell(cell.kind, "def helper(): return 3", None, cell.id) if cell.id == "demo-1" else cell
        for cell in submitted()
    )
    assert [cell.role for cell in graft(SKELETON, changed).run] == ["setup", "solution", "extra", "solution"]


def test_locked_cells_are_ours_whatever_the_student_wrote_into_them():
    spoilt = tuple(
        SubmittedCell(cell.kind, "spoilt = 1", cell.grade_id, cell.id)
        if cell.grade_id in ("setup_1", "check_double")
        else cell
        for cell in submitted()
    )
    assert graft(SKELETON, spoilt).run == graft(SKELETON, submitted()).run


def test_code_in_a_cell_of_our_text_is_not_run():
    cells = (*submitted(), SubmittedCell("code", ANSWER, "statement_double", "statement_double"))
    grafted = graft(SKELETON, cells)
    assert ANSWER not in [cell.source for cell in grafted.run] and grafted.untouched(EXERCISES["double"])


def test_what_a_student_writes_into_our_text_is_a_cell_of_their_own_and_a_part_of_our_text_is_none():
    for text, number, theirs in [("# Tiny\n# my notes", 0, True), ("# Tiny", 0, False), ("double", 2, False)]:
        cells = [cell for cell in submitted() if cell.id != SKELETON.cells[number].id]
        identity = SKELETON.cells[number].id if number == 0 else None  # the part has no id
        cells.insert(number, SubmittedCell("markdown", text, None, identity))
        grafted = graft(SKELETON, tuple(cells))
        assert [cell.source for cell in grafted.cells if cell.role == "extra"] == ([text] if theirs else [])


def test_the_students_order_does_not_count():
    assert (
        graft(SKELETON, submitted(double=ANSWER)[::-1]).run == graft(SKELETON, submitted(double=ANSWER)).run
    )


@pytest.mark.parametrize("left", ["", stub("total")])
def test_two_answers_in_one_cell_both_count(left):
    merged = ANSWER + "\n\n\ndef total(numbers):\n    return sum(numbers)"
    grafted = graft(SKELETON, submitted([("intro", "helper = 1")], double=merged, total=left))
    assert not grafted.untouched(EXERCISES["total"])
    ran = [cell.source for cell in grafted.run]
    assert ran == ["helper = 1", "import math\nLIMIT = 100", merged]  # a stub after it would undo the answer


def test_a_cell_that_is_run_has_its_own_id_and_a_students_own_cell_has_none():
    grafted = graft(SKELETON, submitted([("statement_double", "helper = 1")], double=ANSWER))
    assert [(cell.role, cell.grade_id) for cell in grafted.run] == [
        *(("setup", "setup_1"), ("extra", None), ("solution", "double"), ("solution", "total"))
    ]


def test_an_answer_cell_that_holds_an_answer_is_run_whatever_else_defines_the_exercise():
    grafted = graft(SKELETON, submitted([("intro", "def double(x):\n    return 0")], double=ANSWER))
    assert ANSWER in [cell.source for cell in grafted.run]


def test_a_blank_answer_cell_is_unattempted():
    assert graft(SKELETON, submitted(double="  \n")).untouched(EXERCISES["double"])


def test_an_exercise_that_another_cell_only_names_is_attempted():
    # it is defined when that runs, which nobody can read off the text
    setting = "globals()['double'] = lambda x: 2 * x"
    assert not graft(SKELETON, submitted([("double", setting)])).untouched(EXERCISES["double"])


def test_an_answer_written_as_prose_defines_nothing():
    prose = SubmittedCell("markdown", ANSWER, None, None)
    grafted = graft(SKELETON, (prose, *submitted()))
    assert grafted.untouched(EXERCISES["double"]) and stub("double") in [cell.source for cell in grafted.run]


def test_an_answer_tried_alone_runs_after_the_setup_and_beside_nothing_else():
    assert [cell.source for cell in with_answer(SKELETON, "double", ANSWER).run] == [
        "import math\nLIMIT = 100",
        ANSWER,
    ]


def test_an_answer_tried_alone_is_not_parsed_again():
    program = ("as the sandbox parsed it", ["double"])
    assert with_answer(SKELETON, "double", ANSWER, {ANSWER: program}).programs == {ANSWER: program}


def test_an_answer_that_only_calls_another_exercise_leaves_that_one_untouched():
    grafted = graft(SKELETON, submitted(double="def double(x):\n    return total([x, x])"))
    assert grafted.untouched(EXERCISES["total"])
    assert stub("total") in [cell.source for cell in grafted.run]


@pytest.mark.parametrize(
    ("copies", "kept"),
    [
        (["wrong = 1", ANSWER], ANSWER),
        ([ANSWER, ""], ANSWER),
        ([ANSWER, stub("double")], ANSWER),
        ([stub("double"), "  \n"], stub("double")),
    ],
)
def test_of_a_copied_cell_the_last_real_answer_counts_and_a_note_says_so(copies, kept):
    grafted = graft(SKELETON, tuple(code(source, "double") for source in copies))
    assert grafted.source("double") == kept
    assert "double: the answer cell occurs 2 times; the last answer counts" in grafted.notes


@pytest.mark.parametrize("kind", ["markdown", "raw"])
@pytest.mark.parametrize("note", [ANSWER, "My first try did not work.", "wrong = 1"])
def test_a_note_with_the_id_of_the_answer_does_not_take_its_place(kind, note):
    copy = SubmittedCell(kind, note, "double", "a-note")
    for cells in ((code(ANSWER, "double"), copy), (copy, code(ANSWER, "double"))):
        assert graft(SKELETON, cells).source("double") == ANSWER
    assert any("none that is no code cell" in text for text in graft(SKELETON, cells).notes)


def test_an_answer_cell_whose_kind_was_changed_by_mistake_is_still_the_answer():
    changed = SubmittedCell("raw", ANSWER, "double", "double")
    assert graft(SKELETON, (changed,)).source("double") == ANSWER
    assert graft(SKELETON, (code(stub("double"), "double"), changed)).source("double") == ANSWER
    twice = graft(SKELETON, (changed, changed))
    assert twice.source("double") == ANSWER and not any("none that is" in note for note in twice.notes)


def test_a_missing_cell_is_the_stub_and_noted():
    grafted = graft(SKELETON, ())
    assert grafted.source("total") == stub("total") and grafted.nothing_found
    assert grafted.notes == ("double, total, why: the answer cell is missing",), "one line for all"
    assert all(grafted.untouched(exercise) for exercise in EXERCISES.values())


def test_an_answer_given_in_a_cell_of_ones_own_is_not_untouched():
    grafted = graft(SKELETON, submitted([("double", "double = lambda x: 2 * x")]))
    assert not grafted.untouched(EXERCISES["double"]) and grafted.untouched(EXERCISES["total"])


def test_cells_with_unknown_ids_or_odd_kinds_are_harmless():
    odd = (
        code("x = 1", "no_such_id"),
        SubmittedCell("raw", "raw", None, None),
        SubmittedCell("markdown", "text", None, None),
    )
    assert [cell.role for cell in graft(SKELETON, odd).run] == ["extra", "setup", "solution", "solution"]


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("x = 1  # one", "x=1", True),
        ("x = 1", "x = 2", False),
        ("if:", "if:", True),
        ("if:", "x = 1", False),
        ("if:", "while:", False),
        ("x = 1", "y = 1", False),
        ("def f():\n  return 1", "def f():\n\n        return (1)", True),
        ("x\x00", "x", False),
    ],
)
def test_cells_are_compared_as_programs(a, b, same):
    assert same_code(a, b, {}) is same


def test_what_the_sandbox_parsed_is_not_parsed_again():
    assert same_code("x = 1", "if:", {"x = 1": ("as parsed", ()), "if:": ("as parsed", ("x",))})
    assert not same_code("x = 1", "x=1", {"x = 1": (None, ()), "x=1": (None, ())})
    parsed = ("as parsed", ("double",))
    assert graft(SKELETON, [SubmittedCell("code", "x = 1", None, None, parsed), code("y = 1")]).programs == {
        "x = 1": parsed
    }


def test_the_stubs_are_those_that_the_student_receives():
    source = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
    given = f"def double(x):\n    {CODE_STUB.replace('THIS', 'double')}"
    assert without_solution(source, EXERCISES["double"]) == given == stub("double")


def test_a_missing_or_broken_instructors_notebook_is_one_line_with_advice(tmp_path):
    with pytest.raises(UserError, match="kqa course build"):
        load_skeleton(tmp_path / "none.ipynb")
    (tmp_path / "bad.ipynb").write_text("{")
    with pytest.raises(UserError, match="kqa course build"):
        load_skeleton(tmp_path / "bad.ipynb")


def test_nothing_of_a_solution_or_a_hidden_test_enters_the_skeleton(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.submissions.skeleton.find", EXERCISES.__getitem__)

    def cell(source, grade_id, **marks):
        return {
            "cell_type": "code",
            "source": source,
            "metadata": {"nbgrader": {"grade_id": grade_id, **marks}},
            "outputs": [],
        }

    cells = [
        cell(
            ["def double(x):\n", "    ### BEGIN SOLUTION\n", "    return SECRET\n", "    ### END SOLUTION"],
            "double",
            solution=True,
        ),
        cell(
            'check("double", double)\n### BEGIN HIDDEN TESTS\nSECRET\n### END HIDDEN TESTS',
            "check_double",
            grade=True,
        ),
    ]
    path = tmp_path / "tiny.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    skeleton = load_skeleton(path)
    assert [each.role for each in skeleton.cells] == ["solution", "check"]
    assert "SECRET" not in repr(skeleton.cells) and skeleton.cells[1].source == 'check("double", double)'


@pytest.mark.parametrize(
    ("text", "untouched", "remark"),
    [
        ("", True, None),
        ("...", True, None),
        ("**Your answer here.**", True, None),
        ("YOUR ANSWER HERE: it is a toss of a coin", False, "it still holds the placeholder"),
        ("Why is the average *noisy*?", False, "it is a part of the question"),
        ("Another text.", False, "it is the same text as the answer to why_else"),
        ("Because a coin decides.", False, None),
    ],
)
def test_a_written_answer_that_is_none_is_empty_or_remarked(text, untouched, remark):
    why, other = (replace(EXERCISES["double"], id=name, check=None, parts={}) for name in ("why", "why_else"))
    frame = Skeleton(
        "tiny",
        (
            SkeletonCell(
                "statement", "markdown", "### Why\n\nWhy is the average noisy? Explain.", "statement_why"
            ),
            *(SkeletonCell("written", "markdown", WRITTEN_STUB, each.id, each) for each in (why, other)),
        ),
    )
    answers = (
        SubmittedCell("markdown", text, "why", None),
        SubmittedCell("markdown", "another text", "why_else", None),
    )
    grafted = graft(frame, answers)
    assert grafted.untouched(why) is untouched
    said = None if untouched else grafted.remark(why)
    assert said is None if remark is None else said.startswith(remark)
