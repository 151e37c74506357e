"""check(), hint(), progress(), cockpit() and reset(): what a student calls in a notebook."""

from kqa_core.check.api import attempted, check, cockpit, hint, progress, reset

__all__ = ["attempted", "check", "cockpit", "hint", "progress", "reset"]
