"""The one error of the grader's own machinery."""

from __future__ import annotations


class InfrastructureError(BaseException):
    """The judge's own machinery failed. Retried, and never a mark: no `except Exception` of a check may take it for one."""
