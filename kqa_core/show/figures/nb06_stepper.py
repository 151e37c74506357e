"""The stepper of notebook 06: span corruption of one line of text, step by step.

- The view (`stepper.js`) makes the row from the cut: the start of the span, and the lengths of line and span.
  The cuts come from the library's own generator, one for each epoch, so that the rows are those of training.
- The selection (`stage`, 1 to 4, and `epoch`, from 1) can be read and set from Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import traitlets

from kqa_core.errors import UserError
from kqa_core.show.figures.nb06_spans import Cut, draw_stages
from kqa_core.show.kit.palette import new_figure
from kqa_core.show.kit.widget import Widget, module


class Stepper(Widget):
    """The widget of `span_stepper`."""

    _esm = module(Path(__file__).with_suffix(".js"))
    title = "Span corruption, step by step"
    document = traitlets.Unicode().tag(sync=True)
    cuts: Any = traitlets.List().tag(sync=True)
    block_size = traitlets.Int().tag(sync=True)
    stage = traitlets.Int().tag(sync=True)
    epoch = traitlets.Int().tag(sync=True)

    @property
    def sentence(self) -> str:
        """A description of the line at this step."""
        return self._drawn(new_figure(13, 2.3))

    def _draw(self) -> Any:
        figure = new_figure(13, 2.3)
        self._drawn(figure)
        return figure

    def _drawn(self, figure: Any) -> str:
        length, start, masked = self.cuts[self.epoch - 1]
        return draw_stages(figure, self.document, (length, start, masked), self.block_size, self.stage)


def span_stepper(
    document: str, cuts: Sequence[Cut], block_size: int, *, stage: int = 1, epoch: int = 1
) -> Stepper:
    """A widget that takes `document` through truncate, choose, rearrange and shift.

    `cuts` holds, for each epoch, the kept length, the start of the span and its length, in characters. Raises
    UserError where a cut does not fit the document, or the document does not fit the block with its two
    marks.
    """
    for number, (length, start, masked) in enumerate(cuts, 1):
        if not (
            start >= 0
            and masked >= 0
            and start + masked <= length <= len(document)
            and length + 2 <= block_size
        ):
            raise UserError(
                f"cut {number}, {(length, start, masked)}: it does not fit {len(document)} characters and a"
                f" block of {block_size}: a kept length, the start and the length of the span within it were"
                " expected"
            )
    if not 1 <= epoch <= len(cuts) or stage not in (1, 2, 3, 4):
        raise UserError(
            f"stage {stage}, epoch {epoch}: stages 1 to 4 and epochs 1 to {len(cuts)} were expected"
        )
    whole = [[int(number) for number in cut] for cut in cuts]
    return Stepper(document=document, cuts=whole, block_size=block_size, stage=stage, epoch=epoch)
