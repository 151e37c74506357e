"""The code that a run depends on: the lists of files against what is imported,
and that a change there is noticed.
"""

import ast
import shutil
from pathlib import Path

import pytest
import torch

from kqa_core.encoder import run_cache
from kqa_core.files import digest_of
from kqa_core.training import runs

PACKAGE = Path(runs.__file__).resolve().parents[1]
NO_NUMBER = {  # what a run imports that can change no number of its result
    "__init__.py": "the version",
    "errors.py": "the text of error messages",
    "lazy.py": (
        "when a name of a package is imported; files of ours import from the modules themselves, as is"
        " checked below"
    ),
    "progress.py": "what is shown during training; it draws no random numbers and changes no mode",
    "stats.py": "the interval of the accuracy that is shown",
}


def imported_by(file: Path) -> set[Path]:
    """The files of kqa_core that a file imports,
    at the top or inside a function, with the `__init__.py` of their packages.

    Imports under `if TYPE_CHECKING:` do not run. The packages' `__init__.py` have their lazily imported names
    there.
    """
    found: set[Path] = set()
    waiting: list[ast.AST] = [ast.parse(file.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += ast.iter_child_nodes(node)
        names = []
        if isinstance(node, ast.ImportFrom):
            assert not node.level and node.module, f"{file}: relative imports are not followed here"
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            lazily = [alias.name for alias in node.names if is_lazy(node.module, alias.name)]
            assert not lazily, (
                f"{file} imports {lazily} from {node.module}, not from the module that defines it"
            )
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "kqa_core":
                places = [PACKAGE.joinpath(*parts[1:end]) for end in range(1, len(parts) + 1)]
                files = [
                    each for place in places for each in (place / "__init__.py", place.with_suffix(".py"))
                ]
                found.update(each for each in files if each.is_file())
    return found


def is_lazy(package: str, name: str) -> bool:
    """Whether `name` is no module of `package`, a package of kqa_core that imports its names lazily."""
    place = PACKAGE.parent.joinpath(*package.split("."))
    init = place / "__init__.py"
    module = (place / f"{name}.py").is_file() or (place / name / "__init__.py").is_file()
    return (
        not module
        and init.is_file()
        and PACKAGE in init.parents
        and "lazy_names(" in init.read_text(encoding="utf-8")
    )


def import_closure(start: str) -> set[str]:
    """All files of kqa_core that importing one can load.
    Variants are imported by name, so all of them count.
    """
    waiting, seen = {PACKAGE / start}, set[Path]()
    while waiting:
        file = waiting.pop()
        seen.add(file)
        waiting |= imported_by(file) - seen
        if file == PACKAGE / "model" / "variant_registry.py":
            waiting |= set((PACKAGE / "model" / "variants").glob("*.py")) - seen
    return {file.relative_to(PACKAGE).as_posix() for file in seen}


def listed(patterns: tuple[str, ...]) -> set[str]:
    return {file.relative_to(PACKAGE).as_posix() for pattern in patterns for file in PACKAGE.glob(pattern)}


@pytest.mark.slow
def test_the_closure_follows_imports_inside_functions_and_variants():
    closure = import_closure("training/runs.py")
    assert {
        "training/muon.py",
        "training/gpu_engine.py",
        "model/variants/rope.py",
        "kernels/one_tile_triton.py",
    } <= closure
    assert not any(file.startswith(("show/", "check/", "commands/", "evaluation/")) for file in closure)


def test_what_a_trained_model_can_depend_on_is_listed():
    missing = import_closure("training/runs.py") - listed(runs.CODE)
    assert missing == set(NO_NUMBER), "each file is in `runs.CODE`, or stands here with the reason why not"


@pytest.mark.slow
def test_what_a_fine_tuned_classifier_can_depend_on_is_listed():
    missing = import_closure("encoder/finetune.py") - listed(run_cache.CODE)
    # names of the package; how the corpus is written
    only_names, only_writes = "training/__init__.py", "files.py"
    assert missing == {*NO_NUMBER, only_names, only_writes}


@pytest.mark.parametrize(
    "file", ["training/muon.py", "hardware.py", "files.py", "model/variants/bigbird.py", "text/vocabulary.py"]
)
def test_a_change_in_one_of_them_is_another_digest(file, tmp_path, monkeypatch):
    shutil.copytree(PACKAGE, tmp_path / "kqa_core", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(runs, "PACKAGE", tmp_path / "kqa_core")
    before = runs.code_digest.__wrapped__()
    assert before == runs.code_digest(), "the place of the package does not matter"
    with (tmp_path / "kqa_core" / file).open("a") as edited:
        edited.write("# another line\n")
    assert runs.code_digest.__wrapped__() != before


def test_a_digest_depends_on_names_and_contents_and_not_on_the_order(tmp_path):
    first, second = tmp_path / "a.py", tmp_path / "b" / "c.py"
    second.parent.mkdir()
    first.write_text("one")
    second.write_text("two")
    plain = digest_of([first, second], tmp_path)
    assert plain == digest_of([second, first], tmp_path) and len(plain) == 64
    assert plain != digest_of([first], tmp_path)
    second.write_text("three")
    assert plain != digest_of([first, second], tmp_path)
    first.write_text("onetwo")
    second.write_text("")
    assert plain != digest_of([first, second], tmp_path), "where one file ends and the next begins counts"


def test_the_code_of_a_class_and_of_what_cannot_be_seen_counts():
    def code(body):
        names = {"__name__": "notebook"}
        exec(f"class A:\n    def __call__(self):\n        {body}\ndef f():\n    return A()()\n", names)
        return runs.code_behind(names["f"])

    assert code("return 1") == code("return 1  # said differently") != code("return 2")
    assert runs.code_behind(iter([])) != runs.code_behind(iter([])), "an object of which nothing is known"
    assert (
        runs.code_behind([torch.ones(2)])
        == runs.code_behind([torch.ones(2)])
        != runs.code_behind([torch.zeros(2)])
    )
