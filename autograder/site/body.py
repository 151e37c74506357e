"""A notebook's cells as HTML for the reading site: nbconvert's own exporter, with formulas as MathML.

- nbconvert leaves formulas to MathJax, which it loads from another machine. Here latex2mathml turns each
  formula into MathML, which browsers draw themselves: no script, no network, and screen readers can read it.
- A widget may offer a page of its own that stays interactive: its output holds the page's text under `PAGE`,
  a MIME type that notebooks ignore. The page becomes a file beside the notebook's page and is shown in a
  frame, with the still and its sentence below.
- Headings get the same ids as in JupyterLab, so links into notebooks work here too: a link to another
  notebook leads to its page. If the site does not have that page, only the link's text is shown.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection
from typing import Any

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import MarkdownWithMath

from autograder.gradebook.readable import FormulaRenderer
from kqa_core.show.kit.page import PAGE
from kqa_core.show.kit.templates import render


class Renderer(FormulaRenderer):
    """Markdown with our own formulas and headings."""

    def __init__(self, headings: Counter[str], names: Collection[str], **options: Any) -> None:
        super().__init__(**options)
        self.headings = headings  # how often each heading has occurred in the notebook
        self.names = names  # of the notebooks on the site

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """A link. `text` is HTML already."""
        if notebook := re.fullmatch(r"\.\./([^/]+)/\1\.ipynb(#.*)?", url):
            name, place = notebook[1], notebook[2] or ""
            return str(super().link(text, f"{name}.html{place}", title)) if name in self.names else text
        return str(super().link(text, url, title))

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """A heading with an id that is unique on the page. `text` is HTML already."""
        name = "-".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())
        self.headings[name] += 1
        unique = name if self.headings[name] == 1 else f"{name}-{self.headings[name]}"
        return f'<h{level} id="{html.escape(unique)}">{text}</h{level}>\n'


class BodyExporter(HTMLExporter):
    """The cells alone, without a page around them."""

    def __init__(self, names: Collection[str] = (), **options: Any) -> None:
        super().__init__(template_name="basic", **options)  # type: ignore[no-untyped-call]  # nbconvert has types in part
        self.headings: Counter[str] = Counter()
        self.names = names

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Markdown as HTML, unescaped: the source is the course's own."""
        renderer = Renderer(self.headings, self.names, escape=False, exclude_anchor_links=True)
        return str(MarkdownWithMath(renderer=renderer).render(source))


def body(notebook: Any, withheld: list[str], names: Collection[str] = ()) -> tuple[str, dict[str, str]]:
    """A notebook's cells as HTML, and the pages that its widgets offer, by file name.

    `withheld`: the ids of the cells whose outputs depend on answers and are not shown. `names`: the notebooks
    on the site.
    """
    pages: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.id in withheld:
            cell.metadata.tags = [*cell.metadata.get("tags", []), "depends-on-answers"]
        for number, output in enumerate(cell.get("outputs", [])):
            data = output.get("data", {})
            if PAGE in data:
                name = f"widget_{cell.id}_{number}.html"
                pages[name] = data.pop(PAGE)
                description = str(data.get("text/plain", "An interactive picture"))
                frame = {"file": name, "description": description, "png": data.get("image/png")}
                data["text/html"] = render("autograder", "site/templates/frame.html.j2", **frame)
    text, _ = BodyExporter(names).from_notebook_node(notebook)
    return text, pages
