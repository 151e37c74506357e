"""check(), hint() and progress(): what a student calls in a notebook."""

from kqa_core.check.student import attempted, check, hint, progress

__all__ = ["attempted", "check", "hint", "progress"]
