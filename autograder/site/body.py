"""A notebook's cells as HTML for the reading site: nbconvert's own exporter, with formulas as MathML.

- nbconvert leaves formulas to MathJax, which it loads from another machine. Here each is turned into MathML (latex2mathml), which
  browsers draw themselves: no script, no network, and screen readers can read it.
- A widget may offer a page of its own that stays interactive: its output holds the page's text under `PAGE`, a MIME type that
  notebooks ignore. It becomes a file beside the notebook's, in a frame; the still and its sentence stand under it.
- Headings get the ids that JupyterLab gives them, so that links into notebooks work here too.
"""

from __future__ import annotations

import html
import re
from typing import Any

from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from kqa_core.errors import UserError
from kqa_core.show.kit.page import PAGE


def formula(tex: str, block: bool = False) -> str:
    """A formula as MathML, with its TeX in words for whoever cannot see it. Raises UserError for TeX that cannot be turned."""
    import latex2mathml.converter

    try:
        made = str(latex2mathml.converter.convert(tex.strip(), display="block" if block else "inline"))
    except Exception as problem:  # its errors have no common base
        raise UserError(f"the formula {tex.strip()!r} cannot be shown ({type(problem).__name__}); write it more simply") from None
    return made


class Renderer(IPythonRenderer):
    """nbconvert's renderer of Markdown, with formulas and headings of our own."""

    def __init__(self, seen: dict[str, int], **options: Any) -> None:
        super().__init__(**options)
        self.seen = seen  # headings of the notebook so far

    def inline_math(self, body: str) -> str:
        """A formula in a line."""
        return formula(body)

    def block_math(self, body: str) -> str:
        """A formula on a line of its own."""
        return formula(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        """An environment such as `align`."""
        return formula(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """A heading with an id that nothing else on the page has."""
        name = "-".join(html.unescape(re.sub(r"<[^>]+>", "", text)).split())
        self.seen[name] = self.seen.get(name, 0) + 1
        place = name if self.seen[name] == 1 else f"{name}-{self.seen[name]}"
        return f'<h{level} id="{html.escape(place, quote=True)}">{text}</h{level}>\n'


class BodyExporter(HTMLExporter):
    """The cells alone, without a page around them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(template_name="basic", **options)  # type: ignore[no-untyped-call]  # nbconvert has types in part
        self.seen: dict[str, int] = {}

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        """Markdown as HTML. The source is the course's own."""
        return str(MarkdownWithMath(renderer=Renderer(self.seen, escape=False, exclude_anchor_links=True)).render(source))


def body(notebook: Any, kept_back: list[str]) -> tuple[str, dict[str, str]]:
    """A notebook's cells as HTML, and the pages that its widgets offer, by file name."""
    pages: dict[str, str] = {}
    for cell in notebook.cells:
        if cell.id in kept_back:
            cell.metadata.tags = [*cell.metadata.get("tags", []), "depends-on-answers"]
        for number, output in enumerate(cell.get("outputs", [])):
            data = output.get("data", {})
            if PAGE in data:
                name = f"widget_{cell.id}_{number}.html"
                pages[name] = data.pop(PAGE)
                data["text/html"] = _frame(name, output)
    text, _ = BodyExporter().from_notebook_node(notebook)
    return text, pages


def _frame(name: str, output: Any) -> str:
    said = html.escape(str(output.data.get("text/plain", "An interactive picture")), quote=True)
    picture = output.data.get("image/png")
    still = f'<img alt="{said}" src="data:image/png;base64,{picture}">' if picture else f"<p>{said}</p>"
    return (
        f'<iframe src="{name}" title="{said}" loading="lazy"></iframe>'
        f"<details><summary>As a picture, and in words</summary>{still}"
        f'<p>{said} <a href="{name}">Open it on a page of its own</a></p></details>'
    )
