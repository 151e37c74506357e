"""The walk through one forward pass, `walkthrough(model, text)`: every step from text to prediction.

    walkthrough(shipped_model("small.vanilla.finetune"), "Where was Ada Low born?⁇")

- On the left a map of the model with its residual stream, as wide as the norm of the chosen token's vector,
  and what the model would predict after each block. On the right the chosen step: what it does, its numbers
  for this text, its lines of code.
- All numbers are sent as float32 and come from one pass of the model (`numbers.py`). The texts are in
  `steps.py`.
- The selection (`step`, `layer`, `head`, `position`, `key`, `channel`, `temperature`) can be read and set
  from Python, and an exported page opens with it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import traitlets

from kqa_core.errors import UserError, suggest
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.gpt import GPT
from kqa_core.show.explorer.explorer import Text, read
from kqa_core.show.kit.widget import Widget, module
from kqa_core.show.walk import facts, still
from kqa_core.show.walk.numbers import ONCE, Floats, numbers_of
from kqa_core.show.walk.steps import BY_NAME, described
from kqa_core.text.vocabulary import Vocabulary

HERE = Path(__file__).parent
MODULES = [HERE / f"{part}.js" for part in ("facts", "parts", "views", "map", "walkthrough")]
COLDEST, HOTTEST = 0.1, 3.0  # temperatures of the slider


def walkthrough(model: GPT | Checkpoint, text: Text, vocabulary: Vocabulary | None = None) -> Walkthrough:
    """A widget that walks through the forward pass of `model` on `text`, step by step.

    `model` is a GPT or a checkpoint. `text` has the characters of `vocabulary` or of the model's own, or is a
    list of token numbers. Raises UserError for a text that the model cannot read, and for a model without
    queries and keys.
    """
    if isinstance(model, Checkpoint):
        model = model.model
    if not isinstance(model, GPT):
        raise UserError(f"{type(model).__name__}: a GPT of kqa_core.model, or a checkpoint, was expected")
    vocabulary = vocabulary or model.vocabulary
    ids, tokens = read(model, text, vocabulary)
    count = model.config.vocab_size
    names = [str(n) for n in range(count)] if vocabulary is None else list(vocabulary.decode(range(count)))
    return Walkthrough(numbers_of(model, ids), described(model, len(ids)), tokens, names)


class Walkthrough(Widget):
    """The widget of `walkthrough`. Its traits are the selection; `numbers` gives what it shows."""

    _esm = module(*MODULES)
    title = "A walk through one forward pass"
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)  # the text
    names = traitlets.List(traitlets.Unicode()).tag(sync=True)  # every character of the vocabulary
    steps: Any = traitlets.List().tag(sync=True)  # see steps.described
    arrays: Any = traitlets.Dict().tag(sync=True)  # by name: shape, and the numbers as bytes
    step = traitlets.Unicode("characters").tag(sync=True)
    layer = traitlets.Int(0).tag(sync=True)
    head = traitlets.Int(0).tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)
    key = traitlets.Int(0).tag(sync=True)  # the other token, where two are compared
    channel = traitlets.Int(0).tag(sync=True)  # one of the numbers of a vector
    temperature = traitlets.Float(1.0).tag(sync=True)

    def __init__(
        self, arrays: dict[str, Floats], steps: list[dict[str, Any]], tokens: list[str], names: list[str]
    ) -> None:
        self._arrays = arrays
        sent = {
            name: {"shape": list(array.shape), "data": array.astype("<f4").tobytes()}
            for name, array in arrays.items()
        }
        last = len(tokens) - 1
        key = int(arrays["weights"][0, 0, last].argmax())
        super().__init__(tokens=tokens, names=names, steps=steps, arrays=sent, position=last, key=key)

    def numbers(self, name: str, layer: int | None = None) -> Floats:
        """The model's numbers on this text, an array: `numbers("weights", layer=1)` has the shape (H, T, T).

        Without `layer`, the numbers of all layers. Raises UserError for a name or a layer that does not
        exist.
        """
        if name not in self._arrays:
            raise UserError(f"no numbers are called {name!r}: {suggest(name, self._arrays)}")
        if layer is None:
            return self._arrays[name]
        self._check("layer", layer, len(self._arrays["weights"]))
        if name in ONCE:
            raise UserError(f"{name!r} does not belong to a layer: leave `layer` out")
        numbers: Floats = self._arrays[name][layer]
        return numbers

    def show(self, step: str | None = None, **selected: float) -> Walkthrough:
        """Select a step by name, and layer, head, position, key, channel (from 0) or temperature (0.1 to 3).

        Returns the widget itself, so that a cell can end with it. Raises UserError for what does not exist.
        """
        if step is not None and step not in BY_NAME:
            raise UserError(f"no step is called {step!r}: {suggest(step, BY_NAME)}")
        layers, heads, T, _ = self._arrays["weights"].shape
        counts = {
            "layer": layers,
            "head": heads,
            "position": T,
            "key": T,
            "channel": self._arrays["hidden"].shape[-1],
        }
        for name, value in selected.items():
            if name == "temperature":
                if not COLDEST <= value <= HOTTEST:
                    raise UserError(f"temperature {value}: {COLDEST} to {HOTTEST:g} was expected")
            elif name in counts:
                self._check(name, value, counts[name])
            else:
                raise UserError(f"{name!r} cannot be selected: {suggest(name, [*counts, 'temperature'])}")
        for name, value in selected.items():
            setattr(self, name, value)
        self.step = self.step if step is None else step
        return self

    @staticmethod
    def _check(name: str, number: float, count: int) -> None:
        if number not in range(count):
            raise UserError(f"{name} {number}: there are {count}, counted from 0")

    @property
    def _place(self) -> facts.Place:
        return facts.Place(self.step, self.layer, self.head, self.position, self.key, self.temperature)

    @property
    def sentence(self) -> str:
        """The selected step, in words."""
        step = next(step for step in self.steps if step["name"] == self.step)
        return facts.sentence(step, self._arrays, self.tokens, self.names, self._place)

    def _draw(self) -> Any:
        return still.draw(self._arrays, self.tokens, self.names, self._place)
