"""The reading site: what stands on it, and that nothing of the answer keys does."""

from __future__ import annotations

import re

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from autograder import paths
from autograder.answer_key import AnswerKey, find_key
from autograder.build.code_match import squeezed, squeezed_body
from autograder.build.launch_links import Published, published
from autograder.build.release import release
from autograder.gradebook.readable import formula
from autograder.paths import COURSE
from autograder.site.body import PAGE, body
from autograder.site.safe_outputs import add_safe_outputs, independent
from autograder.site.site import site
from kqa_core.check.registry import of_notebook
from kqa_core.errors import UserError

pytestmark = [pytest.mark.xdist_group("site"), pytest.mark.slow]  # the site is written once
START, NAME = "00_start_here", "01_attention_as_a_lookup"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    made = tmp_path_factory.mktemp("site") / "site"
    return site(made, launch=Published("someone/course"), notebooks=[START, NAME], stills=True)


def soup(written, name):
    return BeautifulSoup(written.with_name(f"{name}.html").read_text(encoding="utf-8"), "html.parser")


def test_nothing_of_the_answer_keys_is_on_the_site(written):
    """Looked for in another way than the build's own search: as text of the finished pages, layout aside."""
    keys = [find_key(exercise.id) for name in (START, NAME) for exercise in of_notebook(name)]
    text = squeezed(" ".join(soup(written, name).get_text() for name in (START, NAME)))
    looked_for = 0
    for key in keys:
        if not isinstance(key, AnswerKey):
            sentences = [
                part for part in re.split(r"(?<=[.!?])\s+", key.model_answer.strip()) if len(part) > 30
            ]
            assert not [part for part in sentences if squeezed(part) in text], key.id
            continue
        for answer in (key.reference, *key.accepted, key.hidden):
            solution = squeezed_body(answer)
            if solution is not None and len(solution) > 12:
                looked_for += 1
                assert solution not in text, f"{key.id}: {answer.__name__}"
    assert looked_for > 20
    assert "HIDDEN TESTS" not in text and "SOLUTION" not in text and "importautograder" not in text


def test_a_solution_in_a_notebook_stops_the_build_and_leaves_the_old_site(written, tmp_path):
    course = tmp_path / "notebooks"
    folder = course / "source" / START
    folder.mkdir(parents=True)
    (course / "nbgrader_config.py").write_text(
        (COURSE / "nbgrader_config.py").read_text(encoding="utf-8"), encoding="utf-8"
    )
    notebook = nbformat.read(COURSE / "source" / START / f"{START}.ipynb", as_version=4)
    leak = new_output(
        "stream",
        text="def weighted_average(values, weights):\n    return weights @ values\n### END SOLUTION\n",
    )
    next(cell for cell in notebook.cells if "two_words(figure" in cell.source).outputs.append(leak)
    nbformat.write(notebook, folder / f"{START}.ipynb")
    old = tmp_path / "site"
    old.mkdir()
    (old / "index.html").write_text("<title>Keys, Queries, Attention</title>")
    with pytest.raises(UserError, match="students must not see"):
        site(old, course, stills=True)
    assert [path.name for path in old.iterdir()] == ["index.html"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notebooks", "site"]


def test_the_pages_hold_no_script_and_lead_away_only_to_the_launch_links_and_to_papers(written):
    for path in written.parent.glob("*.html"):
        page = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        assert not page.find_all("script") and not page.find_all("link")
        assert all(image["src"].startswith("data:") and image["alt"] for image in page.find_all("img"))
        away = {link["href"] for link in page.find_all("a") if link["href"].startswith("http")}
        away = {link for link in away if not link.startswith("https://arxiv.org/abs/")}
        assert away == (
            set() if path.stem == "index" else set(Published("someone/course").links(path.stem).values())
        )


def test_every_link_within_the_site_leads_somewhere(written):
    for path in written.parent.glob("*.html"):
        for link in BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").find_all("a"):
            if not link["href"].startswith(("http", "#")):
                assert (written.parent / link["href"].partition("#")[0]).is_file(), (path.name, link["href"])


def test_a_link_to_another_notebook_leads_to_its_page_or_is_plain_text():
    text = "[a](../01_a/01_a.ipynb#Symbols), [b](../02_b/02_b.ipynb), [c](../01_a/data.ipynb)"
    page = BeautifulSoup(body(new_notebook(cells=[new_markdown_cell(text)]), [], ["01_a"])[0], "html.parser")
    assert [(link.get_text(), link["href"]) for link in page.find_all("a")] == [
        ("a", "01_a.html#Symbols"),
        ("c", "../01_a/data.ipynb"),
    ]
    assert "b" in page.get_text()


def test_the_index_lists_the_notebooks_in_order_with_points_and_a_line(written):
    items = [" ".join(item.get_text(" ").split()) for item in soup(written, "index").select("ul.course > li")]
    assert [item[:2] for item in items] == ["00", "01"]
    assert "no points" in items[0] and "24 points, and 4 extra copying and averaging values" in items[1]


def test_no_formula_is_left_as_tex_and_stills_are_there(written):
    page = soup(written, NAME)
    prose = " ".join(node.get_text() for node in page.select(".text_cell_render"))
    assert len(page.find_all("math")) > 10 and not re.search(r"\$[^$]+\$|\\beta|\\to", prose)
    assert soup(written, START).select_one("img[alt^='At β = 1.0 the weights are']")


def test_what_depends_on_an_answer_is_not_shown_and_said_so(written):
    page = soup(written, START)
    assert (
        "weighted_average: right" not in page.get_text()
        and "of the words can be read back" in page.get_text()
    )
    cell = next(each for each in page.select(".code_cell") if "for beta in (0.0" in each.get_text())
    assert "celltag_depends-on-answers" in cell["class"] and not cell.select(".output")


def cells(*sources):
    made = [new_code_cell(source, id=f"c{i}") for i, source in enumerate(sources)]
    made[1].metadata["nbgrader"] = {"grade_id": "answer", "solution": True}
    return new_notebook(cells=made)


@pytest.mark.parametrize(
    ("source", "free"),
    [
        ("print(data)", True),
        ("print(answer(data))", False),
        ("run = lambda: answer(data)", False),
        ("found = run()", True),  # of nobody's answer: the name is not set by a cell that uses one
        ("check('answer', answer)", False),
        ("progress()", False),
        ("solution('answer')", False),
        ("%matplotlib inline\nprint(data)", True),
        ("this is no Python", False),
    ],
)
def test_a_cell_that_uses_an_answer_by_name_is_kept_back(source, free):
    assert ("c2" in independent(cells("data = [1]", "def answer(x): pass", source))) is free


def test_what_an_answer_was_handed_on_to_is_kept_back_until_it_is_set_anew():
    notebook = cells(
        "import torch\nmodel = make()",
        "def answer(x): pass",
        "helper = answer",
        "helper(model)",
        "print(model)",
        "print(torch.ones(2))",
        "model = make()",
        "print(model)",
    )
    assert independent(notebook) == {"c0", "c5", "c6", "c7"}


def test_outputs_come_from_the_cell_of_the_same_id_and_pictures_get_their_words():
    released = cells("show()", "def answer(x): pass", "answer(1)")
    stored = cells("show()", "def answer(x): return 1", "answer(1)")
    picture = {"image/png": "aaaa", "text/plain": "Two bars."}
    stored.cells[0].outputs = [
        new_output("display_data", data=picture),
        new_output("error", ename="E", evalue="v", traceback=[]),
    ]
    stored.cells[2].outputs = [new_output("stream", text="1")]
    notebook, back = add_safe_outputs(released, stored)
    assert [output.metadata["image/png"]["alt"] for output in notebook.cells[0].outputs] == ["Two bars."]
    assert notebook.cells[2].outputs == [] and back == ["c2"]


def test_a_widget_that_offers_a_page_gets_a_frame_with_its_still():
    notebook = cells("explore()", "def answer(x): pass")
    data = {PAGE: "<!doctype html><title>x</title>", "image/png": "aaaa", "text/plain": 'Head "0" & <more>.'}
    notebook.cells[0].outputs = [new_output("display_data", data=data)]
    text, pages = body(notebook, [])
    assert pages == {"widget_c0_0.html": "<!doctype html><title>x</title>"}
    page = BeautifulSoup(text, "html.parser")
    assert page.iframe["src"] == "widget_c0_0.html" and page.iframe["title"] == 'Head "0" & <more>.'
    assert page.details.img["src"] == "data:image/png;base64,aaaa" and not page.find("more")


@pytest.mark.parametrize(
    "tex", [r"\beta \to \infty", r"\tfrac12 (v_a + v_b)", r"s = (n-1)/(n-1+e^{\beta\varepsilon})", r"a < b"]
)
def test_formulas_become_mathml(tex):
    made = BeautifulSoup(formula(tex), "html.parser")
    assert made.math and "\\" not in made.get_text()


def test_headings_that_are_alike_get_places_of_their_own():
    text, _ = body(
        new_notebook(
            cells=[new_markdown_cell("# A\n\n## Break it"), new_markdown_cell("## Break it\n\nwith $a<b$")]
        ),
        [],
    )
    assert [node["id"] for node in BeautifulSoup(text, "html.parser").find_all(["h1", "h2"])] == [
        "A",
        "Break-it",
        "Break-it-2",
    ]


def test_badges_stand_under_the_title_where_a_repository_is_named_and_nowhere_else(tmp_path):
    plain, named = (
        release([START], out=tmp_path / str(each), launch=each)[0]
        for each in (None, Published("some-one/a.course", "v2"))
    )
    before, after = (nbformat.read(path, as_version=4).cells for path in (plain, named))
    assert "Open in" not in before[0].source and after[1:] == before[1:]
    assert after[0].source.splitlines()[0] == "# Start here" and after[0].source.splitlines()[3].startswith(
        "[Open in Colab](https://colab."
    )
    assert "some-one/a.course/blob/v2/00_start_here/00_start_here.ipynb" in after[0].source
    assert (
        "mybinder.org/v2/gh/some-one/a.course/v2?labpath=00_start_here%2F00_start_here.ipynb"
        in after[0].source
    )


def test_the_repository_comes_from_the_option_else_the_courses_setting_else_there_is_none(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(paths, "_chosen", tmp_path)
    assert published() is None
    (tmp_path / "course.toml").write_text('repository = "us/course@spring"\n')
    assert published() == Published("us/course", "spring")
    assert published("them/other") == Published("them/other", "main")
    assert published("") is None


@pytest.mark.parametrize(
    "wrong", ["course", "https://github.com/a/b", "a/b/c", "a b/c", "../..", "a/b@", "a/b](x"]
)
def test_what_is_no_repository_is_one_line(wrong):
    with pytest.raises(UserError, match="OWNER/NAME"):
        published(wrong)


def test_a_file_in_the_way_of_the_site_is_one_line(tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(UserError, match="file/site: cannot be written"):
        site(tmp_path / "file" / "site", notebooks=[START], stills=True)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]


def test_another_folder_is_never_overwritten(tmp_path, kqa_in_process):
    (tmp_path / "thesis.txt").write_text("years of work")
    status, printed = kqa_in_process("course", "site", str(tmp_path))
    course, mistake = printed.err.splitlines()
    assert (status, printed.out, course) == (2, "", f"course {COURSE}") and "is no reading site" in mistake
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
