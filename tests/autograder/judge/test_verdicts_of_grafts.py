"""Which cell of a submission is the answer to which exercise."""

from __future__ import annotations

import json

import pytest
from tiny_course import EXERCISES, RIGHT, SKELETON, submitted

from autograder.runner.notebook_parser import cells_of
from autograder.submissions.cells import SubmittedCell
from autograder.submissions.merge import defines, graft


def test_an_unheard_of_or_changed_cell_of_ours_gives_nobody_anothers_answer():
    cells = (
        SubmittedCell("code", "stray = 1", None, "double"),  # the id of a cell of ours, without our mark
        SubmittedCell("code", RIGHT["total"], "total", None),
    )
    grafted = graft(SKELETON, cells)
    assert grafted.source("total") == RIGHT["total"] and grafted.source("why") == SKELETON.stub("why")


def test_of_a_students_own_cells_the_empty_and_the_raw_ones_are_dropped_and_the_first_stays_first():
    mine = SubmittedCell("code", "x = 1", None, None)
    cells = (
        mine,
        SubmittedCell("code", " \n", None, None),
        SubmittedCell("raw", "raw", None, None),
        *submitted(),
    )
    grafted = graft(SKELETON, cells).cells
    assert [each.role for each in grafted] == ["extra", *(cell.role for cell in SKELETON.cells)]
    assert grafted[0].source == "x = 1" and grafted[0].grade_id is None


def test_text_about_an_exercise_is_no_answer_to_it():
    about = SubmittedCell("markdown", "double = 2 * x", None, None)
    assert graft(SKELETON, (about, *submitted())).untouched(EXERCISES["double"])


@pytest.mark.parametrize(
    ("text", "untouched"),
    [("", True), (" \n", True), ("your  answer\nHERE", True), ("Your answer here!", False)],
)
def test_a_written_answer_is_untouched_where_nothing_is_written(text, untouched):
    assert graft(SKELETON, submitted(why=text)).untouched(EXERCISES["why"]) is untouched


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def double(x): pass", True),
        ("async def double(x): pass", True),
        ("class double: pass", True),
        ("a = double = 3", True),
        ("double(3)", False),
        ("if True:\n    double = 3", False),
        ("twice.double = 3", False),
        ("def double(", False),
        ("# double", False),
    ],
)
def test_what_defines_an_exercise(source, found):
    assert defines(source, "double", {}) is found
    assert defines(source, "double", {source: (None, [])}) is False  # what the sandbox found counts


@pytest.mark.parametrize(
    ("level", "marks"), [(1, 1), (2, 2), (6, 6), (0, 1), (7, 1), ("3", 1), (None, 1), (True, 1)]
)
def test_a_heading_of_an_old_notebook_has_a_level_from_1_to_6(level, marks):
    cell = {"cell_type": "heading", "source": "x", "level": level}
    tree = {"nbformat": 3, "worksheets": [{"cells": [cell]}]}
    assert cells_of(json.dumps(tree).encode())[0][:4] == ("markdown", f"{'#' * marks} x", None, None)
