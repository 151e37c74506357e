"""A student's Markdown for an instructor's browser:
its text and its layout, without anything that runs or loads.

- nbconvert's own Markdown renders the text once, and bleach cleans the result. It keeps a list of tags and
  one attribute, the `href` of a web or mail address. Everything else stays readable as text. Images are not
  kept, because loading one would tell its server who reads the answer and when.
- The result is one line of HTML in one block, without any character that Markdown or a formula rule would
  interpret again. So formgrader, `nbgrader generate_feedback` and Jupyter show exactly the cleaned text.
- MathJax typesets formulas in nbgrader's feedback and in Jupyter; formgrader's page has them as MathML.
  If a text uses a command that does more than typeset (links, macros, styles), all of it is shown as plain
  text.
"""

from __future__ import annotations

import html
import re

import bleach  # type: ignore[import-untyped] # ships no types
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.judge.clock import OutOfTime, clock

LIMIT = 10_000  # characters that are rendered: Markdown that was written to be slow takes quadratic time
RENDER_SECONDS = 1.0  # of processor time for one text: one that takes longer is shown as it was typed
HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
BLOCKS = {"br", "dd", "div", "dl", "dt", "hr", "p", "pre"}
TABLES = {"table", "tbody", "td", "th", "thead", "tr"}
# the tags that Markdown makes, except images
TAGS = bleach.ALLOWED_TAGS | HEADINGS | BLOCKS | TABLES | {"del", "span"}
WEB = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
INERT = ' class="tex2jax_ignore mathjax_ignore"'  # MathJax 2 and 3 do not typeset such an element
# Commands that do more than typeset. A macro could have any name, so commands that define one are in the
# list.
ACTIVE = re.compile(
    r"\\(?:href|url|require|e?def|gdef|xdef|let|(?:re)?newcommand|providecommand|(?:re)?newenvironment|Newextarrow|DeclareMathOperator"
    r"|newif|class|cssId|style|data|html\w*|bbox|unicode|texttip|toggle|mmlToken|enclose|includegraphics|special|input)"
)


def harmless_markdown(text: str) -> str:
    """The text as one block of HTML for a Markdown cell."""
    if len(text) > LIMIT:
        return plain_text(text)
    renderer = IPythonRenderer(escape=False, exclude_anchor_links=True)
    try:
        with clock(RENDER_SECONDS):
            rendered = MarkdownWithMath(renderer=renderer).render(text)
    # the library fails on some input, such as very deep nesting, and some was written to be slow
    except (Exception, OutOfTime):
        return plain_text(text)
    clean = bleach.clean(
        rendered, tags=TAGS, attributes=_is_kept, protocols=("http", "https", "mailto"), strip_comments=True
    )
    active = ACTIVE.search(html.unescape(re.sub(r"<[^>]*>", "", clean)))
    return one_block(clean, INERT if active else "")


def plain_text(text: str) -> str:
    """The text exactly as typed, as one block of HTML for a Markdown cell."""
    return one_block(f"<pre>{html.escape(text)}</pre>", INERT)


def one_block(clean: str, attributes: str = "") -> str:
    """The HTML as one block on one line, without characters that Markdown interprets inside it."""
    for character, entity in (("\r", ""), ("\n", "&#10;"), ("$", "&#36;"), ("\\", "&#92;"), ("`", "&#96;")):
        clean = clean.replace(character, entity)
    return f"<div{attributes}>{clean}</div>"


def _is_kept(tag: str, name: str, value: str) -> bool:
    return tag == "a" and name == "href" and WEB.match(value) is not None
