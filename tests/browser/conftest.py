"""One browser for each module of tests, and pages without a network."""

from __future__ import annotations

import contextlib
import re

import pytest
from lab_server import CHROMIUM, PATIENCE, QUIET
from pages import watched


@pytest.fixture(scope="module")
def chromium():
    """A browser, without a network of its own making;
    gone at the end of the module, for the next to start its own.
    """
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a widget's exported page where there is no network;
    whatever it asks for or complains of fails the test.
    """
    with contextlib.ExitStack() as stack:

        def open_page(widget, scheme="light", width=1100, **export):
            widget.to_html(tmp_path / "page.html", **export)
            viewport = {"width": width, "height": 900}
            context = chromium.new_context(
                offline=True, color_scheme=scheme, viewport=viewport, reduced_motion="reduce"
            )
            stack.callback(context.close)
            page = stack.enter_context(watched(context.new_page(), ("file:", "data:")))
            page.goto((tmp_path / "page.html").as_uri())
            page.locator(".kqa-said").filter(has_text=re.compile(r"\S")).first.wait_for(state="attached")
            return page

        yield open_page
