"""What a statement names, what a key's answers use and what an exercises folder imports: only what a grader's
runner, or a student with this notebook alone, has too. And what is optional: headings say it.
"""

from __future__ import annotations

import ast
import builtins
import dis
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import CodeType

import pytest
from judged_keys import checked

from autograder.answer_key import answer_source
from autograder.course.new_course import TEMPLATE
from autograder.paths import COURSE, ROOT
from autograder.submissions.skeleton import Skeleton, load_skeleton
from kqa_core.check.registry import all_exercises, exercise_folders, find

NOTEBOOKS = sorted((ROOT / "notebooks" / "source").glob("*/*.ipynb"))
QUOTED = re.compile(r"`([A-Za-z_]\w*)[(`.]")


def defined(source: str) -> set[str]:
    """The functions, classes and imported names that a cell defines; none if it is no plain Python."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return set()
    names = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    imports = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    return names | {(alias.asname or alias.name).split(".")[0] for node in imports for alias in node.names}


def missing(skeleton: Skeleton) -> dict[str, set[str]]:
    """For each exercise, what its statement names, demonstration cells define,
    and neither setup nor solution cell mentions.
    """
    roles = ("demonstration", "setup")
    shown, ready = (
        {name for cell in skeleton.cells if cell.role == role for name in defined(cell.source)}
        for role in roles
    )
    exercises = {exercise.id for exercise in skeleton.exercises}
    solutions = {cell.grade_id: cell.source for cell in skeleton.cells if cell.role == "solution"}
    found = {}
    for cell in skeleton.cells:
        if cell.role == "statement" and cell.exercise is not None and not cell.exercise.written:
            absent = set(QUOTED.findall(cell.source)) & shown - ready - exercises
            absent -= set(re.findall(r"\w+", solutions[cell.exercise.id]))
            if re.search(r"^class ", solutions[cell.exercise.id], re.MULTILINE):
                absent.discard("forward")  # a method of the class that the student writes
            found |= {cell.exercise.id: absent} if absent else {}
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_statement_names_is_defined_where_the_answer_is_graded(path: Path) -> None:
    assert missing(load_skeleton(path)) == {}


def test_a_function_that_only_a_demonstration_cell_defines_is_found() -> None:
    skeleton = load_skeleton(NOTEBOOKS[1])
    more = {"demonstration": "\ndef shown_only(): pass", "statement": " Use `shown_only(x)`."}
    cells = tuple(replace(cell, source=cell.source + more.get(cell.role, "")) for cell in skeleton.cells)
    assert set().union(*missing(replace(skeleton, cells=cells)).values()) == {"shown_only"}


def global_names(code: CodeType) -> set[str]:
    """The global names that a program reads, in its functions, too."""
    names = {
        line.argval for line in dis.get_instructions(code) if line.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    return names.union(*(global_names(part) for part in code.co_consts if isinstance(part, CodeType)))


def bound_names(source: str) -> set[str]:
    """The names that a program gives a value at any place."""
    return defined(source) | {
        node.id
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_answers_of_a_key_use_names_of_their_notebook_alone(path: Path) -> None:
    """In one process they would see all names of the key's file, the reference among them."""
    cells = load_skeleton(path).cells
    ready = set(dir(builtins)).union(*(bound_names(cell.source) for cell in cells if cell.role == "setup"))
    for key in checked():
        if find(key.id).notebook == path.stem:
            for answer in (key.reference, *key.accepted, *key.rejected):
                source = answer_source(key.id, answer)
                used = global_names(compile(source, answer.__name__, "exec")) - bound_names(source)
                assert used <= ready, (key.id, answer.__name__, used - ready)
                own = key.id in global_names(
                    compile(source.rpartition(f"\n{key.id} = ")[0] or source, "", "exec")
                )
                assert not own or answer.__name__ == key.id, f"{key.id}: {answer.__name__} calls itself"


CODE = """
import importlib, sys
from pathlib import Path
from kqa_core.check import registry
for folder in map(Path, sys.argv[1:]):
    registry.mount(registry.PACKAGE, [folder])
    for path in sorted(folder.glob("*.py")):
        try:
            importlib.import_module(f"{registry.PACKAGE}.{path.stem}")
        except ImportError as problem:
            print(f"{folder.parent.name}/exercises/{path.name}: {problem}")
"""


def problems(*folders):
    """One line for each file that cannot be imported with nothing but its own folder there."""
    command = [sys.executable, "-c", CODE, *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.slow
def test_every_exercise_imports_where_only_its_own_folder_is_there():
    assert problems(*exercise_folders(COURSE / "source"), *exercise_folders(TEMPLATE / "source")) == []


def test_one_that_needs_another_folder_is_named(tmp_path):
    for name, text in (("01_one", "X = 1\n"), ("02_two", "from course_exercises.first import X\n")):
        (tmp_path / name / "exercises").mkdir(parents=True)
        (tmp_path / name / "exercises" / f"{'first' if name == '01_one' else 'second'}.py").write_text(text)
    found = problems(tmp_path / "01_one" / "exercises", tmp_path / "02_two" / "exercises")
    assert found == ["02_two/exercises/second.py: No module named 'course_exercises.first'"]


CORE = {exercise.id for exercise in all_exercises() if exercise.core}
# sections whose text is core, though their only exercise is not
READ = {"Out of reach", "Where the leak of the opening comes from", "A ceiling", "When do two heads fail?"}


def placed(source: Path) -> Iterator[tuple[list[str], str, str]]:
    """Each cell of a text source: the headings it stands under, its header, its text."""
    above: list[str] = []
    for cell in re.split(r"(?m)^# %%", source.read_text(encoding="utf-8"))[1:]:
        header, _, text = cell.partition("\n")
        if "[markdown]" in header:
            for level, heading in re.findall(r"(?m)^# (#{1,3}) (.*)", text):
                above = [*above[: len(level) - 1], *[""] * (len(level) - 1 - len(above)), heading]
        yield above, header, text


@pytest.mark.parametrize(
    "source", [path.with_suffix(".py") for path in NOTEBOOKS], ids=lambda path: path.stem
)
def test_headings_say_what_is_optional(source: Path) -> None:
    """Those of a section with optional exercises alone, or of its part; else the notebook says it at its top.
    If a cell of the core uses names of an optional section, the notebook says to run that, too.
    """
    sections: dict[tuple[str, ...], set[str]] = {}
    known, borrowed = set(dir(builtins)), set[str]()
    optional: dict[str, str] = {}  # a name → the section that makes it
    for above, header, cell in placed(source):
        if asked := re.search(r'exercise="(\w+)" role="statement"', header):
            sections.setdefault(tuple(above), set()).add(asked[1])
        if "[markdown]" in header:
            continue
        nodes = list(ast.walk(ast.parse(cell)))
        made = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        made |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        made |= {node.asname or node.name for node in nodes if isinstance(node, ast.alias)}
        made |= {node.arg for node in nodes if isinstance(node, ast.arg)}
        if any("optional" in heading for heading in above):
            optional |= dict.fromkeys(made, above[-1])
        else:
            used = {node.id for node in nodes if isinstance(node, ast.Name)} - known - made
            borrowed |= {f"{name} of {optional[name]}" for name in used if name in optional}
            known |= made
    text = source.read_text(encoding="utf-8").replace("\n# ", " ").replace("**", "")
    if CORE.isdisjoint(set().union(*sections.values())):
        assert "The whole notebook is optional" in text
        return
    for headings, exercises in sections.items():
        if CORE.isdisjoint(exercises) and headings[-1] not in READ:
            assert any("optional" in heading for heading in headings), (headings, exercises)
    assert not borrowed or "Run also the code cells that you skip" in text, borrowed
