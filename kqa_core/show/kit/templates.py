"""HTML from Jinja2 templates. There is one environment for each package (`kqa_core`, `autograder`).

- Everything that a template shows is escaped. The only exceptions are values that went through `trusted`, and
  JSON.
- A template that uses a name which nobody passed fails, so a misspelt name cannot leave an empty place on a
  page.
- Templates see the course's colours as `theme` and `palette`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from kqa_core.show.kit import palette, theme

if TYPE_CHECKING:  # Jinja2 is loaded when the first page is made: a notebook's checks do not need it
    from jinja2 import Environment
    from markupsafe import Markup


def render(package: str, template: str, **values: object) -> str:
    """The text of `template`, a path in the package such as "report/templates/index.html.j2", filled.

    A lone surrogate, which no UTF-8 file can hold, becomes a question mark.
    """
    return environment(package).get_template(template).render(values).encode("utf-8", "replace").decode()


@cache
def environment(package: str) -> Environment:
    """The Jinja2 environment of a package; a template is named by its path in the package."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    templates = Environment(
        loader=PackageLoader(package, "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"theme": theme, "palette": palette}
    templates.filters |= {"number": "{:g}".format, "percent": "{:.0%}".format}
    return templates


def trusted(text: str) -> Markup:
    """Text that a page holds as it is. This is the only place that switches escaping off.

    It is for what this repository wrote itself: style sheets, scripts, and the cells of the course's own
    notebooks as nbconvert renders them. Never pass anything that a student, a grader or a gradebook wrote,
    unless `autograder.gradebook.readable` has cleaned it.
    """
    from markupsafe import Markup

    return Markup(text)
