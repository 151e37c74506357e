"""The one error of the grader's own machinery."""

from __future__ import annotations


class InfrastructureError(BaseException):
    """The judge's own machinery failed. It is retried, never a mark, and no `except Exception` of a check catches it."""
