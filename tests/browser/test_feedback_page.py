"""The page that a student gets back, in a real browser, from the file system and offline."""

from __future__ import annotations

import contextlib
import re
import sys
from pathlib import Path

import pytest
from lab_server import CHROMIUM
from pages import screenshot, watched
from test_pages import HOSTILE, axe

sys.path.append(str(Path(__file__).parents[1] / "autograder" / "course"))

from reported_course import NAME, said, submission

from autograder.gradebook.feedback_page import feedback_page
from autograder.judge.results import Judged
from autograder.submissions.merge import GraftedCell

STATEMENT = """\
### Exercise 2. Average all values (`average_all`)

*1 point · difficulty 1 of 5*

Return the average $\\bar v = \\frac{1}{n} \\sum_{j=1}^{n} v_j$ of the rows.

$$\\bar v = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix} w$$

| row | weight |
|---|---|
| 1 | 0.5 |
"""
WRITTEN = (
    f"Since $\\alpha_j \\ge 0$, **all** count. $\\text{{{HOSTILE}}}$ {HOSTILE} [a link](http://elsewhere/)"
    " ![](http://elsewhere/a.png)"
)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]


@pytest.fixture(scope="module")
def page_file(tmp_path_factory):
    """A page with an answer that is not right yet, one that is,
    and a written one that a person marked; all are hostile.
    """
    wrong = said("average_all", "not yet", f"The sum of the rows is not their average. {HOSTILE}")
    results = [wrong, said("select_first"), said("why_select", "written")]
    sources = {
        "average_all": f"def average_all(K):\n    return K.sum(dim=0)  # {HOSTILE}",
        "why_select": WRITTEN,
    }
    cells = [GraftedCell("statement", "markdown", STATEMENT, "statement_average_all")]
    cells += [
        GraftedCell("written" if name == "why_select" else "solution", "code", source, name)
        for name, source in sources.items()
    ]
    made = Judged(submission(HOSTILE, results, notes=(HOSTILE,), sha256="0" * 64), tuple(cells))
    path = tmp_path_factory.mktemp("feedback") / f"{NAME}.html"
    text = feedback_page(made, {"why_select": (0.5, HOSTILE)}, 0.25, b"k" * 32, solutions=True)
    path.write_text(text, encoding="utf-8")
    return path


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


@pytest.mark.parametrize(("scheme", "width"), [("light", 1100), ("dark", 380)])
def test_axe_finds_nothing_and_nothing_of_a_students_runs(opened, page_file, scheme, width):
    page = opened(page_file, scheme, width)
    screenshot(page, f"feedback_{scheme}_{width}")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    axe(page)
    assert page.title() == f"{NAME}: {HOSTILE}" and page.locator("script, img, a, [onerror]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), (
        "the page does not scroll sideways"
    )


def test_it_says_how_to_ask_for_a_second_look_at_each_mark_that_is_not_full(opened, page_file):
    page = opened(page_file)
    asks = page.locator("summary", has_text="Is this mark wrong?")
    assert (
        asks.count() == 2 and page.locator("section").nth(1).locator("pre", has_text="regrade").count() == 0
    )
    asks.first.click()
    line = page.locator("section").first.locator("pre", has_text="regrade")
    assert re.fullmatch(r"# regrade average_all (\w{4}-){2}\w{4}", line.inner_text())


def test_it_shows_question_answer_verdict_and_the_next_hint(opened, page_file):
    page = opened(page_file)
    first = page.locator("section").first
    assert first.locator("h2").inner_text() == "Exercise 2. Average all values (average_all)"
    assert "Return the average" in first.inner_text() and "K.sum(dim=0)" in first.inner_text()
    assert "difficulty" not in first.inner_text() and "not yet: The sum of the rows" in first.inner_text()
    fraction = first.locator("mfrac").first.bounding_box()
    assert fraction["height"] > 1.5 * first.locator("mfrac mn").first.bounding_box()["height"], (
        "drawn as a fraction"
    )
    hints = first.locator("summary", has_text="Hint")
    assert [hint.inner_text() for hint in hints.all() if hint.is_visible()] == ["Hint 1"]
    hints.first.click()
    assert [hint.inner_text() for hint in hints.all() if hint.is_visible()] == ["Hint 1", "Hint 2"]
    assert page.locator("section").nth(1).locator("summary", has_text="Hint").count() == 0, (
        "a right answer needs none"
    )
