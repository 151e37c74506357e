"""The dashboard and the reading site in a real browser, from the file system and offline: axe, paper, light and dark, and widgets
that move on the site."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest
from lab_server import CHROMIUM
from pages import screenshot, watched
from playwright.sync_api import expect

sys.path.append(str(Path(__file__).parents[1] / "autograder" / "course"))

from reported_course import everything, give, graded_course, said, submission

from autograder.report.report import report
from autograder.site.site import site

START, NAME = "00_start_here", "01_attention_as_a_lookup"
HOSTILE = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"
pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
    pytest.mark.filterwarnings("ignore::sqlalchemy.exc.SAWarning"),
]


@pytest.fixture(scope="module")
def dashboard(tmp_path_factory):
    results = [submission(f"s{i:02}", everything(), received=1.7e9, sandbox="bubblewrap") for i in range(24)]
    wrong = {"sentence": "The sum of the rows is not their average: divide by n.", "mistake": "sum_of_rows"}
    results += [submission(f"t{i:02}", everything("not yet", **wrong)) for i in range(12)]
    results += [submission(HOSTILE, [said("average_all", "not yet", HOSTILE), *everything()[1:]], notes=(HOSTILE,))]
    course = graded_course(
        tmp_path_factory.mktemp("made") / "notebooks", results, {"t01": {"average_all": f"def average_all(K):\n    {HOSTILE}"}}
    )
    give(course, "s01", "why_select", 0.5, HOSTILE)
    return report(tmp_path_factory.mktemp("report"), course)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    return site(tmp_path_factory.mktemp("site") / "site", notebooks=[START, NAME])


@pytest.fixture
def opened(chromium):
    """Opens a file where there is no network. Whatever it asks of others, or complains of, fails the test."""
    with contextlib.ExitStack() as stack:

        def open_page(path, scheme="light", width=1100):
            context = chromium.new_context(offline=True, color_scheme=scheme, viewport={"width": width, "height": 900})
            stack.callback(context.close)
            page = stack.enter_context(watched(context.new_page(), ("file:", "data:")))
            page.goto(path.as_uri())
            return page

        yield open_page


def axe(page):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("width", [1100, 380])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_dashboard(opened, dashboard, scheme, width):
    page = opened(dashboard, scheme, width)
    screenshot(page, f"report_{scheme}_{width}")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    axe(page)
    assert page.title() == "Course report", "nothing that a student wrote has run"


def test_a_mistake_leads_to_the_very_answer(opened, dashboard):
    page = opened(dashboard)
    page.locator("summary", has_text="sum of rows").first.click()
    page.get_by_role("link", name="t01", exact=True).first.click()
    answer = page.locator("#answer-average_all-t01")
    assert answer.is_visible(), "the folds around it have opened"
    assert "divide by n" in answer.inner_text() and "onerror" in answer.inner_text()
    screenshot(page, "report_drill")


def test_on_paper_the_dashboard_shows_its_folds_and_hides_the_students(opened, dashboard):
    page = opened(dashboard, "dark")
    page.emulate_media(media="print")
    assert page.get_by_role("heading", name="Students").count() == 0
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_axe_finds_nothing_on_a_students_page(opened, dashboard):
    axe(opened(dashboard.parent / "students" / "s01.html"))


@pytest.mark.parametrize("name", ["index", START, NAME])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_the_site(opened, pages, scheme, name):
    page = opened(pages.with_name(f"{name}.html"), scheme)
    screenshot(page, f"site_{name[:5]}_{scheme}")
    axe(page)


def test_formulas_are_drawn_and_pages_lead_on(opened, pages):
    page = opened(pages, width=380)
    page.get_by_role("link", name="01 Attention as a lookup").click()
    assert page.locator("math").first.bounding_box()["width"] > 5
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    screenshot(page, "site_narrow")
    page.get_by_role("link", name="00 Start here").first.click()
    assert page.locator("img").first.evaluate("each => each.naturalWidth") > 100, "the still of the first slider"
    assert page.locator("h1").inner_text() == "Start here"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_widget_on_the_site_moves_without_a_kernel(opened, pages, scheme):
    page = opened(pages.with_name(f"{NAME}.html"), scheme)
    its = "iframe[title^='At β']"
    frame = page.locator(its)
    frame.scroll_into_view_if_needed()
    inside = page.frame_locator(its)
    said, slider = inside.locator(".kqa-said"), inside.get_by_role("slider").first
    expect(said).to_contain_text("At β = 2")
    slider.focus()
    page.keyboard.press("End")
    expect(said).to_contain_text("At β = 12.0")
    screenshot(page, f"site_widget_{scheme}")
    still = frame.locator("xpath=following-sibling::details")
    still.locator("summary").click()
    assert still.locator("img").evaluate("each => each.naturalWidth") > 100
    axe(page)
    page.goto((pages.parent / frame.get_attribute("src")).as_uri())  # on a page of its own, where axe sees it
    expect(page.locator(".kqa-said")).to_contain_text("At β = 2")
    axe(page)
