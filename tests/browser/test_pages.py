"""The dashboard and the reading site in a real browser, from the file system and offline: axe, paper, light
and dark, and widgets that move on the site.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path

import pytest
from lab_server import CHROMIUM
from pages import SCHEMES, screenshot, watched
from playwright.sync_api import expect

sys.path.append(str(Path(__file__).parents[1] / "autograder" / "course"))

from reported_course import everything, give, graded_course, said, submission

from autograder.people.anonymous_grading import Dealing, deal
from autograder.report.facts import NotebookFacts
from autograder.report.html import page_name
from autograder.report.marking import marking_page, written_answers
from autograder.report.report import index, report
from autograder.site.site import site

START, NAME = "00_start_here", "01_attention_as_a_lookup"
HOSTILE = "<script>document.title = 'owned'</script><img src=x onerror=\"document.title='owned'\">"
pytestmark = [
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
    results += [
        submission(HOSTILE, [said("average_all", "not yet", HOSTILE), *everything()[1:]], notes=(HOSTILE,))
    ]
    course = graded_course(
        tmp_path_factory.mktemp("made") / "notebooks",
        results,
        {"t01": {"average_all": f"def average_all(K):\n    {HOSTILE}"}},
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
            context = chromium.new_context(
                offline=True, color_scheme=scheme, viewport={"width": width, "height": 900}
            )
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
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("index", "Course report"),
        (f"notebooks/{NAME}", f"{NAME}: report"),
        (f"answers/{page_name(HOSTILE)}", f"{HOSTILE}: answers"),
    ],
)
def test_axe_finds_nothing_in_the_dashboard(opened, dashboard, name, title, scheme, width):
    page = opened(dashboard.parent / f"{name}.html", scheme, width)
    screenshot(page, f"report_{name.partition('/')[0]}_{scheme}_{width}")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    axe(page)
    assert page.title() == title, "nothing that a student wrote has run"


def test_the_class_is_searched_and_sorted(opened, dashboard):
    page = opened(dashboard)
    rows = page.locator("#class tbody tr:visible")
    assert rows.count() == 37 and page.locator("#found").inner_text() == "37 of 37"
    page.get_by_label("Find a student").fill("T0")
    assert rows.count() == 10 and page.locator("#found").inner_text() == "10 of 37"
    page.get_by_label("Find a student").fill("")
    page.get_by_role("button", name="sum").click()
    assert rows.nth(0).locator("td").nth(1).inner_text() == "1"
    page.get_by_role("button", name="sum").click()
    assert rows.nth(0).locator("td").nth(1).inner_text() == "2.5" and "s01" in rows.nth(0).inner_text()
    axe(page)


def test_a_large_class_is_shown_in_part_until_all_is_asked_for(opened, tmp_path):
    results = {f"s{i:03}": submission(f"s{i:03}", everything()) for i in range(150)}
    facts = NotebookFacts(
        NAME, results, {student: (float(i), 200.0, False) for i, student in enumerate(results)}, {}
    )
    (tmp_path / "index.html").write_text(index([facts]))
    page = opened(tmp_path / "index.html")
    rows = page.locator("#class tbody tr:visible")
    assert (
        rows.count() == 100 and page.locator("#found").inner_text() == "150 of 150, the first 100 are shown"
    )
    page.get_by_label("Find a student").fill("s149")
    assert rows.count() == 1 and not page.get_by_role("button", name="show all").is_visible()
    page.get_by_label("Find a student").fill("")
    page.get_by_role("button", name="show all").click()
    assert rows.count() == 150


def test_a_mistake_leads_to_the_very_answer(opened, dashboard):
    page = opened(dashboard)
    page.get_by_role("link", name=NAME).click()
    page.locator("summary", has_text="sum of rows").first.click()
    page.get_by_role("link", name="t01", exact=True).first.click()
    answer = page.locator("#answer-average_all")
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


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["index", START, NAME])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_on_the_site(opened, pages, scheme, name):
    page = opened(pages.with_name(f"{name}.html"), scheme)
    screenshot(page, f"site_{name[:5]}_{scheme}")
    axe(page)


@pytest.mark.nightly
def test_formulas_are_drawn_and_pages_lead_on(opened, pages):
    page = opened(pages, width=380)
    page.get_by_role("link", name="01 Attention as a lookup").click()
    assert page.locator("math").first.bounding_box()["width"] > 5
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    screenshot(page, "site_narrow")
    page.get_by_role("link", name="00 Start here").first.click()
    assert page.locator("img").first.evaluate("each => each.naturalWidth") > 100, (
        "the still of the first slider"
    )
    assert page.locator("h1").inner_text() == "Start here"


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", SCHEMES)
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


def test_a_comment_that_is_written_on_a_graders_page_is_offered_for_the_next_answer(opened, tmp_path):
    course = graded_course(tmp_path / "course", [submission(each, everything()) for each in ("ada", "bo")])
    dealt = Dealing(NAME)
    deal(dealt, list(written_answers(course, NAME).values()), ["anna"])
    (tmp_path / "anna.html").write_text(marking_page(course, dealt, "anna", {}))
    page = opened(tmp_path / "anna.html")
    first, second = page.locator(".answer").all()
    first.get_by_label("Comment for the student").fill("Say why.")
    second.get_by_label("Use an earlier comment").focus()
    second.get_by_label("Use an earlier comment").select_option("Say why.")
    expect(second.get_by_label("Comment for the student")).to_have_value("Say why.")
    axe(page)
