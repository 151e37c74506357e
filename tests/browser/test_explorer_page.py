"""The attention explorer in a real browser, in an exported page without a network.
In notebooks: test_in_notebooks.py.

Pixels are not compared with a stored picture: what is said is compared with the numbers, and what is painted
is not one colour.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from lab_server import CHROMIUM
from pages import SCHEMES, said, screenshot
from playwright.sync_api import expect

from kqa_core.model.config import GPTConfig
from kqa_core.model.gpt import GPT
from kqa_core.show.explorer.explorer import explore
from kqa_core.text.vocabulary import Vocabulary

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]
TEXT = "Ada was born in Tal.⁇"
PARTS = ("heads", "head", "stages", "channels")
COLOURS = """canvas => {
  const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = new Set();
  for (let at = 0; at < data.length; at += 4) seen.add(data.slice(at, at + 4).join());
  return seen.size;
}"""


def model(variant, n_layer=2, n_head=3):
    vocabulary = Vocabulary.from_text(TEXT.replace("⁇", ""))
    torch.manual_seed(1)
    made = GPT(
        GPTConfig(len(vocabulary), block_size=24, n_layer=n_layer, n_head=n_head, d_model=24, variant=variant)
    )
    for parameter in made.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return made, vocabulary


@pytest.fixture(scope="module")
def one():
    made, vocabulary = model("vanilla")
    return explore(made, TEXT, vocabulary)


@pytest.fixture(scope="module")
def two():
    (first, vocabulary), (second, _) = model("rope"), model("synthesizer")
    return explore(first, TEXT, vocabulary, other=second)


def head_place(page, layer, head, n_head):
    """Where a thumbnail's middle is in its canvas: labels of 18, then squares as wide as fit, 14 to 104."""
    width = page.locator("canvas[data-part=heads]").first.bounding_box()["width"]
    step = min(104, max(14, int((width - 18) // n_head)))
    return {"x": 18 + (head + 0.4) * step, "y": 18 + (layer + 0.4) * step}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_page_of_one_model_paints_all_four_pictures_with_few_nodes(opened, one, scheme):
    page = opened(one, scheme)
    assert [page.eval_on_selector(f"canvas[data-part={part}]", COLOURS) > 3 for part in PARTS] == [True] * 4
    assert page.evaluate("document.querySelectorAll('#widget, #widget *').length") <= 50
    screenshot(page, f"explorer_{scheme}", full_page=True)


def test_two_models_stand_side_by_side_with_few_nodes(opened, two):
    page = opened(two)
    assert page.evaluate("document.querySelectorAll('#widget, #widget *').length") <= 50
    left, right = (canvas.bounding_box() for canvas in page.locator("canvas[data-part=head]").all())
    assert left["x"] + left["width"] < right["x"] and left["y"] == right["y"]
    assert re.search(r"rope, layer 0, head 0: .*\nsynthesizer, layer 0, head 0: ", said(page))
    page.locator("canvas[data-part=heads]").nth(1).focus()
    page.keyboard.press("ArrowRight")
    assert re.search(r"rope, layer 0, head 0: .*\nsynthesizer, layer 0, head 1: ", said(page))
    page.locator("canvas[data-part=head]").nth(0).focus()
    page.keyboard.press("ArrowUp")  # the tokens are the same, so both look at the same pair
    assert said(page).count("token 19 “.” ") >= 2
    screenshot(page, "explorer_two", full_page=True)


def test_what_is_said_is_what_was_computed(opened, one):
    page = opened(one)
    weights = one.seen[0].weights
    page.locator("canvas[data-part=heads]").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.locator("canvas[data-part=head]").focus()
    page.keyboard.press("Home")
    for key in range(weights.shape[-1]):
        text = said(page)
        assert text.startswith("Layer 1, head 2: token 20 “⁇” attends "), text
        weight = float(re.search(r"attends ([\d.]+) to token", text)[1])
        assert abs(weight - weights[1, 2, 20, key]) <= 0.5 / 255 + 0.005  # one byte, two digits
        received = float(re.search(r"the column of token \d+ to (\d+\.\d+)", text)[1])
        assert abs(received - weights[1, 2, :, key].sum()) <= 0.006
        dot, scaled = (
            float(n.replace("−", "-"))
            for n in re.search(r"Dot product (\S+), times \S+ is (\S+)\.", text).groups()
        )
        exact = one.seen[0].query[1, 2, 20] @ one.seen[0].key[1, 2, key]
        assert (dot, scaled) == pytest.approx((exact, exact / np.sqrt(8)), abs=0.006)
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    assert "token 0 “A” may not read token 1 “d”" in said(page)


def test_hovering_shows_and_a_click_keeps(opened, one):
    page = opened(one)
    canvas, start = page.locator("canvas[data-part=heads]"), said(page)
    canvas.hover(position=head_place(page, 1, 2, 3))
    assert said(page).startswith("Preview. Layer 1, head 2: ")
    page.mouse.move(2, 2)
    assert said(page) == start
    canvas.click(position=head_place(page, 1, 2, 3))
    page.mouse.move(2, 2)
    assert said(page).startswith("Layer 1, head 2: ")
    large = page.locator("canvas[data-part=head]")
    box = large.bounding_box()
    large.hover(position={"x": 60, "y": box["height"] / 2})
    assert "Preview. " in said(page)
    large.click(position={"x": 60, "y": box["height"] / 2})
    page.mouse.move(2, 2)
    kept = said(page)
    assert not kept.startswith("Preview") and "token 20" not in kept
    page.locator("canvas[data-part=stages]").click(position={"x": 20, "y": 40})
    expect(page.locator("figcaption").nth(1)).to_contain_text("dot product")


def test_every_picture_is_worked_from_the_keyboard_and_no_key_leaks(opened, one):
    page = opened(one, width=700)
    page.evaluate("window.leaked = []; document.addEventListener('keydown', (e) => leaked.push(e.key))")
    order = []
    for _ in range(3):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.dataset.part"))
        assert page.evaluate("document.activeElement.dataset.lmSuppressShortcuts") == "true"
    assert order == ["heads", "head", "stages"]
    caption = page.locator("figcaption").nth(1)
    for expected in ("mask", "scale", "dot product", "dot product"):
        page.keyboard.press("ArrowLeft")
        said(page)
        expect(caption).to_contain_text(f"Layer 0, head 0: {expected}.")
    place = page.evaluate("scrollY")
    for part, keys in (
        ("heads", "ArrowDown ArrowRight ArrowDown"),
        ("head", "ArrowUp ArrowLeft PageUp Home End b a Enter"),
    ):
        page.locator(f"canvas[data-part={part}]").evaluate("each => each.focus({ preventScroll: true })")
        for key in keys.split():
            page.keyboard.press(key)
    assert said(page).startswith("Layer 1, head 1: token 0 “A” may not read token 20 “⁇”")
    assert page.evaluate("scrollY") == place
    assert page.evaluate("leaked.filter((key) => key !== 'Tab')") == []


def test_light_and_dark_follow_the_reader(opened, one):
    page = opened(one)
    colour = "getComputedStyle(document.querySelector('.kqa-explorer')).backgroundColor"
    pixels = "document.querySelector('canvas[data-part=head]').toDataURL()"
    light = page.evaluate(colour), page.evaluate(pixels)
    page.emulate_media(color_scheme="dark")
    said(page)
    dark = page.evaluate(colour), page.evaluate(pixels)
    assert dark[0] != light[0] and dark[1] != light[1]
    # a light notebook on a dark machine stays light
    page.evaluate("document.body.dataset.jpThemeLight = 'true'")
    said(page)
    assert (page.evaluate(colour), page.evaluate(pixels)) == light


@pytest.mark.parametrize("width", [1100, 360])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_and_nothing_sticks_out(opened, two, scheme, width):
    from axe_playwright_python.sync_playwright import Axe

    page = opened(two, scheme, width)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_a_script_the_still_stands_there(chromium, one, tmp_path):
    one.to_html(tmp_path / "page.html")
    context = chromium.new_context(offline=True, java_script_enabled=False)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    assert page.locator("noscript img").get_attribute("alt") == one.sentence
    context.close()
