"""The frame of the reading site: one page a notebook and an index, in the course's look, light and dark.

- Every page brings its style, holds no script, and may load nothing but the pages beside it.
- Code is coloured by Pygments with the course's colours; each has at least 4.5 to 1 against its ground, in light and in dark.
"""

from __future__ import annotations

import html
from dataclasses import dataclass

from kqa_core.show.kit import theme
from kqa_core.show.kit.theme import DARK, LIGHT

POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-src 'self' file:; base-uri 'none'; form-action 'none'"
)
CODE = ("keyword", "string", "number", "comment", "operator", "variable", "punctuation", "error")
CODE_LIGHT = ("#00538a", "#8a3b00", "#00634a", "#595f66", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#a33a00")
CODE_DARK = ("#7cc4f5", "#f0b04a", "#4cc9a4", "#a9afb6", "#e6e6e6", "#e6e6e6", "#e6e6e6", "#ff9a5c")
LINKS = {"light": "#00558a", "dark": "#8ecdf5"}
RULES = """
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 var(--font)}
main,nav,header,footer{max-width:46rem;margin:0 auto;padding:0 1.2rem}
main{padding-top:1rem;padding-bottom:3rem}
nav{display:flex;flex-wrap:wrap;gap:.4rem 1.4rem;justify-content:space-between;padding-top:1rem;padding-bottom:1rem;
  font-size:.92em}
a{color:var(--link)}
a:focus-visible,summary:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
h1{font-size:1.9rem;line-height:1.2;margin:1rem 0 .6rem}
h2{font-size:1.35rem;margin:2.4rem 0 .6rem;line-height:1.25}
h3{font-size:1.08rem;margin:1.8rem 0 .4rem}
p,ul,ol{margin:.6rem 0}
.prompt{display:none}
.highlight pre,.output pre,pre{background:var(--soft);padding:.7rem .9rem;margin:.6rem 0;border-radius:3px;
  font:.8rem/1.5 var(--mono);white-space:pre-wrap;overflow-wrap:anywhere}
.output pre{background:none;border-left:4px solid var(--line);border-radius:0}
code{font:.88em var(--mono);background:var(--soft);padding:.05em .3em;border-radius:3px;overflow-wrap:anywhere}
pre code{background:none;padding:0;font:inherit}
img{max-width:100%;height:auto}
iframe{width:100%;height:44rem;border:1px solid var(--line)}
.rendered_html table,table{border-collapse:collapse;margin:.8rem 0;display:block;overflow-x:auto}
th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line)}
math[display=block]{margin:.8rem 0}
.quiet,.depends,.celltag_depends-on-answers::after{color:var(--quiet);font-size:.88em}
.celltag_depends-on-answers::after{content:"What this cell shows depends on your answers.";display:block;margin:-.2rem 0 .8rem}
.course{list-style:none;padding:0}
.course li{margin:0 0 1rem}
.course b{font-weight:600}
@media print{nav{display:none} body{font-size:10.5pt}}
"""


@dataclass(frozen=True)
class Entry:
    """One notebook in the index."""

    name: str
    title: str
    line: str  # what it is about, in one sentence
    points: int
    extra: int
    exercises: int

    @property
    def file(self) -> str:
        """The page's file name."""
        return f"{self.name}.html"

    def facts(self) -> str:
        """Such as "8 exercises, 24 points, 2 more extra"."""
        count = f"{self.exercises} exercise{'' if self.exercises == 1 else 's'}" if self.exercises else "no exercises"
        points = f", {self.points} points" if self.points else ", no points" if self.exercises else ""
        return count + points + (f", and {self.extra} extra" if self.extra else "")


def _properties(colours: dict[str, str], code: tuple[str, ...], link: str) -> str:
    names = {**{name: colours[name] for name in ("ink", "paper", "soft", "line", "quiet", "focus")}, "link": link}
    names |= {f"jp-mirror-editor-{part}-color": colour for part, colour in zip(CODE, code, strict=True)}
    return ";".join(f"--{name}:{value}" for name, value in names.items())


def stylesheet() -> str:
    """The rules of every page of the site."""
    from jupyterlab_pygments import JupyterStyle
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]  # Pygments ships no types

    rules = HtmlFormatter(style=JupyterStyle).get_style_defs(".highlight").splitlines()
    tokens = "\n".join(rule for rule in rules if rule.startswith(".highlight ."))
    form = f"--font:{theme.FORM['font']};--mono:{theme.FORM['mono']}"
    light, dark = _properties(LIGHT, CODE_LIGHT, LINKS["light"]), _properties(DARK, CODE_DARK, LINKS["dark"])
    return (
        f":root{{color-scheme:light;{form};{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{color-scheme:dark;{dark}}}}}\n{tokens}{RULES}"
    )


def page(title: str, body: str, before: Entry | None = None, after: Entry | None = None, index: bool = False) -> str:
    """A whole page; `body` is HTML. Above and below stand the ways to the notebook before and after, and to the index."""
    ways = [
        f'<a rel="prev" href="{before.file}">← {html.escape(before.title)}</a>' if before else "<span></span>",
        "" if index else '<a href="index.html">All notebooks</a>',
        f'<a rel="next" href="{after.file}">{html.escape(after.title)} →</a>' if after else "<span></span>",
    ]
    above, below = (
        "" if index else f'<nav aria-label="{name}">{"".join(ways)}</nav>' for name in ("Notebooks", "Notebooks, again")
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<style>{stylesheet()}</style></head><body>{above}<main>{body}</main>{below}</body></html>\n"
    )


def index(entries: list[Entry], title: str, about: str) -> str:
    """The index: the notebooks in their order, with points and a line each."""
    items = "".join(
        f'<li><a href="{each.file}"><b>{html.escape(each.title)}</b></a> <span class="quiet">{each.facts()}</span><br>'
        f"{html.escape(each.line)}</li>"
        for each in entries
    )
    points, extra = sum(each.points for each in entries), sum(each.extra for each in entries)
    body = (
        f"<h1>{html.escape(title)}</h1><p>{html.escape(about)} To work through the notebooks, with checks that answer at once "
        "and figures that move, open the notebooks themselves: the student copy says how. Answers, and what depends on them, are "
        f'not shown here.</p><ul class="course">{items}</ul>'
        f'<p class="quiet">{sum(each.exercises for each in entries)} exercises, {points} points, and {extra} extra.</p>'
    )
    return page(title, body, index=True)
