"""What in a page, or in a notebook's outputs, would run a fixture's script in a browser."""

from __future__ import annotations

import json
from html.parser import HTMLParser


def run_by_a_browser(text: str, notebook: bool = False) -> list[str]:
    """What in a page would run the fixtures' `kqaHostile()`; of a notebook, what its outputs would."""
    if notebook:
        cells = json.loads(text)["cells"]
        outputs = (output for cell in cells for output in cell.get("outputs", []))
        # a stream is shown as text
        text = "".join(json.dumps(output) for output in outputs if output["output_type"] != "stream")
        return ["output"] if "kqaHostile" in text else []
    reader = _Reader()
    reader.feed(text)
    return reader.found


class _Reader(HTMLParser):
    """Collects scripts, handlers and script addresses that come from a fixture."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.script = tag in ("script", "style")
        for name, value in attrs:
            runs = (
                name.startswith("on")
                or "script" in "".join((value or "").split()).casefold()
                or name == "srcdoc"
            )
            if runs and "kqaHostile" in (value or ""):
                self.found.append(f"{tag} {name}={value}")

    def handle_endtag(self, tag: str) -> None:
        self.script = False

    def handle_data(self, data: str) -> None:
        if self.script and "kqaHostile" in data:
            self.found.append(f"script {data[:40]}")
