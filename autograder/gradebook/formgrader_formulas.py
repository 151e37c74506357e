"""Formulas on formgrader's page without a network: MathML in place of MathJax.

- formgrader's page would fetch MathJax from another machine. `DrawFormulas` converts the formulas before the
  page is made, and the template `formgrade/mathjax.html.j2` takes MathJax's place.
- Formulas are looked for in the finished HTML of a text, where MathJax would look for them: not in code, and
  not in what `autograder.gradebook.sanitize` marks as inert. A formula that cannot be converted is shown as
  it was typed.
- The autograded notebook itself stays as it is. Only the page changes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from bs4.element import NavigableString
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from nbconvert.preprocessors import Preprocessor

from autograder.gradebook.readable import harmless_formula
from autograder.gradebook.sanitize import one_block

TEMPLATES = Path(__file__).parent / "templates"
NOT_TEXT = ("code", "pre", "script", "style", "textarea")
IGNORED = "tex2jax_ignore"  # MathJax's class for what it does not draw
FORMULA = re.compile(
    r"\$\$(?P<shown>.+?)\$\$|\\\[(?P<bracket>.+?)\\\]|\\\((?P<inline>.+?)\\\)"
    r"|(?<![\\$])\$(?P<dollar>[^$]+?)(?<!\\)\$|(?P<environment>\\begin\{(?P<name>\w+\*?)\}.+?\\end\{(?P=name)\})",
    re.DOTALL,
)


class DrawFormulas(Preprocessor):
    """Turns the formulas of Markdown cells and of LaTeX outputs into MathML."""

    def preprocess_cell(self, cell: Any, resources: Any, index: int) -> tuple[Any, Any]:
        """The cell with its text as HTML that holds no TeX."""
        if cell.cell_type == "markdown":
            renderer = IPythonRenderer(escape=False, attachments=cell.get("attachments", {}))
            text = str(MarkdownWithMath(renderer=renderer).render(cell.source))
            cell.source = one_block(_drawn(text))
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if "text/latex" in data and "text/html" not in data:
                text = BeautifulSoup(features="html.parser").new_string(data["text/latex"]).output_ready()
                data["text/html"] = _drawn(text)
        return cell, resources


def _drawn(text: str) -> str:
    page = BeautifulSoup(text, "html.parser")
    for node in page.find_all(string=FORMULA):
        if type(node) is NavigableString and not node.find_parent(_is_kept):
            node.replace_with(*_pieces(str(node)))
    return str(page)


def _is_kept(tag: Any) -> bool:
    return tag.name in NOT_TEXT or IGNORED in tag.get("class", [])


def _pieces(text: str) -> list[Any]:
    """The text with a parsed element in place of each formula."""
    pieces: list[Any] = []
    end = 0
    for formula in FORMULA.finditer(text):
        pieces.append(NavigableString(text[end : formula.start()]))
        tex = next(
            formula[name] for name in ("shown", "bracket", "inline", "dollar", "environment") if formula[name]
        )
        block = not (formula["inline"] or formula["dollar"])
        pieces.append(BeautifulSoup(harmless_formula(tex, block), "html.parser"))
        end = formula.end()
    return [*pieces, NavigableString(text[end:])]
