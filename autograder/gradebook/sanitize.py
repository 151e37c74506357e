"""A student's Markdown for an instructor's browser: what it says and how it is laid out, and nothing that acts.

- The text is rendered once, by nbconvert's own Markdown, and cleaned by bleach: a list of tags and one attribute, `href` of a web
  or mail address. Everything else stays readable as text. No images: they would tell a stranger's server who reads what when.
- What comes out is one line of HTML in one block, with no character left that Markdown or a formula rule would read again; so
  formgrader, `nbgrader generate_feedback` and Jupyter show exactly what was cleaned.
- Formulas are typeset by MathJax in the page. A text that uses a command which does more than typeset (links, macros, styles) is
  shown as text, formulas and all.
"""

from __future__ import annotations

import html
import re

import bleach  # type: ignore[import-untyped] # ships no types
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

LIMIT = 10_000  # characters that are rendered; Markdown made to be slow takes the square of its length
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {"br", "dd", "div", "dl", "dt", "hr", "p", "pre"}
TABLES = {"table", "tbody", "td", "th", "thead", "tr"}
TAGS = bleach.ALLOWED_TAGS | HEADINGS | BLOCKS | TABLES | {"del", "span"}  # what Markdown makes, images left out
WEB = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
INERT = ' class="tex2jax_ignore mathjax_ignore"'  # MathJax 2 and 3 leave such an element alone
# What only typesets is everything but these; a macro could be given any of their names, so making one is among them.
ACTS = re.compile(
    r"\\(?:href|url|require|e?def|gdef|xdef|let|(?:re)?newcommand|providecommand|(?:re)?newenvironment|Newextarrow|DeclareMathOperator"
    r"|newif|class|cssId|style|data|html\w*|bbox|unicode|texttip|toggle|mmlToken|enclose|includegraphics|special|input)",
)


def harmless_markdown(text: str) -> str:
    """The text as one block of HTML for a Markdown cell."""
    if len(text) > LIMIT:
        return plain_text(text)
    try:
        rendered = MarkdownWithMath(renderer=IPythonRenderer(escape=False, exclude_anchor_links=True)).render(text)
    except Exception:  # the library gives up, on nesting without end for one
        return plain_text(text)
    clean = bleach.clean(rendered, tags=TAGS, attributes=_kept, protocols=("http", "https", "mailto"), strip_comments=True)
    acts = ACTS.search(html.unescape(re.sub(r"<[^>]*>", "", clean)))
    return f"<div{INERT if acts else ''}>{_final(clean)}</div>"


def plain_text(text: str) -> str:
    """The text as it was typed, as one block of HTML for a Markdown cell."""
    return f"<div{INERT}><pre>{_final(html.escape(text))}</pre></div>"


def _final(clean: str) -> str:
    """On one line, and with nothing in it that Markdown reads inside a block of HTML."""
    for character, entity in (("\r", ""), ("\n", "&#10;"), ("$", "&#36;"), ("\\", "&#92;"), ("`", "&#96;")):
        clean = clean.replace(character, entity)
    return clean


def _kept(tag: str, name: str, value: str) -> bool:
    return tag == "a" and name == "href" and WEB.match(value) is not None
