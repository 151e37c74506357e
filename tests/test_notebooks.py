"""Every notebook, run: the instructor's gives its stored outputs again,
the student's runs through without a stack of ours.

- The instructor's runs in a folder of its own, with the shipped data beside it. The student's runs as it is
  fetched: its folder alone, in an environment that holds the students' wheel and nothing of this clone. Both
  train every model anew. `make test` runs one of the instructor's, but not the two that take a minute, and
  each change of a notebook or of `kqa_core` draws another; `make test-all` runs all of both.
- Models are trained for a few steps there, on few sentences (KQA_STEPS, `SHORT`, `SHORTER`). Outputs that
  depend on how far a model is trained are tagged `nbval-ignore-output`, so nothing that is compared is lost;
  `kqa course build` trains in full.
"""

from __future__ import annotations

import itertools
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from portions import portion
from safetensors import safe_open

from autograder.build.build import chosen, up_to_date
from autograder.build.execute import CELL_SECONDS, kernel_environment, transport
from autograder.build.release import notebook_names, release
from autograder.paths import COURSE, ROOT
from kqa_core.encoder.finetune import FineTune

NAMES = notebook_names()
CLASSES = "04_build_a_transformer"  # later notebooks read the classes of the notebook that lies beside them
TRAINS, TUNES = "07_pretrain_finetune_evaluate", "10_fine_tune_an_encoder"
STEPS, SENTENCES = 3, 256
SHORT = f"""
def few_steps():
    from dataclasses import replace
    from kqa_core.encoder import run_cache
    whole = run_cache.cached_run
    run_cache.cached_run = lambda path, config, data, *more: whole(
        path, replace(config, epochs=1), data.part({SENTENCES}), *more
    )

few_steps()
del few_steps
"""
SHORTER = {  # for loops in a notebook's own cells: the text there, and the text in the copy
    "09_the_synthesizer_and_its_relatives": (
        ("SEEDS, STEPS = (0, 1, 2), 250", f"SEEDS, STEPS = (0, 1, 2), {STEPS}"),
    ),
    "11_a_real_language_model": (
        ("repeated(6, seed=0), repeated(12, seed=1)", "repeated(1, seed=0), repeated(2, seed=1)"),
        ("in (8, 5, 4, 3, 2)", "in (8, 2)"),
        ("read_famous(), read_invented()", "read_famous()[:12], read_invented()[:4]"),
    ),
    "10_fine_tune_an_encoder": (
        ("FEW, WRONG, EPOCHS = 400, 80, 10", "FEW, WRONG, EPOCHS = 40, 8, 2"),
        ("part(640, 200)", "part(64, 20)"),
    ),
}
SOURCES = sorted(path for name in NAMES for path in (COURSE / "source" / name).rglob("*.py"))
CODE = sorted((ROOT / "kqa_core").rglob("*.py"))
pytestmark = pytest.mark.slow


@pytest.fixture
def empty_folder(tmp_path, monkeypatch):
    """An empty folder in which kernels train for a few steps: each runs `SHORT` before its first cell."""
    startup = tmp_path / "ipython" / "profile_default" / "startup"
    startup.mkdir(parents=True)
    (startup / "few_steps.py").write_text(SHORT, encoding="utf-8")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("KQA_STEPS", str(STEPS))
    return tmp_path


@pytest.fixture
def folder(empty_folder):
    """The same, with what the course ships in it."""
    for shipped in ("data", "benchmarks"):
        (empty_folder / shipped).symlink_to(ROOT / shipped, target_is_directory=True)
    return empty_folder


@pytest.fixture
def students_kernel(students_python, tmp_path, monkeypatch):
    """The name of a kernel of the student's environment."""
    command = [str(students_python), "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    place = tmp_path / "jupyter" / "kernels" / "student" / "kernel.json"
    place.parent.mkdir(parents=True)
    place.write_text(
        json.dumps({"argv": command, "display_name": "student", "language": "python"}), encoding="utf-8"
    )
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path / "jupyter"))
    return "student"


def shortened(path: Path, name: str) -> Path:
    """A notebook whose own loops take fewer steps: the file is changed."""
    text = path.read_text(encoding="utf-8")
    for written, instead in SHORTER.get(name, ()):
        assert text.count(written) == 1, f"{name} does not say {written!r} any more: change SHORTER"
        text = text.replace(written, instead)
    path.write_text(text, encoding="utf-8")
    return path


def was_trained(name: str, folder: Path) -> None:
    """The models that a notebook trains lie beside the data,
    and the runs of notebook 10 are as short as they should be.
    """
    if name == TRAINS:
        assert (folder / "runs" / "07" / "pretrained.pt").is_file()
    if name == TUNES:
        kept = sorted((folder / "runs" / "10").iterdir())
        tuned = ["not_pretrained", "pretrained"]
        chosen = ["chosen", "chosen_not_pretrained"]  # for these the student's function chooses
        real = ["real"]  # only where the public model and its sentences were fetched
        stems = [path.stem for path in kept if path.stem not in real]
        assert stems in ([*chosen, *tuned], tuned)
        for path in kept:
            with safe_open(path, "pt") as file:
                steps = json.loads(file.metadata()["curves"])["losses"]
            if path.stem in tuned:
                assert len(steps) == math.ceil(SENTENCES / FineTune().batch_size)


def nbval(notebook: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a notebook under nbval, which compares each output with the stored one."""
    options = [
        "--nbval",
        "--nbval-current-env",
        f"--nbval-cell-timeout={CELL_SECONDS}",
        "-q",
        "-o",
        "addopts=",
        "-p",
        "no:cacheprovider",
        "-p",
        "nbval.plugin",
    ]
    command = [sys.executable, "-m", "pytest", *options, str(notebook)]
    # no other plugin is needed
    environment = {**kernel_environment(str(folder)), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    return subprocess.run(
        command, cwd=notebook.parent, capture_output=True, text=True, check=False, env=environment
    )


def test_every_text_source_has_its_notebook():
    assert chosen(()) == NAMES
    assert "00_start_here" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_mark_of_quotation_stands_at_the_beginning_of_each_line_and_nowhere_else(name):
    """A quotation that was wrapped anew once had its marks in the middle of lines, where they are text."""
    for cell in nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4).cells:
        if cell.cell_type == "markdown":
            for paragraph in cell.source.split("\n\n"):
                lines = paragraph.splitlines()
                first = next((i for i, line in enumerate(lines) if line.startswith("> ")), len(lines))
                for line in lines[first:]:
                    assert line.startswith(">") and " > " not in line[1:], line


@pytest.mark.parametrize("name", NAMES)
def test_the_stored_notebook_is_what_its_source_makes_now(name):
    assert up_to_date(name), f"run `kqa course build -n {name}`"


QUICK = [name for name in NAMES if name not in (TRAINS, "11_a_real_language_model")]
DRAWN = portion(QUICK, len(QUICK), *SOURCES, *CODE)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in DRAWN else pytest.mark.nightly) for name in NAMES]
)
def test_the_instructors_notebook_gives_its_stored_outputs(name, folder):
    (folder / name).mkdir()
    if name != CLASSES:
        (folder / CLASSES).symlink_to(COURSE / "source" / CLASSES, target_is_directory=True)
    copied = Path(shutil.copy(COURSE / "source" / name / f"{name}.ipynb", folder / name))
    done = nbval(shortened(copied, name), folder / "progress")
    assert done.returncode == 0, done.stdout[-6000:]
    was_trained(name, folder)


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_the_students_notebook_runs_through_where_it_is_all_that_was_fetched(
    name, empty_folder, students_python, students_kernel
):
    [path] = release([name], out=empty_folder / "fetched")
    package = next(students_python.parents[1].glob("lib/python*/site-packages/kqa_core"))
    installed = {each for each in package.rglob("*") if each.suffix != ".pyc"}
    notebook = nbformat.read(shortened(path, name), as_version=4)
    with tempfile.TemporaryDirectory() as short:  # a short path: sockets have little room for a name
        client = NotebookClient(
            notebook,
            timeout=CELL_SECONDS,
            kernel_name=students_kernel,
            allow_errors=True,
            resources={"metadata": {"path": str(path.parent)}},
            config=transport(short),
        )
        client.execute(
            env={key: value for key, value in kernel_environment(short).items() if key != "KQA_COURSE"}
        )
    was_trained(name, path.parents[1])
    left = {each for each in package.rglob("*") if each.suffix != ".pyc"} - installed
    assert {each.name for each in left} <= {"__pycache__"}, "nothing is written into the installed package"
    unattempted = 0
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            assert output.get("name") != "stderr", f"{cell.id} writes to stderr: {output.text}"
            if output.output_type == "error":
                assert output.ename == "NotRight", f"{cell.id} stops: {output.ename}: {output.evalue}"
                assert len(output.traceback) == 1, f"{cell.id} shows {output.traceback}"
                assert ": unattempted: " in output.evalue or "raises-exception" in cell.metadata.tags
                unattempted += ": unattempted: " in output.evalue
    checks = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("grade")
    ]
    assert unattempted >= len(checks) > 0


@pytest.mark.parametrize("name", NAMES)
def test_a_stored_notebook_holds_no_state_of_the_machine_it_ran_on(name):
    text = (COURSE / "source" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    assert "widgets" not in notebook["metadata"]
    assert "version" not in notebook["metadata"]["language_info"]
    assert all("execution" not in cell["metadata"] for cell in notebook["cells"])
    assert "application/vnd.jupyter.widget-view+json" not in text


@pytest.mark.parametrize(("name", "after"), list(itertools.pairwise(NAMES)))
def test_a_notebook_ends_with_a_link_to_the_next(name, after):
    notebook = nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4)
    assert re.search(rf"\*\*Next:\*\* \[[^]]+\]\(\.\./{after}/{after}\.ipynb\)", notebook.cells[-1].source)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_lines_that_a_notebook_prints_fit_100_columns(name):
    notebook = nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4)
    printed = [
        line
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream"
        for line in output.text.splitlines()
    ]
    assert all(len(line) <= 100 for line in printed[:3])


def test_nbval_sees_a_failing_check_although_run_all_goes_on(tmp_path):
    name = "00_start_here"
    notebook = nbformat.read(COURSE / "source" / name / f"{name}.ipynb", as_version=4)
    [solution] = [cell for cell in notebook.cells if cell.id == "weighted_average"]
    solution.source = "def weighted_average(values, weights):\n    return values.mean(dim=0)\n"
    kept = ("setup_1", "weighted_average", "check_weighted_average")
    notebook.cells = [cell for cell in notebook.cells if cell.id in kept]
    nbformat.write(notebook, tmp_path / "wrong.ipynb")
    done = nbval(tmp_path / "wrong.ipynb", tmp_path)
    assert done.returncode == 1
    assert "1 failed, 2 passed" in done.stdout, done.stdout[-3000:]
