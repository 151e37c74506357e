"""Which course a process works on, and what its `course.toml` says."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from another_course import working_on

from autograder import paths
from autograder.build.build import build, path_table
from autograder.course.new_course import new_course
from autograder.grading.code_digest import code_digest
from autograder.paths import COURSE, ROOT, choose_path, read_course, use_course
from kqa_core.check.course_paths import RELEASED, Paths, beside
from kqa_core.check.registry import all_exercises, find, names, path_minutes
from kqa_core.errors import UserError
from kqa_core.show import course_map

OURS = read_course(COURSE)
ENGINE = [path for path in (ROOT / "autograder").rglob("*.py") if not {"keys", "template"} & set(path.parts)]


@pytest.fixture
def chosen(tmp_path, monkeypatch):
    """A process that works on the course in `tmp_path`."""
    monkeypatch.setattr(paths, "_chosen", tmp_path)
    return tmp_path


def test_a_folder_without_settings_has_everything_in_its_usual_place(chosen):
    course = read_course()
    assert (course.title, course.name, course.folder) == (chosen.name, chosen.name, chosen)
    assert (course.keys, course.sample_class, course.out) == (
        chosen / "keys",
        chosen / "sample_class",
        chosen,
    )


def test_the_settings_say_otherwise_and_paths_are_meant_from_the_folder(chosen):
    (chosen / "course.toml").write_text('title = "T"\nkeys = "../secret"\nextras = ["hub"]\n')
    (chosen.parent / "secret").mkdir()
    course = read_course()
    assert (course.title, course.keys, course.extras) == ("T", chosen.parent / "secret", ("hub",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('titel = "T"', "course.toml: titel = 'T'; expected only title, name"),
        ("title = 3", "course.toml: title = 3; expected a text"),
        ('extras = "hub"', "course.toml: extras = 'hub'; expected a list"),
        ("title =", "course.toml: cannot be read"),
        ('path = "short"', "course.toml: path = 'short'; this course has no paths; remove the line"),
        ('path = "shor"\n[paths.short]\n[paths.full]', "path = 'shor'; did you mean short"),
        ("paths = 3", "course.toml: paths; expected tables"),
        ("[paths.short]\nabot = 3", r"\[paths.short\] abot; expected only about, reading, exercises"),
        ("[paths.short]\nreading = { 01 = -1 }", r"\[paths.short\] reading; expected minutes"),
        ("[paths.short]\nexercises = [3]", r"\[paths.short\] exercises; expected a list of names"),
        (
            '[paths.short]\nexercises = ["a"]\n[paths.long]\nexercises = ["a"]',
            r"\[paths.long\] names a, which \[paths.short\] has already",
        ),
    ],
)
def test_a_mistake_in_the_settings_is_one_line(chosen, text, said):
    (chosen / "course.toml").write_text(text)
    with pytest.raises(UserError, match=said) as stopped:
        read_course()
    assert "\n" not in str(stopped.value)


READER = 1.24  # the minutes of a trial reader, for each one stated (notebooks/course.toml)


def test_the_core_of_this_course_takes_a_reader_twelve_hours_and_an_evening_four():
    """Stated minutes are those of the exercises, and of the reading. An hour has 60."""
    minutes = OURS.paths.minutes(all_exercises())
    totals = {name: sum(added[name] for added in minutes.values()) for name in OURS.paths.names}
    assert OURS.paths.names == ("evening", "assignment", "full")
    assert READER * totals["evening"] <= 4 * 60
    assert READER * (totals["evening"] + totals["assignment"]) <= 12 * 60


def test_exercises_outside_of_the_chosen_path_are_extra(chosen):
    tables = '[paths.short]\nexercises = ["one"]\n[paths.core]\nexercises = ["two"]\n[paths.full]\n'
    (chosen / "course.toml").write_text(f'path = "short"\n{tables}')
    course = read_course()
    facts = dataclasses.replace(find("weighted_average"), path="")
    one, two, three = (
        course.paths.placed(dataclasses.replace(facts, id=name)) for name in ("one", "two", "three")
    )
    assert [(each.path, each.extra, each.core) for each in (one, two, three)] == [
        ("short", False, True),
        ("core", True, True),
        ("full", True, False),
    ]
    choose_path("core", chosen)
    assert (chosen / "course.toml").read_text() == f'path = "core"\n{tables}'
    assert not read_course().paths.placed(two).outside
    with pytest.raises(UserError, match=r"has no table \[paths.ful\]; did you mean full"):
        choose_path("ful", chosen)


def test_a_released_notebook_carries_the_paths(tmp_path):
    released = tmp_path / "01_attention_as_a_lookup" / "exercises"
    released.mkdir(parents=True)
    assert beside(released) == Paths()
    (released / RELEASED).write_text(json.dumps(OURS.paths.tables()), encoding="utf-8")
    assert beside(released) == OURS.paths


def test_a_choice_is_added_to_settings_that_name_none(chosen):
    (chosen / "course.toml").write_text('title = "T"\n[paths.short]\n[paths.full]\n')
    choose_path("short", chosen)
    assert read_course().paths.chosen == "short" and read_course().title == "T"


def test_a_path_with_an_unknown_exercise_is_refused(tmp_path):
    new_course(tmp_path / "sorting")
    settings = tmp_path / "sorting" / "course.toml"
    settings.write_text(settings.read_text() + '[paths.short]\nexercises = ["merge_sort"]\n')
    with (
        working_on(tmp_path / "sorting"),
        pytest.raises(
            UserError, match=r"names 'merge_sort', which is no exercise; did you mean merge_sorted"
        ),
    ):
        build(["01"])


def test_the_table_of_paths_names_the_chosen_one_and_adds_up():
    lines = path_table().splitlines()
    assert [line.split()[0] for line in lines[2:]] == list(OURS.paths.names)
    assert [int(line.split("min")[1].split()[0]) for line in lines[2:]] == [
        sum(OURS.paths.names.index(each.path) <= place for each in all_exercises()) for place in range(3)
    ]
    assert [line for line in lines if "chosen: " in line] == [
        lines[2 + OURS.paths.names.index(OURS.paths.chosen)]
    ]


def test_the_page_for_instructors_names_every_exercise_with_a_question_of_the_assignment():
    page = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    [part] = re.findall(r"## Where each question of the assignment is\n(.*?)\n## ", page, flags=re.DOTALL)
    named = set(re.findall(r"`(\w+)`", part))
    assert named <= {exercise.id for exercise in all_exercises()}
    asked = {exercise.id for exercise in all_exercises() if exercise.source.startswith("CS224n")}
    assert asked - named == set()
    optional = {exercise.id for exercise in all_exercises() if not exercise.core}
    for line in part.splitlines():
        if line.startswith("| ") and "optional" not in line:
            assert not optional & set(re.findall(r"`(\w+)`", line)), line


@pytest.mark.slow
def test_the_map_that_the_pages_show_is_current():
    """After a change: `kqa course paths --map docs/images/paths.png`."""
    from PIL import Image

    said = course_map(*path_minutes()).sentence
    assert Image.open(ROOT / "docs" / "images" / "paths.png").info["Description"] == said


def test_a_folder_that_is_no_course_changes_nothing(tmp_path):
    before = paths.course_folder()
    with pytest.raises(UserError, match="is not a course folder"):
        use_course(tmp_path)
    assert paths.course_folder() == before


@pytest.mark.slow
def test_no_function_binds_a_course_when_it_is_imported():
    """A default such as `course: Path = COURSE` would stay this repository's whatever `--course` says."""
    bound = []
    for path in ENGINE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                defaults = [
                    each for each in (*node.args.defaults, *node.args.kw_defaults) if each is not None
                ]
                used = {part.id for each in defaults for part in ast.walk(each) if isinstance(part, ast.Name)}
                bound += [f"{path.name}: {node.name}" for name in used & {"COURSE"}]
    assert bound == []


@pytest.mark.slow
def test_the_engine_names_nothing_of_this_course():
    """No exercise, notebook or data set, and not the title; docstrings and examples in help texts may."""
    own = {
        *names(),
        *(path.name for path in (COURSE / "source").iterdir()),
        "world",
        "sentiment",
        "checkpoints",
        OURS.name,
    }
    found = []
    for path in ENGINE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                said = node.value
                parts = {said, *said.split("/")}
                if (parts & own) or (OURS.title in said):
                    found.append(f"{path.name}: {said[:80]!r}")
    assert found == []


def test_the_grader_knows_no_subject():
    """Not even in a comment: a course may be on anything."""
    subject = re.compile(r"\b(softmax|torch|sympy|transformers?|attention)\b", re.IGNORECASE)
    lines = [
        f"{path.name}: {line.strip()}"
        for path in ENGINE
        for line in path.read_text(encoding="utf-8").splitlines()
        if subject.search(line)
    ]
    assert lines == []


@pytest.mark.parametrize("line", ["import torch", "    from torch import Tensor", "import sympy as sp"])
def test_an_exercise_with_values_that_the_course_does_not_declare_is_refused(tmp_path, line):
    new_course(tmp_path / "sorting")
    helper = tmp_path / "sorting" / "source" / "01_sorting" / "exercises" / "_lists.py"
    indented = f"if True:\n{line}" if line.startswith(" ") else line
    helper.write_text(f"{helper.read_text(encoding='utf-8')}\n{indented}\n", encoding="utf-8")
    package = line.split()[1]
    with (
        working_on(tmp_path / "sorting"),
        pytest.raises(UserError, match=rf"_lists.py: imports {package}, whose"),
    ):
        build(["01"])
    assert not (tmp_path / "sorting" / "release").exists()


def test_the_digest_covers_both_halves_of_the_courses_exercises(chosen):
    for half in ("source/01_a/exercises", "keys/01_a"):
        (chosen / half).mkdir(parents=True)
    seen = {code_digest(chosen)}
    for half in ("source/01_a/exercises", "keys/01_a"):
        (chosen / half / "one.py").write_text("X = 1\n")
        seen.add(code_digest(chosen))
        (chosen / half / "one.py").write_text("X = 2\n")
        seen.add(code_digest(chosen))
    assert len(seen) == 5


def test_the_repositorys_course_has_its_keys_and_its_class_where_its_settings_say():
    assert OURS.keys == ROOT / "notebooks" / "keys" and OURS.out == ROOT and OURS.data == COURSE / "data"
    assert (OURS.sample_class / "expected.tsv").is_file() and inspect.getdoc(type(OURS))
    assert Path(OURS.keys, "00_start_here").is_dir()


@pytest.fixture
def two_notebooks(chosen):
    """01 imports a helper of 02's; its key imports a list of mistakes."""
    texts = {
        "source/01_a/exercises/one.py": "from course_exercises._shared import x\n",
        "source/02_b/exercises/_shared.py": "x = 1\n",
        "source/02_b/exercises/two.py": "",
        "keys/01_a/one.py": "from course_keys import (\n    _mistakes,\n)\n",
        "keys/01_a/_mistakes.py": "",
        "keys/02_b/two.py": "",
        "source/02_b/exercises/written.toml": "",
        "keys/02_b/written.toml": "",
    }
    for name, text in texts.items():
        (chosen / name).parent.mkdir(parents=True, exist_ok=True)
        (chosen / name).write_text(text)
    return chosen


@pytest.mark.parametrize(
    ("changed", "notebooks"),
    [
        ("source/01_a/exercises/one.py", {"01_a"}),
        ("keys/01_a/_mistakes.py", {"01_a"}),
        ("keys/02_b/two.py", {"02_b"}),
        ("source/02_b/exercises/two.py", {"02_b"}),
        ("source/02_b/exercises/written.toml", {"02_b"}),
        ("keys/02_b/written.toml", {"02_b"}),
        ("source/02_b/exercises/_shared.py", {"01_a", "02_b"}),
    ],
)
def test_a_changed_exercise_judges_its_own_notebook_again_and_those_that_import_it(
    two_notebooks, changed, notebooks
):
    before = {name: code_digest(two_notebooks, name) for name in ("01_a", "02_b")}
    (two_notebooks / changed).write_text((two_notebooks / changed).read_text() + "\n# changed\n")
    assert {
        name for name, digest in before.items() if code_digest(two_notebooks, name) != digest
    } == notebooks


IMPORTS = """
import importlib, sys
from autograder.grading.code_digest import needed
from autograder.paths import COURSE, mount_keys, read_course
halves = [*COURSE.glob("source/*/exercises/*.py"), *read_course(COURSE).keys.glob("*/*.py")]
for notebook in sorted(path.name for path in (COURSE / "source").iterdir()):
    for name in [each for each in sys.modules if each.startswith(("course_exercises", "course_keys"))]:
        del sys.modules[name]
    mount_keys()
    for path in (each for each in halves if notebook in each.parts):
        package = "course_exercises" if path.parent.name == "exercises" else "course_keys"
        importlib.import_module(f"{package}.{path.stem}")
    packages = ("course_exercises.", "course_keys.")
    loaded = {name.partition(".")[2] for name in sys.modules if name.startswith(packages)}
    print(notebook, *sorted(loaded - {path.stem for path in needed(notebook, halves)}))
"""


@pytest.mark.slow
def test_whatever_the_exercises_of_a_notebook_import_is_in_its_digest():
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS], capture_output=True, text=True, check=True, cwd=ROOT
    )
    assert done.stdout.splitlines() == sorted(path.name for path in (paths.COURSE / "source").iterdir())


def test_the_file_that_the_digest_leaves_out_holds_the_version_and_nothing_else():
    docstring, version = ast.parse((ROOT / "kqa_core" / "__init__.py").read_text(encoding="utf-8")).body
    assert (
        isinstance(docstring, ast.Expr)
        and isinstance(version, ast.Assign)
        and version.targets[0].id == "__version__"
    )
