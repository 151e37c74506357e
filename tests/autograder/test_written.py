"""Written exercises and their keys are tables of `written.toml`, or Python files as in older courses."""

from __future__ import annotations

import os
import re
import textwrap

import pytest
from another_course import working_on

from autograder.answer_key import WrittenKey, find_key
from autograder.build.leak_scan import scan
from autograder.course.new_course import new_course
from kqa_core.check import registry
from kqa_core.check.exercise import Exercise
from kqa_core.errors import UserError

NAME = "01_sorting"
HINTS = ("a nudge", "a method", "two\nlines with a 'quote' and a \\backslash")
EXERCISE = Exercise("why", 3, 2, 2, 3, 5, "new", HINTS, title="Why", extra=True, notebook=NAME)
KEY = WrittenKey("why", "Because\nit is.\n", ((0.5, "one idea"), (1.5, "another")), ("No: yes",))
TABLE = """
[why]
title = "Why"
order = 3
points = 2
difficulty = 2
importance = 3
minutes = 5
source = "new"
extra = true
hints = [
    "a nudge",
    "a method",
    \"\"\"
two
lines with a 'quote' \\
    and a \\\\backslash\"\"\",
]
"""
KEY_TABLE = """
[why]
model_answer = \"\"\"
Because
it is.
\"\"\"
rubric = [[0.5, "one idea"], [1.5, "another"]]
misconceptions = ["No: yes"]
"""


@pytest.fixture
def course(tmp_path):
    new_course(tmp_path / "sorting")
    with working_on(tmp_path / "sorting"):
        yield tmp_path / "sorting"


def put(course, exercises, key, suffix="toml"):
    name = "written.toml" if suffix == "toml" else "why.py"
    (course / "source" / NAME / "exercises" / name).write_text(exercises)
    (course / "keys" / NAME / name).write_text(key)


def as_python(value):
    """A file of an older course."""
    name, kind = ("EXERCISE", "Exercise") if isinstance(value, Exercise) else ("KEY", "WrittenKey")
    module = "kqa_core.check.exercise" if name == "EXERCISE" else "autograder.answer_key"
    return f"from {module} import {kind}\n\n{name} = {value!r}\n"


@pytest.mark.parametrize(
    ("suffix", "exercise", "key"),
    [("toml", TABLE, KEY_TABLE), ("py", as_python(EXERCISE), as_python(KEY))],
)
def test_an_exercise_and_its_key_are_the_same_as_a_table_and_as_a_python_file(course, suffix, exercise, key):
    put(course, exercise, key, suffix)
    assert registry.find("why") == registry.of_notebook(NAME)[-1] == EXERCISE and EXERCISE.written
    assert find_key("why") == KEY
    assert "why" in registry.names() and registry.notebook_folder("why") == course / "source" / NAME


def test_a_table_that_is_added_while_a_kernel_runs_is_found(course):
    put(course, TABLE, KEY_TABLE)
    assert "why" in registry.names() and "how" not in registry.names()
    put(course, TABLE + TABLE.replace("why", "how"), KEY_TABLE + KEY_TABLE.replace("why", "how"))
    for half in ("source", "keys"):  # in case the clock of the file system has not moved on
        for path in (course / half).rglob("written.toml"):
            os.utime(path, (2**31, 2**31))
    assert registry.find("how").points == 2 and find_key("how").rubric == KEY.rubric


def test_a_students_folder_that_was_renamed_and_has_written_exercises_only(course, monkeypatch):
    monkeypatch.setattr(registry, "_fixed", None)
    monkeypatch.delenv(registry.COURSE_VARIABLE, raising=False)
    mine = course / "mine"
    (mine / "exercises").mkdir(parents=True)
    (mine / "exercises" / "written.toml").write_text(TABLE)
    monkeypatch.chdir(mine)
    assert [exercise.id for exercise in registry.all_exercises()] == ["why"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("points = 2", "", "[why] has no points; expected a whole number from 1"),
        ("points = 2", "points = 1.5", "[why] points = 1.5; expected a whole number from 1"),
        ("points = 2", "points = true", "[why] points = True; expected a whole number from 1"),
        ("difficulty = 2", "difficulty = 6", "[why] difficulty = 6; expected a whole number from 1 to 5"),
        (
            '"a method",',
            '"a", "b", "c",',
            "[why] hints = ['a nudge', .*; expected a list of up to three texts",
        ),
        ("extra = true", "extra = 1", "[why] extra = 1; expected true or false"),
        ("extra = true", "extras = true", "[why] extras; expected only title, order, .*, extra"),
        ('source = "new"', 'source = " "', "[why] source = ' '; expected a text"),
        ("[why]", "[why", "cannot be read (.* line 2, .*); correct it"),
        ("[why]", "", "title; expected only tables, such as [why_average]"),
        ("[why]", "[insert_sorted]", "there is another insert_sorted, in .*insert_sorted.py; rename one"),
    ],
)
def test_a_mistake_in_the_exercises_is_one_line(course, before, after, said):
    put(course, TABLE.replace(before, after, 1), KEY_TABLE)
    said = re.escape(said).replace(r"\.\*", ".*")
    with pytest.raises(UserError, match=rf"^.*/{NAME}/exercises/written.toml: {said}.*$"):
        registry.all_exercises()


def test_a_name_is_found_as_it_is_written_and_in_one_file_only(course):
    put(course, TABLE, KEY_TABLE)
    assert registry.find("why").id == "why" and registry.find("insert_sorted").id == "insert_sorted"
    for name in ("Insert_sorted", "_insert_sorted", "../exercises/insert_sorted", ""):
        with pytest.raises(UserError, match="no exercise is called"):
            registry.find(name)
    put(course, TABLE.replace("[why]", "[insert_sorted]"), KEY_TABLE)
    with pytest.raises(UserError, match="there is another insert_sorted"):
        registry.find("insert_sorted")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("[0.5, ", "[", "[why] rubric = [['one idea'], [1.5, 'another']]; expected a list of [points, idea]"),
        ("0.5", '"0.5"', "[why] rubric = [['0.5', .*; expected a list of [points, idea]"),
        ('["No: yes"]', '"No: yes"', "[why] misconceptions = 'No: yes'; expected a list of texts"),
        ("model_answer", "answer", "[why] answer; expected only model_answer, rubric, misconceptions"),
    ],
)
def test_a_mistake_in_a_key_is_one_line(course, before, after, said):
    put(course, TABLE, KEY_TABLE.replace(before, after))
    said = re.escape(said).replace(r"\.\*", ".*")
    with pytest.raises(UserError, match=rf"^.*/keys/{NAME}/written.toml: {said}$"):
        find_key("why")


def test_no_key_two_keys_and_a_key_of_two_notebooks_are_one_line_each(course):
    put(course, TABLE, "")
    with pytest.raises(
        UserError, match=r"has no answer key; .* the table \[why\] in keys/NN_name/written.toml"
    ):
        find_key("why")
    put(course, TABLE, KEY_TABLE)
    (course / "keys" / "02_more").mkdir()
    (course / "keys" / "02_more" / "written.toml").write_text(KEY_TABLE)
    with pytest.raises(UserError, match=r"02_more/written.toml: \[why\]; another notebook has a key"):
        find_key("why")
    (course / "keys" / "02_more" / "written.toml").unlink()
    (course / "keys" / NAME / "why.py").write_text(as_python(KEY))
    with pytest.raises(UserError, match=r"why: has two keys, why.py and written.toml; remove one"):
        find_key("why")


def test_the_leak_scan_reads_a_text_whose_lines_are_broken_in_the_file(tmp_path):
    answer = "The two clauses that a word joins are needed together, so their values are averaged."
    key = WrittenKey("why", answer, ((1, "one idea"),))
    broken = " \\\n    ".join(textwrap.wrap(answer, 30))
    (tmp_path / "exercises").mkdir()
    path = tmp_path / "exercises" / "written.toml"
    path.write_text(TABLE.replace('"a nudge"', f'"""{broken}"""'))
    assert scan([tmp_path], [key]) == ["exercises/written.toml: the model answer of why"]
    path.write_text(TABLE)
    assert scan([tmp_path], [key]) == []
