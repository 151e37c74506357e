"""Retrieved or made up, of notebook 08: every answer at its confidence, and a threshold to move through them.

- One row for each kind of people (those mentioned in the text, and unseen ones); a ring for a right answer, a
  cross for a wrong one.
- A click or the arrow keys select a person, and the widget shows the model's answer and its confidence. So
  students see that a made-up answer looks like a retrieved one.
- The view is `retrieved.js`; `threshold` and `chosen` can be read and set from Python.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import traitlets

from kqa_core.errors import UserError
from kqa_core.show.figures.nb08_certainty import draw_threshold
from kqa_core.show.kit.palette import new_figure
from kqa_core.show.kit.widget import Widget, module


class Answered(NamedTuple):
    """One answer of a model."""

    confidence: float  # in [0, 1]
    right: bool
    said: str  # a sentence with the person and the answer


class Retrieved(Widget):
    """The widget of `retrieved_or_made_up`."""

    _esm = module(Path(__file__).with_suffix(".js"))
    title = "Retrieved or made up?"
    groups: Any = traitlets.List().tag(sync=True)  # name, and answers as [confidence, right, said]
    threshold = traitlets.Float().tag(sync=True)
    chosen: Any = traitlets.List().tag(sync=True)  # [group, answer], or nothing

    @property
    def sentence(self) -> str:
        """The numbers of right, wrong and withheld answers at this threshold, and the selected answer."""
        at_threshold = draw_threshold(new_figure(), self.threshold, self._kinds())
        if not self.chosen:
            return at_threshold
        confidence, right, who = self.groups[self.chosen[0]]["answers"][self.chosen[1]]
        fate = "withheld" if confidence < self.threshold else "given"
        return f"{at_threshold} {who} {confidence:.2f} sure, {'right' if right else 'wrong'}, {fate}."

    def _draw(self) -> Any:
        figure = new_figure(10, 3.0)
        draw_threshold(figure, self.threshold, self._kinds())
        return figure

    def _kinds(self) -> dict[str, tuple[list[float], list[bool]]]:
        return {
            group["name"]: ([a[0] for a in group["answers"]], [a[1] for a in group["answers"]])
            for group in self.groups
        }


def retrieved_or_made_up(kinds: Mapping[str, Sequence[Answered]], threshold: float = 0.8) -> Retrieved:
    """A widget that shows the answers of each kind by confidence, with a threshold to move.

    Raises UserError for a kind without answers and for confidences or a threshold outside [0, 1].
    """
    for name, answers in kinds.items():
        if not answers:
            raise UserError(f"{name!r} has no answers: leave it out, or ask somebody")
        for answer in answers:
            if not 0 <= answer.confidence <= 1:
                raise UserError(
                    f"{name!r}: {answer.said!r} has a confidence of {answer.confidence}: 0 to 1 was expected"
                )
    if not kinds or not 0 <= threshold <= 1 or math.isnan(threshold):
        raise UserError(
            f"threshold {threshold} for {len(kinds)} kinds: 0 to 1 and at least one kind of answers were"
            " expected"
        )
    groups = [
        {"name": name, "answers": [[round(float(a.confidence), 4), bool(a.right), a.said] for a in answers]}
        for name, answers in kinds.items()
    ]
    return Retrieved(groups=groups, threshold=threshold, chosen=[])
