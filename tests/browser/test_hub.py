"""A real JupyterHub, as deploy/one_machine starts it for trying:
one assignment goes to a student and comes back marked.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys

import pytest
from environments import CORE, ROOT, environment_with, install
from lab_server import CHROMIUM, HARMLESS, LOCAL, PATIENCE
from pages import Notebook, saved, screenshot, watched
from servers import hub_of, needs_hub

from autograder.build.bundle import build_wheel
from autograder.paths import COURSE
from autograder.sandbox.tiers import problem_with

NAME = "01_attention_as_a_lookup"
RELEASE = f"nbgrader generate_assignment {NAME} && nbgrader release_assignment {NAME}"
MARK = (
    f"nbgrader collect {NAME} --update && kqa course grade 01 --workers 1 && nbgrader release_feedback {NAME}"
)
pytestmark = [
    pytest.mark.nightly,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
    needs_hub,
]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """The folder of `deploy/one_machine/set-up`,
    with links to installed packages, and a course of notebook 01.
    """
    place = tmp_path_factory.mktemp("hub")
    (place / "exchange").mkdir(mode=0o777)
    (place / "exchange").chmod(0o777)
    python = environment_with([*CORE, "jupyterhub"], place / "student")
    install(python, str(build_wheel(place)))
    for name in ("etc", "share"):  # of JupyterLab and its extensions
        (place / "student" / name).symlink_to(f"{sys.prefix}/{name}")
    course = place / "notebooks"
    shutil.copytree(COURSE / "source" / NAME, course / "source" / NAME)
    shutil.copy(COURSE / "nbgrader_config.py", course)
    (course / "course.toml").write_text(f'keys = "{ROOT / "notebooks" / "keys"}"\n')
    return place


@pytest.fixture(scope="module")
def hub(place):
    """The hub's address."""
    settings = (
        f'course = "{place / "notebooks"}"\nenvironment = "{sys.prefix}"\ninstructors = ["instructor"]\n'
    )
    with hub_of(place, "try_config.py", "/hub/login", settings) as address:
        yield address


@contextlib.contextmanager
def logged_in(chromium, hub, name):
    """A browser in which this person has logged in and JupyterLab stands open; its address as well."""
    context = chromium.new_context(viewport={"width": 1400, "height": 1000})
    with contextlib.closing(context), watched(context.new_page(), LOCAL, HARMLESS) as page:
        page.goto(f"{hub}/hub/login")
        page.get_by_label("Username").fill(name)
        page.get_by_label("Password").fill("try")
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url(f"{hub}/user/{name}/lab**")
        page.get_by_role("menuitem", name="Nbgrader").wait_for()
        yield page, f"{hub}/user/{name}/lab"


def type_in_terminal(page, lab, place, command):
    """Give a command in a new terminal of JupyterLab. It must end well."""
    done = place / "done"
    done.unlink(missing_ok=True)
    page.goto(f"{lab}?reset")
    prompted = []
    page.on(
        "websocket",
        lambda socket: (
            "/terminals/" in socket.url and socket.on("framereceived", lambda _: prompted.append(1))
        ),
    )
    page.locator(".jp-LauncherCard", has_text="Terminal").click()
    while not prompted:  # until the shell speaks
        page.wait_for_timeout(100)
    page.locator(".jp-Terminal .xterm-helper-textarea").focus()
    page.keyboard.type(f"({command}) > {place}/said 2>&1; echo $? > {done}")
    page.keyboard.press("Enter")
    for _ in range(PATIENCE // 200):
        if done.exists() and done.read_text().strip():
            break
        page.wait_for_timeout(200)
    assert done.read_text().strip() == "0", (place / "said").read_text()
    return (place / "said").read_text()


def open_list(page):
    """nbgrader's list of assignments."""
    page.get_by_role("menuitem", name="Nbgrader").click()
    page.get_by_role("menuitem", name="Assignment List").click()


def test_an_assignment_goes_to_a_student_and_comes_back_marked(chromium, hub, place):
    from playwright.sync_api import expect

    problem = problem_with("bubblewrap")
    if problem is not None:
        pytest.skip(problem)
    with logged_in(chromium, hub, "instructor") as (page, lab):
        told = type_in_terminal(page, lab, place, f"pwd && {RELEASE}")
        assert told.splitlines()[0] == str(place / "notebooks")  # this course is outside the clone

    with logged_in(chromium, hub, "ann") as (page, lab):
        page.get_by_role("menuitem", name="Nbgrader").click()
        expect(page.get_by_role("menuitem", name="Formgrader")).to_have_count(0)
        page.get_by_role("menuitem", name="Assignment List").click()
        page.locator("#released_assignments_list").get_by_role("button", name="Fetch").click()
        expect(page.locator("#fetched_assignments_list")).to_contain_text(NAME)
        screenshot(page, "hub_fetched")
        notebook = Notebook(page, f"{lab}/tree/{NAME}/{NAME}.ipynb")
        notebook.run("from kqa_core.check import")
        notebook.cell("def copy_one(").locator(".cm-content").click()
        page.keyboard.press("Control+a")
        page.keyboard.type("def copy_one(keys, j, beta): return beta * keys[j]")
        notebook.run("def copy_one(")
        check = notebook.run('check("copy_one", copy_one)')
        expect(check.locator(".jp-OutputArea-output")).to_contain_text("copy_one: right")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+s")
        saved(place / "home" / "ann" / NAME / f"{NAME}.ipynb", "return beta * keys[j]", page)
        open_list(page)
        page.locator("#fetched_assignments_list").get_by_role("button", name="Submit").click()
        expect(page.locator("#submitted_assignments_list")).to_contain_text(NAME)
    # in the home, so one progress for all notebooks
    assert (place / "home" / "ann" / ".kqa" / "progress.json").is_file()
    assert list((place / "exchange").rglob("*.ipynb")) and not list((place / "exchange").rglob(".kqa"))

    with logged_in(chromium, hub, "instructor") as (page, lab):
        assert "2 of 24" in type_in_terminal(page, lab, place, MARK)

    with logged_in(chromium, hub, "ann") as (page, lab):
        open_list(page)
        page.locator("#submitted_assignments_list").get_by_role("button", name="Fetch Feedback").click()
        expect(page.locator("#submitted_assignments_list")).to_contain_text("(view feedback)")
        (read,) = (place / "home" / "ann" / NAME / "feedback").rglob("*.html")
        page.goto(f"{lab.removesuffix('/lab')}/files/{read.relative_to(place / 'home' / 'ann')}")
        expect(page.locator("body")).to_contain_text("return beta * keys[j]")
        screenshot(page, "hub_feedback")


def test_a_students_environment_holds_no_answer_key(place):
    python = place / "student" / "bin" / "python"
    ask = "import importlib.util as u, kqa_core; print(u.find_spec('autograder'), kqa_core.__file__)"
    done = subprocess.run([python, "-c", ask], cwd=place, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "None",
        str(next((place / "student").glob("lib/*/site-packages")) / "kqa_core" / "__init__.py"),
    ]
