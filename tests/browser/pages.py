"""What the tests do with a page: watch what it asks for and complains of, read what its widget says, keep its picture."""

from __future__ import annotations

import contextlib
import os

from lab_server import PATIENCE


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
    """Keeps a picture for the docs, where KQA_SCREENSHOTS names a folder."""
    if folder := os.environ.get("KQA_SCREENSHOTS"):
        if options.get("full_page"):  # no taller than what it shows
            page.set_viewport_size({"width": page.viewport_size["width"], "height": 200})
            said(page)
        page.screenshot(path=f"{folder}/{name}.png", **options)
