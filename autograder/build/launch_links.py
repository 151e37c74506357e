"""Where a published student copy can be opened with a click: in Colab, and on Binder.

- The address of the published copy is one setting: `repository = "OWNER/NAME"` in the course's course.toml, or `--repository`.
  It names the repository of what students get (what the bundle's zip holds), never that of the instructor's copy. Without it no
  notebook has a link: better none than a dead one.
- The badges are words, not pictures: a picture would be fetched from another machine whenever a notebook is opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.paths import SETTINGS, course_folder, read_course
from kqa_core.errors import UserError

PLACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}(@[A-Za-z0-9._/-]{1,100})?")


@dataclass(frozen=True)
class Published:
    """A published student copy on GitHub: `owner/name`, and the branch."""

    repository: str
    branch: str = "main"

    def links(self, notebook: str) -> dict[str, str]:
        """Where a notebook opens, by the name of the service."""
        path = f"{notebook}/{notebook}.ipynb"
        return {
            "Colab": f"https://colab.research.google.com/github/{self.repository}/blob/{self.branch}/{path}",
            "Binder": f"https://mybinder.org/v2/gh/{self.repository}/{self.branch}?labpath={path.replace('/', '%2F')}",
        }

    def badge(self, notebook: str) -> str:
        """The lines that stand under a released notebook's title, in Markdown."""
        clone = f"git clone -q --depth 1 -b {self.branch} https://github.com/{self.repository} kqa"
        links = " · ".join(f"[Open in {service}]({address})" for service, address in self.links(notebook).items())
        first = f"`!{clone} && pip install -q kqa/wheel/*.whl` *and then* `%cd kqa/{notebook}`"
        return f"{links}\n\n*In Colab, run this in a cell of its own first:* {first}"


def published(given: str | None = None) -> Published | None:
    """The published copy that is meant: `given`, else the setting; None where neither names one.

    Raises UserError for what is no OWNER/NAME, or OWNER/NAME@BRANCH.
    """
    said = "--repository" if given is not None else f"{course_folder() / SETTINGS}: repository"
    if given is None:
        given = read_course().repository
    if given == "":
        return None
    if not PLACE.fullmatch(given):
        raise UserError(f"{said}: {given!r} is no repository on GitHub; expected OWNER/NAME, or OWNER/NAME@BRANCH")
    repository, _, branch = given.partition("@")
    return Published(repository, branch or "main")
