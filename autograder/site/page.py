"""The frame of the reading site: a page for each notebook and an index, in the course's colours.

- Every page contains its style sheet, has no script, and may load nothing except the pages beside it.
- Pygments colours the code with the course's colours. Each has a contrast of at least 4.5 to 1, in light and
  in dark.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kqa_core.show.kit import theme
from kqa_core.show.kit.templates import render, trusted

CODE = ("keyword", "string", "number", "comment", "operator", "variable", "punctuation", "error")
CODE_LIGHT = ("#00538a", "#8a3b00", "#00634a", "#595f66", "#1a1a1a", "#1a1a1a", "#1a1a1a", "#a33a00")
CODE_DARK = ("#7cc4f5", "#f0b04a", "#4cc9a4", "#a9afb6", "#e6e6e6", "#e6e6e6", "#e6e6e6", "#ff9a5c")


@dataclass(frozen=True)
class Entry:
    """One notebook in the index."""

    name: str
    title: str
    description: str  # one sentence
    points: int
    extra: int
    exercises: int

    @property
    def file(self) -> str:
        """The page's file name."""
        return f"{self.name}.html"

    @property
    def summary(self) -> str:
        """Such as "8 exercises, 24 points, and 2 extra"."""
        count = (
            f"{self.exercises} exercise{'' if self.exercises == 1 else 's'}"
            if self.exercises
            else "no exercises"
        )
        points = f", {self.points} points" if self.points else ", no points" if self.exercises else ""
        return count + points + (f", and {self.extra} extra" if self.extra else "")


def notebook_page(title: str, cells: str, before: Entry | None, after: Entry | None) -> str:
    """The page of one notebook. `cells` is the HTML of its cells (`autograder.site.body`)."""
    return _page("notebook", title=title, cells=trusted(cells), before=before, after=after)


def index_page(title: str, about: str, entries: list[Entry]) -> str:
    """The index: the notebooks in their order, with points and one sentence for each."""
    return _page("index", title=title, about=about, entries=entries)


def _page(template: str, **values: object) -> str:
    return render(
        "autograder",
        f"site/templates/{template}.html.j2",
        fonts=trusted(f"--font:{theme.FORM['font']};--mono:{theme.FORM['mono']}"),
        token_rules=trusted(_token_rules()),
        code_light=dict(zip(CODE, CODE_LIGHT, strict=True)),
        code_dark=dict(zip(CODE, CODE_DARK, strict=True)),
        **values,
    )


@cache
def _token_rules() -> str:
    """Pygments' own rules for the tokens of code."""
    from jupyterlab_pygments import JupyterStyle
    from pygments.formatters import HtmlFormatter  # type: ignore[import-untyped]  # Pygments ships no types

    rules = HtmlFormatter(style=JupyterStyle).get_style_defs(".highlight").splitlines()
    return "\n".join(rule for rule in rules if rule.startswith(".highlight ."))
