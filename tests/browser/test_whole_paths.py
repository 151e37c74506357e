"""Two whole paths in a real browser: the student's, from a fresh copy to a kept success, and the
instructor's, to the marks.

Neither may ask anything of another machine, nor leave an error on the console that nobody expects.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from lab_server import CHROMIUM, HARMLESS, KERNEL_READY, LOCAL, PATIENCE, served
from pages import Notebook, saved, screenshot, watched

from autograder.answer_key import answer_source, find_key
from autograder.build.release import release
from autograder.grading.config import GradingConfig
from autograder.paths import COURSE
from autograder.submissions.skeleton import load_skeleton
from kqa_core.check.exercise import Outcome
from kqa_core.check.progress_store import ProgressStore
from kqa_core.commands.student import lab_command, lab_environment, merge

START, NAME = "00_start_here", "01_attention_as_a_lookup"
COUNTED = ("average_all", "select_first")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    with contextlib.closing(context), watched(context.new_page(), LOCAL, HARMLESS) as page:
        yield page


def test_a_student_answers_checks_reloads_and_finds_it_kept(page, tmp_path):
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    copy = tmp_path / "lab"
    release([START, NAME], out=tmp_path / "edition")
    merge(tmp_path / "edition", copy)
    environment = {
        key: value
        for key, value in lab_environment().items()
        if key not in ("KQA_FOLDER", "NBGRADER_EXECUTION")
    }
    with served(lab_command(copy, NAME), copy, environment, tmp_path) as server:
        address = f"{server}/doc/tree/{NAME}/{NAME}.ipynb?token=key"
        notebook = Notebook(page, address)
        notebook.run("from kqa_core.check import")
        unattempted = notebook.run("def copy_one(")
        assert "NotImplementedError" in unattempted.inner_text()
        unattempted.locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("def copy_one(keys, j, beta): return beta * keys[j]")
        notebook.run("def copy_one(")
        check = notebook.run('check("copy_one", copy_one)')
        said = "copy_one: right (3 points)"
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("copy_one: right", timeout=PATIENCE)
        said = check.locator(".jp-OutputArea-output").inner_text().strip()
        screenshot(page, "path_right")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+s")
        expect(page.locator(".jp-NotebookPanel")).not_to_have_class(re.compile("jp-mod-dirty"))
        saved(copy / NAME / f"{NAME}.ipynb", "return beta * keys[j]", page)

        page.reload()
        page.wait_for_selector(KERNEL_READY)
        again = notebook.cell('check("copy_one", copy_one)')
        expect(again.locator(".jp-OutputArea-output")).to_contain_text(said)
        expect(notebook.cell("def copy_one(")).to_contain_text("return beta * keys[j]")
        assert ProgressStore(copy / ".kqa").read()["copy_one"].best is Outcome.RIGHT

        cockpit = Notebook(page, f"{server}/doc/tree/{START}/{START}.ipynb?token=key")
        cockpit.run("from kqa_core.check import")
        cockpit.run("cockpit()")
        view = page.locator(".kqa-cockpit")
        expect(view).to_contain_text("1 of ", timeout=PATIENCE)
        row = view.get_by_role("row", name=re.compile("^Copy one value copy_one done"))
        expect(row).to_be_visible()
        assert row.bounding_box()["height"] < 40, "title and name of an exercise are on one line"
        expect(view).to_contain_text("the last you worked on was copy_one")
        for theme in ("true", "false"):
            page.evaluate(f"document.body.dataset.jpThemeLight = '{theme}'")
            screenshot(view, f"cockpit_{'light' if theme == 'true' else 'dark'}")
            found = Axe().run(page, context=".kqa-cockpit")
            assert found.violations_count == 0, found.generate_report()
        view.locator(".kqa-said").get_by_role("link", name="average_two").click()
        expect(
            page.locator(".jp-RenderedMarkdown:visible").filter(has_text="Averaging two values").first
        ).to_be_visible()


def hand_in(folder, course, student, answers):
    """A submission of the small course, with these answers in their cells."""
    import nbformat

    path = folder / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    notebook = nbformat.read(course / "source" / NAME / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        cell.source = answers.get(name, cell.source)
    nbformat.write(notebook, path)


@pytest.mark.nightly
def test_an_instructor_finds_the_graded_class_and_its_marks_in_formgrader(page, tmp_path):
    sys.path.append(str(Path(__file__).parents[1] / "autograder" / "course"))
    from playwright.sync_api import expect
    from small_course import write_course

    from autograder.course.grade import grade

    course = write_course(tmp_path / "notebooks")
    shutil.copy(COURSE / "nbgrader_config.py", course)
    right, wrong = (
        {name: answer_source(name, pick(find_key(name))) for name in COUNTED}
        for pick in (_reference, _rejected)
    )
    hand_in(tmp_path / "class", course, "ann", {**right, "why_select": "Because I read it."})
    hand_in(tmp_path / "class", course, "ben", {**right, COUNTED[0]: wrong[COUNTED[0]]})
    hand_in(tmp_path / "class", course, "cem", wrong)
    graded = grade(GradingConfig(assignment="01", submissions=tmp_path / "class", workers=1, course=course))
    assert graded.differences == []
    marks = {each.student: each.marks for each in graded.results}
    most = sum(
        exercise.points for exercise in load_skeleton(course / "source" / NAME / f"{NAME}.ipynb").exercises
    )
    assert marks["ann"] > marks["ben"] > marks["cem"] == 0

    own = {
        name: str(tmp_path / "home" / name)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    command = [
        sys.executable,
        "-m",
        "jupyter_server",
        "--allow-root",
        "--ip=127.0.0.1",
        f"--ServerApp.root_dir={course}",
    ]
    with served(command, course, {**os.environ, **own}, tmp_path) as server:
        # logs in, as any page but formgrader's does: its cookie holds for one path
        page.goto(f"{server}/api/status?token=key")
        page.goto(f"{server}/formgrader/manage_submissions/{NAME}")
        for student, mark in marks.items():
            row = page.locator("tbody tr").filter(has=page.get_by_text(student, exact=True))
            expect(row).to_contain_text(f"{mark:g} / {most:g}", timeout=PATIENCE)
        screenshot(page, "path_formgrader")
        page.goto(f"{server}/formgrader/gradebook/{NAME}/{NAME}")
        expect(page.locator("tbody tr")).to_have_count(len(marks), timeout=PATIENCE)
        row = page.locator("tbody tr").filter(has_text=f"{marks['ann']:g} / {most:g}")
        expect(row.first).to_be_visible()


def _reference(key):
    return key.reference


def _rejected(key):
    return key.rejected[0]
