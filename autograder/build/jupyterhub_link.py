"""Links for nbgitpuller: a click copies the student files to a home on a JupyterHub and opens a notebook.

A second click brings later changes and keeps what the student has written
(https://nbgitpuller.readthedocs.io, "link generator").
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from urllib.parse import quote, urlencode, urlsplit

from kqa_core.errors import UserError

BRANCH = re.compile(r"(?!.*(\.\.|//|@\{))[A-Za-z0-9_][A-Za-z0-9_./+-]{0,200}(?<![./])")


def jupyterhub_link(hub: str, repository: str, branch: str = "main", path: str = "") -> str:
    """The address on `hub` that copies `branch` of `repository` and opens `path` of it in JupyterLab.

    `hub` and `repository` are http(s) addresses, `path` is a file or folder in the repository (empty: its top
    folder). Raises UserError for anything else.
    """
    _address("--hub", hub)
    _address("--repo", repository)
    if not BRANCH.fullmatch(branch):
        raise UserError(f"--branch: {branch!r} is not a branch's name; expected one such as main")
    inside = PurePosixPath(path)
    if inside.is_absolute() or ".." in inside.parts or "\\" in path or not path.isprintable():
        raise UserError(
            f"--path: {path!r} is not a file in the repository; expected one such as NN_name/NN_name.ipynb"
        )
    # the folder that nbgitpuller makes
    copy = PurePosixPath(urlsplit(repository).path).name.removesuffix(".git")
    opened = f"lab/tree/{quote(str(PurePosixPath(copy) / inside))}"
    words = {"repo": repository, "urlpath": opened, "branch": branch}
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{urlencode(words, quote_via=quote, safe='')}"


def _address(option: str, text: str) -> None:
    """Refuse what is no plain http(s) address, or holds a password that students would read."""
    expected = f"{option}: {text!r} is not an address; expected one such as https://hub.example.org"
    try:
        parts = urlsplit(text)
        port_is_a_number = parts.port is None or parts.port > 0
    except ValueError:
        raise UserError(expected) from None
    if (
        parts.scheme not in ("http", "https")
        or not parts.hostname
        or not port_is_a_number
        or re.search(r"\s", text)
    ):
        raise UserError(expected)
    if parts.username or parts.password:
        raise UserError(
            f"{option}: names a user or a password, which every student would read; leave both out"
        )
    if parts.query or parts.fragment:
        raise UserError(f"{option}: {text!r} has a part after ? or #; leave it out")
    if option == "--repo" and not PurePosixPath(parts.path).name.removesuffix(".git"):
        raise UserError(
            f"{option}: {text!r} names no repository; expected one such as https://github.com/OWNER/NAME"
        )
