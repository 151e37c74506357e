"""What a student wrote, in formgrader's page, in nbgrader's feedback and in ours:
nothing of it acts in a browser.
"""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import nbgrader
import pytest
from nbconvert.exporters import HTMLExporter
from portions import portion
from recorded import judged
from traitlets.config import Config

from autograder.build.nbgrader_stubs import configure
from autograder.gradebook import feedback as shown
from autograder.gradebook import readable as readable_text
from autograder.gradebook import sanitize
from autograder.gradebook.feedback import autograded_notebook
from autograder.gradebook.feedback_page import feedback_page
from autograder.gradebook.sanitize import LIMIT, harmless_markdown, plain_text
from autograder.submissions.merge import GraftedCell

TEMPLATES = Path(nbgrader.__file__).parent / "server_extensions" / "formgrader" / "templates"
BAD = "window.stolen=1"
PAYLOADS = [
    f"<script>{BAD}</script>",
    f"<scr<script>ipt>{BAD}</scr</script>ipt>",
    f"<img src=x onerror={BAD}>",
    f'<img src="x" alt="`"onerror={BAD}>',
    f"<svg/onload={BAD}>",
    f"<svg><animate onbegin={BAD} attributeName=x dur=1s>",
    f'<svg><a xlink:href="javascript:{BAD}"><text y=20>x</text></a></svg>',
    f"<math><mtext></form><form><mglyph><style></math><img src onerror={BAD}>",
    f"<noscript><p title='</noscript><img src=x onerror={BAD}>'>",
    f"</textarea></title></style></pre></code></div></div><script>{BAD}</script>",
    f"<details open ontoggle={BAD}>",
    f"<iframe srcdoc='<script>parent.{BAD}</script>'></iframe>",
    f"<iframe src=javascript:parent.{BAD}></iframe>",
    f"<object data='javascript:{BAD}'></object><embed src='javascript:{BAD}'>",
    f"<form action='javascript:{BAD}'><button>x</button></form><input autofocus onfocus={BAD}>",
    f"<base href='javascript:{BAD}//'>",
    f"<meta http-equiv=refresh content='0;url=javascript:{BAD}'>",
    f"<link rel=stylesheet href='data:text/css,*{{x:expression({BAD})}}'><style>@import 'data:,x'</style>",
    f"<p style=\"background:url('javascript:{BAD}')\" class=mermaid id=x>x</p>",
    f"[x](javascript:{BAD})",
    f"[x](JaVa&#115;cript&colon;{BAD})",
    f"[x](java&Tab;script:{BAD}) [y](java&NewLine;script&#x3a;{BAD})",
    (
        f"<a href='java\tscript:{BAD}'>x</a> <a href='java\nscript:{BAD}'>y</a> <a href='"
        f" \x01javascript:{BAD}'>z</a>"
    ),
    f"<javascript:{BAD}> [x]: javascript:{BAD}\n\n[x]\n\n[y]\n\n[y]: <javascript:{BAD}> 't'",
    f"[x](data:text/html;base64,PHNjcmlwdD4=) [y](vbscript:{BAD}) [z](//evil.example/x) [w](/formgrader/x)",
    f'[x](https://a.b/"onmouseover="{BAD}) ![x](https://a.b/"onerror="{BAD})',
    f"![x](javascript:{BAD}) ![y](attachment:x.svg) ![z](https://evil.example/pixel.png)",
    f"```mermaid\ngraph LR; A[<img src=x onerror={BAD}>]; click A 'javascript:{BAD}'\n```",
    f'```"><script>{BAD}</script>\nx\n```',
    f"$$\n<script>{BAD}</script>\n$$ $<img src=x onerror={BAD}>$",
    f"\\begin{{equation}}<img src=x onerror={BAD}>\\end{{equation}}",
    f"$\\href{{javascript:{BAD}}}{{x}}$",
    f"$\\newcommand{{\\h}}[1]{{\\href{{java#1}}{{x}}}}\\h{{script:{BAD}}}$",
    (
        f"&#36;&#92;href{{javascript:{BAD}}}{{x}}&#36; $\\hr<em></em>ef{{x}}$"
        " $\\require{html}\\style{x}{y}$"
    ),
    f"# <img src=x onerror={BAD}>\n\n| a |\n|---|\n| <img src=x onerror={BAD}> |",
    f"&lt;script&gt;{BAD}&lt;/script&gt; &lt;img src=x onerror={BAD}&gt;",
    f"<!-- --!><img src=x onerror={BAD}> --> <![CDATA[<script>{BAD}</script>]]> <?php {BAD} ?>",
    f"`` `<script>{BAD}</script>` ``\n\n    <script>{BAD}</script>",
    f"{{{{ cycler.__init__.__globals__ }}}} {{% raw %}}<script>{BAD}</script>",
    "[" * 9_000 + "<script>x</script>",
    f"\x00<script\x00>{BAD}</script>\u2028<script>{BAD}</script>",
]
ACTIVE = {
    "script",
    "iframe",
    "object",
    "embed",
    "form",
    "base",
    "meta",
    "link",
    "style",
    "svg",
    "math",
    "img",
    "button",
    "input",
}
# on formgrader's page and on ours; a link in one is found
FORMULAS = {f"<math [('display', '{display}')]>" for display in ("inline", "block")}
LINKS = {"href", "src", "action", "xlink:href", "data", "srcdoc", "style", "formaction"}


class Acts(HTMLParser):
    """Collects what acts: tags that load or run, handlers,
    every link, and the class that a script of the page looks for.
    """

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag, attributes):
        if tag in ACTIVE:
            self.found.append(f"<{tag} {attributes}>")
        for name, value in attributes:
            said = "".join((value or "").split()).casefold()
            web = tag == "a" and said.startswith("https://a.b/")
            if name.startswith("on") or (name in LINKS and not web):
                self.found.append(f"{tag} {name}={said}")
            if name in ("class", "id") and "mermaid" in said:
                self.found.append(f"{tag} {name}={said}")

    handle_startendtag = handle_starttag


def acting(page: str) -> list[str]:
    reader = Acts()
    reader.feed(page)
    reader.close()
    return sorted(reader.found)


@pytest.fixture(autouse=True)
def no_rubric(monkeypatch):
    monkeypatch.setattr(shown, "find_key", lambda name: None)
    logging.getLogger("traitlets").setLevel(logging.ERROR)


def submission(text: str):
    """A submission that holds `text` wherever a student can put one."""
    made = judged(why=text, code=text, student="ann")
    extra = tuple(GraftedCell("extra", kind, text, None) for kind in ("markdown", "code", "raw"))
    exercises = tuple(replace(each, sentence=f"said: {text}") for each in made.result.exercises)
    return replace(
        made,
        result=replace(made.result, notes=(text,), reason=text, exercises=exercises),
        cells=(*made.cells, *extra),
    )


def pages(text: str, folder: Path) -> list[str]:
    """The pages on which it stands: formgrader's, nbgrader's feedback, ours."""
    made = submission(text)
    path = folder / "tiny.ipynb"
    notebook = json.loads(autograded_notebook(made))
    for cell in notebook["cells"]:
        cell["metadata"].get("nbgrader", {})["score"] = 1  # as nbgrader's GetGrades does
    path.write_text(json.dumps(notebook), encoding="utf-8")
    nbgrader_says = {"notebook": "tiny", "score": 1, "max_score": 2, "late_penalty": 0}
    resources = {"nbgrader": nbgrader_says, "student": "ann", "index": 0, "total": 1, "base_url": ""}
    theirs = [
        exporter(name).from_filename(str(path), resources=resources)[0] for name in ("formgrade", "feedback")
    ]
    return [*theirs, feedback_page(made, {"why": (1.0, text), "double": (None, text)}, 0.5)]


@cache
def exporter(template: str) -> HTMLExporter:
    """What nbgrader makes a page with; its templates take long to read."""
    config = Config()
    config.HTMLExporter.template_name = template
    config.HTMLExporter.extra_template_basedirs = [str(TEMPLATES)]
    config.HTMLExporter.extra_template_paths = [
        str(TEMPLATES.parent / "static/node_modules/bootstrap/dist/css")
    ]
    if template == "formgrade":  # as a course's nbgrader_config.py sets it
        settings = Config()
        configure(settings)
        config.merge(settings)
    return HTMLExporter(config=config)


@pytest.fixture(scope="module")
def of_an_honest_student(tmp_path_factory):
    logging.getLogger("traitlets").setLevel(logging.ERROR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shown, "find_key", lambda name: None)
        return [acting(page) for page in pages("Because it is so.", tmp_path_factory.mktemp("honest"))]


@pytest.mark.slow
def test_formgraders_page_draws_formulas_and_loads_nothing(tmp_path):
    page = pages("So $a_b$, $\\href{javascript:x}{y}$, `$c$` and \\$5.", tmp_path)[0]
    assert "<msub><mi>a</mi><mi>b</mi></msub>" not in page  # a command that does more: all is left as typed
    page = pages("So $a_b$, `$c$` and\n\n$$x < \\frac12$$", tmp_path)[0]
    assert "<msub><mi>a</mi><mi>b</mi></msub>" in page and "<mfrac>" in page and "<code>$c$</code>" in page
    assert "MathJax.Hub" not in page and "cdnjs" not in page


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(PAYLOADS)))
def test_nothing_that_acts_comes_from_the_student(tmp_path, of_an_honest_student, number):
    for page, honest in zip(pages(PAYLOADS[number], tmp_path), of_an_honest_student, strict=True):
        found = [each for each in acting(page) if each not in FORMULAS]
        assert [each for each in found if each not in honest] == []
        assert len(found) == len(honest)


def test_no_cell_is_raw_for_raw_cells_reach_a_page_as_they_stand():
    cells = json.loads(autograded_notebook(submission("<u>x")))["cells"]
    assert {cell["cell_type"] for cell in cells} == {"code", "markdown"}
    # the written answer, and what was Markdown or raw
    assert sum("&lt;u&gt;x" in cell["source"] for cell in cells) == 3


def test_the_reader_of_these_tests_finds_what_acts():
    assert all(acting(payload) for payload in (PAYLOADS[0], *PAYLOADS[2:6], *PAYLOADS[10:19]))


def test_layout_links_and_formulas_are_kept():
    text = (
        "So *x* is **y**: $a_b^\\top$, see [it](https://a.b/c?d=1&e=2).\n"
        "\n"
        "1. `q @ k`\n"
        "2. two\n"
        "\n"
        "| a |\n"
        "|---|\n"
        "| 1 |"
    )
    page = harmless_markdown(text)
    assert (
        '<a href="https://a.b/c?d=1&amp;e=2">it</a>' in page and "<em>x</em>" in page and "<td>1</td>" in page
    )
    assert "&#36;a_b^&#92;top&#36;" in page and "tex2jax_ignore" not in page


@pytest.mark.parametrize(
    "command", ["href{x}{y}", "def\\x{y}", "newcommand{\\x}{y}", "require{html}", "style{a}{b}"]
)
def test_a_formula_that_does_more_than_typeset_is_left_as_text(command):
    assert harmless_markdown(f"$\\{command}$").startswith('<div class="tex2jax_ignore mathjax_ignore">')


def test_the_block_is_one_line_that_markdown_does_not_read_again():
    for text in PAYLOADS:
        page = harmless_markdown(text)
        assert "\n" not in page and not set("$\\`") & set(page) and page.startswith("<div")


def test_a_long_answer_is_shown_as_it_was_typed():
    text = "a *b* <i>\n" * LIMIT
    assert harmless_markdown(text) == plain_text(text)
    assert (
        plain_text("a *b* <i>\n$")
        == '<div class="tex2jax_ignore mathjax_ignore"><pre>a *b* &lt;i&gt;&#10;&#36;</pre></div>'
    )


@pytest.mark.slow
@pytest.mark.xdist_group("browser")
def test_nothing_of_it_runs_in_a_real_browser(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "browser"))
    from lab_server import CHROMIUM, PATIENCE, QUIET
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        pytest.skip("no chromium on this machine: apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.route("**/*", lambda route: route.abort())  # no network: what it asks for is counted below
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))

        def stolen(text: str) -> bool:
            page.goto("about:blank")
            page.set_content(text, wait_until="domcontentloaded")
            page.evaluate("() => new Promise(done => setTimeout(done, 30))")
            for link in page.evaluate(
                "() => [...document.querySelectorAll('a, area')].map(each => each.protocol)"
            ):
                assert link in ("", ":", "https:", "http:", "about:", "mailto:"), link
            return page.evaluate("() => window.stolen !== undefined")

        assert stolen(f"<img src=x onerror={BAD}>")  # the trap works
        for number, payload in portion(list(enumerate(PAYLOADS)), 5, sanitize.__file__, shown.__file__):
            for text in pages(payload, tmp_path):
                assert not stolen(text), (number, payload)
        assert not [url for url in asked if "evil" in url or "a.b" in url]
        browser.close()


def test_a_text_that_takes_too_long_to_render_is_shown_as_it_was_typed(monkeypatch):
    def endless(*what):
        while True:
            sum(range(1000))

    for module in (sanitize, readable_text):
        monkeypatch.setattr(module.MarkdownWithMath, "render", endless)
        monkeypatch.setattr(module, "RENDER_SECONDS", 0.05)
    assert harmless_markdown("*a* <b>") == plain_text("*a* <b>")
    assert readable_text.readable("*a* <b>") == "<pre>*a* &lt;b&gt;</pre>"
