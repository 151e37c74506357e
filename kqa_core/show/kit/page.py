"""A widget as a page: one file that needs no kernel, no server and no network, and still moves.

- The page holds the widget's own module and its state, and in place of the notebook a model of a few lines. So a widget whose
  module works from its state alone (every one of ours) is the same in a page as in a notebook.
- The page may fetch nothing: its content security policy forbids every request, and a test watches that none is made.
- Where no script runs, the still and its sentence stand there.
- With KQA_PAGES set, a widget's output holds this page too (`offered`): the reading site is made with it. Stored notebooks are
  not: a page weighs from a tenth of a megabyte to several.
"""

from __future__ import annotations

import base64
import html
import json
import os
from collections.abc import Callable, Mapping
from typing import Any

PAGE, WANTED = "application/vnd.kqa.page+html", "KQA_PAGES"  # a MIME type that notebooks ignore; the variable that asks for it
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
TEMPLATE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
{css}
body {{ margin: 0; }}
body > .kqa {{ max-width: none; min-height: 100vh; padding: 1.5rem max(1rem, 50vw - 32rem); }}
h1 {{ font-size: 1.35rem; line-height: 1.25; margin: 0 0 var(--kqa-gap); }}
.kqa .kqa {{ padding: 0; }}
</style>
</head>
<body>
<main class="kqa">
<h1>{title}</h1>
<div id="widget"></div>
<noscript><img alt="{sentence}" src="data:image/png;base64,{png}" style="max-width:100%"><p>{sentence}</p></noscript>
</main>
<script type="application/json" id="state">{state}</script>
<script type="module">
{module}
const revive = (_, value) => value && typeof value.base64 === "string"
  ? new DataView(Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0)).buffer) : value;
const state = JSON.parse(document.getElementById("state").textContent, revive);
const heard = new EventTarget();
const model = {{
  get: (name) => state[name],
  set: (name, value) => {{ state[name] = value; heard.dispatchEvent(new Event("change:" + name)); }},
  save_changes: () => {{}},
  on: (name, listener) => heard.addEventListener(name, listener),
  off: (name, listener) => heard.removeEventListener(name, listener),
}};
widget.render({{ model, el: document.getElementById("widget") }});
</script>
</body>
</html>
"""


def page(title: str, module: str, css: str, state: Mapping[str, Any], sentence: str, png: bytes) -> str:
    """The text of the page. `module` must call its default export `widget`; bytes in `state` reach it as DataViews."""
    # "<" is spelled out, so that no text of a student's can end the script it stands in
    packed = json.dumps(state, default=lambda data: {"base64": base64.b64encode(data).decode()}).replace("<", "\\u003c")
    return TEMPLATE.format(
        policy=POLICY,
        title=html.escape(title),
        css=css,
        sentence=html.escape(sentence, quote=True),
        png=base64.b64encode(png).decode(),
        state=packed,
        module=module,
    )


def offered(made: Callable[[], str]) -> dict[str, str]:
    """The page that `made` makes, as a part of a widget's output, where the environment asks for it; else nothing."""
    return {PAGE: made()} if os.environ.get(WANTED) else {}
