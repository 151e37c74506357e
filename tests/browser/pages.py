"""What the tests do with a page: watch what it asks for and complains of,
read what its widget says, keep its picture.
"""

from __future__ import annotations

import contextlib
import os
import re

import pytest
from lab_server import KERNEL_READY, PATIENCE

# a page's colours follow from one palette, so `make test` opens each widget in one theme
SCHEMES = ("light", pytest.param("dark", marks=pytest.mark.nightly))


@contextlib.contextmanager
def watched(page, allowed, harmless=()):
    """Fails, at its end, for whatever `page` asked of another place or complained of in the console."""
    asked, complaints = [], []
    page.set_default_timeout(PATIENCE)
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    yield page
    elsewhere = [url for url in asked if not url.startswith(allowed)]
    unexpected = [text for text in complaints if not any(known in text for known in harmless)]
    assert not elsewhere, elsewhere
    assert not unexpected, unexpected


def said(page):
    """What the widget says once it has drawn what was asked for."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.locator(".kqa-said").inner_text()


def screenshot(page, name, **options):
    """Keeps a picture of a page, or of a part of it, for the docs, where KQA_SCREENSHOTS names a folder."""
    if folder := os.environ.get("KQA_SCREENSHOTS"):
        if options.get("full_page"):  # no taller than what it shows
            page.set_viewport_size({"width": page.viewport_size["width"], "height": 200})
            said(page)
        page.screenshot(path=f"{folder}/{name}.png", **options)


class Notebook:
    """The notebook that JupyterLab shows, worked as a student works it."""

    def __init__(self, page, address):
        from playwright.sync_api import expect

        self.page, self.expect = page, expect
        page.goto(address)
        page.wait_for_selector(KERNEL_READY)

    def cell(self, text):
        """The code cell that holds `text`, in view:
        JupyterLab keeps cells that are far away out of the page.
        """
        found = self.page.locator(".jp-CodeCell").filter(has_text=text).first
        self.page.locator(".jp-Notebook").first.hover()
        for tries in range(1, 401):
            if found.count() and found.locator(".cm-content").count():
                found.scroll_into_view_if_needed()
                return found
            # on a busy machine the cell may not have been drawn as it came by: once more from the top
            self.page.mouse.wheel(0, 500 if tries % 80 else -100_000)
            self.page.wait_for_timeout(50)
        raise AssertionError(f"no code cell holds {text!r}")

    def run(self, text):
        """Run it, and give it back once the kernel has."""
        cell = self.cell(text)
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        self.expect(cell.locator(".jp-InputPrompt")).to_have_text(re.compile(r"\[\d+\]"), timeout=PATIENCE)
        return cell


def saved(path, text, page):
    """Return once the file at `path` holds `text`."""
    for _ in range(200):
        if text in path.read_text(encoding="utf-8"):
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{path.name} was not saved")
