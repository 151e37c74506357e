"""The β slider in JupyterLab itself, worked from the keyboard, with nothing asked of any other machine.

What leaves this machine is watched twice: the page's requests, and the console, which must hold no error.
"""

from __future__ import annotations

import os

import pytest
from lab_server import CHROMIUM, HARMLESS, KERNEL_READY, LOCAL, PATIENCE, QUIET, lab_on

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt install chromium"),
]
SHOWN = "from kqa_core.show.lookup import lookup_slider\n\nlookup_slider(beta=2.0)"


@pytest.fixture
def address(tmp_path):
    """Where JupyterLab shows a notebook with the slider of notebook 01 and nothing else."""
    with lab_on(tmp_path, SHOWN) as address:
        yield address


def test_the_number_and_the_slider_move_the_picture_from_the_keyboard(address):
    from playwright.sync_api import expect, sync_playwright

    asked, errors = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("request", lambda request: asked.append(request.url))
        page.on("websocket", lambda socket: asked.append(socket.url))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(address)
        page.wait_for_selector(KERNEL_READY)  # a cell run before that is answered with a dialogue that asks for a kernel
        page.locator(".jp-CodeCell .cm-content").first.click()
        page.keyboard.press("Shift+Enter")
        picture = page.locator(".widget-html img")
        expect(picture).to_have_attribute("alt", _at(2.0), timeout=60_000)
        start = picture.get_attribute("src")

        beta, keys = page.locator(".widget-hbox input[type=number]").all()
        beta.focus()
        page.keyboard.press("Control+a")
        page.keyboard.type("5")
        page.keyboard.press("Enter")
        expect(picture).to_have_attribute("alt", _at(5.0))
        assert picture.get_attribute("src") != start

        keys.focus()
        page.keyboard.press("ArrowUp")  # in a number box the arrows are the browser's own
        expect(picture).to_have_attribute("alt", _at(5.0, keys=5))

        page.locator(".noUi-handle").first.focus()
        page.keyboard.press("Home")
        expect(picture).to_have_attribute("alt", _at(0.0, keys=5))
        if shot := os.environ.get("KQA_SCREENSHOT"):
            page.screenshot(path=shot)
        cells = page.locator(".jp-CodeCell").count()
        browser.close()
    assert cells <= 2  # Shift+Enter adds one below the last; the keys pressed in the widget added none
    assert [url for url in asked if not url.startswith(LOCAL)] == []
    assert [text for text in errors if not any(known in text for known in HARMLESS)] == []


def _at(beta, keys=4):
    """The beginning of the picture's text at these values."""
    import re

    return re.compile(re.escape(f"At β = {beta:.1f}, with {keys} keys, "))
