"""Where nbgrader's exchange is, as nbgrader's settings say."""

from __future__ import annotations

from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.exchange.default import ExchangeCollect

from autograder.gradebook.gradebook import nbgrader_config
from kqa_core.errors import UserError, first_line


def inbound_folder(course: Path) -> Path | None:
    """The folder into which students submit; None if there is none, or the exchange is no folder (ngshare).
    Raises UserError for settings that cannot be used.
    """
    inbound = inbound_place(course)
    return inbound if inbound is not None and inbound.is_dir() else None


def inbound_place(course: Path) -> Path | None:
    """Where that folder is, or will be when an assignment is released. Raises UserError."""
    config = nbgrader_config(course)
    try:
        directory = CourseDirectory(config=config)
        collect = ExchangeFactory(config=config).collect
        if not directory.course_id or not issubclass(collect, ExchangeCollect):
            return None
        root = collect(coursedir=directory, authenticator=None, config=config).root
    except Exception as error:  # of a plugin, or of a setting
        raise UserError(
            f"nbgrader's exchange cannot be used ({first_line(error)}); see nbgrader's settings"
        ) from None
    return Path(root, directory.course_id, "inbound")
