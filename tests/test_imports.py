"""Imports: the names that the packages of kqa_core offer, and how few modules a notebook needs."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.build.release import notebook_names
from autograder.paths import COURSE, read_course

PACKAGES = (
    "check",
    "encoder",
    "evaluation",
    "experiments",
    "kernels",
    "model",
    "show",
    "symbolic",
    "text",
    "training",
)
MOST = 6  # modules of kqa_core that one notebook imports from
KEPT = "kqa_core.exercise_helpers.kept_classes"  # the student's own classes: not one of them
HEAVY = ("torch", "matplotlib", "ipywidgets", "kqa_core.encoder")


def imports(path: Path) -> list[ast.ImportFrom]:
    """Every `from … import …` of a file, wherever it stands."""
    return [
        node
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom)
    ]


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_offers_what_it_lists_and_gives_no_name_to_two_things(name):
    package = importlib.import_module(f"kqa_core.{name}")
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    for module in modules:
        if not module.endswith("_triton"):  # these need Triton
            importlib.import_module(f"kqa_core.{name}.{module}")  # which becomes an attribute of the package
    assert package.__doc__ and package.__all__
    for offered in package.__all__:
        value = getattr(package, offered)
        assert offered not in modules or value is sys.modules[f"kqa_core.{name}.{offered}"], offered
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = package.nothing


@pytest.mark.parametrize("name", PACKAGES)
def test_the_list_of_a_lazy_package_is_complete(name):
    package = importlib.import_module(f"kqa_core.{name}")
    file = Path(package.__file__)
    blocks = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.If)]
    assert len(blocks) == ("__getattr__" in vars(package))
    names = {alias.asname or alias.name for block in blocks for node in block.body for alias in node.names}
    assert names <= set(package.__all__)


@pytest.mark.parametrize("name", ["check", "show", "text", "experiments", "training"])
def test_importing_a_package_imports_nothing_heavy(name):
    code = f"import sys, kqa_core.{name}; print(*(each for each in {HEAVY} if each in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


@pytest.mark.slow
@pytest.mark.parametrize("words", ["due", "export", "receive nowhere", "groups nowhere.csv"])
def test_a_command_that_judges_nothing_does_not_wait_for_torch(words, tmp_path):
    """With an empty gradebook, whatever this clone has graded."""
    code = """
import contextlib, sys
from kqa_core import cli
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(sys.stderr):
    cli.main()
print(*(each for each in ("torch", "sympy") if each in sys.modules))
"""
    empty = ["--db", f"sqlite:///{tmp_path / 'gradebook.db'}"] if words == "export" else []
    command = [sys.executable, "-c", code, "course", *words.split(), *empty]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [], done.stderr
    assert "Usage" not in done.stderr  # the command itself has run


def test_importing_show_makes_training_draw_in_notebooks():
    code = "import kqa_core.show; from kqa_core import progress; print(progress._view.__module__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["kqa_core.show"]


@pytest.mark.parametrize("name", notebook_names())
def test_a_notebook_imports_from_few_modules(name):
    found = {
        node.module
        for node in imports(COURSE / "source" / name / f"{name}.py")
        if (node.module or "").startswith("kqa_core")
    }
    assert "kqa_core.check" in found and len(found - {KEPT}) <= MOST, sorted(found)


@pytest.mark.slow
def test_no_exercise_or_key_imports_from_another_notebook():
    exercises = {path: path.parents[1].name for path in (COURSE / "source").glob("*/exercises/*.py")}
    keys = {path: path.parent.name for path in read_course(COURSE).keys.glob("*/*.py")}
    assert len(exercises) > 100 and len(keys) > 100
    notebook = {path.stem: name for path, name in (exercises | keys).items()}
    for path in (*exercises, *keys):
        for node in imports(path):
            package, _, module = (node.module or "").partition(".")
            if package in ("course_exercises", "course_keys"):
                for name in [module] if module else [alias.name for alias in node.names]:
                    assert notebook[name] == notebook[path.stem], f"{path} imports {name}"
