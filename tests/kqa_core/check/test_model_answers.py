"""solution(): locked answers, their codes, and one clear line for each thing that can be missing."""

from __future__ import annotations

import base64
import json
import re
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from IPython.core.formatters import DisplayFormatter

from autograder.answer_key import AnswerKey, WrittenKey, find_key, model_answer
from autograder.build.solutions import write_solutions
from autograder.judge.seeds import course_mark, unlock_code
from kqa_core.check import check, model_answers, solution
from kqa_core.check.api import Slip
from kqa_core.check.exercise import Outcome
from kqa_core.check.model_answers import ModelAnswer, seal, unseal
from kqa_core.check.progress_store import ProgressStore
from kqa_core.check.registry import all_exercises, find, of_notebook
from kqa_core.errors import UserError

NAME = "00_start_here"
FILE = f"{NAME}_locked.json"


@pytest.fixture(autouse=True)
def own_progress(tmp_path, monkeypatch):
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path / "kept"))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


@pytest.fixture
def fetched(tmp_path, monkeypatch):
    """The folder of a fetched notebook with its locked file, and the key of its course."""
    course, folder = tmp_path / "course", tmp_path / NAME
    key = bytes(range(32))
    course.mkdir()
    (course / ".course_key").write_text(key.hex())
    write_solutions(folder, course)
    monkeypatch.setattr(model_answers, "notebook_folder", lambda name: folder)
    return folder, key


def said(capsys, *arguments, **more):
    """The output of a call of solution(), or the one line of its error."""
    try:
        solution(*arguments, **more)
    except Slip as slip:
        [line] = slip._render_traceback_()
        return line
    return capsys.readouterr().out.strip()


CODES = st.text("abcdefghijklmnopqrstuvwxyz234567-", min_size=1, max_size=40)


@pytest.mark.slow
@given(CODES, st.text(max_size=300))
def test_the_code_that_sealed_a_text_opens_it_and_the_same_text_is_sealed_the_same(code, text):
    assert unseal(code, seal(code, text)) == text
    assert seal(code, text) == seal(code, text)


@given(CODES, CODES, st.text(max_size=100))
def test_no_other_code_opens_it(code, other, text):
    assert (unseal(other, seal(code, text)) is None) is (code != other)


@given(CODES, st.text(max_size=40), st.data())
def test_what_was_changed_is_not_opened(code, text, data):
    sealed = bytearray(base64.b64decode(seal(code, text)))
    place = data.draw(st.integers(0, len(sealed) - 1))
    sealed[place] ^= data.draw(st.integers(1, 255))
    assert unseal(code, base64.b64encode(bytes(sealed)).decode()) is None
    assert unseal(code, "no Base64") is None


def test_two_texts_with_one_code_do_not_share_a_keystream():
    """Else the exclusive or of two sealed texts would be that of the texts,
    and a corrected answer would betray the first.
    """
    one, other = b"the first text of thirty bytes", b"its correction, of thirty, too"
    sealed = [base64.b64decode(seal("abcd", text.decode()))[32:] for text in (one, other)]
    assert bytes(a ^ b for a, b in zip(*sealed, strict=True)) != bytes(
        a ^ b for a, b in zip(one, other, strict=True)
    )


def test_codes_differ_by_exercise_and_by_course_and_begin_with_the_courses_mark():
    keys = bytes(32), bytes([1] * 32)
    codes = {unlock_code(key, name) for key in keys for name in ("average_two", "copy_one")}
    assert len(codes) == 4 and course_mark(keys[0]) != course_mark(keys[1])
    for code in codes:
        mark, secret = code.split("-")
        assert (
            mark in map(course_mark, keys)
            and len(secret) == 26
            and set(secret) <= set("abcdefghijklmnopqrstuvwxyz234567")
        )


def test_a_locked_answer_is_a_line_its_code_opens_it_and_is_remembered(fetched, capsys):
    folder, key = fetched
    assert said(capsys, "weighted_average").startswith("weighted_average: the model answer is locked: ")
    check("weighted_average", lambda values, weights: weights @ values)
    capsys.readouterr()
    assert "locked" in said(capsys, "weighted_average"), "the visible check is no lock"
    code = unlock_code(key, "weighted_average")
    opened = said(capsys, "weighted_average", code=f" {code.upper()}\n")
    assert opened.endswith(model_answer("weighted_average")) and "```python\ndef weighted_average(" in opened
    assert said(capsys, "weighted_average") == opened
    (folder / FILE).unlink()
    assert said(capsys, "weighted_average") == opened


def test_nothing_is_kept_while_nbgrader_runs_the_notebook(fetched, capsys, monkeypatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert "Model answer" in said(capsys, "weighted_average", unlock_code(fetched[1], "weighted_average"))
    assert "locked" in said(capsys, "weighted_average")


def test_where_nothing_can_be_kept_the_answer_is_shown_all_the_same(fetched, capsys, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("KQA_FOLDER", str(tmp_path / "file"))
    assert "Model answer" in said(capsys, "weighted_average", unlock_code(fetched[1], "weighted_average"))


def test_an_open_file_needs_no_code(fetched, tmp_path, capsys):
    write_solutions(fetched[0], tmp_path / "course", opened=True)
    for exercise in of_notebook(NAME):
        assert "Model answer" in said(capsys, exercise.id)
    assert "Model answer" in said(capsys, "weighted_average", code="abcd-of another course")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), 'solution: name the exercise, in quotes, as in solution("average_two")'),
        (("wieghted_average",), "no exercise is called 'wieghted_average': did you mean weighted_average"),
        ((print,), 'solution: the exercise\'s name comes first, in quotes: solution("print")'),
        (
            ("average_two",),
            (
                f"solution: {FILE}: belongs to another course or edition (course), without average_two: get"
                " the file"
            ),
        ),
        (
            ("weighted_average", "x"),
            "solution: weighted_average: this code does not open it: copy the whole line",
        ),
        (
            ("weighted_average", "abcd-efgh"),
            "solution: weighted_average: this code belongs to another course or edition than",
        ),
        (("weighted_average", 12), "solution: weighted_average: this code does not open it"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_do(fetched, capsys, arguments, line):
    assert said(capsys, *arguments).startswith(line)


def test_the_code_of_another_exercise_or_of_another_course_does_not_open_it(fetched, capsys):
    key = fetched[1]
    assert "this code does not open it" in said(capsys, "weighted_average", unlock_code(key, "average_two"))
    assert "this code belongs to another course" in said(
        capsys, "weighted_average", unlock_code(bytes(32), "weighted_average")
    )


def test_without_a_file_the_line_says_which_one_is_missing(fetched, capsys):
    (fetched[0] / FILE).unlink()
    line = f"weighted_average: there is no {FILE} beside the notebook: ask your instructor for it"
    assert said(capsys, "weighted_average") == line


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"course": "x"}', '{"course": "x", "mark": "", "answers": []}', b"\xff"]
)
def test_a_damaged_file_is_one_line(fetched, capsys, content):
    (fetched[0] / FILE).write_bytes(content if isinstance(content, bytes) else content.encode())
    assert said(capsys, "weighted_average").startswith(
        f"solution: {FILE}: cannot be read or is damaged: get the file"
    )


def test_in_the_courses_own_folder_a_right_answer_opens_it_and_a_written_one_is_always_open(capsys):
    assert said(capsys, "weighted_average").startswith(
        "weighted_average: not solved yet: a right answer opens the model answer"
    )
    check("weighted_average", lambda values, weights: weights @ values)
    capsys.readouterr()
    assert said(capsys, "weighted_average").endswith(model_answer("weighted_average"))
    written = next(exercise.id for exercise in all_exercises() if exercise.written)
    assert said(capsys, written).endswith(model_answer(written))


def test_in_the_courses_own_folder_what_no_check_there_decides_is_to_be_compared(capsys):
    """Nobody submits there, so that a submission's feedback would never open it."""
    ProgressStore().note_check("two_head_failure", Outcome.RIGHT)
    shown = said(capsys, "two_head_failure")
    assert "cannot decide whether your expression is exact: compare." in shown
    assert shown.endswith(model_answer("two_head_failure"))


def test_a_notebook_shows_a_quotation_and_everything_else_the_text():
    shown = ModelAnswer(find("weighted_average"), "```python\nx = 1\n```\n\nBecause $x$.")
    bundle, _ = DisplayFormatter().format(shown)
    assert bundle["text/plain"] == str(shown) and "`weighted_average`" in str(shown)
    # Markdown in it, after empty lines
    assert bundle["text/markdown"] == f"<blockquote>\n\n{shown}\n\n</blockquote>"


@pytest.mark.parametrize("exercise", [each.id for each in all_exercises()])
def test_every_exercise_has_a_model_answer(exercise):
    key = find_key(exercise)
    if isinstance(key, WrittenKey):
        assert model_answer(exercise) == dedent(key.model_answer).strip() != ""
    else:
        assert isinstance(key, AnswerKey)
        _, code, rest = model_answer(exercise).split("```", 2)
        compile(code.removeprefix("python\n"), exercise, "exec")
        assert (
            re.search(rf"^(def|class) {exercise}\(", code, re.MULTILINE)
            and rest.strip() == dedent(key.commentary).strip()
        )


def test_a_notebook_that_was_fetched_again_under_another_name_has_its_answers(fetched, capsys, monkeypatch):
    again = fetched[0].rename(fetched[0].with_name("again"))
    monkeypatch.setattr(model_answers, "notebook_folder", lambda name: again)
    assert "Model answer" in said(capsys, "weighted_average", unlock_code(fetched[1], "weighted_average"))


def test_a_locked_file_holds_its_notebooks_exercises_and_nothing_else(fetched):
    content = json.loads((fetched[0] / FILE).read_text())
    assert list(content["answers"]) == [exercise.id for exercise in of_notebook(NAME)]
    assert content["mark"] == course_mark(fetched[1]) and set(content) == {"course", "mark", "answers"}


def test_a_file_that_cannot_be_written_is_one_line(fetched, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match=r"cannot be written"):
        write_solutions(tmp_path / "file" / NAME, tmp_path / "course")
