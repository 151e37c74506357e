"""Links that open the published student copy with a click: in Colab, and on Binder.

- The address of the published copy is one setting: `repository = "OWNER/NAME"` in the course's course.toml,
  or `--repository`. It names the repository of the student files (the content of the bundle's zip), never the
  instructor's repository. Without this setting no notebook has a link, because a link that leads nowhere is
  worse than none.
- The badges are words, not pictures: a picture would be fetched from another machine whenever a notebook is
  opened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.paths import course_folder, read_course
from kqa_core.check.course_paths import SETTINGS
from kqa_core.errors import UserError

PLACE = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}(@[A-Za-z0-9._/-]{1,100})?")


@dataclass(frozen=True)
class Published:
    """A published student copy on GitHub: `owner/name`, and the branch."""

    repository: str
    branch: str = "main"

    def links(self, notebook: str) -> dict[str, str]:
        """The address at which a notebook opens, by the name of the service."""
        path = f"{notebook}/{notebook}.ipynb"
        quoted = path.replace("/", "%2F")
        return {
            "Colab": f"https://colab.research.google.com/github/{self.repository}/blob/{self.branch}/{path}",
            "Binder": f"https://mybinder.org/v2/gh/{self.repository}/{self.branch}?labpath={quoted}",
        }

    def badge(self, notebook: str) -> str:
        """The lines under a released notebook's title, in Markdown."""
        clone = f"git clone -q --depth 1 -b {self.branch} https://github.com/{self.repository} kqa"
        links = " · ".join(
            f"[Open in {service}]({address})" for service, address in self.links(notebook).items()
        )
        first = f"`!{clone} && pip install -q kqa/wheel/*.whl` *and then* `%cd kqa/{notebook}`"
        return f"{links}\n\n*In Colab, run this in a cell of its own first:* {first}"


def published(given: str | None = None) -> Published | None:
    """The published copy: `given`, else the course's setting; None if neither names one.

    Raises UserError unless it is OWNER/NAME or OWNER/NAME@BRANCH.
    """
    where = "--repository" if given is not None else f"{course_folder() / SETTINGS}: repository"
    if given is None:
        given = read_course().repository
    if given == "":
        return None
    if not PLACE.fullmatch(given):
        raise UserError(
            f"{where}: {given!r} is not a repository on GitHub; expected OWNER/NAME, or OWNER/NAME@BRANCH"
        )
    repository, _, branch = given.partition("@")
    return Published(repository, branch or "main")
