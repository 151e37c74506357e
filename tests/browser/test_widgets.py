"""The other widgets in a real browser, in exported pages without a network:
what they say is what Python computes.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from lab_server import CHROMIUM
from pages import SCHEMES, said, screenshot
from playwright.sync_api import expect
from portions import portion

from kqa_core.show import figures
from kqa_core.show.figures.nb01_lookup import lookup_slider
from kqa_core.show.figures.nb01_plane import query_plane
from kqa_core.show.figures.nb01_tetrahedron import key_tetrahedron
from kqa_core.show.figures.nb02_heads import heads_slider
from kqa_core.show.figures.nb03_playground import PRESETS, playground
from kqa_core.show.figures.nb06_stepper import span_stepper
from kqa_core.show.figures.nb08_retrieved import Answered, retrieved_or_made_up

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]
LINE = "Owain Penlan. Penlan was a weaver born in Aberwyn."
CUTS = [(45, 42, 3), (30, 3, 9), (50, 10, 12)]
KEYS = [(1.0, 0.0), (0.0, 1.0), (-1.0, -0.5)]
CORNERS = [(-0.1, 0.6, 0.2), (1.1, 1.1, 0.2), (0.4, -1.3, -1.2), (1.1, -0.3, 0.8)]


def answers(name, count, share):
    """`count` answers spread over all confidences, `share` of them right."""
    return [
        Answered(((i * 37) % 100) / 100, i % 10 < 10 * share, f"{name} {i}: “Tal”.") for i in range(count)
    ]


NAMES = {
    "plane": lambda: query_plane(KEYS, values=[(0, 0), (1, 0), (0.5, 1)]),
    "solid": lambda: key_tetrahedron(CORNERS),
    "playground": playground,
    "stepper": lambda: span_stepper(LINE, CUTS, 64, stage=4),
    "retrieved": lambda: retrieved_or_made_up(
        {"told of": answers("told", 40, 0.8), "strangers": answers("new", 40, 0.1)}
    ),
    "lookup": lambda: lookup_slider(beta=2.0),
    "heads": heads_slider,
}

SHOW = Path(figures.__file__).parents[1]
SOME = portion(list(NAMES), 6, *sorted(SHOW.rglob("*.py")), *sorted(SHOW.rglob("*.js")))


def export(name):
    return {"leaves": 4} if name in ("lookup", "heads") else {}


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_and_nothing_sticks_out(opened, name, scheme):
    from axe_playwright_python.sync_playwright import Axe

    made = NAMES[name]()
    page = opened(made, scheme, **export(name))
    assert said(page).split("\n")[0] == made.sentence.replace("'Abe'", "“Abe”")
    screenshot(page, f"{name}_{scheme}", full_page=True)
    page.set_viewport_size({"width": 380, "height": 900})
    said(page)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert page.evaluate("document.querySelectorAll('#widget, #widget *').length") <= 50


@pytest.mark.parametrize("name", SOME)
def test_tab_reaches_every_control_and_no_key_leaks(opened, name):
    page = opened(NAMES[name](), **export(name))
    page.evaluate("window.leaked = []; document.addEventListener('keydown', (e) => leaked.push(e.key))")
    reached = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        place = page.evaluate(
            "(at => at.dataset.lmSuppressShortcuts && at.outerHTML.slice(0, 300))(document.activeElement)"
        )
        if place is None:
            break
        reached.add(place)
        for key in ("b", "a", "x", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
        said(page)  # the keys' last drawing decides which buttons are disabled
    controls = (
        "document.querySelectorAll('#widget :is(canvas[tabindex], input, button:not(:disabled))').length"
    )
    assert len(reached) == page.evaluate(controls) > 0
    assert page.evaluate("leaked.filter((key) => key !== 'Tab')") == []


def test_the_query_is_keyed_typed_and_dragged(opened):
    made = query_plane(KEYS, values=[(0, 0), (1, 0), (0.5, 1)])
    page = opened(made)
    plane = page.locator("canvas[data-part=plane]")
    plane.focus()
    # (1, 0.5) by two tenths and one, and a tenth longer
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "+"):
        page.keyboard.press(key)
    made.query = [1.32, 0.44]
    assert said(page) == made.sentence
    page.get_by_label("q[1]", exact=True).fill("-1.5")
    made.query = [1.32, -1.5]
    assert said(page) == made.sentence
    box, reach = plane.bounding_box(), made.given["reach"]
    for query in ([-1.0, 1.0], [0.5, 0.5]):
        x, y = (
            box["x"] + box["width"] * (0.5 + query[0] / 2 / reach),
            box["y"] + box["height"] * (0.5 - query[1] / 2 / reach),
        )
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(x, y, steps=3)
        page.mouse.up()
        shown = [float(page.get_by_label(f"q[{i}], as a number").input_value()) for i in (0, 1)]
        assert np.abs(np.subtract(shown, query)).max() < 0.02  # a pixel
        made.query = shown
        assert said(page) == made.sentence
    page.mouse.move(0, 0)
    made.query = shown
    assert said(page) == made.sentence, "a pointer that is not pressed moves nothing"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_colour_of_the_plane_is_that_of_the_key_that_wins(opened, scheme):
    made = query_plane(KEYS, query=(0.0, 0.0))
    page = opened(made, scheme)
    said(page)
    pixel = """(canvas, [x, y]) => {
      const {data} = canvas.getContext("2d").getImageData(x * canvas.width, y * canvas.height, 1, 1);
      return [...data].slice(0, 3);
    }"""
    plane, reach = page.locator("canvas[data-part=plane]"), made.given["reach"]
    paper = np.array([255, 255, 255] if scheme == "light" else [0x16, 0x18, 0x1B])
    towards = (
        np.array([[int(colour[i : i + 2], 16) for i in (1, 3, 5)] for colour in made.given["colours"]])
        - paper
    )
    for angle in np.arange(7, 360, 23):  # away from axes, arrows and names
        query = 0.72 * reach * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))])
        at = [0.5 + query[0] / 2 / reach, 0.5 - query[1] / 2 / reach]
        found = np.array(plane.evaluate(pixel, at)) - paper
        alike = towards @ found / np.linalg.norm(towards, axis=1) / np.linalg.norm(found)
        assert alike.argmax() == np.argmax(np.array(KEYS) @ query), angle


def test_the_solid_is_turned_by_keys_drags_and_buttons(opened):
    made = key_tetrahedron(CORNERS)
    page = opened(made)
    solid = page.locator("canvas[data-part=solid]")
    solid.focus()
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    made.turn = [35, 30]
    assert said(page) == made.sentence
    box = solid.bounding_box()
    page.mouse.move(box["x"] + 100, box["y"] + 100)
    page.mouse.down()
    page.mouse.move(box["x"] + 160, box["y"] + 140, steps=4)  # two pixels a degree
    page.mouse.up()
    made.turn = [5, 50]
    assert said(page) == made.sentence
    page.get_by_role("button", name="q along k₀").click()
    page.get_by_label("β", exact=True).fill("20")
    assert "k₁ gets the largest weight" in said(page)  # the short key does not select itself
    for _ in range(2):
        page.get_by_role("button", name="turn").or_(page.get_by_role("button", name="stop")).click()
        said(page)
    assert "You look from the tip of the query q = 20.0·" in said(page)
    expect(page.get_by_role("button", name="turn")).to_be_visible()


def test_entries_of_k_and_q_are_keyed_and_dragged(opened):
    made = playground(beta=2.0)
    page = opened(made)
    page.get_by_role("button", name="W_Q = W_K = 0").click()
    made.fill(PRESETS["W_Q = W_K = 0"])
    assert said(page) == made.sentence
    page.locator("canvas[data-part=K]").focus()
    for key in ("End", "PageDown", "1", "ArrowUp", "ArrowLeft", "+", "+", "-"):  # d to d, then c to c
        page.keyboard.press(key)
    made.put("K", 3, 3, 1)
    made.put("K", 2, 2, 1)
    assert said(page) == made.sentence
    box = page.locator("canvas[data-part=Q]").bounding_box()
    for row, column in ((2, 3), (3, 0)):  # d to c, a to d: dragged up by one and a bit
        x, y = box["x"] + 52 + 40 * (column + 0.5), box["y"] + 26 + 40 * (row + 0.5)
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x, y - 25, steps=4)
        page.mouse.up()
        made.put("Q", row, column, 2)
    assert said(page) == made.sentence
    page.get_by_label("Q, from a to d").fill("-1.5")
    made.put("Q", 3, 0, -1.5)
    page.get_by_label("β", exact=True).fill("3.1")
    made.beta = 3.1
    assert said(page) == made.sentence


def test_the_line_is_stepped_through_by_keys_and_buttons(opened):
    made = span_stepper(LINE, CUTS, 64)
    page = opened(made)
    canvas = page.locator("canvas[data-part=lines]")
    ink = (
        "canvas => canvas.getContext('2d').getImageData(0, 0, canvas.width,"
        " canvas.height).data.filter(Boolean).length"
    )
    before = canvas.evaluate(ink)
    assert said(page) == "The line is cut to its first 45 characters."
    canvas.focus()
    page.keyboard.press("ArrowRight")
    assert said(page).endswith("Of these, 3 are masked, from character 42 on: “Abe”.")
    page.get_by_role("button", name="next step").click()
    page.get_by_role("button", name="next step").click()
    expect(page.get_by_role("button", name="next step")).to_be_disabled()
    assert canvas.evaluate(ink) > 2 * before  # more lines of cells
    canvas.focus()
    page.keyboard.press("ArrowUp")
    assert "first 30 characters. Of these, 9 are masked, from character 3 on: “in Penlan”." in said(page)
    page.keyboard.press("Home")
    assert said(page) == "The line is cut to its first 30 characters."


def test_the_threshold_is_moved_and_people_are_looked_up(opened):
    made = retrieved_or_made_up(
        {"told of": answers("told", 40, 0.8), "strangers": answers("new", 40, 0.1)}, 0.5
    )
    page = opened(made)
    canvas = page.locator("canvas[data-part=dots]")
    canvas.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    made.threshold = 0.56
    assert said(page) == made.sentence
    page.keyboard.press("ArrowDown")
    assert said(page).endswith("told 0: “Tal”. 0.00 sure, right, withheld.")
    page.keyboard.press("PageDown")
    assert "new " in said(page) and said(page).endswith("given.")
    box = canvas.bounding_box()
    page.mouse.move(box["x"] + 106 + 0.56 * (box["width"] - 120), box["y"] + 1)
    page.mouse.down()
    page.mouse.move(box["x"] + 106 + 0.25 * (box["width"] - 120), box["y"] + 1, steps=3)
    page.mouse.up()
    assert said(page).startswith("At a threshold of 0.25: ")


def test_an_exported_figure_turns_its_leaves(opened):
    made = lookup_slider(beta=2.0)
    page = opened(made, leaves=9)
    assert said(page) == made.sentence
    first = page.locator(".kqa-leaf").get_attribute("src")
    page.get_by_role("slider").first.focus()
    page.keyboard.press("End")
    made.controls["beta"].value = 12.0
    assert said(page) == made.sentence == page.locator(".kqa-leaf").get_attribute("alt")
    assert page.locator(".kqa-leaf").get_attribute("src") != first
