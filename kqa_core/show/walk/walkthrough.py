"""The walk through one forward pass, `walkthrough(model, text)`: every step from text to prediction.

    walkthrough(shipped_model("small.vanilla.finetune"), "Where was Ada Low born?⁇")
    walkthrough("smollm2", "The animal didn't cross the street because it was")

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
from torch import nn

from kqa_core.errors import UserError, suggest
from kqa_core.model.checkpoint import Checkpoint
from kqa_core.model.config import ROTARY
from kqa_core.model.gpt import GPT
from kqa_core.show.explorer.explorer import Text, one_text, read
from kqa_core.show.explorer.real_models import load_named, names_with, read_with
from kqa_core.show.kit.widget import Widget, module
from kqa_core.show.walk import facts, still
from kqa_core.show.walk.forms import Form, form_of
from kqa_core.show.walk.numbers import ONCE, Floats, for_page, numbers_of
from kqa_core.show.walk.steps import described, sizes_of

HERE = Path(__file__).parent
MODULES = [HERE / f"{part}.js" for part in ("facts", "parts", "views", "map", "walkthrough")]
COLDEST, HOTTEST = 0.1, 3.0  # temperatures of the slider


def walkthrough(model: Any, text: Text, vocabulary: Any = None) -> Walkthrough:
    """A widget that walks through the forward pass of `model` on `text`, step by step.

    `model` is a GPT or a checkpoint; or the name of a real model ("minilm", "smollm2", a folder or a name on
    the Hugging Face hub); or a model of `transformers` of the form of Llama, GPT-2 or BERT, with its
    tokenizer as `vocabulary`. `text` has the characters of `vocabulary` or of the GPT's own, is what a
    tokenizer reads, or is a list of token numbers. Raises UserError for a text that the model cannot read,
    and for a model that cannot be shown.
    """
    if isinstance(model, Checkpoint):
        model = model.model
    if isinstance(model, GPT):
        vocabulary = vocabulary or model.vocabulary
        ids, tokens = read(model, text, vocabulary)
        everything = range(model.config.vocab_size)
        names = [str(n) for n in everything] if vocabulary is None else list(vocabulary.decode(everything))
        form = form_of(model)
        return Walkthrough(model, form, numbers_of(model, ids, form), tokens, ids, names)
    if isinstance(model, str):
        model, vocabulary = load_named(model)
    if not isinstance(model, nn.Module):
        raise UserError(
            f"{type(model).__name__}: a model was expected: a GPT, a checkpoint, a name such as"
            ' "smollm2", or a model of transformers'
        )
    form = form_of(model)
    ids, tokens = read_with(vocabulary, one_text(text))
    arrays = numbers_of(model, ids, form)
    spoken_of = {int(n) for name in ("top_ids", "lens_ids") if name in arrays for n in arrays[name].flat} - {
        -1
    }
    numbers = sorted(spoken_of | set(ids))
    names_of = dict(zip(numbers, names_with(vocabulary, numbers), strict=True))
    return Walkthrough(model, form, arrays, tokens, ids, names_of)


class Walkthrough(Widget):
    """The widget of `walkthrough`. Its traits are the selection; `numbers` gives what it shows."""

    _esm = module(*MODULES)
    title = "A walk through one forward pass"
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)  # the text
    ids: Any = traitlets.List(traitlets.Int()).tag(sync=True)  # the numbers of its tokens
    names: Any = traitlets.Any().tag(sync=True)  # of the tokens that are spoken of, by number
    kind: Any = traitlets.Dict().tag(sync=True)  # of the model: sizes, and words for its parts
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
        self,
        model: nn.Module,
        form: Form,
        arrays: dict[str, Floats],
        tokens: list[str],
        ids: list[int],
        names: list[str] | dict[int, str],
    ) -> None:
        shown = for_page(arrays)
        self._arrays, self._shown = arrays, facts.Shown(shown, tokens, ids, names)
        sent = {
            name: {"shape": list(array.shape), "data": array.astype("<f4").tobytes()}
            for name, array in shown.items()
        }
        last = len(tokens) - 1
        key = int(arrays["weights"][0, 0, last].argmax())
        words = {"unit": form.unit, "norm": form.norm_name, "rotated": form.positions == ROTARY}
        super().__init__(
            tokens=tokens,
            ids=ids,
            names=names if isinstance(names, list) else {str(n): name for n, name in names.items()},
            kind=words | sizes_of(model, form, arrays),
            steps=described(model, form, arrays),
            arrays=sent,
            position=last,
            key=key,
        )

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
        names = [step["name"] for step in self.steps]
        if step is not None and step not in names:
            raise UserError(f"no step is called {step!r}: {suggest(step, names)}")
        layers, heads, T, _ = self._arrays["weights"].shape
        counts = {
            "layer": layers,
            "head": heads,
            "position": T,
            "key": T,
            "channel": self._shown.arrays["hidden"].shape[-1],
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
        return facts.sentence(step, self._shown, self._place)

    def _draw(self) -> Any:
        return still.draw(self._shown, self._place)
