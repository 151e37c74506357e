"""Answers are read from files and modules as they stand there; nothing of them is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course.answer_files import answers_in
from kqa_core.errors import UserError

MODULE = '''"""Answers."""
import torch


# adds, with a comment
def right_plain(keys, a, b, beta):
    """Its own docstring."""
    return beta * (keys[a] + keys[b])  # not right_plain


def helper_of_nobody():
    raise SystemExit
'''


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_function_is_a_cell_with_the_comment_above_and_the_name_of_its_exercise(tmp_path: Path) -> None:
    text = MODULE.partition("\n\n\ndef helper")[0]
    (answer,) = answers_in(written(tmp_path, "average_two.py", text))
    assert (answer.exercise, answer.right) == ("average_two", True)
    assert answer.place == f"{tmp_path}/average_two.py::right_plain"
    assert answer.source == (
        "# adds, with a comment\n"
        "def average_two(keys, a, b, beta):\n"
        '    """Its own docstring."""\n'
        "    return beta * (keys[a] + keys[b])  # not right_plain\n"
    )


def test_a_string_is_a_cell_as_it_stands_also_one_that_does_not_parse(tmp_path: Path) -> None:
    text = '# broken\nwrong_syntax = r"""\ndef average_two(\n\\\n"""\n'
    (answer,) = answers_in(written(tmp_path, "average_two_2.py", text))
    assert (answer.exercise, answer.right) == ("average_two", False)
    assert answer.source == "# broken\ndef average_two(\n\\\n"


def test_decorators_and_odd_line_ends_move_no_line(tmp_path: Path) -> None:
    text = '"""A page\x0cbreak and a \u2028 separator."""\n@staticmethod\ndef wrong_x():\n    pass\n'
    (answer,) = answers_in(written(tmp_path, "average_two.py", text))
    assert answer.source == "@staticmethod\ndef average_two():\n    pass\n"


def test_a_folder_holds_files_and_modules(tmp_path: Path) -> None:
    written(tmp_path, "average_two/mine.py", "average_two = 1\n")
    written(tmp_path, "copy_one.py", "def wrong_x():\n    pass\n")
    assert [(answer.exercise, answer.right) for answer in answers_in(tmp_path)] == [
        ("average_two", None),
        ("copy_one", False),
    ]


def test_an_answer_counts_as_named_if_its_outcome_is_what_its_name_says(tmp_path: Path) -> None:
    written(tmp_path, "copy_one.py", "def right_x(): pass\ndef wrong_x(): pass\n")
    written(tmp_path, "copy_one/file.py", "")
    assert [(answer.as_named("right"), answer.as_named("error")) for answer in answers_in(tmp_path)] == [
        (True, False),
        (False, True),
        (True, False),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (MODULE, "average_two.py, line 11: is no answer; expected functions or strings named right_NAME"),
        ("x = 1\n", "average_two.py, line 1: is no answer"),
        ("def f(:\n", r"average_two.py: is no Python \(.*line 1\)\); expected functions or strings"),
        ("", "holds no answers"),
    ],
)
def test_a_module_that_holds_anything_else_is_refused_with_the_line(
    tmp_path: Path, text: str, said: str
) -> None:
    written(tmp_path, "average_two.py", text)
    with pytest.raises(UserError, match=said):
        answers_in(tmp_path)
