"""nbgrader in an environment without the grader, as a JupyterHub's own is: it reads a course's settings."""

from __future__ import annotations

import shutil

import pytest
from environments import ROOT, environment_with, run

NAME = "01_attention_as_a_lookup"
CONFIGS = {"kqa": "notebooks/nbgrader_config.py", "sorting": "autograder/course/template/nbgrader_config.py"}

READ = """
from nbgrader.apps import NbGrader
app = NbGrader()  # as formgrader reads them
app.load_config_file()
print(app.config.CourseDirectory.course_id)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    return environment_with(["nbgrader"], tmp_path_factory.mktemp("hub"))


@pytest.mark.slow
@pytest.mark.parametrize(("course", "config"), CONFIGS.items(), ids=CONFIGS)
def test_nbgrader_reads_the_settings_and_stops_before_it_writes_what_needs_the_grader(
    python, course, config, tmp_path
):
    shutil.copy(ROOT / config, tmp_path)
    shutil.copytree(ROOT / "notebooks" / "source" / NAME, tmp_path / "source" / NAME)
    read = run(python, "-c", READ, cwd=tmp_path)
    assert (read.returncode, read.stdout.strip()) == (0, course), read.stderr
    made = run(python, "-m", "nbgrader", "generate_assignment", NAME, cwd=tmp_path)
    assert made.returncode != 0 and "No module named 'autograder'" in made.stderr
    assert not list(tmp_path.glob("release/**/*.ipynb"))
