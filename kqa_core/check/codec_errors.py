"""Why a value cannot cross between a check and an answer (`kqa_core.check.codec`)."""

from __future__ import annotations


class CodecError(ValueError):
    """A value cannot be sent."""


class Malformed(CodecError):
    """The bytes are not a message of this protocol."""


class TooLarge(CodecError):
    """The value exceeds a limit: too many bytes, too many parts, too deep."""


class Foreign(CodecError):
    """The object is not a value, and there is no table of handles to keep it in."""


class BuildFailed(CodecError):
    """A `Build` argument could not be made. `__cause__` is the exception."""
