"""A widget as a page: one file that needs no kernel, no server and no network, and is still interactive.

- The page (`page.html.j2`) contains the widget's own module and its state. A few lines of script replace the
  notebook's model. So a widget whose module needs only its state (as all of ours do) is the same on a page as
  in a notebook.
- The page may load nothing: its content security policy forbids every request, and a test checks that none is
  made.
- Where no script runs, the page shows the still and its sentence.
- If KQA_PAGES is set, a widget's output contains this page too (`offered`); the reading site is made in this
  way. Stored notebooks do not contain pages, because a page takes from a tenth of a megabyte to several.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Mapping
from typing import Any

from kqa_core.show.kit.templates import render, trusted

# a MIME type that notebooks ignore; the variable that asks for it
PAGE, WANTED = "application/vnd.kqa.page+html", "KQA_PAGES"


def page(title: str, module: str, css: str, state: Mapping[str, Any], sentence: str, png: bytes) -> str:
    """The page's text. `module` must call its default export `widget`; bytes become DataViews."""
    from jinja2.utils import htmlsafe_json_dumps

    return render(
        "kqa_core",
        "show/kit/page.html.j2",
        title=title,
        css=trusted(css),
        sentence=sentence,
        png=base64.b64encode(png).decode(),
        state=htmlsafe_json_dumps(state, default=lambda data: {"base64": base64.b64encode(data).decode()}),
        module=trusted(module),
    )


def offered(make_page: Callable[[], str]) -> dict[str, str]:
    """The page from `make_page` as a part of a widget's output, if the environment asks for it."""
    return {PAGE: make_page()} if os.environ.get(WANTED) else {}
