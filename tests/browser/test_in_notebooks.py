"""The widgets in JupyterLab 4 and in Notebook 7,
worked from the keyboard, with nothing asked of any other machine.

One server shows the same notebook in both. What leaves this machine is watched twice: the page's requests,
and the console, which must hold no error but those of a known few.
"""

from __future__ import annotations

import contextlib
import re

import pytest
from lab_server import CHROMIUM, HARMLESS, KERNEL_READY, LOCAL, PATIENCE, notebooks_served
from pages import screenshot, watched
from playwright.sync_api import TimeoutError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]
TEXT = "Ada was born in Tal.⁇"
LOOKING = f"""import torch
from kqa_core.model.gpt import GPT
from kqa_core.model.config import GPTConfig
from kqa_core.show.explorer.explorer import explore
from kqa_core.text.vocabulary import Vocabulary
vocabulary = Vocabulary.from_text({TEXT[:-1]!r})
model = GPT(GPTConfig(len(vocabulary), block_size=24, n_layer=2, n_head=2, d_model=8))
explorer = explore(model, {TEXT!r}, vocabulary)
explorer"""
CHOSEN = "print(explorer.at, explorer.pair, explorer.stage)"
OTHERS = """from IPython.display import display
from kqa_core.show import key_tetrahedron, query_plane
from kqa_core.show.figures.nb03_playground import playground
from kqa_core.show.figures.nb08_retrieved import Answered, retrieved_or_made_up
from kqa_core.show.figures.nb06_stepper import span_stepper
played = playground()
stepped = span_stepper("Penlan was a weaver.", [(18, 3, 4), (12, 0, 5)], 24)
known = [Answered(0.9, True, "Ada: “Tal”."), Answered(0.2, False, "Bo: “Rom”.")]
told = retrieved_or_made_up({"told of": known, "strangers": [Answered(0.4, False, "Cy: “Tal”.")]}, 0.5)
moved = query_plane([(1, 0), (0, 1), (-1, -1)])
turned = key_tetrahedron([(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, -1, -1)])
display(played, stepped, told, moved, turned)"""
SLIDER = "from kqa_core.show.figures.nb01_lookup import lookup_slider\n\nlookup_slider(beta=2.0)"
TRAINING = """import dataclasses
from kqa_core.experiments.knowledge_table import measure_knowledge
from kqa_core.training.recipes import RECIPES, SMALL
from kqa_core.text.packaged import shipped
pretrain = dataclasses.replace(SMALL.pretrain, steps=4)
finetune, scratch = (dataclasses.replace(phase, epochs=1) for phase in (SMALL.finetune, SMALL.scratch))
model = {**SMALL.model, "n_layer": 1, "d_model": 32}
phases = {"pretrain": pretrain, "finetune": finetune, "scratch": scratch}
RECIPES["watched"] = dataclasses.replace(SMALL, model=model, **phases)
table = measure_knowledge(shipped("world/tiny"), recipe="watched")"""
WALKING = f"""from kqa_core.show import walkthrough
walk = walkthrough(model, {TEXT!r}, vocabulary)
walk"""
WALKED = "print(walk.step, walk.layer, walk.head, walk.position, walk.key)"
MOVED = "print(played.K[0], stepped.stage, told.threshold, moved.query, turned.turn)"
CELLS = (LOOKING, CHOSEN, OTHERS, MOVED, SLIDER, WALKING, WALKED, TRAINING)
WHERE = {"lab": "doc/tree", "notebook": "notebooks"}
# Notebook 7 says these of itself while it opens, on a notebook without any output too
OWN = (
    "Cannot read properties of undefined (reading 'schema')",
    "Command 'filebrowser:open-path' not registered.",
)
KNOWN = {"lab": HARMLESS, "notebook": (*HARMLESS, *OWN)}
ASKED_AGAIN = 10_000  # milliseconds
BEGUN = """cell => /[*\\d]/.test(cell.querySelector('.jp-InputPrompt').textContent)
    || document.querySelector('.jp-Dialog')"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with notebooks_served(tmp_path_factory.mktemp("served"), lab=CELLS, notebook=CELLS) as found:
        yield found


@pytest.fixture(scope="module", params=["lab", pytest.param("notebook", marks=pytest.mark.nightly)])
def page(request, chromium, server):
    """The notebook in one of the two, tall enough that every cell is drawn, with nothing run yet."""
    address, key = server
    context = chromium.new_context(viewport={"width": 1500, "height": 7000}, reduced_motion="reduce")
    with contextlib.closing(context), watched(context.new_page(), LOCAL, KNOWN[request.param]) as page:
        page.goto(f"{address}/{WHERE[request.param]}/{request.param}.ipynb?{key}")
        page.wait_for_selector(".jp-CodeCell .cm-content")
        page.where = request.param
        if page.where == "lab":
            page.wait_for_selector(KERNEL_READY)
        yield page


def run(page, number):
    """Runs a cell; what it shows. Asked before the kernel has answered,
    Notebook 7 asks back which kernel: the one it has.

    Asked before it knows its own shortcuts, it does nothing at all: so it is asked again.
    """
    cell = page.locator(".jp-CodeCell").nth(number)
    for _ in range(PATIENCE // ASKED_AGAIN):
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
        with contextlib.suppress(TimeoutError):
            page.wait_for_function(BEGUN, arg=cell.element_handle(), timeout=ASKED_AGAIN)
            break
    dialogue = page.locator(".jp-Dialog")
    if dialogue.count():
        dialogue.locator(".jp-mod-accept").click()
        cell.locator(".cm-content").click()
        page.keyboard.press("Control+Enter")
    return cell.locator(".jp-Cell-outputArea")


def press(page, place, keys):
    """Presses keys on a part of a widget once it is drawn: a hidden part takes no focus.
    Most would change the notebook.
    """
    place.wait_for(state="visible")
    place.focus()
    for key in keys.split():
        page.keyboard.press(key)


def count(page):
    return page.locator(".jp-CodeCell").count()


def axe(page, kind):
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, context={"include": [[f".kqa-{kind}"]]})
    assert found.violations_count == 0, found.generate_report()


def test_in_the_explorer_keys_move_the_choice_and_nothing_else(page):
    from playwright.sync_api import expect

    shown = run(page, 0)
    read_out = shown.locator(".kqa-said")
    expect(read_out).to_contain_text("Layer 0, head 0: token 20")
    assert page.evaluate("document.querySelectorAll('.kqa-explorer, .kqa-explorer *').length") <= 50
    cells = count(page)
    press(page, page.locator("canvas[data-part=heads]"), "ArrowDown")
    press(page, page.locator("canvas[data-part=stages]"), "ArrowLeft")
    press(page, page.locator("canvas[data-part=head]"), "ArrowUp Home b a x d d m ArrowRight")
    expect(read_out).to_contain_text("Layer 1, head 0: token 19 “.” attends")
    expect(read_out).to_contain_text("to token 1 “d”")
    assert count(page) == cells
    axe(page, "explorer")
    colour = "getComputedStyle(document.querySelector('.kqa-explorer')).backgroundColor"
    light = page.evaluate(colour)
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert page.evaluate(colour) != light
    axe(page, "explorer")
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    expect(run(page, 1)).to_contain_text("[[1, 0]] [19, 1] 2")


def test_the_other_widgets_take_keys_and_tell_the_kernel(page):
    from playwright.sync_api import expect

    shown = run(page, 2)
    kinds = ("playground", "stepper", "retrieved", "plane", "solid")
    played, stepped, told, moved, turned = (shown.locator(f".kqa-{kind}") for kind in kinds)
    expect(played.locator(".kqa-said")).to_contain_text("At β = 1.5 query 0")
    expect(stepped.locator(".kqa-said")).to_have_text("The line is cut to its first 18 characters.")
    expect(told.locator(".kqa-said")).to_contain_text(
        "told of: 1 right, 0 wrong, 1 withheld; strangers: 0 right, 0 wrong, 1 w"
    )
    cells = count(page)
    press(page, played.locator("canvas[data-part=K]"), "b a x d d ArrowRight + + 2")
    press(page, played.get_by_label("β", exact=True), "b ArrowRight Home")
    expect(played.locator(".kqa-said")).to_contain_text("At β = 0.0 query 0")
    press(page, stepped.locator("canvas[data-part=lines]"), "b a x d d ArrowRight ArrowRight")
    expect(stepped.locator(".kqa-said")).to_contain_text("They move behind a second ⁇")
    press(page, told.locator("canvas[data-part=dots]"), "b a x d d ArrowLeft ArrowDown")
    expect(told.locator(".kqa-said")).to_contain_text("At a threshold of 0.48")
    expect(told.locator(".kqa-said")).to_contain_text("Bo: “Rom”. 0.20 sure, wrong, withheld.")
    press(page, moved.locator("canvas[data-part=plane]"), "b a x d d ArrowLeft ArrowUp")
    expect(moved.locator(".kqa-said")).to_contain_text(
        "The query (0.90, 0.60) has the logits (0.90, 0.60, −1.50)"
    )
    press(page, turned.locator("canvas[data-part=solid]"), "b a x d d ArrowRight")
    expect(turned.locator(".kqa-said")).to_contain_text(
        "You look from the tip of the query q = 4.0·(0.77, 0.54, 0.34)"
    )
    assert count(page) == cells
    for kind in kinds:
        axe(page, kind)
    expect(run(page, 3)).to_contain_text("[1, 2, 0, 0] 3 0.48 [0.9, 0.6] [35, 20]")


def test_the_number_and_the_slider_move_the_picture_from_the_keyboard(page):
    from playwright.sync_api import expect

    shown = run(page, 4)
    picture = shown.locator(".widget-html img")
    expect(picture).to_have_attribute("alt", at(2.0))
    start, cells = picture.get_attribute("src"), count(page)

    beta, keys = shown.locator(".widget-hbox input[type=number]").all()
    beta.focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(picture).to_have_attribute("alt", at(5.0))
    assert picture.get_attribute("src") != start

    keys.focus()
    page.keyboard.press("ArrowUp")  # in a number box the arrows are the browser's own
    expect(picture).to_have_attribute("alt", at(5.0, keys=5))

    if page.where == "lab":  # Notebook 7 keeps the keys from core sliders: that is what the box is for
        shown.locator(".noUi-handle").first.focus()
        page.keyboard.press("Home")
        expect(picture).to_have_attribute("alt", at(0.0, keys=5))
    assert count(page) == cells
    shown.scroll_into_view_if_needed()
    screenshot(page, f"widgets_in_{page.where}")


def at(beta, keys=4):
    """The beginning of the picture's text at these values."""
    return re.compile(re.escape(f"At β = {beta:.1f}, with {keys} keys, "))


def test_the_walk_takes_keys_and_tells_the_kernel(page):
    from playwright.sync_api import expect

    walk = run(page, 5).locator(".kqa-walk")
    expect(walk.locator(".kqa-said")).to_contain_text(
        "Characters become numbers. Token 20 “⁇” is number 1 of the 16 characters"
    )
    cells = count(page)
    press(page, walk.locator("canvas[data-part=map]"), "b a x d d ArrowDown ArrowDown ArrowDown ArrowRight m")
    expect(walk.locator(".kqa-said")).to_contain_text("Layer 1. LayerNorm before attention. ")
    press(page, walk.locator("canvas[data-part=map]"), "ArrowDown ArrowDown ArrowDown ArrowDown")
    press(page, walk.get_by_label("head", exact=True), "b ArrowRight")
    press(page, walk.locator("canvas[data-part=picture]"), "b Home ArrowRight ArrowUp d d")
    expect(walk.locator(".kqa-said")).to_contain_text(
        "Layer 1, head 1. Attention weights: softmax. Token 19 “.” gives weight"
    )
    assert count(page) == cells
    axe(page, "walk")
    expect(run(page, 6)).to_contain_text("weights 1 1 19 1")


def test_each_training_run_is_watched_and_leaves_its_last_picture(page):
    from playwright.sync_api import expect

    shown = run(page, 7)
    pictures = shown.locator("img")
    # of questions alone; of reading, and of questions after it
    expect(pictures).to_have_count(3, timeout=2 * PATIENCE)
    expect(page.locator(".jp-CodeCell").nth(7).locator(".jp-InputPrompt")).to_have_text(
        re.compile(r"\[\d+\]")
    )
    assert [picture.evaluate("each => each.naturalWidth") for picture in pictures.all()] == [1000] * 3
