"""A still: a picture with a sentence that describes it, which is also its alt text."""

from __future__ import annotations

from typing import Any

from kqa_core.show.kit.palette import DOTS_PER_INCH, png_of


class Still:
    """A matplotlib figure and the sentence that describes it.

    A diagram with much small text has a `density` of 2: twice the dots in each direction, shown at the same
    size.
    """

    def __init__(self, figure: Any, sentence: str, density: int = 1) -> None:
        self.figure, self.sentence, self.density = figure, sentence, density

    def png(self) -> bytes:
        """The picture as a PNG file."""
        return png_of(self.figure, self.density)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """For Jupyter: the picture with its alt text, and the sentence as plain text."""
        width = {} if self.density == 1 else {"width": round(self.figure.get_figwidth() * DOTS_PER_INCH)}
        return {"image/png": self.png(), "text/plain": self.sentence}, {
            "image/png": {"alt": self.sentence, **width}
        }

    def __repr__(self) -> str:
        return self.sentence
