"""The corpus as an instructor sees it afterwards:
pages in a real browser, marks in a real spreadsheet program.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from hostile_course import NAME

from autograder.export.export import export
from autograder.export.marks import Target
from autograder.report.report import report
from autograder.report.similarity import find_similar, similarity_page

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))),
    None,
)
OFFICE = shutil.which("soffice")
CONTROL = "<title>x</title><p>kqaHostile<script>kqaHostile()</script>"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("hostile")]


@pytest.fixture(scope="module")
def pages(classes, tmp_path_factory):
    """A folder with every page that holds something of an attack for a browser,
    of both classes, and all overviews.
    """
    folder = tmp_path_factory.mktemp("pages")
    (folder / "control.html").write_text(CONTROL)
    for number, seen in enumerate(classes):
        (seen.course / "source" / NAME / f"{NAME}.py").touch()  # a notebook of the course has a text source
        index = report(folder / f"report-{number}", seen.course)
        (index.parent / "similar.html").write_text(similarity_page(find_similar(NAME, seen.course)))
        shutil.copytree(seen.course / "feedback", folder / f"feedback-{number}")
    for page in folder.rglob("*.html"):
        of_a_student = page.parent.name in ("students", "answers") or "feedback" in str(page)
        if of_a_student and b"kqaHostile" not in page.read_bytes():
            page.unlink()
    return folder


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_no_page_runs_or_fetches_anything_of_a_students(pages):
    from playwright.sync_api import sync_playwright

    ran, asked = {}, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(offline=True)
        context.expose_binding("kqaHostile", lambda source: ran.setdefault(source["page"].url, 1))
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.on("dialog", lambda dialog: ran.setdefault(page.url, 1))
        opened = sorted(pages.rglob("*.html"))
        for path in opened:
            page.goto(path.as_uri())
        browser.close()
    assert (
        sum("answers" in str(path) for path in opened) >= 2
        and sum("feedback" in str(path) for path in opened) >= 2
    )
    assert list(ran) == [(pages / "control.html").as_uri()]
    assert [url for url in asked if not url.startswith((pages.as_uri(), "data:"))] == []


@pytest.mark.skipif(OFFICE is None, reason="needs LibreOffice Calc")
@pytest.mark.parametrize("separator", ["44", "59"])
def test_no_exported_cell_is_a_formula_for_libreoffice(classes, separator, tmp_path):
    for number, seen in enumerate(classes):
        for target in Target:
            export(to=target, out=tmp_path / f"{target}-{number}.csv", course=seen.course)
    (tmp_path / "control.csv").write_text(
        "student,x\n=1+1,2\n" if separator == "44" else "student;x\n=1+1;2\n"
    )
    office = [
        OFFICE,
        f"-env:UserInstallation={(tmp_path / 'home').as_uri()}",
        "--headless",
        "--convert-to",
        "fods",
    ]
    office += [
        f"--infilter=CSV:{separator},34,76,1,,0,false,true,false,false,false,-1,true",
        "--outdir",
        str(tmp_path),
    ]
    files = sorted(tmp_path.glob("*.csv"))
    subprocess.run([*office, *map(str, files)], check=True, capture_output=True, timeout=240)
    formulas = {
        path.stem: re.findall('table:formula="([^"]*)"', path.with_suffix(".fods").read_text())
        for path in files
    }
    assert formulas.pop("control") and not any(formulas.values()), formulas
    assert len(formulas) == 2 * len(Target)
