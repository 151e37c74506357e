"""A still: a picture, and the sentence that says the same in words, which is also the picture's alt text."""

from __future__ import annotations

from typing import Any

from kqa_core.show.kit.palette import png_of


class Still:
    """A picture and the sentence that says the same."""

    def __init__(self, figure: Any, sentence: str) -> None:
        self.figure, self.sentence = figure, sentence

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return png_of(self.figure)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """For Jupyter: the picture with its alt text, and the sentence for whatever shows text."""
        return {"image/png": self.png(), "text/plain": self.sentence}, {"image/png": {"alt": self.sentence}}

    def __repr__(self) -> str:
        return self.sentence
