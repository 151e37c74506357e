"""Penalties for late work: nbgrader's own plugin decides, as in `nbgrader autograde`.

- The plugin is the one that `c.AssignLatePenalties.plugin_class` names, by default `LateSubmissionPlugin`. A
  module in the course directory is found, as if nbgrader ran there.
- It is called only if the submission is late, extensions included. An earlier penalty is removed first.
- A plugin that fails gives no penalty and one warning a run: nobody loses work or marks because of it.
"""

from __future__ import annotations

import math
import sys
import warnings
from functools import cached_property
from pathlib import Path
from typing import Any

from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config


class Lateness:
    """nbgrader's plugin for one course directory."""

    def __init__(self, course: Path, config: Config) -> None:
        self._course = course
        self._config = config
        self._warned = False

    def penalise(self, submission: Any, notebook: Any, more: float = 0.0) -> None:
        """Set the penalty of one submitted notebook. Its scores must be in the database.

        `more`: seconds that the student's group has beyond the student's own extension.
        """
        notebook.late_submission_penalty = None
        late = submission.total_seconds_late - more if submission.assignment.duedate is not None else 0
        if late <= 0:
            return
        try:
            penalty = self._plugin.late_submission_penalty(submission.student.id, notebook.score, late)
            if penalty is None:
                return
            if not math.isfinite(penalty):
                raise ValueError(f"{penalty} is no penalty")
            # as nbgrader bounds it
            notebook.late_submission_penalty = min(max(0.0, float(penalty)), notebook.score)
        except Exception as error:  # the course's own code
            self._warn(
                f"the plugin for late penalties failed ({type(error).__name__}: {error}); no penalty is given"
            )

    @cached_property
    def _plugin(self) -> Any:
        before = list(sys.path)
        sys.path.insert(0, str(self._course.resolve()))
        try:
            nbgrader = AssignLatePenalties(config=self._config)
            nbgrader.init_plugin()
        finally:
            sys.path[:] = before
        return nbgrader.plugin_inst

    def _warn(self, text: str) -> None:
        if not self._warned:
            warnings.warn(text, stacklevel=3)
        self._warned = True
