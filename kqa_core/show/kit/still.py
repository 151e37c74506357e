"""A still: a picture with a sentence that describes it, which is also its alt text."""

from __future__ import annotations

from typing import Any

from kqa_core.show.kit.palette import png_of


class Still:
    """A matplotlib figure and the sentence that describes it."""

    def __init__(self, figure: Any, sentence: str) -> None:
        self.figure, self.sentence = figure, sentence

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return png_of(self.figure)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """For Jupyter: the picture with its alt text, and the sentence as plain text."""
        return {"image/png": self.png(), "text/plain": self.sentence}, {"image/png": {"alt": self.sentence}}

    def __repr__(self) -> str:
        return self.sentence
