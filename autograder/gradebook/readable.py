"""Markdown as HTML for a page that loads and runs nothing.
Formulas become MathML, which browsers draw themselves.

- The text may be the course's own or a student's; both go the same way. nbconvert's Markdown renders it, and
  bleach keeps a list of tags without any attribute. So there is no link, no image, no script and no style in
  the result.
- Formulas are taken out before the cleaning. latex2mathml converts each, bleach keeps MathML's own tags and
  harmless attributes, and the result is put in place of a mark that nobody can guess. A formula that cannot
  be converted is shown as it was typed.
- Headings become bold paragraphs: the page has its own headings.
"""

from __future__ import annotations

import functools
import html
import re
import secrets
from typing import Any

import bleach  # type: ignore[import-untyped] # ships no types
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.gradebook.sanitize import LIMIT, RENDER_SECONDS, TAGS
from autograder.judge.clock import OutOfTime, clock
from kqa_core.errors import UserError
from kqa_core.show.kit.templates import trusted

LONGEST_FORMULA = 2_000  # characters
MATH = {
    *("math", "semantics", "mrow", "mi", "mn", "mo", "ms", "mtext", "mspace"),
    *("mfrac", "msqrt", "mroot", "mstyle", "mpadded", "mphantom", "menclose", "msub", "msup"),
    *("msubsup", "munder", "mover", "munderover", "mtable", "mtr", "mtd", "merror"),
}
MATH_ATTRIBUTES = {
    *("display", "mathvariant", "stretchy", "fence", "separator", "lspace", "rspace"),
    *("form", "movablelimits", "minsize", "maxsize", "linethickness", "columnalign", "rowspacing"),
    *("columnspacing", "displaystyle", "scriptlevel", "accent", "width", "notation"),
}


def formula(tex: str, block: bool = False) -> str:
    """A formula as MathML. Raises UserError for TeX that latex2mathml cannot convert."""
    import latex2mathml.converter

    try:
        return str(latex2mathml.converter.convert(tex.strip(), display="block" if block else "inline"))
    except Exception as error:  # its errors have no common base
        raise UserError(
            f"the formula {tex.strip()!r} cannot be shown ({type(error).__name__}); write it more simply"
        ) from None


def readable(text: str, ours: bool = False) -> Markup:
    """The Markdown `text` as HTML that shows and does nothing else.
    HTML in it counts as text, unless the text is `ours`.
    """
    return trusted(_our_own(text) if ours else _rendered(text, ours=False))


# a class has the same statements; students' texts are not kept, they could fill the memory
@functools.lru_cache(maxsize=512)
def _our_own(text: str) -> str:
    return _rendered(text, ours=True)


def _rendered(text: str, ours: bool) -> str:
    if len(text) > LIMIT:
        return f"<pre>{html.escape(text)}</pre>"
    renderer = _Renderer(escape=not ours)
    try:
        with clock(RENDER_SECONDS):
            rendered = str(MarkdownWithMath(renderer=renderer).render(text))
    # the library fails on some input, such as very deep nesting, and some was written to be slow
    except (Exception, OutOfTime):
        return f"<pre>{html.escape(text)}</pre>"
    clean = str(bleach.clean(rendered, tags=TAGS - {"a"}, attributes={}, strip=True, strip_comments=True))
    return re.sub(rf"{renderer.mark}(\d+)x", lambda found: renderer.formulas[int(found[1])], clean)


class FormulaRenderer(IPythonRenderer):
    """nbconvert's renderer of Markdown, with formulas as MathML."""

    def formula(self, tex: str, block: bool = False) -> str:
        """A formula as HTML. Raises UserError if it cannot be converted."""
        return formula(tex, block)

    def inline_math(self, body: str) -> str:
        """An inline formula."""
        return self.formula(body)

    def block_math(self, body: str) -> str:
        """A displayed formula."""
        return self.formula(body, block=True)

    def latex_environment(self, name: str, body: str) -> str:
        """An environment such as `align`."""
        return self.formula(f"\\begin{{{name}}}{body}\\end{{{name}}}", block=True)


class _Renderer(FormulaRenderer):
    """Renders Markdown with a mark in place of each formula, and without what leads elsewhere."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.mark, self.formulas = f"kqa{secrets.token_hex(16)}n", list[str]()

    def formula(self, tex: str, block: bool = False) -> str:
        """A mark, and the formula for its place."""
        self.formulas.append(harmless_formula(tex, block))
        return f"{self.mark}{len(self.formulas) - 1}x"

    def heading(self, text: str, level: int, **attrs: Any) -> str:
        """A bold paragraph. `text` is HTML already."""
        return f"<p><strong>{text}</strong></p>\n"

    def link(self, text: str, url: str, title: str | None = None) -> str:
        """The link's text, which is HTML already."""
        return text

    def image(self, text: str, url: str, title: str | None = None) -> str:
        """The picture's description."""
        return html.escape(text)


def harmless_formula(tex: str, block: bool) -> str:
    """A formula that may be a student's, as MathML of harmless tags, or as it was typed."""
    typed = f"<code>{html.escape(tex.strip())}</code>"
    if len(tex) > LONGEST_FORMULA:
        return typed
    try:
        mathml = formula(tex, block)
        return str(bleach.clean(mathml, tags=MATH, attributes=_is_kept, strip=True, strip_comments=True))
    except (UserError, ValueError, RecursionError):
        return typed


def _is_kept(tag: str, name: str, value: str) -> bool:
    return name in MATH_ATTRIBUTES and ":" not in value
