"""A course whose exercises are written in the text source of their notebook: the five kinds of answer that
`kqa course new --like` shows, and what is refused. The answers are judged in this process by the judge's own
functions; `test_adopt.py` does it through the sandbox, too.
"""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest
from another_course import working_on

from autograder.answer_key import WrittenKey, answer_source, find_key, sentence
from autograder.build.assemble import assemble
from autograder.build.build import _former, build, up_to_date
from autograder.build.one_file import write_halves
from autograder.build.source import read_source
from autograder.course.new_course import KINDS, new_course
from autograder.course.prove import WEAK, ProofLine, _weak
from autograder.judge.diagnose import chance, diagnose
from autograder.paths import ROOT
from autograder.submissions.cells import text_digest
from autograder.submissions.skeleton import read_skeleton
from kqa_core.check.exercise import Outcome, fits, observed_and_cause
from kqa_core.check.local import LocalAnswer
from kqa_core.check.registry import all_exercises, find
from kqa_core.check.run import run_check
from kqa_core.errors import UserError


@contextlib.contextmanager
def made(course):
    """Work on this course, with its exercises and keys made; its notebook, not executed."""
    (path,) = course.glob("source/*/*.py")
    with working_on(course):
        write_halves(path)
        yield assemble(read_source(path))


def function_of(exercise, answer, setup=""):
    """An answer as a student's notebook defines it: with the names of its setup cell only."""
    names = {}
    exec(setup + "\n" + answer_source(exercise, answer), names)
    return names[exercise]


def judged(exercise, function, seed=0):
    """The verdict of both checks, and the sentence of a mistake that the key knows."""
    key = find_key(exercise)
    for check in (find(exercise).check, key.hidden):
        verdict = run_check(check, LocalAnswer(function), seed, exercise)
        if verdict.outcome is not Outcome.RIGHT:
            return verdict.outcome, diagnose(key, LocalAnswer(function), verdict.sentence)[0]
    return verdict.outcome, ""


def proven(notebook):
    """How many answers of the course's keys are decided as the keys say. All must be."""
    setup = "\n".join(cell.source for cell in notebook.cells if re.fullmatch(r"setup_\d+", cell.id))
    count = 0
    for exercise in all_exercises():
        key = find_key(exercise.id)
        if isinstance(key, WrittenKey):
            assert exercise.written and sum(points for points, _ in key.rubric) == exercise.points
            continue
        for answer in (key.reference, *key.accepted):
            assert judged(exercise.id, function_of(exercise.id, answer, setup)) == (Outcome.RIGHT, "")
        for answer in key.rejected:
            outcome, said = judged(exercise.id, function_of(exercise.id, answer, setup))
            assert outcome is Outcome.NOT_YET, answer.__name__
            assert sentence(answer) in (said, observed_and_cause(said)[1]), answer.__name__
            function = function_of(exercise.id, answer, setup)
            seen = run_check(find(exercise.id).check, LocalAnswer(function), 0, exercise.id)
            assert seen.outcome is Outcome.NOT_YET or chance(key, answer) < WEAK, answer.__name__
        count += 1 + len(key.accepted) + len(key.rejected)
    return count


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_answer_is_decided_as_its_key_says(kind, tmp_path):
    new_course(tmp_path / kind, kind)
    with made(tmp_path / kind) as notebook:
        count = proven(notebook)
        text = "\n".join(cell.source for cell in notebook.cells)
    assert count >= 4 or kind == "text"
    assert "wrong_" not in text and "Hint:" not in text and "def values(" not in text


@pytest.mark.slow
def test_a_course_without_the_library_names_only_what_it_imports(tmp_path):
    packages = {}
    for kind in ("sql", "text", "pandas"):
        new_course(tmp_path / kind, kind)
        packages[kind] = (tmp_path / kind / "course.toml").read_text().splitlines()[3:]
    assert packages == {
        "sql": [], "text": [], "pandas": ['packages = ["pandas"]', 'requirements = ["pandas"]'],
    }  # fmt: skip


def test_an_unknown_kind_is_one_line(tmp_path):
    with pytest.raises(
        UserError, match="--like tables: there is no such kind of answer: choose from pandas, "
    ):
        new_course(tmp_path / "new", "tables")
    assert not (tmp_path / "new").exists()


PAGE = (ROOT / "docs" / "new_course.md").read_text(encoding="utf-8")
(ONE,) = re.findall("^```py\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)  # as the page shows it


@pytest.fixture
def course(tmp_path):
    """A course with one exercise, and a function that changes its source."""
    new_course(tmp_path / "words", "text")
    assert 'name = "words"' in (tmp_path / "words" / "course.toml").read_text()
    (path,) = (tmp_path / "words").glob("source/*/*.py")

    def write(text):
        path.write_text(text)
        return tmp_path / "words"

    return write


def test_the_students_half_holds_nothing_of_the_key(course):
    folder = course(ONE)
    with made(folder) as notebook:
        outcome, said = judged("count_words", lambda text: len(text.split(" ")))
        assert outcome is Outcome.NOT_YET
        assert said.endswith(f"; yours is 13. {fits(4)}You count spaces: two of them may stand together.")
        exercise = find("count_words")
        assert (exercise.points, exercise.hints, exercise.minutes) == (2, ("Where does a word end?",), 0)
        cells = {cell.id: cell.source for cell in notebook.cells}
    assert cells["statement_count_words"].splitlines()[2:] == [
        "*2 points · checked*",
        "",
        "How many words has `text`?",
    ]
    assert "### BEGIN SOLUTION\n    # the reference; students" in cells["count_words"]
    half = (folder / "source" / "01_text" / "exercises" / "count_words.py").read_text()
    stub = "\n".join(cell.text for cell in _cells(folder))
    for text in (half, stub):
        assert "text.split()" not in text and "the reference" not in text and "count(" not in text


def test_what_a_question_said_before_is_known_when_a_copy_of_then_is_submitted(course):
    question = "statement_count_words"
    with made(course(ONE)) as first:
        before = text_digest(next(cell.source for cell in first.cells if cell.id == question))
    with made(course(ONE.replace("How many words has", "Count the words of"))) as changed:
        former = _former(first, changed)
        assert former == {question: [before]}
        changed.metadata["kqa"] = {"former": former}
        skeleton = read_skeleton(Path("01_text.ipynb"), json.dumps(changed))
        assert {cell.id: cell.former for cell in skeleton.cells if cell.former} == {question: {before}}
        assert before not in _former(changed, first)[question], "it is what the notebook says again"


def test_a_wrong_answer_that_some_students_inputs_let_pass_is_named(course):
    few = """
def inputs(rng):
    return [("a  b" if rng.random() < 0.5 else "a b",), ("a",)]
"""
    with made(course(re.sub(r"\ndef inputs.*?\n\n", few + "\n", ONE, flags=re.DOTALL))):
        key = find_key("count_words")
        assert 0.2 < chance(key, key.rejected[0]) < 0.8 and chance(key, lambda text: -1) == 0.0
        assert chance(key, key.reference) == 1.0
        lines = [ProofLine("count_words", late=[late]) for late in ("wrong_counts_spaces", "wrong_else")]
        (said,) = _weak(lines)
        assert re.fullmatch(
            r"count_words: wrong_counts_spaces is right on .* 1 in [234] students; draw .*", said
        )


def _cells(folder):
    (path,) = folder.glob("source/*/*.py")
    with working_on(folder):
        return read_source(path)


def test_what_the_file_does_not_hold_any_more_is_removed_and_what_a_person_wrote_stays(course):
    folder = course(ONE)
    halves = [folder / "source" / "01_text" / "exercises", folder / "keys" / "01_text"]
    with made(folder):
        assert not up_to_date("01_text"), "its notebook was not made yet"
    (halves[0] / "_mine.py").write_text("mine = 1\n")
    folder = course(ONE.replace("count_words", "number_of_words"))
    with made(folder):
        pass
    assert [sorted(path.name for path in half.glob("*.py")) for half in halves] == [
        ["_mine.py", "number_of_words.py"],
        ["number_of_words.py"],
    ]
    (halves[0] / "number_of_words.py").write_text("# by hand\n")
    with pytest.raises(
        UserError, match=r"exercise number_of_words is in this file, and .* by hand; remove one"
    ):
        made(folder).__enter__()


@pytest.mark.slow  # a kernel runs its cells
def test_a_cell_that_stops_is_one_line_and_one_that_is_meant_to_is_built(course):
    stops = "\n# %%{}\nraise ValueError('two\\nlines')\n"
    with working_on(course(ONE + stops.format(""))):
        with pytest.raises(UserError, match=r"cell .* stops: ValueError: .*two.*raises-exc") as stopped:
            build(["01"], quiet=True)
        assert "\n" not in str(stopped.value)
        course(ONE + stops.format(' tags=["raises-exception"]'))
        assert build(["01"], quiet=True).sources == {"01_text": True}


@pytest.mark.slow  # a kernel runs its cells, once
def test_another_path_through_the_course_keeps_the_outputs(course):
    table = "\n# %%\nfrom kqa_core.check import progress\n\nprogress()\n"
    folder = course(ONE + table)
    settings = folder / "course.toml"
    settings.write_text(settings.read_text() + "\n[paths.short]\n[paths.full]\n")
    with working_on(folder):
        assert build(["01"], quiet=True).sources == {"01_text": True}
        lines, shown = _outputs(folder)
        assert "count_words: right (2 points)" in lines and shown == 1
        assert build(["01"], quiet=True, path="short").sources == {"01_text": False}
        assert up_to_date("01_text")
        extra, shown = _outputs(folder)
        assert extra == lines.replace("(2 points)", "(2 points extra)") != lines and shown == 0
        assert build(["01"], quiet=True, path="full").sources == {"01_text": False}
        assert _outputs(folder) == (lines, 0)


def _outputs(folder):
    """What the checks of the executed notebook printed, and how many tables are in it."""
    (path,) = folder.glob("source/*/*.ipynb")
    outputs = [output for cell in json.loads(path.read_text())["cells"] for output in cell.get("outputs", ())]
    lines = "".join("".join(output.get("text", "")) for output in outputs)
    return lines, sum("text/html" in output.get("data", {}) for output in outputs)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (" points=2", "", "cell of exercise 'count_words' comes before a statement with points="),
        ("points=2", 'points="two"', "count_words.py: points = 'two'; expected a whole number"),
        ("points=2", "points=2 difficulty=9", "difficulty = 9; expected a whole number from 1 to 5"),
        ('role="visible"', 'role="see"', "so it has no cell of role 'see'; expected statement"),
        ("def check(", "def look(", "its visible cell defines no function check"),
        ("def count_words(", "def counted(", "its solution cell defines no function count_words"),
        ("def inputs(rng):", "def inputs(rng)", "key: is not valid Python"),
        ("def wrong_counts_spaces(text):", "wrong_x = 3\ndef f(text):", "rejected = .*; expected a tuple"),
        ("# Hint: Where does", "# Hint: a\n#\n# Hint: b\n#\n# Hint: c\n#\n# Hint: ", "up to three texts"),
        ("def wrong_counts", "raise ValueError(5)\ndef wrong_", "count_words.py, line .*: ValueError: 5"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_file_is_one_line_with_the_place_and_what_is_expected(course, old, new, said):
    assert old in ONE
    text = ONE.replace(old, new)
    folder = course(text)
    with pytest.raises(UserError, match=said) as stopped, made(folder):
        find("count_words")
        find_key("count_words")
    assert "\n" not in str(stopped.value) and "01_text" in str(stopped.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"rubric": "text"}, "rubric = 'text'; expected a tuple of .points, idea."),
        ({"model_answer": ""}, "model_answer = ''; expected a text"),
        ({"misconceptions": "one"}, "misconceptions = 'one'; expected a tuple of texts"),
    ],
)
def test_a_written_key_of_the_wrong_type_is_one_line_when_it_is_loaded(course, fields, said):
    folder = course(ONE)
    values = {"model_answer": "yes", "rubric": ((1, "idea"),)} | fields
    (folder / "keys" / "01_text" / "why.py").write_text(
        "from autograder.answer_key import WrittenKey\n"
        f"KEY = WrittenKey('why', {', '.join(f'{key}={value!r}' for key, value in values.items())})\n"
    )
    with working_on(folder), pytest.raises(UserError, match=f"why.py: {said}"):
        find_key("why")
